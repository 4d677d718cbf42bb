package kafka

import (
	"encoding/binary"
	"errors"
	"unsafe"
)

var (
	errCut     = errors.New("a record is cut short")
	errOverlap = errors.New("it begins before the end of the batch before it")
)

// cursor reads a record's fields. After the first field that is cut short or out of bounds, bad stays set and all
// reads give zero.
type cursor struct {
	src []byte
	bad bool
}

func (c *cursor) varint() int64 {
	if len(c.src) > 0 && c.src[0] < 0x80 { // one byte is by far the most frequent
		u := c.src[0]
		c.src = c.src[1:]
		return int64(u>>1) ^ -int64(u&1)
	}
	v, n := binary.Varint(c.src)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.src = c.src[n:]
	return v
}

// bytes reads a length and as many bytes; a length below zero is null.
func (c *cursor) bytes() []byte {
	n := c.varint()
	switch {
	case n < 0 || c.bad:
		return nil
	case n > int64(len(c.src)):
		c.fail()
		return nil
	}
	b := c.src[:n:n]
	c.src = c.src[n:]
	return b
}

func (c *cursor) skip(n int) {
	if n > len(c.src) {
		c.fail()
		return
	}
	c.src = c.src[n:]
}

func (c *cursor) fail() { c.src, c.bad = nil, true }

// aliasString shares b's memory, which nobody writes to after it was read from the broker.
func aliasString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
