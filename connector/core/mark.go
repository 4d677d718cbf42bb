package core

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// MarkVersion is the first byte of a mark's value.
const MarkVersion = 1

// markLen is the length of a mark's value: version, next offset, floor.
const markLen = 1 + 8 + 8

// Mark is the cell that says which records of a source a row holds: all below Next. The cell's timestamp is
// Next too, so that one condition with a time range guards a fresh row and an older mark alike.
type Mark struct {
	// Next is the last applied offset + 1; 0 is no mark.
	Next int64
	// Floor is the least timestamp in milliseconds that the row's next cell of this source may carry:
	// the newest one written, plus 1 after a delete, which would hide a put of its own millisecond.
	Floor int64
}

// Encode gives the mark's value: one byte version, eight bytes Next, eight bytes Floor, both big-endian.
func (m Mark) Encode() []byte {
	b := make([]byte, markLen)
	b[0] = MarkVersion
	binary.BigEndian.PutUint64(b[1:], uint64(m.Next))
	binary.BigEndian.PutUint64(b[9:], uint64(m.Floor))
	return b
}

// DecodeMark reads a mark's value.
func DecodeMark(b []byte) (Mark, error) {
	if len(b) != markLen {
		return Mark{}, fmt.Errorf("reading a mark: %d bytes, want %d", len(b), markLen)
	}
	if b[0] != MarkVersion {
		return Mark{}, fmt.Errorf("reading a mark: version %d is not known to this program", b[0])
	}
	return Mark{Next: int64(binary.BigEndian.Uint64(b[1:])), Floor: int64(binary.BigEndian.Uint64(b[9:]))}, nil
}

// SourceName is the mark's qualifier: sink/topic/partition, then #n for the n-th incarnation of the log.
func SourceName(sink, topic string, partition int32, incarnation int) string {
	s := sink + "/" + topic + "/" + strconv.Itoa(int(partition))
	if incarnation > 0 {
		s += "#" + strconv.Itoa(incarnation)
	}
	return s
}
