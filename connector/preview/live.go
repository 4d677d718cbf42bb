package preview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"rowmark/connector/decode"
	"rowmark/kafka"
)

// From is where in a topic the records begin.
type From struct {
	Last   bool  // as many as are wanted before the end
	Offset int64 // from there on; -1: At says where
	At     kafka.OffsetSpec
}

// Topic reads from a live topic, and leaves no trace there.
type Topic struct {
	Client        *kafka.Client
	ReadCommitted bool
	Timeout       time.Duration // of one partition
}

// Read gives up to count records: the first or the last ones of the partitions by their time, or in their order from
// an offset of one partition.
func (t *Topic) Read(ctx context.Context, tps []kafka.TopicPartition, from From, count int) ([]decode.Record, error) {
	chunks := make(chan kafka.Chunk, 1)
	reader := t.Client.NewReader(func(c kafka.Chunk) { chunks <- c })
	defer func() { _ = reader.Close() }()
	p := partition{Topic: t, reader: reader, chunks: chunks, count: count}
	var out []decode.Record
	for _, tp := range tps {
		recs, err := p.read(ctx, tp, from)
		if err != nil {
			return nil, err
		}
		out = append(out, recs...)
	}
	if len(tps) > 1 {
		slices.SortStableFunc(out, func(a, b decode.Record) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	}
	if from.Last {
		return out[max(0, len(out)-count):], nil
	}
	return out[:min(count, len(out))], nil
}

// partition reads one partition after the other.
type partition struct {
	*Topic
	reader *kafka.Reader
	chunks chan kafka.Chunk
	count  int
}

func (p *partition) read(ctx context.Context, tp kafka.TopicPartition, from From) ([]decode.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	start, err := p.offset(ctx, tp, kafka.Earliest)
	if err != nil {
		return nil, err
	}
	end, err := p.offset(ctx, tp, kafka.ReadableEnd(p.ReadCommitted))
	switch {
	case err != nil:
		return nil, err
	case from.Last:
		return p.readLast(ctx, tp, start, end)
	case from.Offset < 0:
		begin, err := p.offset(ctx, tp, from.At)
		if err != nil {
			return nil, err
		}
		return p.readRange(ctx, tp, max(begin, start), end)
	case from.Offset < start || from.Offset > end:
		return nil, &kafka.OutOfRangeError{TopicPartition: tp, Wanted: from.Offset, LogStart: start, LogEnd: end}
	}
	return p.readRange(ctx, tp, from.Offset, end)
}

func (p *partition) offset(ctx context.Context, tp kafka.TopicPartition, at kafka.OffsetSpec) (int64, error) {
	got, err := p.Client.ListOffsets(ctx, []kafka.TopicPartition{tp}, at)
	if err != nil {
		return 0, err
	}
	return got[tp].Offset, got[tp].Err
}

// readLast goes back in growing steps, since offsets may hold no record: the last ones often hold ends of transactions.
func (p *partition) readLast(ctx context.Context, tp kafka.TopicPartition, start, end int64) ([]decode.Record, error) {
	for back := int64(p.count); ; back *= 4 {
		from := max(start, end-back)
		all := *p
		all.count = int(end - from)
		recs, err := all.readRange(ctx, tp, from, end)
		if err != nil {
			return nil, err
		}
		if len(recs) >= p.count || from == start {
			return slices.Clone(recs[max(0, len(recs)-p.count):]), nil
		}
	}
}

// readRange gives the first records of [from, end).
func (p *partition) readRange(ctx context.Context, tp kafka.TopicPartition, from, end int64) ([]decode.Record, error) {
	var out []decode.Record
	for epoch := int32(-1); from < end && len(out) < p.count; {
		p.reader.Request(tp, kafka.FetchAt{Offset: from, LeaderEpoch: epoch})
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("reading %s from offset %d: %w", tp, from, ctx.Err())
		case c := <-p.chunks:
			if c.Err != nil {
				return nil, fmt.Errorf("reading %s from offset %d: %w", tp, from, c.Err)
			}
			for i := range c.Records {
				if r := &c.Records[i]; r.Offset < end && len(out) < p.count {
					out = append(out, RecordOf(tp, r))
				}
			}
			from, epoch = c.Next, c.LeaderEpoch
		}
	}
	return out, nil
}

// RecordOf gives a record of the log as mappings take it.
func RecordOf(tp kafka.TopicPartition, r *kafka.Record) decode.Record {
	out := decode.Record{Topic: tp.Topic, Partition: tp.Partition, Offset: r.Offset, Timestamp: r.Timestamp, Key: r.Key, Value: r.Value}
	for _, h := range r.Headers {
		out.Headers = append(out.Headers, decode.Header(h))
	}
	return out
}
