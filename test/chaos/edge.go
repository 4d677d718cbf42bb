package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// edgeProducer writes a trickle to one of the topics that lose records or are made anew. It can be halted.
type edgeProducer struct {
	brokers []string
	topic   string
	ids     *atomic.Int64
	rnd     *rand.Rand
	fail    func(error)

	mu     sync.Mutex // held while a batch is under way
	client *kgo.Client
}

const (
	edgeEvery = 200 * time.Millisecond
	edgeBatch = 4
	edgeKeys  = 40
)

func (p *edgeProducer) run(ctx context.Context) {
	for sleep(ctx, edgeEvery) == nil {
		p.mu.Lock()
		if p.client != nil {
			if err := p.write(edgeBatch); err != nil {
				p.fail(err)
			}
		}
		p.mu.Unlock()
	}
	p.halt()
}

// write produces n records; the lock is held.
func (p *edgeProducer) write(n int) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var recs []*kgo.Record
	for range n {
		e := event{id: p.ids.Add(1), inc: int64(p.rnd.Uint64()), hot: -1}
		recs = append(recs, &kgo.Record{Topic: p.topic, Key: fmt.Appendf(nil, "%s-%d", p.topic, p.rnd.IntN(edgeKeys)), Value: e.value()})
	}
	if err := p.client.ProduceSync(ctx, recs...).FirstErr(); err != nil {
		return fmt.Errorf("writing to topic %s: %w", p.topic, err)
	}
	return nil
}

// halt returns when nothing is under way any more, and nothing comes until go on.
func (p *edgeProducer) halt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != nil {
		p.client.Close()
		p.client = nil
	}
}

// goOn begins again, with a client that knows nothing of an earlier topic of that name.
func (p *edgeProducer) goOn() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != nil {
		return nil
	}
	c, err := kgo.NewClient(producerOptions(p.brokers)...)
	if err != nil {
		return fmt.Errorf("starting the producer of topic %s: %w", p.topic, err)
	}
	p.client = c
	return nil
}

// burst writes n records at once.
func (p *edgeProducer) burst(n int) error {
	if err := p.goOn(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.write(n)
}
