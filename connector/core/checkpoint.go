package core

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
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
	// Anew says that the log is that of another topic: what it holds below Start is marked under no earlier number.
	Anew bool `json:",omitempty"`
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

// Open begins the next incarnation of the log at next.Start, where nothing was sent yet. The number of next, and whether
// it is of another topic, are found here.
func (c *Checkpoint) Open(next Segment) {
	next.Incarnation, next.Anew = c.Incarnation()+1, next.TopicID.Differs(c.TopicID)
	c.Segments = append(slices.Clone(c.Segments), next)
	c.Offset, c.Ceiling = next.Start, next.Start
	c.TopicID, c.LeaderEpoch, c.EpochOffset = next.TopicID, -1, next.Start
}

// CutAt says whether records that were read are gone from the log, because the checkpoint's leader epoch ends at epochEnd
// in it; -1 where that is not known.
//
// After offsets set back the epoch is known of an offset past the checkpoint's. A cut between the two leaves records
// that this incarnation must still read; the marks tell of those that took others' offsets.
// Of an epoch whose records retention took, some brokers give no end that says anything.
func (c *Checkpoint) CutAt(logStart, epochEnd int64) bool {
	return epochEnd >= logStart && epochEnd < min(c.EpochOffset, c.Offset)
}

// Incarnation is the number of the log's current incarnation, 0 for the first.
func (c *Checkpoint) Incarnation() int {
	if len(c.Segments) == 0 {
		return 0
	}
	return c.Segments[len(c.Segments)-1].Incarnation
}
