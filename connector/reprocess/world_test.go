package reprocess

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// world is a Kafka and an HBase, both embedded, and what is done with them.
type world struct {
	t      *testing.T
	kafka  *kfake.Cluster
	base   *hbasetest.Cluster
	client *kgo.Client
	hbase  *hbase.Client
	reader *kafka.Client
	told   []string
}

func newWorld(t *testing.T, partitions int32, topics ...string) *world {
	t.Helper()
	w := &world{t: t}
	var err error
	if w.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, topics...)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.kafka.Close)
	if w.base, err = hbasetest.Start(hbasetest.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.base.Close() })
	w.client, err = kgo.NewClient(kgo.SeedBrokers(w.kafka.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	return w
}

// options are those of a connector with these mappings.
func (w *world) options(tables string) connector.Options {
	w.t.Helper()
	text := fmt.Sprintf(`sink: live
kafka: {brokers: ["%s"], fetch: {max_wait: 20ms}}
hbase: {zookeeper: ["%s"]}
checkpoint: {interval: 10ms, lease: 60ms, ceiling: 7}
batch: {rows: 5, linger: 0s}
tables:
%s`, w.kafka.ListenAddrs()[0], w.base.ZooKeeper(), tables)
	c, err := config.Parse("x.yaml", []byte(text))
	if err != nil {
		w.t.Fatal(err)
	}
	opts, err := connector.OptionsOf(c, zerolog.Nop())
	if err != nil {
		w.t.Fatal(err)
	}
	return opts
}

// init makes the tables of a connector.
func (w *world) init(opts connector.Options) {
	w.t.Helper()
	h := w.services(opts)
	steps, err := connector.PlanInit(w.t.Context(), h, connector.InitOptions{
		Mappings: opts.Mappings, CheckpointTable: opts.CheckpointTable, MarkFamily: opts.MarkFamily, Region: true,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range steps {
		if s.Do != nil {
			if err := s.Do(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// services gives a client of HBase, and opens one of Kafka beside it.
func (w *world) services(opts connector.Options) *hbase.Client {
	w.t.Helper()
	if w.hbase == nil {
		var err error
		if w.hbase, err = hbase.Open(w.t.Context(), opts.HBase); err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(w.hbase.Close)
		if w.reader, err = kafka.Open(w.t.Context(), opts.Kafka); err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { _ = w.reader.Close() })
	}
	return w.hbase
}

// record is one of a topic, at a time in milliseconds; without a value it is a tombstone.
func record(partition int32, key, value string, at int64) *kgo.Record {
	r := &kgo.Record{Topic: "t", Partition: partition, Key: []byte(key), Timestamp: time.UnixMilli(at)}
	if value != "" {
		r.Value = []byte(value)
	}
	return r
}

// produce writes each record into a batch of its own.
func (w *world) produce(recs ...*kgo.Record) {
	w.t.Helper()
	for _, r := range recs {
		if err := w.client.ProduceSync(w.t.Context(), r).FirstErr(); err != nil {
			w.t.Fatal(err)
		}
	}
}

// once has a connector write up to the end of the log.
func (w *world) once(opts connector.Options) {
	w.t.Helper()
	opts.Core.Once = true
	e, err := connector.New(w.t.Context(), opts)
	if err != nil {
		w.t.Fatal(err)
	}
	defer e.Close()
	if err := e.Run(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) runner(opts connector.Options) *Runner {
	w.t.Helper()
	w.services(opts)
	return &Runner{Options: opts, Client: w.hbase, Kafka: w.reader, MaxRows: 1000, Told: func(format string, args ...any) {
		w.told = append(w.told, fmt.Sprintf(format, args...))
	}}
}

// run reprocesses to the end.
func (w *world) run(opts connector.Options, req Request) Report {
	w.t.Helper()
	rep, err := w.runner(opts).Run(w.t.Context(), req)
	if err != nil {
		w.t.Fatal(err)
	}
	return rep
}

// killed reprocesses for a while, and leaves all as it stands.
func (w *world) killed(opts connector.Options, req Request, after time.Duration) {
	w.t.Helper()
	opts.ShutdownTimeout = time.Nanosecond
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	defer time.AfterFunc(after, cancel).Stop()
	if _, err := w.runner(opts).Run(ctx, req); err != nil && !errors.Is(err, connector.ErrShutdown) && ctx.Err() == nil {
		w.t.Fatal(err)
	}
}

// seen gives the newest cells of a table's rows, without marks: "row d:a=1 d:b=2".
func (w *world) seen(table string) []string {
	w.t.Helper()
	rows, err := w.base.Dump(table)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		var cells []string
		last := ""
		for _, c := range r.Cells {
			name := string(c.Family) + ":" + string(c.Qualifier)
			if string(c.Family) == "_k" || name == last {
				continue
			}
			last = name
			cells = append(cells, fmt.Sprintf("%s=%s", name, c.Value))
		}
		if len(cells) > 0 {
			out = append(out, string(r.Row)+" "+strings.Join(cells, " "))
		}
	}
	return out
}

func (w *world) shows(table string, want ...string) {
	w.t.Helper()
	if got := w.seen(table); !slices.Equal(got, want) {
		w.t.Errorf("table %s shows\n%s\nwant\n%s", table, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
