package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector/registry/registrytest"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestExamples runs each of the examples as it stands, under its own names of topics and tables: what HBase's own client
// then reads is what the example's hbase.txt says.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/rowmark.yaml")
	if err != nil || len(files) < 6 {
		t.Fatalf("found %d examples: %v", len(files), err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			w := newWorld(t)
			e := example{world: w, dir: dir, settings: []string{
				"-c", file, "--set", "kafka.brokers=" + strings.Join(w.brokers, ","), "--set", "hbase.zookeeper=" + strings.Join(w.zookeeper, ","),
				"--set", "hbase.checkpoint_table=" + checkpointTable, "--set", "sink=" + w.sink(),
			}}
			e.registry()
			e.produce()
			e.rowmark("init")
			want := e.read("hbase.txt")
			for _, table := range tableName.FindAllString(want, -1) {
				t.Cleanup(func() { e.hbase("delete", table) }) // its name is not this run's alone
			}
			e.rowmark("run", "--once")
			got := e.rows(want)
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			e.rowmark("run", "--once")
			if again := e.rows(want); again != got {
				t.Errorf("a second run changed the rows to\n%s", again)
			}
		})
	}
}

type example struct {
	*world
	dir      string
	settings []string // of every command
}

func (e *example) rowmark(args ...string) { command(e.t, nil, append(args, e.settings...)...).ends(0) }

func (e *example) read(name string) string {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

// registry serves the example's schema under the id 1, if it has one.
func (e *example) registry() {
	if schemas, _ := filepath.Glob(filepath.Join(e.dir, "*.avsc")); len(schemas) == 1 {
		s := registrytest.Start()
		e.t.Cleanup(s.Close)
		s.Register("orders-value", registrytest.Schema{Schema: e.read(filepath.Base(schemas[0]))})
		e.settings = append(e.settings, "--set", "schema_registry.urls="+s.URL)
	}
}

// sample is a line of records.jsonl.
type sample struct {
	Topic      string
	Offset     int64
	Timestamp  int64
	Key, Value json.RawMessage
	Headers    map[string]string
}

// produce writes the example's records to topics of one partition, which are made for it.
func (e *example) produce() {
	var records []*kgo.Record
	var topics []string
	for line := range strings.Lines(e.read("records.jsonl")) {
		var s sample
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			e.t.Fatal(err)
		}
		if !slices.Contains(topics, s.Topic) {
			topics = append(topics, s.Topic)
		}
		r := &kgo.Record{Topic: s.Topic, Offset: s.Offset, Key: e.bytes(s.Key), Value: e.bytes(s.Value), Timestamp: time.UnixMilli(s.Timestamp)}
		for name, value := range s.Headers {
			r.Headers = append(r.Headers, kgo.RecordHeader{Key: name, Value: []byte(value)})
		}
		records = append(records, r)
	}
	if _, err := e.admin.CreateTopics(context.Background(), 1, 1, nil, topics...); err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { _, _ = e.admin.DeleteTopics(context.Background(), topics...) }) // for a Kafka that is kept
	for _, r := range records {
		want := r.Offset
		if e.world.produce(r); r.Offset != want {
			e.t.Fatalf("%s: a record got offset %d, want %d: the topic was there before", r.Topic, r.Offset, want)
		}
	}
}

// bytes are those of a key or value in a sample: text, bytes in base64, or the JSON itself.
func (e *example) bytes(raw json.RawMessage) []byte {
	var text string
	var coded struct{ Base64 *string }
	switch {
	case raw == nil || bytes.Equal(raw, []byte("null")):
		return nil
	case json.Unmarshal(raw, &text) == nil:
		return []byte(text)
	case json.Unmarshal(raw, &coded) == nil && coded.Base64 != nil:
		out, err := base64.StdEncoding.DecodeString(*coded.Base64)
		if err != nil {
			e.t.Fatal(err)
		}
		return out
	}
	return raw
}

var tableName = regexp.MustCompile(`(?m)^\S+$`)

// rows prints the tables that the wanted text names, as it does.
func (e *example) rows(want string) string {
	var out strings.Builder
	for _, table := range tableName.FindAllString(want, -1) {
		fmt.Fprintln(&out, table)
		row := ""
		for _, c := range e.cells(table) {
			if c.Row != row {
				row = c.Row
				fmt.Fprintf(&out, "  %+q\n", row)
			}
			if c.Family != "_k" {
				fmt.Fprintf(&out, "    %s:%s %+q\n", c.Family, c.Qualifier, c.Value)
			}
		}
	}
	return out.String()
}
