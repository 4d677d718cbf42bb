package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// transactions is how many the records are cut into. One more is given up in the middle, and one at the end,
// where nothing behind it helps a reader to get past.
const transactions = 100

// producer writes the stream. Its counters may be read while it runs.
type producer struct {
	records   int
	streamFor time.Duration // at least
	sent      atomic.Int64  // committed records
	aborted   atomic.Int64  // records of transactions that were given up
	// opened is how many gates are open.
	opened atomic.Int32
}

// gates are the parts of the stream at which it is held back, two for each kill: the first is opened when the kill is
// due, so that a fast stream and a slow look at the progress don't miss it; the second when it is done, so that
// something is left by which the next connector shows that it goes on.
func gates(n int) []float64 {
	g := make([]float64, 0, 2*n)
	for i := range n {
		g = append(g, (float64(i)+1.75)/float64(n+1), (float64(i)+1.9)/float64(n+1))
	}
	return g
}

func (s *session) createTopic(ctx context.Context) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(s.services.brokers()...))
	if err != nil {
		return fmt.Errorf("creating topic %s: %w", topic, err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := kadm.NewClient(client).CreateTopic(ctx, partitions, 1, nil, topic); err != nil {
		return fmt.Errorf("creating topic %s: %w", topic, err)
	}
	s.out.step("topic %s with %d partitions", topic, partitions)
	return nil
}

func (p *producer) run(ctx context.Context, brokers []string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.DefaultProduceTopic(topic),
		kgo.TransactionalID("rowmark-demo"), kgo.ProducerLinger(2*time.Millisecond), kgo.MaxBufferedRecords(50_000))
	if err != nil {
		return fmt.Errorf("opening the producer: %w", err)
	}
	defer client.Close()
	gen := newGenerator(rand.Uint64(), p.records)
	per := (p.records + transactions - 1) / transactions
	start := time.Now()
	for done := 0; done < p.records; {
		n := min(per, p.records-done)
		due := time.Duration(float64(p.streamFor) * float64(done) / float64(p.records))
		if err := p.wait(ctx, float64(done)/float64(p.records), start.Add(due)); err != nil {
			return err
		}
		batch := make([]order, n)
		for i := range batch {
			batch[i] = gen.order()
		}
		if err := p.transaction(ctx, client, batch, kgo.TryCommit); err != nil {
			return err
		}
		half := done < p.records/2 && done+n >= p.records/2
		done += n
		p.sent.Store(int64(done))
		if half || done == p.records {
			for i := range batch {
				batch[i] = spoil(batch[i], i)
			}
			if err := p.transaction(ctx, client, batch, kgo.TryAbort); err != nil {
				return err
			}
			p.aborted.Add(int64(n))
		}
	}
	return nil
}

// wait lets the stream flow no faster than it should, and holds it at a gate.
func (p *producer) wait(ctx context.Context, part float64, due time.Time) error {
	for {
		open := true
		for i, gate := range gates(kills) {
			open = open && (part < gate || int(p.opened.Load()) > i)
		}
		pause := time.Until(due)
		if open && pause <= 0 {
			return ctx.Err()
		}
		if !open {
			pause = max(pause, 20*time.Millisecond)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (p *producer) transaction(ctx context.Context, client *kgo.Client, batch []order, end kgo.TransactionEndTry) error {
	if err := client.BeginTransaction(); err != nil {
		return fmt.Errorf("producing orders: %w", err)
	}
	var failed atomic.Pointer[error]
	now := time.Now()
	for _, o := range batch {
		rec := &kgo.Record{Key: []byte(o.key), Value: o.value, Timestamp: now}
		if o.late {
			rec.Timestamp = now.Add(-5 * time.Second)
		}
		client.Produce(ctx, rec, func(_ *kgo.Record, err error) {
			if err != nil {
				failed.Store(&err)
			}
		})
	}
	// Also what will be given up must reach the log first, or nothing would have to be left out.
	if err := client.Flush(ctx); err != nil {
		return fmt.Errorf("producing orders: %w", err)
	}
	if err := failed.Load(); err != nil {
		return fmt.Errorf("producing orders: %w", *err)
	}
	if err := client.EndTransaction(ctx, end); err != nil {
		return fmt.Errorf("ending a transaction: %w", err)
	}
	return nil
}

// offsets is how long the log will be, about: each transaction puts a marker into each partition.
func (p *producer) offsets() int64 {
	per := (p.records + transactions - 1) / transactions
	return int64(p.records + 2*per + (transactions+2)*partitions)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

var errStopped = errors.New("the stream has ended")
