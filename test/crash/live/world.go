package live

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Instant is when, relative to a request, the process is killed.
type Instant string

// Instants.
const (
	Before   Instant = "before"
	Landed   Instant = "landed"
	Answered Instant = "answered"
	Partial  Instant = "partial" // half of the rows of a Multi are done
)

// Target is where the process is killed: at the so-manieth request of an effect, from 1.
type Target struct {
	Effect string
	Nth    int
	At     Instant
}

// Plan is one case: where the scenario's own process is killed, and where its successor is. A target without an effect is
// never reached.
type Plan [2]Target

func (p Plan) String() string {
	if p[0].Effect == "" {
		return "undisturbed"
	}
	s := fmt.Sprintf("killed at %s %s, number %d", p[0].Effect, p[0].At, p[0].Nth)
	if p[1].Effect != "" {
		s += fmt.Sprintf("; successor killed at %s %s, number %d", p[1].Effect, p[1].At, p[1].Nth)
	}
	return s
}

// patience bounds one step of a case. Machines may be slow; nothing is concluded from how long it takes.
const patience = 90 * time.Second

// world is one case: clusters, processes and what they did.
type world struct {
	s      Scenario
	plan   Plan
	mutate func(*connector.Options)
	began  time.Time

	kafka    *kfake.Cluster
	hbase    *hbasetest.Cluster
	producer *kgo.Client
	events   [][]event
	tear     atomic.Bool // the next Multi that writes is done by half

	mu      sync.Mutex
	counts  [2]map[string]int // requests by effect, of the scenario's own processes and of the successor
	fired   [2]bool
	running []*process
	errs    []string
}

// count counts a request, and says whether the process is to be killed at it.
func (w *world) count(p *process, effect string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.stage < 0 || w.fired[p.stage] {
		return false
	}
	w.counts[p.stage][effect]++
	t := w.plan[p.stage]
	if effect == t.Effect && w.counts[p.stage][effect] == t.Nth {
		w.fired[p.stage] = true
		return true
	}
	return false
}

func (w *world) fail(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.errs) < 20 {
		w.errs = append(w.errs, fmt.Sprintf(format, args...))
	}
}

func (w *world) failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.errs) > 0
}

func (w *world) open() error {
	var err error
	host := hbasetest.OwnHost() // no other case is given its ports
	listen := func(network, address string) (net.Listener, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return net.Listen(network, net.JoinHostPort(host, port))
	}
	w.kafka, err = kfake.NewCluster(
		kfake.NumBrokers(1), kfake.SeedTopics(int32(w.s.parts()), "t"), kfake.GroupMinSessionTimeout(100*time.Millisecond), kfake.ListenFn(listen),
	)
	if err != nil {
		return err
	}
	w.producer, err = kgo.NewClient(kgo.SeedBrokers(w.kafka.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0))
	if err != nil {
		return err
	}
	w.hbase, err = hbasetest.Start(hbasetest.Options{Host: host, Faults: func(f hbasetest.FrameInfo) hbasetest.Fault {
		if f.Method == "Multi" && f.Write && f.Table != checkpointTable && w.tear.CompareAndSwap(true, false) {
			return hbasetest.Fault{Kind: hbasetest.Abort, From: (f.Actions + 1) / 2}
		}
		return hbasetest.Fault{}
	}})
	return err
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
		_ = w.hbase.Close() // nothing is to be learned any more
	}
	if w.producer != nil {
		w.producer.Close()
	}
	if w.kafka != nil {
		w.kafka.Close()
	}
}

// produce writes the records from a share of the log to another.
func (w *world) produce(ctx context.Context, from, to float64) error {
	base := w.began.Add(-time.Minute)
	for p, events := range w.events {
		n := float64(len(events))
		var recs []*kgo.Record
		for i := int(n * from); i < int(n*to); i++ {
			e := &events[i]
			value, err := e.value()
			if err != nil {
				return err
			}
			recs = append(recs, &kgo.Record{
				Topic: "t", Partition: int32(p), Key: []byte(e.key), Value: value,
				Timestamp: base.Add(time.Duration(e.millis) * time.Millisecond),
			})
		}
		if err := w.producer.ProduceSync(ctx, recs...).FirstErr(); err != nil {
			return fmt.Errorf("producing: %w", err)
		}
		for i, r := range recs {
			if want := events[int(n*from)+i].offset; r.Offset != want {
				return fmt.Errorf("producing: offset %d, want %d", r.Offset, want)
			}
		}
	}
	return nil
}

