package audit

import (
	"context"
	"fmt"
	"time"

	"rowmark/kafka"
)

// chunkBytes is the wanted size of one answer of the brokers.
const chunkBytes = 1 << 20

// logReader reads ranges of partitions, one after the other. While a chunk is worked on the next one is on its way.
type logReader struct {
	reader  *kafka.Reader
	chunks  chan kafka.Chunk
	timeout time.Duration // without progress
}

func newLogReader(client *kafka.Client, timeout time.Duration) *logReader {
	l := &logReader{chunks: make(chan kafka.Chunk, 1), timeout: timeout}
	l.reader = client.NewReader(func(c kafka.Chunk) { l.chunks <- c })
	return l
}

func (l *logReader) close() { _ = l.reader.Close() }

// read calls each for the records of [from, to) in order, until it fails or says that it has enough.
func (l *logReader) read(ctx context.Context, tp kafka.TopicPartition, id kafka.TopicID, from, to int64, each func(*kafka.Record) (more bool, err error)) error {
	if from >= to {
		return nil
	}
	at := kafka.FetchAt{Offset: from, LeaderEpoch: -1, TopicID: id, MaxBytes: chunkBytes}
	l.reader.Request(tp, at)
	for {
		c, err := l.next(ctx, tp, at.Offset)
		if err != nil {
			return err
		}
		at.Offset, at.LeaderEpoch = c.Next, c.LeaderEpoch
		if c.Next < to {
			l.reader.Request(tp, at)
		}
		for i := range c.Records {
			r := &c.Records[i]
			if r.Offset >= to {
				break
			}
			more, err := each(r)
			if err != nil || !more {
				l.drop(tp)
				return err
			}
		}
		l.reader.Recycle(c.Records)
		if c.Next >= to {
			return nil
		}
	}
}

// next waits for the chunk that was asked for. An answer may hold no offset of progress, where the end of the log only
// is told.
func (l *logReader) next(ctx context.Context, tp kafka.TopicPartition, offset int64) (kafka.Chunk, error) {
	late := time.NewTimer(l.timeout)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			l.drop(tp)
			return kafka.Chunk{}, ctx.Err()
		case <-late.C:
			l.drop(tp)
			return kafka.Chunk{}, fmt.Errorf("reading %s from offset %d: nothing came within %s", tp, offset, l.timeout)
		case c := <-l.chunks:
			if c.Err != nil {
				return c, fmt.Errorf("reading %s from offset %d: %w", tp, offset, c.Err)
			}
			if c.Next > offset {
				return c, nil
			}
			l.reader.Request(tp, kafka.FetchAt{Offset: c.Next, LeaderEpoch: c.LeaderEpoch, MaxBytes: chunkBytes})
		}
	}
}

// drop withdraws what was asked for, and forgets an answer that has come.
func (l *logReader) drop(tp kafka.TopicPartition) {
	l.reader.Cancel(tp)
	select {
	case <-l.chunks:
	default:
	}
}
