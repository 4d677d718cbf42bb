package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
)

const mappings = `
sink: s
kafka: {brokers: [%s], fetch: {max_wait: 20ms}}
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
    on_error: %[7]s
    on_tombstone: delete-row
  - topics: [t]
    table: counts
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.w, to: "c:w", op: increment}, {field: value.id, to: "l:list", op: append}]
    on_error: %[7]s
    on_tombstone: ignore
  - topics: [t]
    table: counts
    key: {format: string}
    value: {format: json}
    row_key: [{literal: total-}, {field: partition, as: string}]
    columns: [{field: value.w, to: "c:w", op: increment}, {field: value.id, to: "l:list", op: append}]
    on_error: %[7]s
    on_tombstone: ignore
`

// operatorID is the operator's, as a client in recorded histories.
const operatorID = 900

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
	w.host = hbasetest.OwnHost()
	w.net = newBrokerNet(w)
	if w.kafka, err = kfake.NewCluster(kfake.NumBrokers(1+w.rand.IntN(3)), kfake.SeedTopics(int32(w.partitions), topic), kfake.ListenFn(w.net.listen)); err != nil {
		return err
	}
	w.brokers = w.kafka.ListenAddrs()
	if w.producer, err = w.newProducer(rand.New(rand.NewPCG(w.seed, 8))); err != nil {
		return err
	}
	var skew [3]time.Duration // of each server's clock, which a region meets when it moves
	if w.rand.IntN(2) == 0 {
		for i := range skew {
			skew[i] = time.Duration(w.rand.IntN(4000)-2000) * time.Millisecond
		}
	}
	w.hbase, err = hbasetest.Start(hbasetest.Options{
		Host: w.host, Servers: 1 + w.rand.IntN(3), Faults: w.plan.Fault, Recovery: time.Duration(w.rand.IntN(200)) * time.Millisecond,
		Now: func(server int) time.Time { return time.Now().Add(skew[server]) },
	})
	if err != nil {
		return err
	}
	cfg := w.hbase.Config()
	w.hands = &process{id: operatorID, w: w, cancel: func() {}, links: map[*link]bool{}}
	cfg.Dial = w.hands.dial
	cfg.DialTimeout, cfg.RPCTimeout, cfg.LocateTimeout = calm, calm, calm // the operator has time
	if w.operator, err = hbase.Open(ctx, cfg); err != nil {
		return err
	}
	c, err := w.configure()
	if err != nil {
		return err
	}
	if err := w.initialize(ctx, c); err != nil {
		return err
	}
	if err := w.plantForeign(ctx); err != nil {
		return err
	}
	if w.lettered {
		if err := w.operator.WriteRow(ctx, "counts", oddCounter(odd)).Err; err != nil {
			return err
		}
	}
	return w.snapshotEmpty()
}

func (w *world) configure() (*config.Config, error) {
	onError := "fail"
	if w.lettered {
		onError = "dead-letter"
	}
	text := fmt.Sprintf(mappings, `"`+strings.Join(w.brokers, `", "`)+`"`, w.hbase.ZooKeeper(), w.commit, 1+w.rand.IntN(30), 1+w.rand.IntN(40), 10+w.rand.IntN(300), onError)
	c, err := config.Parse("wire.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	log := zerolog.Nop()
	switch {
	case w.loud:
		out := io.MultiWriter(os.Stdout, &w.trace)
		log = zerolog.New(zerolog.ConsoleWriter{Out: out, TimeFormat: "05.000", NoColor: true}).With().Timestamp().Logger()
	case w.out != "":
		log = zerolog.New(zerolog.ConsoleWriter{Out: &w.trace, TimeFormat: "05.000", NoColor: true}).With().Timestamp().Logger()
	}
	if w.options, err = connector.OptionsOf(c, log); err != nil {
		return nil, err
	}
	o := &w.options
	o.HBase.RPCTimeout = 150 * time.Millisecond
	o.HBase.DialTimeout = 500 * time.Millisecond
	o.HBase.LocateTimeout = 200 * time.Millisecond
	if w.lettered {
		o.HBase.MaxCellBytes = smallCell
	}
	o.HBase.MaxCallRows = 1 + w.rand.IntN(8)
	o.HBase.MaxRegionCallRows = 1 + w.rand.IntN(20)
	o.Kafka.RequestTimeout = 400 * time.Millisecond
	o.Kafka.DialTimeout = 500 * time.Millisecond
	o.CallTimeout = 200 * time.Millisecond
	o.StartTimeout = 10 * time.Second
	o.ShutdownTimeout = 500 * time.Millisecond
	return c, nil
}

func (w *world) initialize(ctx context.Context, c *config.Config) error {
	steps, err := connector.PlanInit(ctx, w.operator, connector.InitOptions{
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
