package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/hbase/hbasetest"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// moving is a sink whose records count for themselves: row k of table t holds how often k was applied.
type moving struct {
	t    *testing.T
	base *hbasetest.Cluster
	file string // the configuration
	brokers
}

// brokers are one cluster and who writes to it.
type brokers struct {
	cluster  *kfake.Cluster
	producer *kgo.Client
}

func newMoving(t *testing.T) *moving {
	base, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	m := &moving{t: t, base: base}
	m.brokers = m.newBrokers("first")
	m.use(m.brokers)
	command("", "init", "-c", m.file).wants(t, 0, "", "")
	return m
}

func (m *moving) newBrokers(id string) brokers {
	m.t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.ClusterID(id), kfake.SeedTopics(2, "in"))
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(cluster.Close)
	return brokers{cluster, m.newProducer(cluster)}
}

func (m *moving) newProducer(cluster *kfake.Cluster) *kgo.Client {
	m.t.Helper()
	producer, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(producer.Close)
	return producer
}

// use has the configuration name a cluster.
func (m *moving) use(b brokers) {
	m.brokers = b
	m.file = writeFile(m.t, "rowmark.yaml", m.text(""))
}

// text is a configuration, whose mapping has some lines more.
func (m *moving) text(more string) string {
	return fmt.Sprintf(`sink: s
kafka: {brokers: ["%s"], fetch: {max_wait: 50ms}}
hbase: {zookeeper: ["%s"]}
checkpoint: {lease: 1s, interval: 300ms}
tables:
  - topics: [in]
    table: t
    key: {format: string}
    row_key: [{field: key}]
    columns: [{literal: "1", to: "c:n", op: increment}]
    on_tombstone: ignore
%s`, m.brokers.cluster.ListenAddrs()[0], m.base.ZooKeeper(), more)
}

// produce writes a record for each key, each a second after the one before.
func (m *moving) produce(partition int32, at time.Time, keys ...string) {
	m.t.Helper()
	for i, key := range keys {
		m.send(&kgo.Record{Partition: partition, Key: []byte(key), Value: []byte("v"), Timestamp: at.Add(time.Duration(i) * time.Second)})
	}
}

// produceValues writes a record for each value, all of one key.
func (m *moving) produceValues(partition int32, at time.Time, values ...string) {
	m.t.Helper()
	for _, value := range values {
		m.send(&kgo.Record{Partition: partition, Key: []byte("k"), Value: []byte(value), Timestamp: at})
	}
}

func (m *moving) send(r *kgo.Record) {
	m.t.Helper()
	r.Topic = "in"
	if err := m.producer.ProduceSync(m.t.Context(), r).FirstErr(); err != nil {
		m.t.Fatal(err)
	}
}

func (m *moving) recreate() {
	m.t.Helper()
	admin := kadm.NewClient(m.producer)
	if _, err := admin.DeleteTopic(m.t.Context(), "in"); err != nil {
		m.t.Fatal(err)
	}
	if _, err := admin.CreateTopic(m.t.Context(), 2, 1, nil, "in"); err != nil {
		m.t.Fatal(err)
	}
	m.producer = m.newProducer(m.brokers.cluster) // the one before knows the topic that is gone
}

// run runs a command on the configuration.
func (m *moving) run(args ...string) result { return command("", append(args, "-c", m.file)...) }

// once brings the table up to the end of the log.
func (m *moving) once() {
	m.t.Helper()
	m.run("run", "--once").wants(m.t, 0, "", "")
}

// appliedNow gives each key with how often it was applied, sorted.
func (m *moving) appliedNow() []string {
	m.t.Helper()
	rows, err := m.base.Dump("t")
	if err != nil {
		m.t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		for _, c := range r.Cells {
			if string(c.Family) == "c" {
				got = append(got, fmt.Sprintf("%s%d", r.Row, c.Value[7]))
			}
		}
	}
	slices.Sort(got)
	return got
}

func (m *moving) applied(want string) {
	m.t.Helper()
	if got := strings.Join(m.appliedNow(), " "); got != want {
		m.t.Errorf("applied %s, want %s", got, want)
	}
}

func (m *moving) positions() []position {
	m.t.Helper()
	got := m.run("offsets", "show", "-o", "json")
	got.wants(m.t, 0, "", "")
	var out []position
	if err := json.Unmarshal([]byte(got.out), &out); err != nil {
		m.t.Fatal(err)
	}
	return out
}
