package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
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
	m.file = writeFile(m.t, "rowmark.yaml", fmt.Sprintf(`sink: s
kafka: {brokers: ["%s"]}
hbase: {zookeeper: ["%s"]}
checkpoint: {lease: 1s, interval: 300ms}
tables:
  - topics: [in]
    table: t
    key: {format: string}
    row_key: [{field: key}]
    columns: [{literal: "1", to: "c:n", op: increment}]
    on_tombstone: ignore
`, b.cluster.ListenAddrs()[0], m.base.ZooKeeper()))
}

// produce writes a record for each key, each a second after the one before.
func (m *moving) produce(partition int32, at time.Time, keys ...string) {
	m.t.Helper()
	for i, key := range keys {
		r := &kgo.Record{Topic: "in", Partition: partition, Key: []byte(key), Value: []byte("v"), Timestamp: at.Add(time.Duration(i) * time.Second)}
		if err := m.producer.ProduceSync(m.t.Context(), r).FirstErr(); err != nil {
			m.t.Fatal(err)
		}
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

// applied says how often each key was applied.
func (m *moving) applied(want string) {
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
	if all := strings.Join(got, " "); all != want {
		m.t.Errorf("applied %s, want %s", all, want)
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

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// The mirror holds the records at other offsets, and more. From the time that is named, each is applied once; the marks of
// the old cluster's offsets, which lie above the new ones, hide none of them.
func TestClusterReplacedByAMirror(t *testing.T) {
	m := newMoving(t)
	m.produce(0, noon, "a", "b", "c", "d", "e")
	m.produce(1, noon, "p", "q")
	m.once()
	m.use(m.newBrokers("second"))
	m.produce(0, noon.Add(3*time.Second), "d", "e", "f", "a")
	m.produce(1, noon.Add(time.Second), "q", "r")

	m.run("run", "--once").wants(t, connector.ExitConfig, "", "offsets set --new-incarnation")
	set := []string{"offsets", "set", "--yes", "--to", "2026-11-01T12:00:05Z"}
	m.run(set...).wants(t, connector.ExitConfig, "", "belongs to the Kafka cluster first")
	set = append(set, "--new-incarnation")
	for _, some := range [][]string{{"--partition", "in/0"}, {"--topic", "in"}} {
		m.run(append(set, some...)...).wants(t, connector.ExitConfig, "", "all its partitions do at once")
	}
	got := m.run(set...)
	got.wants(t, 0, "in/0: 5 -> 2: incarnation 1 of the log begins here, under marks of its own: 2 offsets are applied whatever the rows hold of the log before, and the 2 before them are not read\n", "")
	got.wants(t, 0, "sink s belongs to the Kafka cluster second now\n", "")
	m.once()
	m.applied("a2 b1 c1 d1 e1 f1 p1 q1")

	// Partition 1 was set too late: it has no record from 12:00:05 on. Its incarnation reaches further back now.
	m.run("offsets", "set", "--yes", "--to", "1", "--partition", "in/1").wants(t, 0, "in/1: 2 -> 1: 1 offsets will be read again", "")
	m.once()
	m.once()
	m.applied("a2 b1 c1 d1 e1 f1 p1 q1 r1")
	// And the same again doubles nothing, with the flag or without.
	for _, more := range [][]string{nil, {"--new-incarnation"}} {
		m.run(append([]string{"offsets", "set", "--yes", "--to", "2", "--partition", "in/0"}, more...)...).wants(t, 0, "in/0: 4 -> 2: 2 offsets will be read again", "")
		m.once()
		m.applied("a2 b1 c1 d1 e1 f1 p1 q1 r1")
	}
}

// The offsets of a topic created again mean other records: a place among them is refused until the operator says that it is
// meant, and then the old marks hide none of the new records.
func TestTopicCreatedAgainIsNoPlaceOfTheOldOne(t *testing.T) {
	m := newMoving(t)
	m.produce(0, noon, "a", "b", "c", "d", "e")
	m.once()
	m.recreate()
	m.produce(0, noon, "x", "a", "b")
	set := []string{"offsets", "set", "--yes", "--to", "1", "--partition", "in/0"}
	m.run(set...).wants(t, connector.ExitLogChanged, "", "rowmark offsets set --new-incarnation")
	if p := m.positions()[0]; p.Checkpoint != 5 || p.Epoch == 0 {
		t.Errorf("a refused set left %+v", p)
	}
	m.run(append(set, "--new-incarnation")...).wants(t, 0, "in/0: 5 -> 1: incarnation 1 of the log begins here", "")
	m.run("offsets", "set", "--yes", "--to", "earliest", "--topic", "in", "--new-incarnation").wants(t, 0, "in/1: 0 -> 0: incarnation 1", "")
	m.once()
	m.applied("a2 b2 c1 d1 e1 x1")
}
