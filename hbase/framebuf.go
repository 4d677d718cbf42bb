package hbase

import (
	"encoding/binary"
	"math/bits"
	"sync"

	"google.golang.org/protobuf/proto"
)

// frame is the bytes of one call, filled from the end to the start: when a message's length is due, its bytes are
// there already. So nested messages are written once, straight from the caller's rows, and nothing is sized before.
//
// A frame has one owner at a time, who frees it or hands it on.
type frame struct {
	b  []byte
	at int // b[at:] is written
}

// Frames are pooled by size, in powers of two, so that a small call does not hold the memory of a large one.
const (
	smallestFrame = 12 // bits: 4 KiB
	largestFrame  = 23 // bits: 8 MiB; larger ones are left to the garbage collector
)

var framePools [largestFrame + 1]sync.Pool

// newFrame gives an empty frame with room for about size bytes; it grows if that falls short.
func newFrame(size int) *frame {
	class := max(bits.Len(uint(max(size, 1)-1)), smallestFrame)
	if class > largestFrame {
		return &frame{b: make([]byte, size), at: size}
	}
	if f, ok := framePools[class].Get().(*frame); ok {
		return f
	}
	return &frame{b: make([]byte, 1<<class), at: 1 << class}
}

// free gives the memory to later frames. Nobody may read the frame any more.
func (f *frame) free() {
	class := bits.Len(uint(len(f.b))) - 1
	if class < smallestFrame || class > largestFrame {
		return
	}
	f.at = len(f.b)
	framePools[class].Put(f)
}

func (f *frame) len() int      { return len(f.b) - f.at }
func (f *frame) bytes() []byte { return f.b[f.at:] }

// room makes place for n more bytes in front of what is written, and moves the start there.
func (f *frame) room(n int) {
	if f.at < n {
		f.grow(n)
	}
	f.at -= n
}

func (f *frame) grow(n int) {
	b := make([]byte, 1<<bits.Len(uint(f.len()+n-1)))
	at := len(b) - f.len()
	copy(b[at:], f.bytes())
	f.b, f.at = b, at
}

// What follows writes in front of what is written. Field numbers are below 16, so that a tag is one byte.

func (f *frame) octet(c byte) {
	f.room(1)
	f.b[f.at] = c
}

func (f *frame) uint32(v uint32) {
	f.room(4)
	binary.BigEndian.PutUint32(f.b[f.at:], v)
}

func (f *frame) varint(v uint64) {
	if v < 0x80 {
		f.octet(byte(v))
		return
	}
	n := (bits.Len64(v) + 6) / 7
	f.room(n)
	b := f.b[f.at : f.at+n]
	for i := range n - 1 {
		b[i] = byte(v) | 0x80
		v >>= 7
	}
	b[n-1] = byte(v)
}

const (
	wireVarint = 0
	wireBytes  = 2
)

func (f *frame) uintField(num byte, v uint64) {
	f.varint(v)
	f.octet(num<<3 | wireVarint)
}

func (f *frame) bytesField(num byte, p []byte) {
	n := len(p)
	if n < 0x80 { // nearly all: one check of the room
		f.room(n + 2)
		b := f.b[f.at : f.at+n+2]
		b[0], b[1] = num<<3|wireBytes, byte(n)
		copy(b[2:], p)
		return
	}
	end := f.len()
	f.room(n)
	copy(f.b[f.at:], p)
	f.nest(num, end)
}

func (f *frame) textField(num byte, s string) {
	end := f.len()
	f.room(len(s))
	copy(f.b[f.at:], s)
	f.nest(num, end)
}

// nest makes one field of all that was written since len was end.
func (f *frame) nest(num byte, end int) {
	n := f.len() - end
	if n < 0x80 {
		f.room(2)
		f.b[f.at], f.b[f.at+1] = num<<3|wireBytes, byte(n)
		return
	}
	f.varint(uint64(n))
	f.octet(num<<3 | wireBytes)
}

// message writes a message that others have built, of n bytes as proto.Size told just before.
func (f *frame) message(m proto.Message, n int) error {
	f.room(n)
	_, err := proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(f.b[f.at:f.at:f.at+n], m)
	return err
}
