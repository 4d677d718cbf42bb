package connector

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// running is an engine on embedded services.
type running struct {
	kafka *kfake.Cluster
	base  *hbasetest.Cluster
	opts  Options
	log   bytes.Buffer // for readers after the run
}

func (w *running) start(t *testing.T, faults func(hbasetest.FrameInfo) hbasetest.Fault, topics ...string) {
	t.Helper()
	var err error
	if w.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, topics...)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.kafka.Close)
	if w.base, err = hbasetest.Start(hbasetest.Options{Faults: faults}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.base.Close(); err != nil {
			t.Error(err)
		}
	})
}

func (w *running) client(t *testing.T, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append(opts, kgo.SeedBrokers(w.kafka.ListenAddrs()...))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func (w *running) produce(t *testing.T, recs ...*kgo.Record) {
	t.Helper()
	client := w.client(t)
	for _, r := range recs {
		r.Topic = "t"
		if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// configure takes a configuration with a place each for a broker, ZooKeeper and further arguments, and makes its tables.
func (w *running) configure(t *testing.T, text string, args ...any) {
	t.Helper()
	c, err := config.Parse("x.yaml", fmt.Appendf(nil, text, append([]any{w.kafka.ListenAddrs()[0], w.base.ZooKeeper()}, args...)...))
	if err != nil {
		t.Fatal(err)
	}
	if w.opts, err = OptionsOf(c, zerolog.New(&w.log)); err != nil {
		t.Fatal(err)
	}
	w.opts.Core.Once = true
	h := w.hbase(t)
	steps, err := PlanInit(t.Context(), h, InitOptions{Mappings: w.opts.Mappings, CheckpointTable: w.opts.CheckpointTable, MarkFamily: w.opts.MarkFamily, Region: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if s.Do != nil {
			if err := s.Do(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (w *running) hbase(t *testing.T) *hbase.Client {
	t.Helper()
	h, err := hbase.Open(t.Context(), w.opts.HBase)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// run gives what a run ended with.
func (w *running) run(t *testing.T, ctx context.Context) <-chan error {
	t.Helper()
	e, err := New(ctx, w.opts)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- e.Run(ctx)
		e.Close()
	}()
	return done
}

func (w *running) rows(t *testing.T, table string) []string {
	t.Helper()
	rows, err := w.base.Dump(table)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		out = append(out, string(r.Row))
	}
	return out
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
