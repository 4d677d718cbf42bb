package rebuild

import (
	"fmt"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// Partition is one whose checkpoint is to be made: its log as the brokers tell of it, and what the operator says.
type Partition struct {
	kafka.TopicPartition
	TopicID kafka.TopicID
	LogEnd  int64    // past all that is replicated, committed or not
	From    int64    // where to read on
	Opening *Opening // nil: as the marks tell
}

// Checkpoint is a released checkpoint that reads from From on without doubling what the rows hold. It is refused where
// the marks are not of this log, or where records below From's incarnation would be read under its number.
//
// What the lost one said and no mark tells is set to what does no harm: all of the log may have been sent, and with
// floors up to now, so that rows are looked at rather than believed. The mapping is left for the caller to name.
func (f Found) Checkpoint(p Partition, now time.Time) (core.Checkpoint, error) {
	open, err := f.opening(p)
	if err != nil {
		return core.Checkpoint{}, err
	}
	marks := f[p.TopicPartition]
	if m := marks[open.Incarnation]; m != nil {
		if m.Greatest > p.LogEnd {
			return core.Checkpoint{}, because("%s: marks of incarnation %d reach to offset %d, past the log's end %d: they are not of this log, which was created again or cut; open the next incarnation with --incarnation %d@OFFSET, where OFFSET is the first that is not the one that the rows hold (0 for a topic created again)", p.TopicPartition, open.Incarnation, m.Greatest, p.LogEnd, open.Incarnation+1)
		}
		if m.Least <= open.Start {
			return core.Checkpoint{}, fmt.Errorf("%s: incarnation %d can't begin at offset %d, since the record at %d is marked under it", p.TopicPartition, open.Incarnation, open.Start, m.Least-1)
		}
	}
	if p.From < open.Start {
		return core.Checkpoint{}, fmt.Errorf("%s: incarnation %d of the log is known to have begun by offset %d and not where; records of [%d, %d) that are marked under an earlier one would be applied twice: read from %d on, or say where it began, as the log of its run says where it opened a new incarnation, with --incarnation %d@OFFSET", p.TopicPartition, open.Incarnation, open.Start, p.From, open.Start, open.Start, open.Incarnation)
	}
	ck := core.Checkpoint{
		Position: core.Position{Offset: p.From, Epoch: 1, Ceiling: p.LogEnd},
		TopicID:  p.TopicID, LeaderEpoch: -1, EpochOffset: p.From,
		Newest: max(now.UnixMilli(), newest(marks, open.Incarnation+1)), AdvancedAt: now.UnixMilli(),
		Who: "rowmark offsets rebuild",
	}
	if open.Incarnation > 0 {
		ck.Segments = []core.Segment{{
			Incarnation: open.Incarnation, Start: open.Start, TopicID: p.TopicID, Floor: newest(marks, open.Incarnation),
		}}
	}
	return ck, nil
}

// opening is where the current incarnation of a partition begins: as said, or by the least of its marks, whose record is
// surely one of it.
func (f Found) opening(p Partition) (Opening, error) {
	last := f.last(p.TopicPartition)
	if p.Opening != nil {
		if p.Opening.Incarnation < last {
			return Opening{}, fmt.Errorf("%s: --incarnation names %d, but rows hold marks of incarnation %d", p.TopicPartition, p.Opening.Incarnation, last)
		}
		return *p.Opening, nil
	}
	for tp := range f {
		if n := f.last(tp); tp.Topic == p.Topic && n > last {
			return Opening{}, fmt.Errorf("%s: its marks end with incarnation %d, those of %s with %d: if the topic was created again, its records are of the later one, and under the earlier one they would be passed by; say which with --incarnation NUMBER@OFFSET", p.TopicPartition, last, tp, n)
		}
	}
	open := Opening{Incarnation: last}
	if last > 0 {
		open.Start = f[p.TopicPartition][last].Least - 1
	}
	return open, nil
}

// last is the greatest incarnation of a partition that a mark bears, 0 if none does.
func (f Found) last(tp kafka.TopicPartition) int {
	last := 0
	for n := range f[tp] {
		last = max(last, n)
	}
	return last
}

// newest is the newest floor in the marks of the incarnations below one.
func newest(marks map[int]*Marks, below int) int64 {
	var floor int64
	for n, m := range marks {
		if n < below {
			floor = max(floor, m.Floor)
		}
	}
	return floor
}

func because(format string, args ...any) error {
	return &core.StopError{Cause: core.CauseLogChanged, Err: fmt.Errorf(format, args...)}
}
