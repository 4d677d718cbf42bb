package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// producers write the main topic: one plainly (idempotent), two in transactions, some of which they give up.
type producers struct {
	brokers    []string
	seed       uint64
	rate       float64 // records a second, all together
	ids        atomic.Int64
	partitions atomic.Int32
	now        func() time.Time
	log        func(string, ...any)

	counts              [3]atomic.Int64 // records, by how their batch ended
	abortedTransactions atomic.Int64

	mu        sync.Mutex
	confirmed []int64 // ids of valued records whose commit was answered
}

const writers = 3

// run writes until ctx ends, and gives the first error that is not that.
func (p *producers) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make(chan error, writers)
	for i := range writers {
		w := &writer{producers: p, n: i, ring: newKeyring(p.seed, i, &p.ids, firstPartitions), rnd: rand.New(rand.NewPCG(p.seed, 200+uint64(i)))}
		go func() {
			err := w.run(ctx)
			if err != nil {
				cancel()
			}
			errs <- err
		}()
	}
	var all error
	for range writers {
		all = errors.Join(all, <-errs)
	}
	return all
}

// writer is one of them.
type writer struct {
	*producers
	n      int
	ring   *keyring
	rnd    *rand.Rand
	client *kgo.Client
}

// producerOptions suit all that write here. Every record names its partition.
func producerOptions(brokers []string, more ...kgo.Opt) []kgo.Opt {
	return append([]kgo.Opt{
		kgo.SeedBrokers(brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.ProducerLinger(5 * time.Millisecond), kgo.MetadataMinAge(250 * time.Millisecond), kgo.MetadataMaxAge(5 * time.Second),
		kgo.ProducerBatchMaxBytes(2 << 20), kgo.RetryBackoffFn(func(int) time.Duration { return 200 * time.Millisecond }),
	}, more...)
}

func (w *writer) connect() error {
	var more []kgo.Opt
	if w.n > 0 {
		more = append(more, kgo.TransactionalID(fmt.Sprintf("chaos-%d", w.n)), kgo.TransactionTimeout(15*time.Second))
	}
	c, err := kgo.NewClient(producerOptions(w.brokers, more...)...)
	if err != nil {
		return fmt.Errorf("starting producer %d: %w", w.n, err)
	}
	w.client = c
	return nil
}

func (w *writer) run(ctx context.Context) error {
	if err := w.connect(); err != nil {
		return err
	}
	// The batch that is under way is ended when ctx ends, so that nothing stays open.
	defer func() { w.client.Close() }()
	share := w.rate / writers
	due, last := 0.0, time.Now()
	for ctx.Err() == nil {
		now := time.Now()
		// What could not be written while the brokers were away is caught up with, up to a bound.
		due, last = min(due+now.Sub(last).Seconds()*share, 3*share+100), now
		size := 10 + w.rnd.IntN(90)
		if float64(size) > due {
			if sleep(ctx, 20*time.Millisecond) != nil {
				break
			}
			continue
		}
		due -= float64(size)
		w.learn()
		batch := make([]draft, size)
		for i := range batch {
			batch[i] = w.ring.next(w.now())
		}
		var err error
		if w.n == 0 {
			err = w.plain(batch)
		} else {
			err = w.transaction(batch)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// learn takes a new partition into use once this writer's client knows it.
func (w *writer) learn() {
	want := w.partitions.Load()
	if want == w.ring.partitions {
		return
	}
	if leader, _, err := w.client.PartitionLeader(mainTopic, want-1); err != nil || leader < 0 {
		w.client.ForceMetadataRefresh()
		return
	}
	w.ring.partitions = want
}

// patience bounds one batch: brokers that are away come back long before.
const patience = 2 * time.Minute

// plain writes a batch; within a partition its order is that of the slice.
func (w *writer) plain(batch []draft) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.client.ProduceSync(ctx, records(batch)...).FirstErr(); err != nil {
		return fmt.Errorf("writing to topic %s: %w", mainTopic, err)
	}
	w.settle(batch, committed)
	return nil
}

func records(batch []draft) []*kgo.Record {
	out := make([]*kgo.Record, len(batch))
	for i := range batch {
		out[i] = batch[i].Record
	}
	return out
}

// end is how a batch ended.
type end int

const (
	committed end = iota
	aborted
	unclear // committed or not, the writer can't tell
)

// settle moves the keys on to what was committed, back over what was not, or to not known.
func (w *writer) settle(batch []draft, how end) {
	var ids []int64
	for _, d := range batch {
		if d.id == 0 {
			continue
		}
		switch how {
		case committed:
			d.key.settled = d.key.prev
			ids = append(ids, d.id)
		case aborted:
			d.key.prev = d.key.settled
		case unclear:
			d.key.prev, d.key.settled = unknown, unknown
		}
	}
	w.counts[how].Add(int64(len(batch)))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.confirmed = append(w.confirmed, ids...)
}

// transaction writes a batch in one transaction, and gives some up.
func (w *writer) transaction(batch []draft) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	give := w.rnd.IntN(8) == 0
	err := w.client.BeginTransaction()
	if err == nil {
		err = w.client.ProduceSync(ctx, records(batch)...).FirstErr()
	}
	if err == nil {
		err = w.client.EndTransaction(ctx, kgo.TransactionEndTry(!give))
	}
	switch {
	case err == nil && give:
		w.abortedTransactions.Add(1)
		w.settle(batch, aborted)
		return nil
	case err == nil:
		w.settle(batch, committed)
		return nil
	}
	// Committed or not, the keys can't tell; the log will. A new client under the same id ends what is open.
	w.log("producer %d: a transaction of %d records ended unclear: %v", w.n, len(batch), err)
	w.settle(batch, unclear)
	w.client.Close()
	return w.connect()
}

// missing gives the ids of records that were confirmed and are not in the log.
func (p *producers) missing(t *truth) []int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []int64
	for _, id := range p.confirmed {
		if !t.committed(id) {
			out = append(out, id)
		}
	}
	return out
}
