package e2e

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestUnreachable starts without Kafka, and without HBase.
func TestUnreachable(t *testing.T) {
	w := newWorld(t)
	config := w.config(plainTables)
	noKafka, noHBase := "--set=kafka.brokers=127.0.0.1:1", "--set=hbase.zookeeper=127.0.0.1:1"
	short := "--set=hbase.start_timeout=1s"
	for _, args := range [][]string{
		{"run", noKafka},
		{"run", "--once", noKafka},
		{"run", noHBase},
		{"run", "--once", noHBase},
		{"init", noHBase},
		{"offsets", "show", noHBase},
		{"offsets", "show", noKafka},
		{"offsets", "set", "--yes", "--to", "earliest", noHBase},
	} {
		p := command(t, nil, append(args, short, "-c", config)...)
		says := "hbase"
		if args[len(args)-1] == noKafka {
			says = "kafka"
		}
		p.ends(3, says)
	}
	for _, no := range []string{noKafka, noHBase} {
		p := w.start(config, no)
		p.says(map[string]string{noKafka: "kafka does not answer", noHBase: "waiting for hbase"}[no], 1)
		p.signal(syscall.SIGTERM)
		p.ends(0)
	}
	// Without init, the checkpoint table is missing.
	p := w.start(config, "--set", "hbase.checkpoint_table="+w.name)
	p.ends(7, "rowmark init")
	command(t, nil, "offsets", "show", "-c", config, "--set", "hbase.checkpoint_table="+w.name).ends(7, "rowmark init")
}

// TestOtherCluster finds the sink bound to another Kafka cluster.
func TestOtherCluster(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.init(config)
	w.counts(topic, 0, 2)
	w.once(config)
	row := hexOf("@" + w.sink())
	w.hbase("put", checkpointTable, row, "c", hexOf("kafka_cluster"), "-", hexOf("another"))
	p := w.start(config)
	if code := p.exit(); code == 0 || !strings.Contains(p.output(), "belongs to the Kafka cluster another") {
		t.Fatalf("exit code %d, and it does not name the other cluster", code)
	}
	w.wantCounts("11")
}

// TestRawRecords takes binary keys and values as they are, and everything a row key can be made of.
func TestRawRecords(t *testing.T) {
	w := newWorld(t)
	topic := w.topic("in", 2, nil)
	config := w.config(`
  - topics: ["/$NAME_i./"]
    table: $NAME_t
    row_key: [{field: key}]
    columns:
      - {field: value, to: "d:v"}
      - {field: header.h, to: "d:h"}
      - {field: offset, to: "d:o", as: int64}
      - {field: topic, to: "d:t"}
    on_tombstone: delete-row
  - topics: ["/$NAME_i./"]
    table: $NAME_u
    key: {format: string}
    row_key:
      - {hash: md5, of: [key], bytes: 2}
      - {field: partition, as: int32}
      - {field: offset, as: int64, reverse: true}
    columns: [{literal: "1", to: "c:n", op: increment}]
    on_tombstone: ignore
`)
	w.init(config)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	first := record(topic, 0, string(all), "")
	first.Value = append(all, 0, 255)
	first.Headers = append(first.Headers, header("h", "one"), header("h", "two"), header("x", "y"))
	gone := record(topic, 1, "\xff\x00", "x")
	tomb := record(topic, 1, "\xff\x00", "")
	tomb.Value = nil
	blank := record(topic, 1, "\x00", "")
	w.produce(first, gone, tomb, blank)
	// The second mapping reads keys as text, which these are not.
	w.start(config, "--once", "--fail-fast").ends(4, "offset 0")
	raw := w.configFile(strings.Replace(readFile(t, config), "key: {format: string}", "key: {format: raw}", 1))
	w.once(raw)
	want := fmt.Sprintf("\x00 o=%s\n\x00 t=%s\n\x00 v=\n%s h=two\n%s o=%s\n%s t=%s\n%s v=%s", "\x00\x00\x00\x00\x00\x00\x00\x02", topic, all, all, make([]byte, 8), all, topic, all, first.Value)
	if got := text(w.cells(w.name+"_t"), "d"); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	n := 0
	for _, c := range w.cells(w.name + "_u") {
		if c.Family == "c" {
			n++
			if len(c.Row) != 2+4+8 {
				t.Errorf("a row key of %d bytes", len(c.Row))
			}
		}
	}
	if n != 3 {
		t.Errorf("%d rows by offset, want 3", n)
	}
}

func header(key, value string) kgo.RecordHeader {
	return kgo.RecordHeader{Key: key, Value: []byte(value)}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
