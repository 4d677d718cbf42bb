package connector

import (
	"context"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/status"
	"rowmark/kafka"
)

// Replay has an engine write a part of each log anew, under a sink name of its own, and end there (Core.Once).
type Replay struct {
	// Ranges are the parts; other partitions are left alone.
	Ranges map[kafka.TopicPartition]Range
	Stage  Stage
	// Progress is what the snapshot tells of it.
	Progress func() *status.Reprocess
}

// Range is the offsets [First, Until) of a partition.
type Range struct{ First, Until int64 }

// Stage maps the records of a replay.
type Stage interface {
	// Open gives what maps a partition's records from offset from on. What the stage does not remember of the records
	// before, it reads again; ask is as of MapAsking.
	Open(ctx context.Context, tp kafka.TopicPartition, from int64, ask func(*decode.Later) error) (Mapper, error)
}

// Mapper maps the records of a partition, one after the other.
type Mapper interface {
	// Map gives the rows to write for a record. After an error of ask it may be called again for the same record.
	Map(rec decode.Record, ask func(*decode.Later) error) (mapping.Result, error)
	// Close ends it; next is the offset up to which records were given.
	Close(next int64)
}

// mapper gives what maps the records of a chunk, and what is called with the offset that it came to.
func (e *Engine) mapper(ctx context.Context, set *mapping.Set, c *kafka.Chunk, ask func(*decode.Later) error) (
	mapRecord func(decode.Record, func(*decode.Later) error) (mapping.Result, error), done func(int64), err error,
) {
	if e.opts.Replay == nil {
		return set.MapAsking, func(int64) {}, nil
	}
	m, err := e.opts.Replay.Stage.Open(ctx, c.TopicPartition, c.From, ask)
	if err != nil {
		return nil, nil, err
	}
	return m.Map, m.Close, nil
}

// untils are the ends of the ranges.
func (r *Replay) untils() map[kafka.TopicPartition]int64 {
	out := map[kafka.TopicPartition]int64{}
	for tp, part := range r.Ranges {
		out[tp] = part.Until
	}
	return out
}

// takes says whether a partition has a range.
func (r *Replay) takes(tp kafka.TopicPartition) bool {
	_, ok := r.Ranges[tp]
	return ok
}
