package proxy_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/test/chaos/proxy"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	socks "golang.org/x/net/proxy"
)

func startProxy(t *testing.T, o proxy.Options) (*proxy.Proxy, func(context.Context, string) (net.Conn, error)) {
	t.Helper()
	p, err := proxy.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	d, err := socks.SOCKS5("tcp", p.Addr(), nil, &net.Dialer{})
	if err != nil {
		t.Fatal(err)
	}
	return p, func(ctx context.Context, addr string) (net.Conn, error) {
		return d.(socks.ContextDialer).DialContext(ctx, "tcp", addr)
	}
}

// TestKafkaThroughFaults produces and reads with idempotence while connections
// are spoiled: each record comes once and in order, or the proxy broke a stream.
func TestKafkaThroughFaults(t *testing.T) {
	t.Parallel()
	cl, err := kfake.NewCluster(kfake.NumBrokers(3), kfake.SeedTopics(1, "t"))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	p, dial := startProxy(t, proxy.Options{Seed: 5, DelayMin: time.Millisecond, DelayMax: 300 * time.Millisecond, Silence: time.Second})
	client := func(opts ...kgo.Opt) *kgo.Client {
		c, err := kgo.NewClient(append(opts, kgo.SeedBrokers(cl.ListenAddrs()...), kgo.RequestTimeoutOverhead(250*time.Millisecond),
			kgo.Dialer(func(ctx context.Context, _, addr string) (net.Conn, error) {
				ctx, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				return dial(ctx, addr)
			}), kgo.ProduceRequestTimeout(250*time.Millisecond), kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond }),
			kgo.FetchMaxWait(50*time.Millisecond))...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	w := client(kgo.DefaultProduceTopic("t"), kgo.ProducerLinger(0))
	defer w.Close()
	r := client(kgo.ConsumeTopics("t"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	defer r.Close()
	produce := func(i int) {
		if err := w.ProduceSync(ctx, kgo.StringRecord(fmt.Sprint(i))).FirstErr(); err != nil {
			t.Fatalf("producing record %d: %v", i, err)
		}
	}
	produce(0)
	all := map[proxy.Fault]float64{
		proxy.LoseRequest: 0.02, proxy.LoseAnswer: 0.02, proxy.Delay: 0.05, proxy.Reset: 0.03, proxy.HalfOpen: 0.02,
		proxy.Slow: 0.05, proxy.DoubleRequest: 0.2,
	}
	if err := p.Set(all); err != nil {
		t.Fatal(err)
	}
	// Until each has bitten, so that it does not hang on one seed's luck.
	n := 1
	for ; n < 60 || !allBitten(p, all, proxy.DoubleRequest); n++ {
		produce(n)
	}
	if p.Bites()[proxy.DoubleRequest] > 0 {
		t.Error("a request to Kafka was doubled")
	}
	for want := 0; want < n; {
		f := r.PollFetches(ctx)
		if ctx.Err() != nil {
			t.Fatalf("%d of %d records were read in time", want, n)
		}
		f.EachRecord(func(rec *kgo.Record) {
			if string(rec.Value) != fmt.Sprint(want) {
				t.Fatalf("at offset %d stands %q, want %d", rec.Offset, rec.Value, want)
			}
			want++
		})
	}
	t.Logf("%d records, bites %v", n, p.Bites())
}

func allBitten(p *proxy.Proxy, rates map[proxy.Fault]float64, but proxy.Fault) bool {
	b := p.Bites()
	for f := range rates {
		if f != but && b[f] == 0 {
			return false
		}
	}
	return true
}

// TestHBaseThroughFaults increments rows under marks through a spoiled network,
// repeating what is unknown: each row ends with the sum, or a frame was broken.
func TestHBaseThroughFaults(t *testing.T) {
	t.Parallel()
	cl, err := hbasetest.Start(hbasetest.Options{Servers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := cl.Close(); err != nil {
			t.Error(err)
		}
	}()
	p, dial := startProxy(t, proxy.Options{
		Seed: 9, DelayMin: time.Millisecond, DelayMax: 500 * time.Millisecond, Silence: time.Second, Linger: 200 * time.Millisecond,
	})
	cfg := cl.Config()
	cfg.RPCTimeout, cfg.DialTimeout = 300*time.Millisecond, 500*time.Millisecond
	cfg.Dial, cfg.DialZooKeeper = dial, dial
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c, err := hbase.Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := hbase.TableSchema{Name: "t", Families: []hbase.FamilySchema{
		{Name: "d"}, {Name: "k", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true", "VERSIONS": "1"}},
	}}
	if err := c.Admin().CreateTable(ctx, s, []byte("m")); err != nil {
		t.Fatal(err)
	}
	all := map[proxy.Fault]float64{
		proxy.LoseRequest: 0.03, proxy.LoseAnswer: 0.03, proxy.Delay: 0.05, proxy.DoubleRequest: 0.2, proxy.Reset: 0.02,
		proxy.HalfOpen: 0.01, proxy.Slow: 0.03,
	}
	if err := p.Set(all); err != nil {
		t.Fatal(err)
	}
	var sum [2]int64
	var unknown atomic.Int64
	rows := []string{"a", "z"}
	for i := int64(0); i < 60 || !allBitten(p, all, ""); i++ {
		k := int(i % 2)
		for done := false; !done; {
			if ctx.Err() != nil {
				t.Fatalf("write %d was not done in time", i)
			}
			res := c.WriteRow(ctx, "t", increment(rows[k], i))
			// A condition that does not hold says that an earlier try was applied.
			done = res.Outcome == hbase.Applied || res.Outcome == hbase.Refused && res.Err == nil
			if res.Outcome == hbase.Unknown {
				unknown.Add(1)
			}
		}
		sum[k] += i
	}
	if err := p.Set(nil); err != nil {
		t.Fatal(err)
	}
	for k, row := range rows {
		got, err := c.Get(ctx, "t", hbase.Get{Row: []byte(row)})
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range got.Cells {
			if string(cell.Family) == "d" && int64(binary.BigEndian.Uint64(cell.Value)) != sum[k] {
				t.Errorf("row %s holds %d, want %d", row, binary.BigEndian.Uint64(cell.Value), sum[k])
			}
		}
	}
	t.Logf("%d answers were not known, bites %v", unknown.Load(), p.Bites())
}

// increment adds n to a row's counter if no mark of n or later is there, and
// sets it: neither a repeated nor a late frame may count twice.
func increment(row string, n int64) hbase.RowWrite {
	long := binary.BigEndian.AppendUint64(nil, uint64(n))
	return hbase.RowWrite{
		Row: []byte(row),
		Mutations: []hbase.Mutation{
			{Kind: hbase.KindIncrement, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("d"), Qualifier: []byte("n")}, Timestamp: hbase.LatestTimestamp, Value: long}}},
			{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("k"), Qualifier: []byte("m")}, Timestamp: n + 1, Value: long}}},
		},
		Condition: &hbase.Condition{Family: []byte("k"), Qualifier: []byte("m"), Op: hbase.CompareEqual, From: n + 1},
	}
}
