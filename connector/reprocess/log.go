package reprocess

import (
	"context"
	"fmt"

	"rowmark/connector/decode"
	"rowmark/kafka"
)

// readBytes is the wanted size of one answer of the brokers.
const readBytes = 1 << 20

// Log reads records without taking them.
type Log struct{ Client *kafka.Client }

// Each calls f with the records of [from, until), in order, and waits for them. The record's headers are good for the call
// alone. An error of f ends it.
func (l *Log) Each(ctx context.Context, tp kafka.TopicPartition, from, until int64, f func(decode.Record) error) error {
	if from >= until {
		return nil
	}
	chunks := make(chan kafka.Chunk, 1)
	reader := l.Client.NewReader(func(c kafka.Chunk) { chunks <- c })
	defer func() { _ = reader.Close() }()
	var headers []decode.Header
	for epoch := int32(-1); from < until; {
		reader.Request(tp, kafka.FetchAt{Offset: from, LeaderEpoch: epoch, MaxBytes: readBytes})
		var c kafka.Chunk
		select {
		case <-ctx.Done():
			return ctx.Err()
		case c = <-chunks:
		}
		if c.Err != nil {
			return fmt.Errorf("reading %s from offset %d: %w", tp, from, c.Err)
		}
		for i := range c.Records {
			r := &c.Records[i]
			if r.Offset >= until {
				return nil
			}
			headers = headers[:0]
			for _, h := range r.Headers {
				headers = append(headers, decode.Header(h))
			}
			err := f(decode.Record{
				Topic: tp.Topic, Partition: tp.Partition, Offset: r.Offset, Timestamp: r.Timestamp, Key: r.Key, Value: r.Value, Headers: headers,
			})
			if err != nil {
				return err
			}
		}
		from, epoch = c.Next, c.LeaderEpoch
		reader.Recycle(c.Records)
	}
	return nil
}
