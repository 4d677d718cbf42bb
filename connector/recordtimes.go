package connector

import (
	"context"
	"fmt"
	"time"

	"rowmark/kafka"
)

// recordTimesWithin bounds the reading of times: they are good to know, and no more.
const recordTimesWithin = 5 * time.Second

// recordTimesFetch is how many bytes are asked for at once: some batches, of which most may be of aborted transactions.
const recordTimesFetch = 64 << 10

// Span is a part of a partition's log: from From on, below Until.
type Span struct{ From, Until int64 }

// RecordTimes gives the time of the first record of each span, in milliseconds. Spans without a record are left out, and so
// are those whose records can't be read, or not within five seconds: the error then tells of one of them, and the times of
// the others are right.
func RecordTimes(ctx context.Context, client *kafka.Client, spans map[kafka.TopicPartition]Span) (map[kafka.TopicPartition]int64, error) {
	ctx, cancel := context.WithTimeout(ctx, recordTimesWithin)
	defer cancel()
	chunks := make(chan kafka.Chunk, len(spans))
	reader := client.NewReader(func(c kafka.Chunk) { chunks <- c })
	defer func() { _ = reader.Close() }()
	ask := func(tp kafka.TopicPartition, from int64, epoch int32) bool {
		if from >= spans[tp].Until {
			return false
		}
		reader.Request(tp, kafka.FetchAt{Offset: from, LeaderEpoch: epoch, MaxBytes: recordTimesFetch})
		return true
	}
	waits := 0
	for tp, s := range spans {
		if ask(tp, s.From, -1) {
			waits++
		}
	}
	out := map[kafka.TopicPartition]int64{}
	var failed error
	for waits > 0 {
		var c kafka.Chunk
		select {
		case <-ctx.Done():
			return out, fmt.Errorf("reading the times of %d records: %w", waits, ctx.Err())
		case c = <-chunks:
		}
		switch {
		case c.Err != nil:
			failed = fmt.Errorf("reading the time of a record of %s: %w", c.TopicPartition, c.Err)
		case len(c.Records) > 0:
			if r := &c.Records[0]; r.Offset < spans[c.TopicPartition].Until {
				out[c.TopicPartition] = r.Timestamp
			}
		case ask(c.TopicPartition, c.Next, c.LeaderEpoch):
			continue
		}
		waits--
	}
	return out, failed
}
