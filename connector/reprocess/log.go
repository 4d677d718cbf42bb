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

// readLimit is how long a range is waited for without progress.
var readLimit = time.Minute

// Log reads records without taking them.
type Log struct{ Client *kafka.Client }

// Each calls f with the records of [from, until) of the part's partition, in order, and waits for them. The record's headers are
// good for the call alone. An error of f ends it, as does another topic of the name.
func (l *Log) Each(ctx context.Context, p *Part, from, until int64, f func(decode.Record) error) error {
	tp := p.Source()
	log := l.Client.NewRanges(readLimit)
	defer log.Close()
	var headers []decode.Header
	return failedRead(log.Read(ctx, tp, p.TopicID, from, until, func(r *kafka.Record) (bool, error) {
		headers = headers[:0]
		for _, h := range r.Headers {
			headers = append(headers, decode.Header(h))
		}
		return true, f(decode.Record{
			Topic: tp.Topic, Partition: tp.Partition, Offset: r.Offset, Timestamp: r.Timestamp, Key: r.Key, Value: r.Value, Headers: headers,
		})
	}))
}

// failedRead tells logs that are others than they were from what may pass.
func failedRead(err error) error {
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
