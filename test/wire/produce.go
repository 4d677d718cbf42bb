package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// producer writes the log. Only one goroutine uses it, so that every offset is known before it is taken.
type producer struct {
	w       *world
	r       *rand.Rand
	plain   *kgo.Client
	trans   *kgo.Client // nil: this history has no transactions
	bad     *rand.Rand  // nil: all records can be written
	touched map[int]bool
}

// calmDial opens connections that no fault befalls.
func (w *world) calmDial(ctx context.Context, network, addr string) (net.Conn, error) {
	nc, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err == nil {
		w.net.spare(nc.LocalAddr().String())
	}
	return nc, err
}

type compressor struct {
	kgo.Compressor
	err error
}

// compressors are shared by all histories: each holds buffers of megabytes.
var compressors = sync.OnceValue(func() []compressor {
	var out []compressor
	for _, codec := range []kgo.CompressionCodec{
		kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(),
	} {
		c, err := kgo.DefaultCompressor(codec)
		out = append(out, compressor{c, err})
	}
	return out
})

func (w *world) newProducer(r *rand.Rand) (*producer, error) {
	c := compressors()[r.IntN(5)]
	if c.err != nil {
		return nil, c.err
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(w.brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0), kgo.Dialer(w.calmDial),
		kgo.WithCompressor(c.Compressor), kgo.MetadataMinAge(20 * time.Millisecond),
		kgo.RetryBackoffFn(func(int) time.Duration { return 10 * time.Millisecond }),
	}
	p := &producer{w: w, r: r}
	if w.lettered {
		p.bad = rand.New(rand.NewPCG(w.seed, 10))
	}
	var err error
	if p.plain, err = kgo.NewClient(opts...); err != nil {
		return nil, err
	}
	if r.IntN(2) == 0 {
		p.trans, err = kgo.NewClient(append(opts, kgo.TransactionalID("tx"), kgo.TransactionTimeout(10*time.Minute))...)
	}
	return p, err
}

func (p *producer) close() {
	p.plain.Close()
	if p.trans != nil {
		p.trans.Close()
	}
}

// random makes a record: some of rows of their own, most of a few hot ones.
func (p *producer) random(f fate) (*kgo.Record, event) {
	key := fmt.Sprintf("k%d", p.r.IntN(6))
	if p.r.IntN(3) == 0 {
		key = fmt.Sprintf("k%d", 6+p.r.IntN(40))
	}
	e := event{key: key, weight: int64(p.r.Uint64()>>2) - 1<<61, delete: p.r.IntN(8) == 0, fate: f}
	if p.bad != nil {
		spoil(p.bad, &e)
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(e.key)) // it never fails
	part := int(h.Sum32()) % p.w.partitions
	e = p.w.log.add(part, e)
	rec := &kgo.Record{
		Topic: topic, Partition: int32(part),
		Timestamp: time.Now().Add(time.Duration(p.r.IntN(20)-15) * time.Millisecond), // out of order, often in one millisecond
	}
	rec.Key, rec.Value = e.raw()
	return rec, e
}

// some writes n random records, in batches.
func (p *producer) some(ctx context.Context, n int) error {
	for n > 0 {
		client, f := p.plain, committed
		if p.touched != nil && p.r.IntN(2) == 0 {
			client, f = p.trans, open
		}
		size := min(n, 1+p.r.IntN(8))
		n -= size
		var recs []*kgo.Record
		var events []event
		for range size {
			rec, e := p.random(f)
			recs, events = append(recs, rec), append(events, e)
			if f == open {
				p.touched[int(rec.Partition)] = true
			}
		}
		if err := client.ProduceSync(ctx, recs...).FirstErr(); err != nil {
			return fmt.Errorf("producing: %w", err)
		}
		for i, rec := range recs {
			if rec.Offset != events[i].offset {
				return fmt.Errorf("producing: record %s of partition %d got offset %d, want %d", events[i].id, rec.Partition, rec.Offset, events[i].offset)
			}
		}
	}
	return nil
}

// begin opens a transaction, if there is none.
func (p *producer) begin() error {
	if p.trans == nil || p.touched != nil {
		return nil
	}
	p.touched = map[int]bool{}
	return p.trans.BeginTransaction()
}

// end commits or aborts the open transaction.
func (p *producer) end(ctx context.Context) error {
	if p.touched == nil {
		return nil
	}
	try, f := kgo.TryCommit, committed
	if p.r.IntN(2) == 0 {
		try, f = kgo.TryAbort, aborted
		if len(p.touched) > 0 {
			p.w.bite("transaction aborted")
		}
	}
	for part := range p.touched { // before it can be seen
		p.w.log.settle(part, f)
	}
	p.touched = nil
	for {
		err := p.trans.EndTransaction(ctx, try)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("ending a transaction: %w", err)
		}
		time.Sleep(20 * time.Millisecond) // its coordinator may be away
	}
}

// grow lets the log grow in so many steps.
func (p *producer) grow(ctx context.Context, steps int) error {
	for range steps {
		if p.r.IntN(3) == 0 {
			if err := p.begin(); err != nil {
				return err
			}
		}
		if err := p.some(ctx, 10+p.r.IntN(30)); err != nil {
			return err
		}
		time.Sleep(time.Duration(p.r.IntN(120)) * time.Millisecond)
		if p.r.IntN(3) == 0 {
			if err := p.end(ctx); err != nil {
				return err
			}
		}
	}
	if err := p.end(ctx); err != nil {
		return err
	}
	return p.agrees()
}

// agrees is that the brokers hold the log that is known here, with no transaction open.
func (p *producer) agrees() error {
	for part := range p.w.partitions {
		end := p.w.log.end(part)
		info := p.w.kafka.PartitionInfo(topic, int32(part))
		if info == nil || info.HighWatermark != end || info.LastStableOffset != end {
			return fmt.Errorf("producing: the log of partition %d is %+v, and should end at %d", part, info, end)
		}
	}
	return nil
}
