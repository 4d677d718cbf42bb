package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// world is one history.
type world struct {
	seed       uint64
	rand       *rand.Rand // of the nemesis; nobody else draws from it
	partitions int
	commit     string
	began      time.Time
	plan       *hbasetest.Plan
	danger     atomic.Bool
	kafka      *kfake.Cluster
	hbase      *hbasetest.Cluster
	producer   *kgo.Client
	log        history
	options    connector.Options
	loud       bool // print the trace, and the connectors' own logs

	mu      sync.Mutex
	errs    []string
	bites   map[string]int
	running []*process
}

// calm is how long one history may drain at its end.
const calm = 40 * time.Second

const mappings = `
sink: s
kafka: {brokers: [%q], fetch: {max_wait: 20ms}}
hbase: {zookeeper: [%q], commit: %s}
batch: {rows: %d, linger: 5ms}
memory: {rows: %d}
checkpoint: {interval: 50ms, lease: 300ms, ceiling: %d}
tables:
  - topics: [t]
    table: rows
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.id, to: "d:last"}, {field: value.w, to: "d:w"}]
    on_tombstone: delete-row
  - topics: [t]
    table: counts
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.w, to: "c:w", op: increment}, {field: value.id, to: "l:list", op: append}]
    on_tombstone: ignore
  - topics: [t]
    table: counts
    key: {format: string}
    value: {format: json}
    row_key: [{literal: total-}, {field: partition, as: string}]
    columns: [{field: value.w, to: "c:w", op: increment}]
    on_tombstone: ignore
`

// play plays one history to its end. spoil, if not nil, is done before the check: to see that it can fail.
func play(seed uint64, loud bool, spoil func(*world)) *world {
	w := &world{seed: seed, loud: loud, rand: rand.New(rand.NewPCG(seed, 7)), began: time.Now(), bites: map[string]int{}}
	w.partitions = 1 + w.rand.IntN(3)
	w.commit = []string{"auto", "region", "row"}[w.rand.IntN(3)]
	w.log.logs = make([][]event, w.partitions)
	w.plan = &hbasetest.Plan{Seed: seed, Rates: w.rates(), Delay: time.Duration(50+w.rand.IntN(400)) * time.Millisecond}
	w.plan.Only = func(f hbasetest.FrameInfo) bool { return w.danger.Load() && f.Service == "ClientService" }
	ctx, cancel := context.WithTimeout(context.Background(), 2*calm)
	defer cancel()
	defer w.close()
	if err := w.open(ctx); err != nil {
		w.fail("not begun: %v", err)
		return w
	}
	w.run(ctx)
	if w.drain(ctx) {
		if spoil != nil {
			spoil(w)
		}
		w.check()
	}
	return w
}

// rates draws the share of each fault; a third of them are none.
func (w *world) rates() map[hbasetest.FaultKind]float64 {
	out := map[hbasetest.FaultKind]float64{}
	for _, k := range hbasetest.FaultKinds() {
		if w.rand.IntN(3) > 0 {
			out[k] = w.rand.Float64() * 0.05
		}
	}
	out[hbasetest.HalfOpen] /= 5 // each costs whole timeouts
	return out
}

func (w *world) open(ctx context.Context) error {
	var err error
	if w.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(int32(w.partitions), topic)); err != nil {
		return err
	}
	if w.producer, err = kgo.NewClient(kgo.SeedBrokers(w.kafka.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0)); err != nil {
		return err
	}
	var skew [3]time.Duration // of each server's clock, which a region meets when it moves
	if w.rand.IntN(2) == 0 {
		for i := range skew {
			skew[i] = time.Duration(w.rand.IntN(4000)-2000) * time.Millisecond
		}
	}
	w.hbase, err = hbasetest.Start(hbasetest.Options{
		Servers: 1 + w.rand.IntN(3), Faults: w.plan.Fault, Recovery: time.Duration(w.rand.IntN(200)) * time.Millisecond,
		Now: func(server int) time.Time { return time.Now().Add(skew[server]) },
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf(mappings, w.kafka.ListenAddrs()[0], w.hbase.ZooKeeper(), w.commit, 1+w.rand.IntN(30), 1+w.rand.IntN(40), 10+w.rand.IntN(300))
	c, err := config.Parse("wire.yaml", []byte(text))
	if err != nil {
		return err
	}
	log := zerolog.Nop()
	if w.loud {
		log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stdout, TimeFormat: "05.000", NoColor: true}).With().Timestamp().Logger()
	}
	if w.options, err = connector.OptionsOf(c, log); err != nil {
		return err
	}
	w.options.HBase.RPCTimeout = 150 * time.Millisecond
	w.options.HBase.LocateTimeout = 200 * time.Millisecond
	w.options.HBase.MaxCallRows = 1 + w.rand.IntN(8)
	w.options.HBase.MaxRegionCallRows = 1 + w.rand.IntN(20)
	w.options.CallTimeout = 200 * time.Millisecond
	w.options.StartTimeout = 10 * time.Second
	w.options.ShutdownTimeout = 500 * time.Millisecond
	return w.initialize(ctx, c)
}

func (w *world) initialize(ctx context.Context, c *config.Config) error {
	client, err := hbase.Open(ctx, w.hbase.Config())
	if err != nil {
		return err
	}
	defer client.Close()
	steps, err := connector.PlanInit(ctx, client, connector.InitOptions{
		Mappings: c.Mappings, CheckpointTable: c.HBase.CheckpointTable, MarkFamily: c.HBase.MarkFamily, Region: w.commit != "row",
	})
	if err != nil {
		return err
	}
	for _, s := range steps {
		if s.Do != nil {
			if err := s.Do(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) close() {
	w.mu.Lock()
	running := w.running
	w.mu.Unlock()
	for _, p := range running {
		p.kill()
		<-p.done
	}
	if w.hbase != nil {
		for k, n := range w.hbase.Bites() {
			w.bites[k.String()] += n
		}
		_ = w.hbase.Close() // nothing is to be learned any more
	}
	if w.producer != nil {
		w.producer.Close()
	}
	if w.kafka != nil {
		w.kafka.Close()
	}
}

// faults counts what came into effect, of frames and else.
func (w *world) faults() int {
	n := 0
	for _, k := range w.bites {
		n += k
	}
	return n
}

func (w *world) logf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.loud {
		fmt.Printf("%8.3fs %s\n", time.Since(w.began).Seconds(), fmt.Sprintf(format, args...))
	}
}

func (w *world) fail(format string, args ...any) {
	w.logf("VIOLATION "+format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, fmt.Sprintf(format, args...))
}

// bite counts a fault of the nemesis.
func (w *world) bite(kind string, args ...any) {
	w.logf("%s %v", kind, args)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bites[kind]++
}
