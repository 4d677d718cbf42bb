package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/test/linear"

	"github.com/twmb/franz-go/pkg/kfake"
)

// world is one history.
type world struct {
	host       string // loopback address of both services: no other history is given its ports
	seed       uint64
	rand       *rand.Rand // of the nemesis; nobody else draws from it
	partitions int
	commit     string
	lettered   bool // what can't be written becomes a dead letter, and the log holds such records
	began      time.Time
	plan       *hbasetest.Plan
	danger     atomic.Bool // faults of frames befall
	kafka      *kfake.Cluster
	brokers    []string
	net        *brokerNet
	codes      kafkaCodes
	hbase      *hbasetest.Cluster
	operator   *hbase.Client
	hands      *process // the operator's connections
	producer   *producer
	log        history
	options    connector.Options
	loud       bool   // print the trace, and the connectors' own logs
	out        string // where it is written down if it goes wrong; empty: nowhere
	trace      trace
	patience   time.Duration // with the last connector
	unbegun    error         // why there was no history: its parts could not be set up

	registers linear.Registers // checkpoints, and rows of the contenders
	rows      linear.Rows      // sampled rows, and rows of the contenders
	checked   linear.Report
	wakes     wakes
	restored  atomic.Bool // a table was, or is being, set back: its rows are no longer what was written to them
	back      setBack
	setTo     []int64             // by partition: the offset that an operator last set
	empty     *hbasetest.Snapshot // of the counts table

	verdict
	mu      sync.Mutex
	running []*process
}

// calm is how long one history may drain at its end, by the machine's own clock.
const calm = 40 * time.Second

func newWorld(seed uint64, loud bool) *world {
	w := &world{seed: seed, loud: loud, rand: rand.New(rand.NewPCG(seed, 7)), began: time.Now(), patience: calm + slack}
	w.partitions = 1 + w.rand.IntN(3)
	w.commit = []string{"auto", "region", "row"}[w.rand.IntN(3)]
	w.lettered = rand.New(rand.NewPCG(seed, 9)).IntN(3) == 0 // a source of its own: what the others give stays as it was
	w.log = newHistory(w.partitions)
	w.setTo = make([]int64, w.partitions)
	w.plan = &hbasetest.Plan{Seed: seed, Rates: w.rates(), Delay: time.Duration(50+w.rand.IntN(400)) * time.Millisecond}
	w.plan.Only = func(f hbasetest.FrameInfo) bool { return w.danger.Load() && f.Service == "ClientService" }
	return w
}

// play plays one history to its end.
func play(seed uint64, loud bool, out string) *world {
	w := newWorld(seed, loud)
	w.out = out
	ctx, cancel := lag.within(context.Background(), 10*calm)
	defer cancel()
	defer w.close()
	if w.unbegun = w.open(ctx); w.unbegun != nil {
		return w
	}
	w.run(ctx)
	if w.drain(ctx) {
		w.check()
		w.checkLinear()
		if w.faultless() {
			w.epilogue(ctx)
		}
	}
	return w
}

func (w *world) faultless() bool {
	w.verdict.mu.Lock()
	defer w.verdict.mu.Unlock()
	return len(w.violations) == 0
}

func (w *world) close() {
	for _, p := range w.processes() {
		p.kill()
		<-p.done
	}
	if w.operator != nil {
		w.operator.Close()
	}
	if w.hbase != nil {
		for k, n := range w.hbase.Bites() {
			w.verdict.bite(k.String(), n)
		}
		_ = w.hbase.Close() // nothing is to be learned any more
	}
	w.codes.count(&w.verdict)
	if w.producer != nil {
		w.producer.close()
	}
	if w.kafka != nil {
		w.kafka.Close()
	}
}

func (w *world) processes() []*process {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]*process(nil), w.running...)
}

func (w *world) source(p int) string { return core.SourceName("s", topic, int32(p), 0) }

func (w *world) logf(format string, args ...any) {
	if !w.loud && w.out == "" {
		return
	}
	line := fmt.Sprintf("%s %8.3fs %s\n", time.Now().Format("05.000"), time.Since(w.began).Seconds(), fmt.Sprintf(format, args...))
	_, _ = w.trace.Write([]byte(line)) // it never fails
	if w.loud {
		w.mu.Lock()
		defer w.mu.Unlock()
		fmt.Print(line)
	}
}

func (w *world) fail(of invariant, format string, args ...any) {
	w.logf("VIOLATION of "+string(of)+": "+format, args...)
	w.add(of, format, args...)
}

// bite counts a fault of the nemesis.
func (w *world) bite(kind string, args ...any) {
	w.logf("%s %v", kind, args)
	w.verdict.bite(kind, 1)
}
