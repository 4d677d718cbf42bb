package reprocess

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/kafka"
)

// readBytes is the wanted size of one answer of the brokers.
const readBytes = 1 << 20

// readLimit is how long a range is waited for without progress.
var readLimit = time.Minute

// Log reads records without taking them.
type Log struct{ Client *kafka.Client }

// Each calls f with the records of [from, until) of the part's partition, in order, and waits for them. The record's headers are
// good for the call alone. An error of f ends it, as does another topic of the name.
func (l *Log) Each(ctx context.Context, p *Part, from, until int64, f func(decode.Record) error) error {
	if from >= until {
		return nil
	}
	tp := p.Source()
	late := time.NewTimer(readLimit)
	defer late.Stop()
	chunks := make(chan kafka.Chunk, 1)
	reader := l.Client.NewReader(func(c kafka.Chunk) { chunks <- c })
	defer func() { _ = reader.Close() }()
	var headers []decode.Header
	for epoch := int32(-1); from < until; {
		reader.Request(tp, kafka.FetchAt{Offset: from, LeaderEpoch: epoch, TopicID: p.TopicID, MaxBytes: readBytes})
		var c kafka.Chunk
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return fmt.Errorf("reading %s from offset %d up to %d: nothing came within %s", tp, from, until, readLimit)
		case c = <-chunks:
		}
		if c.Err != nil {
			return failedRead(tp, from, c.Err)
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
		if c.Next > from {
			late.Reset(readLimit)
		}
		from, epoch = c.Next, c.LeaderEpoch
		reader.Recycle(c.Records)
	}
	return nil
}

// failedRead tells logs that are others than they were from what may pass.
func failedRead(tp kafka.TopicPartition, from int64, err error) error {
	err = fmt.Errorf("reading %s from offset %d: %w", tp, from, err)
	var changed *kafka.TopicChangedError
	var diverged *kafka.DivergedError
	if errors.As(err, &changed) || errors.As(err, &diverged) {
		return &EndedError{&core.StopError{Cause: core.CauseLogChanged, Err: err}}
	}
	return err
}

// same sees that the parts' topics are those that the live connector wrote of, and hold all that it wrote.
func (l *Log) same(ctx context.Context, parts []Part) error {
	if len(parts) == 0 {
		return nil
	}
	var names []string
	var tps []kafka.TopicPartition
	for i := range parts {
		names, tps = append(names, parts[i].Topic), append(tps, parts[i].Source())
	}
	slices.Sort(names)
	topics, err := l.Client.Topics(ctx, slices.Compact(names))
	if err != nil {
		return fmt.Errorf("asking for the topics: %w", err)
	}
	ends, err := l.Client.ListOffsets(ctx, tps, kafka.Latest)
	if err != nil {
		return err
	}
	for i := range parts {
		p := &parts[i]
		now, end := topics[p.Topic], ends[p.Source()]
		switch {
		case now.Err != nil:
			return now.Err
		case p.TopicID.Differs(now.ID):
			return logChanged("%s: the topic was created again (its id is %s, that of the live checkpoint's %s), so that its offsets mean other records than those that were written", p.Source(), now.ID, p.TopicID)
		case end.Err != nil:
			return end.Err
		case end.Offset < p.Until:
			return logChanged("%s: the log ends at offset %d, below %d up to where the live connector wrote it: the topic was created again, or its log was cut", p.Source(), end.Offset, p.Until)
		}
	}
	return nil
}

func logChanged(format string, args ...any) error {
	return &EndedError{&core.StopError{Cause: core.CauseLogChanged, Err: fmt.Errorf(format, args...)}}
}
