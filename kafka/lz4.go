package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/pierrec/lz4/v4"
)

// A batch's lz4 is one frame: the magic, flags, the size of blocks, sizes that may be left out, a checksum of that;
// then blocks behind their lengths, up to a length of zero.
const (
	lz4Magic    = 0x184d2204
	lz4Stored   = 1 << 31 // in a block's length: the block is not compressed
	lz4Reach    = 64 << 10
	lz4MaxRatio = 255 // a byte of a block makes no more
	lz4Guess    = 2   // and most make about this; the next guess is as much more
)

// Flags of an lz4 frame.
const (
	lz4DictID       = 0x01
	lz4Reserved     = 0x02
	lz4ContentSize  = 0x08
	lz4BlockSum     = 0x10
	lz4Independent  = 0x20
	lz4Version      = 0xc0
	lz4VersionOne   = 0x40
	lz4SizeReserved = 0x8f
)

var errLZ4Cut = errors.New("undoing lz4: its frame is cut short")

// lz4Frame is a frame's header and the blocks behind it.
type lz4Frame struct {
	flags    byte
	maxBlock int
	blocks   []byte
}

// openLZ4 reads a frame's header. Of its checksums none is looked at: the checksum of the batch, which was, covers them.
func openLZ4(src []byte) (lz4Frame, error) {
	const flagsAt, sizeAt, restAt = 4, 5, 6
	if len(src) <= restAt {
		return lz4Frame{}, errLZ4Cut
	}
	if magic := binary.LittleEndian.Uint32(src); magic != lz4Magic {
		return lz4Frame{}, fmt.Errorf("undoing lz4: it begins with %08x, which opens no frame", magic)
	}
	f := lz4Frame{flags: src[flagsAt]}
	size := src[sizeAt]
	if f.flags&lz4Version != lz4VersionOne || f.flags&(lz4Reserved|lz4DictID) != 0 || size&lz4SizeReserved != 0 || size>>4 < 4 {
		return lz4Frame{}, fmt.Errorf("undoing lz4: its frame has the flags %02x %02x, which are not supported", f.flags, size)
	}
	f.maxBlock = 1 << (8 + 2*int(size>>4))
	header := restAt + 1
	if f.flags&lz4ContentSize != 0 {
		header += 8
	}
	if len(src) < header {
		return lz4Frame{}, errLZ4Cut
	}
	f.blocks = src[header:]
	return f, nil
}

// next cuts the first block off. At the end of the frame it gives nil.
func (f *lz4Frame) next() (block []byte, stored bool, err error) {
	if len(f.blocks) < 4 {
		return nil, false, errLZ4Cut
	}
	head := binary.LittleEndian.Uint32(f.blocks)
	if head == 0 {
		return nil, false, nil
	}
	stored = head&lz4Stored != 0
	n := int(head &^ lz4Stored)
	if n > f.maxBlock {
		return nil, false, fmt.Errorf("undoing lz4: a block has %d bytes, its frame allows %d", n, f.maxBlock)
	}
	end := 4 + n
	if f.flags&lz4BlockSum != 0 {
		end += 4
	}
	if len(f.blocks) < end {
		return nil, false, errLZ4Cut
	}
	block, f.blocks = f.blocks[4:4+n], f.blocks[end:]
	return block, stored, nil
}

// lz4 appends what src holds to out, block by block, without the copies of a reader.
func (d *decompressor) lz4(out, src []byte) ([]byte, error) {
	f, err := openLZ4(src)
	if err != nil {
		return out, err
	}
	for {
		block, stored, err := f.next()
		if err != nil || block == nil {
			return out, err
		}
		if stored {
			out = append(out, block...)
		} else {
			if out, err = f.undo(out, block); err != nil {
				return out, err
			}
		}
		if len(out) > d.limit {
			return out, d.tooLarge()
		}
	}
}

// undo appends a block. How large it gets shows only by doing it, and most stay far below what the frame allows:
// the room for it is guessed, and grown as long as the library does not say yes.
func (f *lz4Frame) undo(out, block []byte) ([]byte, error) {
	at, most := len(out), min(f.maxBlock, lz4MaxRatio*len(block))
	for room := min(lz4Guess*len(block), most); ; room = min(lz4Guess*room, most) {
		out = withRoom(out, room)
		var before []byte
		if f.flags&lz4Independent == 0 {
			before = out[max(0, at-lz4Reach):at]
		}
		into := out[at:min(cap(out), at+most)]
		n, err := lz4.UncompressBlockWithDict(block, into, before)
		if err == nil {
			return out[:at+n], nil
		}
		if len(into) == most {
			return out, fmt.Errorf("undoing lz4: %w", err)
		}
	}
}

// withRoom gives out with at least so many bytes of capacity behind it.
func withRoom(out []byte, room int) []byte {
	if cap(out)-len(out) >= room {
		return out
	}
	grown := make([]byte, len(out), max(len(out)+room, 2*cap(out)))
	copy(grown, out)
	return grown
}
