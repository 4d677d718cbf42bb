package kafka

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

const testLimit = time.Minute

func testContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testLimit)
	t.Cleanup(cancel)
	return ctx
}

func open(t testing.TB, cfg Config) *Client {
	t.Helper()
	if cfg.Log == nil {
		log := zerolog.New(zerolog.NewTestWriter(t))
		cfg.Log = &log
	}
	c, err := Open(testContext(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func fake(t testing.TB, opts ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	k, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

func producer(t testing.TB, brokers []string, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	p, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func produce(t testing.TB, p *kgo.Client, recs ...*kgo.Record) {
	t.Helper()
	if err := p.ProduceSync(testContext(t), recs...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// puller asks a reader for one chunk after the other.
type puller struct {
	r  *Reader
	ch chan Chunk
}

func newPuller(t testing.TB, c *Client) *puller {
	p := &puller{ch: make(chan Chunk, 100)}
	p.r = c.NewReader(func(ch Chunk) { p.ch <- ch })
	t.Cleanup(func() { _ = p.r.Close() })
	return p
}

func (p *puller) next(t testing.TB, tp TopicPartition, at FetchAt) Chunk {
	t.Helper()
	p.r.Request(tp, at)
	select {
	case ch := <-p.ch:
		return ch
	case <-time.After(testLimit):
		t.Fatalf("no chunk of %s at offset %d", tp, at.Offset)
		return Chunk{}
	}
}

// readTo reads [from, to) and returns its records.
func (p *puller) readTo(t testing.TB, tp TopicPartition, from, to int64) []Record {
	t.Helper()
	var recs []Record
	at := FetchAt{Offset: from, LeaderEpoch: -1}
	for deadline := time.Now().Add(testLimit); at.Offset < to; {
		ch := p.next(t, tp, at)
		if ch.Err != nil {
			t.Fatal(ch.Err)
		}
		if ch.From != at.Offset || ch.Next < ch.From {
			t.Fatalf("asked from %d, got [%d, %d)", at.Offset, ch.From, ch.Next)
		}
		recs = append(recs, ch.Records...)
		at.Offset, at.LeaderEpoch = ch.Next, ch.LeaderEpoch
		if time.Now().After(deadline) {
			t.Fatalf("reading %s: at offset %d after %v", tp, at.Offset, testLimit)
		}
	}
	return recs
}

func TestReadsWhatWasProduced(t *testing.T) {
	k := fake(t, kfake.SeedTopics(2, "orders"))
	c := open(t, Config{Brokers: k.ListenAddrs()})
	if w := c.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	infos, err := c.Topics(testContext(t), []string{"orders", "none"})
	if err != nil {
		t.Fatal(err)
	}
	if got := infos["orders"]; len(got.Partitions) != 2 || got.ID == (TopicID{}) || got.Err != nil {
		t.Errorf("topic orders: %+v", got)
	}
	var unknown *UnknownTopicError
	if !errors.As(infos["none"].Err, &unknown) {
		t.Errorf("topic none: %+v", infos["none"])
	}
	p := producer(t, k.ListenAddrs())
	const n = 1000
	for i := range n {
		produce(t, p, &kgo.Record{Topic: "orders", Partition: 1, Key: fmt.Appendf(nil, "k%d", i), Value: fmt.Appendf(nil, "v%d", i)})
	}
	tp := TopicPartition{"orders", 1}
	recs := newPuller(t, c).readTo(t, tp, 0, n)
	if len(recs) != n {
		t.Fatalf("%d records, not %d", len(recs), n)
	}
	for i, r := range recs {
		if r.Offset != int64(i) || string(r.Key) != fmt.Sprintf("k%d", i) || string(r.Value) != fmt.Sprintf("v%d", i) {
			t.Fatalf("record %d is %d %q %q", i, r.Offset, r.Key, r.Value)
		}
	}
	for spec, want := range map[OffsetSpec]int64{Earliest: 0, Latest: n, LastStable: n, AtTime(recs[400].Timestamp): -1, AtTime(1 << 60): n} {
		got, err := c.ListOffsets(testContext(t), []TopicPartition{tp}, spec)
		if err != nil || got[tp].Err != nil {
			t.Fatal(err, got[tp].Err)
		}
		if want >= 0 && got[tp].Offset != want {
			t.Errorf("%+v: %+v, not offset %d", spec, got[tp], want)
		}
	}
}