// config is the configuration of one process.
func (w *world) config(version int) (*config.Config, error) {
	assign := ""
	if w.s.Shape == "group" {
		assign = ", assignment: group, group_id: g"
	}
	text := fmt.Sprintf(`
sink: %s
kafka: {brokers: [%q], fetch: {max_wait: 20ms}%s}
hbase: {zookeeper: [%q], commit: %s}
batch: {rows: %d, linger: 2ms}
memory: {rows: 9}
checkpoint: {interval: 15ms, lease: 300ms, ceiling: 10}
`, sink, w.kafka.ListenAddrs()[0], assign, w.hbase.ZooKeeper(), w.s.Commit, w.s.batch()) + w.s.mapping(version)
	return config.Parse("crash.yaml", []byte(text))
}

func (w *world) options(p *process, version int) (connector.Options, error) {
	c, err := w.config(version)
	if err != nil {
		return connector.Options{}, err
	}
	o, err := connector.OptionsOf(c, zerolog.Nop())
	if err != nil {
		return o, err
	}
	o.Kafka.Dial = p.dial(kafkaProtocol{})
	o.HBase.Dial = p.dial(hbaseProtocol{})
	o.HBase.MaxCellBytes = maxCell
	// One that was killed can't let go, and ends when this is over; one that was stopped and takes longer is as good as
	// killed.
	o.StartTimeout, o.ShutdownTimeout = patience, time.Second
	o.WatchEvery = 100 * time.Millisecond
	o.GroupSession = time.Second
	if w.mutate != nil {
		w.mutate(&o)
	}
	return o, nil
}

// process makes one that is not begun.
func (w *world) process(ctx context.Context, kind string, stage int) (context.Context, *process) {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{w: w, cancel: cancel, done: make(chan struct{}), stage: stage}
	p.teller = teller{kind: kind, swapped: map[string]core.Position{}, rowMode: w.s.Commit == "row"}
	w.mu.Lock()
	w.running = append(w.running, p)
	w.mu.Unlock()
	return ctx, p
}

// spawn starts a connector; once says that it ends when it has caught up.
func (w *world) spawn(ctx context.Context, version int, once bool, stage int) *process {
	ctx, p := w.process(ctx, "run", stage)
	opts, err := w.options(p, version)
	opts.Core.Once = once
	go func() {
		defer close(p.done)
		defer p.cancel()
		if p.err = err; err != nil {
			return
		}
		e, err := connector.New(ctx, opts)
		if err == nil {
			err = e.Run(ctx)
			e.Close()
		}
		p.err = err
	}()
	return p
}

// command runs a command of the program on tapped connections. False: it was killed.
func (w *world) command(ctx context.Context, kind string, stage int, f func(context.Context, *hbase.Client) error) bool {
	ctx, p := w.process(ctx, kind, stage)
	defer p.cancel()
	defer close(p.done)
	cfg := w.hbase.Config()
	cfg.Dial = p.dial(hbaseProtocol{})
	client, err := hbase.Open(ctx, cfg)
	if err == nil {
		err = f(ctx, client)
		client.Close()
	}
	if p.killed() {
		return false
	}
	if err != nil {
		w.fail("%s: %v", kind, err)
	}
	return true
}

// initialize is `rowmark init`.
func (w *world) initialize(ctx context.Context, client *hbase.Client) error {
	steps, err := w.initSteps(ctx, client)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if s.Do == nil {
			continue
		}
		if err := s.Do(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.Text, err)
		}
	}
	return nil
}

func (w *world) initSteps(ctx context.Context, client *hbase.Client) ([]connector.InitStep, error) {
	c, err := w.config(1)
	if err != nil {
		return nil, err
	}
	return connector.PlanInit(ctx, client, connector.InitOptions{
		Mappings: c.Mappings, CheckpointTable: c.HBase.CheckpointTable, MarkFamily: c.HBase.MarkFamily, Region: w.s.Commit != "row",
	})
}

func (w *world) setOffset(ctx context.Context, client *hbase.Client) error {
	store := &connector.Store{Client: client, Table: checkpointTable, Sink: sink}
	_, err := store.SetOffset(ctx, kafka.TopicPartition{Topic: "t"}, connector.Place{}, 300*time.Millisecond, false)
	return err
}

// atLeastOnce says that the connector was made to write without marks.
func (w *world) atLeastOnce() bool {
	var o connector.Options
	if w.mutate != nil {
		w.mutate(&o)
	}
	return o.Core.AtLeastOnce
}
