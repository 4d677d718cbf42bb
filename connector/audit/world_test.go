package audit_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/audit"
	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// world is a connector on embedded services, and what audits it.
type world struct {
	t        *testing.T
	base     *hbasetest.Cluster
	config   *config.Config
	opts     connector.Options
	kafka    *kafka.Client
	hbase    *hbase.Client
	store    *connector.Store
	producer *kgo.Client
	writes   atomic.Int64 // calls to HBase that carry mutations
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newWorld starts the services, and makes the tables of a configuration that names them by two places.
func newWorld(t *testing.T, partitions int32, mappings string) *world {
	t.Helper()
	w := &world{t: t}
	brokers, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, "t"))
	must(t, err)
	t.Cleanup(brokers.Close)
	w.base, err = hbasetest.Start(hbasetest.Options{Faults: func(f hbasetest.FrameInfo) hbasetest.Fault {
		if f.Write {
			w.writes.Add(1)
		}
		return hbasetest.Fault{}
	}})
	must(t, err)
	t.Cleanup(func() { _ = w.base.Close() })
	text := fmt.Sprintf("sink: s\nkafka: {brokers: [\"%s\"]}\nhbase: {zookeeper: [\"%s\"]}\n%s", brokers.ListenAddrs()[0], w.base.ZooKeeper(), mappings)
	w.config, err = config.Parse("x.yaml", []byte(text))
	must(t, err)
	w.opts, err = connector.OptionsOf(w.config, zerolog.Nop())
	must(t, err)
	w.opts.Core.Once = true
	w.hbase, err = hbase.Open(t.Context(), w.opts.HBase)
	must(t, err)
	t.Cleanup(w.hbase.Close)
	w.kafka, err = kafka.Open(t.Context(), w.opts.Kafka)
	must(t, err)
	t.Cleanup(func() { _ = w.kafka.Close() })
	w.store = &connector.Store{Client: w.hbase, Table: w.opts.CheckpointTable, Sink: "s"}
	w.producer, err = kgo.NewClient(kgo.SeedBrokers(brokers.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	must(t, err)
	t.Cleanup(w.producer.Close)
	steps, err := connector.PlanInit(t.Context(), w.hbase, connector.InitOptions{
		Mappings: w.opts.Mappings, CheckpointTable: w.opts.CheckpointTable, MarkFamily: w.opts.MarkFamily, Region: true,
	})
	must(t, err)
	for _, s := range steps {
		if s.Do != nil {
			must(t, s.Do(t.Context()))
		}
	}
	return w
}

// produce writes a record of a partition.
func (w *world) produce(partition int32, at int64, key, value string) {
	w.t.Helper()
	r := &kgo.Record{Topic: "t", Partition: partition, Timestamp: time.UnixMilli(at), Key: []byte(key)}
	if value != "" {
		r.Value = []byte(value)
	}
	must(w.t, w.producer.ProduceSync(w.t.Context(), r).FirstErr())
}

// run carries the log to HBase.
func (w *world) run() {
	w.t.Helper()
	e, err := connector.New(w.t.Context(), w.opts)
	must(w.t, err)
	defer e.Close()
	must(w.t, e.Run(w.t.Context()))
}

// auditor judges all partitions from the beginning, all rows.
func (w *world) auditor() *audit.Verify {
	w.t.Helper()
	cks, err := w.store.List(w.t.Context())
	must(w.t, err)
	v := &audit.Verify{
		Kafka: w.kafka, HBase: w.hbase, Checkpoint: w.store.Read, Sink: "s", MarkFamily: w.opts.MarkFamily, MarksTTL: w.opts.Core.MarksTTL,
		LetterTable: w.config.DeadLetters.Table, From: audit.Earliest, Share: 1, Findings: 100, Timeout: 20 * time.Second, Again: time.Millisecond, Held: 1 << 20,
		Mapping: func(kafka.TopicPartition, *core.Checkpoint) (*mapping.Set, []string, error) {
			return w.opts.Mappings, nil, nil
		},
	}
	for n := range int32(len(cks)) {
		v.Partitions = append(v.Partitions, kafka.TopicPartition{Topic: "t", Partition: n})
	}
	return v
}

func (w *world) verify(v *audit.Verify) *audit.Report {
	w.t.Helper()
	r, err := v.Run(w.t.Context())
	must(w.t, err)
	must(w.t, r.Err())
	return r
}

// write changes a row past the connector.
func (w *world) write(table, row string, kind hbase.Kind, cells ...hbase.MutationCell) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	defer cancel()
	res := w.hbase.WriteRow(ctx, table, hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{{Kind: kind, Cells: cells}}})
	if res.Outcome != hbase.Applied {
		w.t.Fatalf("%s: %v", row, res.Err)
	}
}

func cell(kind hbase.CellType, family, qualifier string, at int64, value string) hbase.MutationCell {
	return hbase.MutationCell{Column: &hbase.Column{Family: []byte(family), Qualifier: []byte(qualifier)}, Type: kind, Timestamp: at, Value: []byte(value)}
}

func long(n int64) string { return string(binary.BigEndian.AppendUint64(nil, uint64(n))) }
