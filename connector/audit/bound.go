package audit

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"rowmark/kafka"
)

// Bound is one end of a range of the log. The zero value is the default of that end.
type Bound struct {
	kind   boundKind
	offset int64
	at     int64 // milliseconds
}

type boundKind uint8

const (
	byDefault boundKind = iota
	atOffset
	atTime
	atEarliest
	atCheckpoint
)

// ParseBound reads an offset, a time (RFC 3339, a date, or -2h before now), earliest, or now, which is the checkpoint.
func ParseBound(text string, now time.Time) (Bound, error) {
	switch text {
	case "":
		return Bound{}, nil
	case "earliest":
		return Bound{kind: atEarliest}, nil
	case "now":
		return Bound{kind: atCheckpoint}, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return Bound{kind: atOffset, offset: n}, nil
	}
	if back, err := time.ParseDuration(text); err == nil && back < 0 {
		return Bound{kind: atTime, at: now.Add(back).UnixMilli()}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return Bound{kind: atTime, at: at.UnixMilli()}, nil
		}
	}
	return Bound{}, fmt.Errorf("%q: use an offset, a time such as 2026-11-01T12:00:00Z or 2026-11-01, -2h, earliest or now", text)
}

// resolve gives the offset that a bound stands for.
func (b Bound) resolve(ctx context.Context, client *kafka.Client, tp kafka.TopicPartition, start, checkpoint, byDefault int64) (int64, error) {
	switch b.kind {
	case atOffset:
		return b.offset, nil
	case atTime:
		return offsetAt(ctx, client, tp, kafka.AtTime(b.at))
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
