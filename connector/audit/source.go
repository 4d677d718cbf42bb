package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
)

// source is one partition, and the range of it that is read.
type source struct {
	kafka.TopicPartition
	report *SourceReport
	ck     *core.Checkpoint
	set    *mapping.Set
	name   string // qualifier of its marks
	from   int64
	to     int64
	// compacted says that records may be gone from within the range.
	compacted bool
	// whole says that the range holds all that came of the log's incarnation up to its end.
	whole bool
	floor int64 // the least floor of a row before the range
	// exact says that floor is every row's floor before the range.
	exact   bool
	letters map[int64]*deadletter.Letter // by the offset of their records
	names   names
	settled []mapping.RowOps // room for what a record does
	broken  bool             // it could not be read to its end
}

var errNoCheckpoint = errors.New("it has no checkpoint: nothing of it was written yet")

// prepare settles what is read of a partition. The checkpoint comes before the log.
func (v *Verify) prepare(ctx context.Context, tp kafka.TopicPartition, rep *SourceReport) (*source, error) {
	ctx, cancel := v.call(ctx)
	defer cancel()
	ck, err := v.Checkpoint(ctx, tp)
	switch {
	case err != nil:
		return nil, err
	case ck == nil:
		return nil, errNoCheckpoint
	}
	s := &source{TopicPartition: tp, report: rep, ck: ck, name: core.SourceName(v.Sink, tp.Topic, tp.Partition, ck.Incarnation())}
	rep.Checkpoint = ck.Offset
	if s.set, rep.Notes, err = v.Mapping(tp, ck); err != nil {
		return nil, err
	}
	if err := s.set.CheckTopic(tp.Topic); err != nil {
		return nil, err
	}
	if err := v.bounds(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// bounds settles the range, inside the log and its incarnation, and below the checkpoint.
func (v *Verify) bounds(ctx context.Context, s *source) error {
	start, err := offsetAt(ctx, v.Kafka, s.TopicPartition, kafka.Earliest)
	if err != nil {
		return err
	}
	end, err := offsetAt(ctx, v.Kafka, s.TopicPartition, kafka.Latest)
	if err != nil {
		return err
	}
	if end < s.ck.Offset {
		return fmt.Errorf("the log ends at %d, below the checkpoint %d: it was created again or cut, and its offsets mean other records now", end, s.ck.Offset)
	}
	begin := int64(0) // of the incarnation
	if n := len(s.ck.Segments); n > 0 {
		begin, s.floor = s.ck.Segments[n-1].Start, s.ck.Segments[n-1].Floor
	}
	if s.to, err = v.To.resolve(ctx, v.Kafka, s.TopicPartition, start, s.ck.Offset, s.ck.Offset); err != nil {
		return err
	}
	s.to = min(s.to, s.ck.Offset)
	if s.from, err = v.From.resolve(ctx, v.Kafka, s.TopicPartition, start, s.ck.Offset, max(0, s.to-DefaultRecords)); err != nil {
		return err
	}
	if first := max(start, begin); s.from < first {
		if v.From.kind != byDefault {
			s.note("the log and its incarnation begin at %d", first)
		}
		s.from = first
	}
	s.from = min(s.from, s.to)
	if err := v.compaction(ctx, s); err != nil {
		return err
	}
	s.whole = s.from == begin && !s.compacted
	s.exact = s.whole && v.MarksTTL == 0
	s.report.From, s.report.To = s.from, s.to
	return nil
}

// compaction asks whether the topic is compacted. Where that is not told, it may be.
func (v *Verify) compaction(ctx context.Context, s *source) error {
	conf, err := v.Kafka.TopicConfig(ctx, s.Topic)
	if err != nil {
		s.note("whether the topic is compacted can't be seen, so that it is judged as if it were: %v", err)
		s.compacted = true
		return ctx.Err()
	}
	s.compacted = strings.Contains(conf["cleanup.policy"], "compact")
	return nil
}

func (s *source) note(format string, args ...any) {
	s.report.Notes = append(s.report.Notes, fmt.Sprintf(format, args...))
}

// readLetters lists the letters of the range: their records are not in the rows that they map to.
func (v *Verify) readLetters(ctx context.Context, s *source) error {
	if !s.set.WritesLetters(s.Topic) {
		return nil
	}
	ctx, cancel := v.call(ctx)
	defer cancel()
	letters, err := v.letterTable().List(ctx, deadletter.Filter{Topic: s.Topic, Partition: s.Partition, From: s.from, To: s.to, Resolved: true})
	if hbase.FaultOf(err) == hbase.FaultTable {
		return nil // none was ever written
	}
	if err != nil {
		return err
	}
	s.letters = map[int64]*deadletter.Letter{}
	for _, l := range letters {
		if l.Key.Incarnation == s.ck.Incarnation() {
			s.letters[l.Key.Offset] = l
		}
	}
	return nil
}

func (v *Verify) letterTable() *deadletter.Table {
	return &deadletter.Table{Client: v.HBase, Name: v.LetterTable, Sink: v.Sink}
}
