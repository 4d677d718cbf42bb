package kafka

import (
	"context"
	"fmt"
	"time"
)

// rangeBytes is the wanted size of one answer of the brokers.
const rangeBytes = 1 << 20

// Ranges reads ranges of partitions, one after the other, for who looks at the log without following it. While a chunk is
// worked on the next one is on its way. It is for one goroutine.
type Ranges struct {
	reader  *Reader
	chunks  chan Chunk
	timeout time.Duration // without progress
}

// NewRanges gives a reader of ranges that waits for timeout at most without progress.
func (c *Client) NewRanges(timeout time.Duration) *Ranges {
	r := &Ranges{chunks: make(chan Chunk, 1), timeout: timeout}
	r.reader = c.NewReader(func(c Chunk) { r.chunks <- c })
	return r
}

// Close ends it.
func (r *Ranges) Close() { _ = r.reader.Close() }

// Read calls each for the records of [from, to) in order, until it fails or says that it has enough. An id that is not zero is
// that of the topic: another one of its name is not read. What a record points to is good as long as it is held, its headers
// for the call alone.
func (r *Ranges) Read(ctx context.Context, tp TopicPartition, id TopicID, from, to int64, each func(*Record) (more bool, err error)) error {
	if from >= to {
		return nil
	}
	at := FetchAt{Offset: from, LeaderEpoch: -1, TopicID: id, MaxBytes: rangeBytes}
	r.reader.Request(tp, at)
	for {
		c, err := r.next(ctx, tp, at, to)
		if err != nil {
			return err
		}
		at.Offset, at.LeaderEpoch = c.Next, c.LeaderEpoch
		if c.Next < to {
			r.reader.Request(tp, at)
		}
		for i := range c.Records {
			rec := &c.Records[i]
			if rec.Offset >= to {
				break
			}
			more, err := each(rec)
			if err != nil || !more {
				r.drop(tp)
				return err
			}
		}
		r.reader.Recycle(c.Records)
		if c.Next >= to {
			return nil
		}
	}
}

// next waits for the chunk that was asked for. An answer may hold no offset of progress, where the end of the log only
// is told.
func (r *Ranges) next(ctx context.Context, tp TopicPartition, at FetchAt, to int64) (Chunk, error) {
	late := time.NewTimer(r.timeout)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			r.drop(tp)
			return Chunk{}, ctx.Err()
		case <-late.C:
			r.drop(tp)
			return Chunk{}, fmt.Errorf("reading %s from offset %d up to %d: nothing came within %s", tp, at.Offset, to, r.timeout)
		case c := <-r.chunks:
			if c.Err != nil {
				return c, fmt.Errorf("reading %s from offset %d: %w", tp, at.Offset, c.Err)
			}
			if c.Next > at.Offset {
				return c, nil
			}
			at.LeaderEpoch = c.LeaderEpoch
			r.reader.Request(tp, at)
		}
	}
}

// drop withdraws what was asked for, and forgets an answer that has come.
func (r *Ranges) drop(tp TopicPartition) {
	r.reader.Cancel(tp)
	select {
	case <-r.chunks:
	default:
	}
}
