package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/hbase"
)

// watch produces records and waits for their rows.
type watch struct {
	hbase        *hbase.Client
	producer     *kgo.Client
	topic, table string
	n            int
	took         time.Duration

	mu   sync.Mutex
	due  []time.Time // by the record's number; zero while it has not been sent
	seen []time.Time
	left int
	// wake is told of each row that is seen.
	wake chan struct{}
}

// newWatch makes the topic too.
func (s *session) newWatch(ctx context.Context, topic, table string, n int) (*watch, error) {
	c, err := kgo.NewClient(kgo.SeedBrokers(s.kafka.Brokers()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0))
	if err != nil {
		return nil, fmt.Errorf("opening the producer: %w", err)
	}
	if err := createTopic(ctx, c, topic, latencyPartitions); err != nil {
		c.Close()
		return nil, err
	}
	return &watch{
		hbase: s.client, producer: c, topic: topic, table: table, n: n,
		due: make([]time.Time, n), seen: make([]time.Time, n), left: n, wake: make(chan struct{}, 1),
	}, nil
}

func (w *watch) close() { w.producer.Close() }

// watchedKey is that of a partition's record: rows in one region for each partition, in the order of the log.
func watchedKey(partition, number int) []byte { return fmt.Appendf(nil, "%d-%010d", partition, number) }

// run produces all and returns when all rows are seen.
func (w *watch) run(ctx context.Context, alone bool) error {
	ctx, end := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	defer func() {
		end(nil)
		wg.Wait()
	}()
	for p := range latencyPartitions {
		wg.Go(func() {
			if err := w.look(ctx, p); err != nil {
				end(err)
			}
		})
	}
	start := time.Now()
	clock := start // of the schedule, which begins when rowmark has written to every partition
	fill := orders()
	for i := range w.n {
		alone := alone || i < latencyPartitions
		due := clock.Add(time.Duration(i) * time.Second / latencyRate)
		if alone {
			due = time.Now()
		}
		// A record that goes out late still counts from when it was due: a stall hits all that come in it.
		if err := wait(ctx, due); err != nil {
			return err
		}
		w.mu.Lock()
		w.due[i] = due
		w.mu.Unlock()
		r := &kgo.Record{Topic: w.topic, Partition: int32(i % latencyPartitions)}
		fill(i, r)
		r.Key = watchedKey(i%latencyPartitions, i)
		w.producer.Produce(ctx, r, func(_ *kgo.Record, err error) {
			if err != nil {
				end(fmt.Errorf("producing: %w", err))
			}
		})
		if alone {
			if err := w.until(ctx, w.n-i-1); err != nil {
				return err
			}
			clock = time.Now().Add(-time.Duration(i) * time.Second / latencyRate)
		}
	}
	if err := w.until(ctx, 0); err != nil {
		return err
	}
	w.took = time.Since(start)
	return nil
}

// wait sleeps until a time.
func wait(ctx context.Context, until time.Time) error {
	d := time.Until(until)
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// until waits until only so many rows are not yet seen.
func (w *watch) until(ctx context.Context, left int) error {
	for {
		w.mu.Lock()
		reached := w.left <= left
		w.mu.Unlock()
		if reached {
			return nil
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return fmt.Errorf("waiting for rows: %w", context.Cause(ctx))
		}
	}
}
