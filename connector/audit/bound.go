package audit

import (
	"context"

	"rowmark/kafka"
)

// Bound is one end of a range of the log. The zero value is the default of that end.
type Bound struct {
	kind   boundKind
	offset int64
	at     kafka.OffsetSpec
}

type boundKind uint8

const (
	byDefault boundKind = iota
	atOffset
	atTime
	atEarliest
	atCheckpoint
)

// Earliest is the beginning of the log, Checkpoint the end of what is judged.
var (
	Earliest   = Bound{kind: atEarliest}
	Checkpoint = Bound{kind: atCheckpoint}
)

// At is an offset.
func At(offset int64) Bound { return Bound{kind: atOffset, offset: offset} }

// Since is the first record of a time or of a later one.
func Since(at kafka.OffsetSpec) Bound { return Bound{kind: atTime, at: at} }

// resolve gives the offset that a bound stands for.
func (b Bound) resolve(ctx context.Context, client *kafka.Client, tp kafka.TopicPartition, start, checkpoint, byDefault int64) (int64, error) {
	switch b.kind {
	case atOffset:
		return b.offset, nil
	case atTime:
		return offsetAt(ctx, client, tp, b.at)
	case atEarliest:
		return start, nil
	case atCheckpoint:
		return checkpoint, nil
	}
	return byDefault, nil
}

func offsetAt(ctx context.Context, client *kafka.Client, tp kafka.TopicPartition, at kafka.OffsetSpec) (int64, error) {
	got, err := client.ListOffsets(ctx, []kafka.TopicPartition{tp}, at)
	if err != nil {
		return 0, err
	}
	return got[tp].Offset, got[tp].Err
}
