package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Codecs as numbered in a batch's attributes.
const (
	codecNone = iota
	codecGzip
	codecSnappy
	codecLZ4
	codecZstd
)

// scratchLargest is the largest buffer that is kept to decompress into.
const scratchLargest = 16 << 20

// decompressor undoes the compression of batches, each up to limit bytes. Safe for concurrent use.
type decompressor struct {
	limit   int
	scratch pool[byte]
	gzip    sync.Pool
	zstd    func() (*zstd.Decoder, error)
}

func newDecompressor(limit int) *decompressor {
	return &decompressor{limit: limit, scratch: pool[byte]{largest: scratchLargest}, zstd: sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(uint64(limit)))
	})}
}

func (d *decompressor) close() {
	if z, err := d.zstd(); err == nil {
		z.Close()
	}
}

func (d *decompressor) tooLarge() error {
	return fmt.Errorf("it is larger than %d bytes when decompressed; allow more by the setting for the largest batch", d.limit)
}

// own gives a batch's records in a buffer of their own, which has just their size: how much that is shows only when
// all is decompressed, into a buffer that serves the next batch again.
func (d *decompressor) own(codec int16, src []byte) ([]byte, error) {
	if codec == codecNone {
		return bytes.Clone(src), nil
	}
	out, err := d.decompress(codec, d.scratch.get(1), src)
	defer d.scratch.put(out)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(out), nil
}

// decompress appends what src holds to out, which is empty.
func (d *decompressor) decompress(codec int16, out, src []byte) ([]byte, error) {
	switch codec {
	case codecGzip:
		r, _ := d.gzip.Get().(*gzip.Reader)
		if r == nil {
			r = new(gzip.Reader)
		}
		defer d.gzip.Put(r)
		if err := r.Reset(bytes.NewReader(src)); err != nil {
			return out, fmt.Errorf("undoing gzip: %w", err)
		}
		return d.readAll(r, out, len(src))
	case codecSnappy:
		return d.snappy(out, src)
	case codecLZ4:
		return d.lz4(out, src)
	case codecZstd:
		z, err := d.zstd()
		if err != nil {
			return out, fmt.Errorf("undoing zstd: %w", err)
		}
		out, err = z.DecodeAll(src, out)
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
			return out, d.tooLarge()
		}
		if err != nil {
			return out, fmt.Errorf("undoing zstd: %w", err)
		}
		return out, nil
	}
	return out, fmt.Errorf("its compression %d is not known", codec)
}

// readAll appends what gzip reads to out.
func (d *decompressor) readAll(r *gzip.Reader, out []byte, packed int) ([]byte, error) {
	out = withRoom(out, min(max(512, 5*packed), d.limit))
	for {
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if len(out) > d.limit {
			return out, d.tooLarge()
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("undoing gzip: %w", err)
		}
		if len(out) == cap(out) {
			out = withRoom(out, 512)
		}
	}
}

// xerialMagic opens the framing of the Java library that Java clients compress with: the magic, two versions of
// 4 bytes, then blocks with their lengths. Other clients send one bare block.
var xerialMagic = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

func (d *decompressor) snappy(out, src []byte) ([]byte, error) {
	if !bytes.HasPrefix(src, xerialMagic) {
		return d.snappyBlock(out, src)
	}
	if len(src) < 16 {
		return out, errors.New("undoing snappy: its framing is cut short")
	}
	for src = src[16:]; len(src) > 0; {
		if len(src) < 4 {
			return out, errors.New("undoing snappy: its framing is cut short")
		}
		n := binary.BigEndian.Uint32(src)
		if uint64(n) > uint64(len(src)-4) {
			return out, errors.New("undoing snappy: its framing is cut short")
		}
		var err error
		if out, err = d.snappyBlock(out, src[4:4+n]); err != nil {
			return out, err
		}
		src = src[4+n:]
	}
	return out, nil
}

// snappyBlock appends a decompressed block to out.
func (d *decompressor) snappyBlock(out, block []byte) ([]byte, error) {
	n, err := s2.DecodedLen(block)
	if err != nil {
		return out, fmt.Errorf("undoing snappy: %w", err)
	}
	if n > d.limit-len(out) {
		return out, d.tooLarge()
	}
	at := len(out)
	out = withRoom(out, n)
	if _, err := s2.Decode(out[at:at+n:at+n], block); err != nil {
		return out, fmt.Errorf("undoing snappy: %w", err)
	}
	return out[:at+n], nil
}
