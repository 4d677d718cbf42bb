package core

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"rowmark/hbase"
)

// First bytes of a mark's value.
const (
	MarkVersion   = 1
	BarredVersion = 2 // the record before Next is not in the row, and the reason follows
)

// markLen is the length of a mark's value: version, next offset, floor, leader epoch.
const markLen = 1 + 8 + 8 + 4

// barredMost bounds the reason in a mark, in bytes.
const barredMost = 500

// Mark is the cell that says which records of a source a row holds: all below Next. The cell's timestamp is
// Next too, so that one condition with a time range guards a fresh row and an older mark alike.
type Mark struct {
	// Next is the last applied offset + 1; 0 is no mark.
	Next int64
	// Floor is the least timestamp in milliseconds that the row's next cell of this source may carry:
	// the newest one written, plus 1 after a delete, which would hide a put of its own millisecond.
	Floor int64
	// LeaderEpoch is that of the record before Next, -1 if not known. A record of a later epoch that lies below Next
	// is not one that the row holds: an unclean election cut that one off, and this one took its offset.
	LeaderEpoch int32
	// Barred, if not empty, is why HBase refused the record before Next for good: it was barred, so that no late attempt
	// lands, and its dead letter may not be written yet.
	Barred string
}

// Encode gives the mark's value: one byte version, eight bytes Next, eight bytes Floor, four bytes LeaderEpoch, then the
// text of Barred; integers big-endian. The text is cut at 500 bytes.
func (m Mark) Encode() []byte { return m.Append(nil) }

// Append adds what Encode gives to dst.
func (m Mark) Append(dst []byte) []byte {
	var b [markLen]byte
	b[0] = MarkVersion
	if m.Barred != "" {
		b[0] = BarredVersion
	}
	binary.BigEndian.PutUint64(b[1:], uint64(m.Next))
	binary.BigEndian.PutUint64(b[9:], uint64(m.Floor))
	binary.BigEndian.PutUint32(b[17:], uint32(m.LeaderEpoch))
	dst = append(dst, b[:]...)
	return append(dst, m.Barred[:min(len(m.Barred), barredMost)]...)
}

// MarkError says that a mark can't be read: something else wrote the cell, or a later version of this program did.
type MarkError struct{ Err error }

func (e *MarkError) Error() string { return fmt.Sprintf("reading a mark: %v", e.Err) }

// Unwrap gives the reason itself.
func (e *MarkError) Unwrap() error { return e.Err }

// DecodeMark reads a mark's value. The error is a *MarkError.
func DecodeMark(b []byte) (Mark, error) {
	if len(b) > 0 && b[0] != MarkVersion && b[0] != BarredVersion {
		return Mark{}, &MarkError{fmt.Errorf("version %d is not known to this program", b[0])}
	}
	if len(b) < markLen || (len(b) > markLen) != (b[0] == BarredVersion) {
		return Mark{}, &MarkError{fmt.Errorf("%d bytes, want %d, and a reason behind them in version %d", len(b), markLen, BarredVersion)}
	}
	return Mark{
		Barred:      string(b[markLen:]),
		Next:        int64(binary.BigEndian.Uint64(b[1:])),
		Floor:       int64(binary.BigEndian.Uint64(b[9:])),
		LeaderEpoch: int32(binary.BigEndian.Uint32(b[17:])),
	}, nil
}

// ReadMark reads a mark's cell, whose timestamp and value must say the same offset. The error is a *MarkError.
func ReadMark(cell *hbase.Cell) (Mark, error) {
	m, err := DecodeMark(cell.Value)
	if err == nil && m.Next != cell.Timestamp {
		err = &MarkError{fmt.Errorf("%s says offset %d, its timestamp %d", cell.Qualifier, m.Next, cell.Timestamp)}
	}
	return m, err
}

// replaced says whether a record below a mark is not the one that the mark speaks of. Epochs rise along the log.
func replaced(epoch, markEpoch int32) bool { return epoch >= 0 && markEpoch >= 0 && epoch > markEpoch }

// SourceName is the mark's qualifier: sink/topic/partition, then #n for the n-th incarnation of the log.
func SourceName(sink, topic string, partition int32, incarnation int) string {
	s := sink + "/" + topic + "/" + strconv.Itoa(int(partition))
	if incarnation > 0 {
		s += "#" + strconv.Itoa(incarnation)
	}
	return s
}
