package core

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"rowmark/kafka"
)

// Owner is the random id of one running connector; zero where nobody holds the source.
type Owner [16]byte

func (o Owner) String() string { return hex.EncodeToString(o[:]) }

// positionVersion is the first byte of a position's value.
const positionVersion = 1

const positionLen = 1 + 8 + 8 + 16 + 8 + 8

// Position is the compared cell of a checkpoint. Every accepted change of it differs from the one before, by
// Beat if by nothing else, so that a lost answer is settled by reading the cell.
type Position struct {
	Offset  int64  // every record below is resolved
	Epoch   int64  // rises by one with each taking; fences the owners before
	Owner   Owner  // zero: released
	Ceiling int64  // no record at or past it has ever been sent
	Beat    uint64 // counts the owner's writes of the cell: its sign of life
}

// Encode gives the cell's value: version, offset, epoch, owner, ceiling, beat; integers big-endian.
func (p Position) Encode() []byte {
	b := make([]byte, positionLen)
	b[0] = positionVersion
	binary.BigEndian.PutUint64(b[1:], uint64(p.Offset))
	binary.BigEndian.PutUint64(b[9:], uint64(p.Epoch))
	copy(b[17:], p.Owner[:])
	binary.BigEndian.PutUint64(b[33:], uint64(p.Ceiling))
	binary.BigEndian.PutUint64(b[41:], p.Beat)
	return b
}

// DecodePosition reads a position cell.
func DecodePosition(b []byte) (Position, error) {
	if len(b) != positionLen {
		return Position{}, fmt.Errorf("reading a checkpoint: %d bytes, want %d", len(b), positionLen)
	}
	if b[0] != positionVersion {
		return Position{}, fmt.Errorf("reading a checkpoint: version %d is not known to this program", b[0])
	}
	p := Position{
		Offset:  int64(binary.BigEndian.Uint64(b[1:])),
		Epoch:   int64(binary.BigEndian.Uint64(b[9:])),
		Ceiling: int64(binary.BigEndian.Uint64(b[33:])),
		Beat:    binary.BigEndian.Uint64(b[41:]),
	}
	copy(p.Owner[:], b[17:])
	return p, nil
}

// Checkpoint is one row of the checkpoint table.
type Checkpoint struct {
	Position
	TopicID kafka.TopicID
	// LeaderEpoch is the epoch of the batch before EpochOffset, -1 if not known. From EpochOffset to Offset lies nothing
	// that had an effect; after offsets set back it is past Offset.
	LeaderEpoch int32
	EpochOffset int64
	Newest      int64 // no floor past it has ever been sent, milliseconds
	AdvancedAt  int64 // wall clock of the last advance, milliseconds
	Mapping     []byte
	MappingHash string
	Segments    []Segment
	Witness     []Witness
	Who         string
}

// Segment is one incarnation of the log: the records from Start on are marked under its number.
type Segment struct {
	Incarnation int
	Start       int64
	TopicID     kafka.TopicID
	// Floor is the newest timestamp of the incarnations before: a row without a mark of this one may hold it.
	Floor int64
}

// Witness is a row that must hold at least this mark: if it does not, the table is older than the checkpoint.
type Witness struct {
	Table string
	Row   []byte
	Name  string // the source name of the mark
	Mark  int64
	// Until is the wall clock in milliseconds up to which the mark surely stands; 0: as long as its row (no marks.ttl).
	Until int64

	by   time.Duration // the mark was seen to stand by then; it may be as old as its sending
	step uint64        // the event that told
}

func (w *Witness) stands(wall int64) bool { return w.Until == 0 || wall < w.Until }

// Incarnation is the number of the log's current incarnation, 0 for the first.
func (c *Checkpoint) Incarnation() int {
	if len(c.Segments) == 0 {
		return 0
	}
	return c.Segments[len(c.Segments)-1].Incarnation
}
