package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// checkpointTable is shared by all tests: each has a sink of its own.
const checkpointTable = "e2e_checkpoints"

var checkpoints sync.Once

// world is what one test works on: topics, tables and a configuration of its own.
type world struct {
	t         *testing.T
	name      string
	brokers   []string
	zookeeper []string
	java      *cluster.JavaClient
	client    *kgo.Client
	admin     *kadm.Client
	keeps     string // the checkpoint table

	mu     sync.Mutex
	tables map[string]bool // named by the configurations
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	w := &world{
		t: t, name: cluster.UniqueName(t), brokers: cluster.SharedKafka(t), zookeeper: cluster.SharedZooKeeper(t),
		java: cluster.SharedJavaClient(t), keeps: checkpointTable,
	}
	w.client = w.producer()
	w.admin = kadm.NewClient(w.client)
	t.Cleanup(w.close)
	return w
}

// close disables the tables: one that is open holds some MB of HBase's small heap for each family.
func (w *world) close() {
	for table := range w.tables {
		_, _ = w.java.Do("disable", table) // it may not be there, or be disabled
	}
}

var tableLine = regexp.MustCompile(`(?m)^ +table: (\S+)$`)

// producer gives a client that writes to the partition each record names.
func (w *world) producer(opts ...kgo.Opt) *kgo.Client {
	w.t.Helper()
	opts = append(opts, kgo.SeedBrokers(w.brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchMaxBytes(24<<20))
	c, err := kgo.NewClient(opts...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(c.Close)
	return c
}

// topic makes a topic.
func (w *world) topic(suffix string, partitions int32, configs map[string]string) string {
	w.t.Helper()
	name := w.name + "_" + suffix
	conf := map[string]*string{}
	for k, v := range configs {
		conf[k] = kadm.StringPtr(v)
	}
	if _, err := w.admin.CreateTopic(context.Background(), partitions, 1, conf, name); err != nil {
		w.t.Fatal(err)
	}
	return name
}

// produce writes records and waits until they are there.
func (w *world) produce(records ...*kgo.Record) {
	w.t.Helper()
	if err := w.client.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		w.t.Fatal(err)
	}
}

// config writes a configuration file: the two services, a short lease, and the tables section given, in which
// $NAME stands for the name of this world.
func (w *world) config(tables string) string {
	w.t.Helper()
	return w.configFile(fmt.Sprintf(`sink: %s
kafka:
  brokers: [%s]
  fetch: {max_wait: 100ms}
hbase:
  zookeeper: [%s]
  checkpoint_table: %s
checkpoint: {interval: 300ms, lease: 1s}
tables:
%s`, w.sink(), strings.Join(w.brokers, ","), strings.Join(w.zookeeper, ","), w.keeps, tables))
}

// configFile writes a configuration file of this text.
func (w *world) configFile(text string) string {
	w.t.Helper()
	text = strings.ReplaceAll(text, "$NAME", w.name)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range tableLine.FindAllStringSubmatch(text, -1) {
		if w.tables == nil {
			w.tables = map[string]bool{}
		}
		w.tables[m[1]] = true
	}
	path := filepath.Join(w.t.TempDir(), "rowmark.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// sink is the name in the world's marks.
func (w *world) sink() string {
	if len(w.name) > 64 {
		return w.name[len(w.name)-64:]
	}
	return w.name
}

// under is the argument that runs the connector under another sink name.
func (w *world) under(prefix string) string {
	sink := w.sink()
	return "--set=sink=" + prefix + "-" + sink[max(0, len(sink)-50):]
}

// init runs rowmark init. The first makes the table that all share, alone.
func (w *world) init(config string, args ...string) {
	w.t.Helper()
	first := false
	run := func() { command(w.t, nil, append([]string{"init", "-c", config}, args...)...).ends(0) }
	checkpoints.Do(func() { first = true; run() })
	if !first {
		run()
	}
}

// start runs the connector.
func (w *world) start(config string, args ...string) *process {
	w.t.Helper()
	return command(w.t, nil, append([]string{"run", "-c", config}, args...)...)
}

// once runs the connector up to the end of the log, and demands that it gets there.
func (w *world) once(config string, args ...string) *process {
	w.t.Helper()
	p := w.start(config, append([]string{"--once"}, args...)...)
	p.ends(0)
	return p
}

// position is a line of rowmark offsets show.
type position struct {
	Topic      string
	Partition  int32
	Checkpoint int64
	End        int64
	Lag        int64
	Owner      string
	Ceiling    int64
	Epoch      int64
	Mapping    string // empty: the partition has no checkpoint yet
}

// positions gives the checkpoints, as rowmark offsets show tells them.
func (w *world) positions(config string) []position {
	w.t.Helper()
	p := command(w.t, nil, "offsets", "show", "-o", "json", "--log-level", "error", "-c", config)
	p.ends(0)
	var out []position
	if err := json.Unmarshal([]byte(p.output()), &out); err != nil {
		w.t.Fatalf("reading what offsets show says: %v", err)
	}
	return slices.DeleteFunc(out, func(p position) bool { return p.Mapping == "" })
}

// caughtUp waits until all of the sink's partitions, and so many of them, have no lag.
func (w *world) caughtUp(config string, partitions int) {
	w.t.Helper()
	eventually(w.t, "no lag", func() bool {
		time.Sleep(100 * time.Millisecond) // asking costs a process
		all := w.positions(config)
		for _, p := range all {
			if p.Lag > 0 {
				return false
			}
		}
		return len(all) == partitions
	})
}

// hbase does something to tables through HBase's own client.
func (w *world) hbase(command string, args ...string) string {
	w.t.Helper()
	out, err := w.java.Do(command, args...)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}
