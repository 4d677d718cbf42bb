package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector/config"
	"rowmark/connector/decode"
	"rowmark/connector/preview"
	"rowmark/connector/registry/registrytest"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// The examples are run as they stand: what preview says of their records is in preview.txt, what then stands in HBase in
// hbase.txt. With -update both are written anew.
//
//	go test ./cmd/rowmark -run Examples -update
var update = flag.Bool("update", false, "write the outputs of the examples anew")

func TestExamples(t *testing.T) {
	dirs, err := filepath.Glob("../../examples/*/rowmark.yaml")
	if err != nil || len(dirs) < 6 {
		t.Fatalf("found %d examples: %v", len(dirs), err)
	}
	for _, file := range dirs {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			e := example{t: t, dir: filepath.Dir(file), settings: []string{"-c", file}}
			e.registry()
			e.preview()
			e.run()
		})
	}
}

type example struct {
	t         *testing.T
	dir       string
	settings  []string // of every command
	zookeeper string
}

func (e *example) set(key, value string) {
	e.settings = append(e.settings, "--set", key+"="+value)
}

func (e *example) command(want int, args ...string) string {
	e.t.Helper()
	r := command("", append(args, e.settings...)...)
	if r.code != want {
		e.t.Fatalf("%s: code %d, want %d: %s", args[0], r.code, want, r.errors)
	}
	return r.out
}

// golden compares with a file of the example.
func (e *example) golden(name, got string) {
	e.t.Helper()
	file := filepath.Join(e.dir, name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil { //nolint:gosec // it is to be read
			e.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		e.t.Errorf("%s is not what stands there (%v); got:\n%s", file, err, got)
	}
}

// registry serves the example's schema under the id 1, if it has one.
func (e *example) registry() {
	schemas, err := filepath.Glob(filepath.Join(e.dir, "*.avsc"))
	if err != nil || len(schemas) == 0 {
		return
	}
	text, err := os.ReadFile(schemas[0])
	if err != nil {
		e.t.Fatal(err)
	}
	s := registrytest.Start()
	e.t.Cleanup(s.Close)
	s.Register("orders-value", registrytest.Schema{Schema: string(text)})
	e.set("schema_registry.urls", s.URL)
}

// preview shows the records. One that can't be mapped is shown as such.
func (e *example) preview() {
	r := command("", append([]string{"preview", "--file", filepath.Join(e.dir, "records.jsonl")}, e.settings...)...)
	if r.code != 0 && !strings.Contains(r.errors, "can't be mapped") {
		e.t.Fatalf("code %d: %s", r.code, r.errors)
	}
	e.golden("preview.txt", r.out)
}

// run writes the records to Kafka and has them taken to HBase, twice: the second time there is nothing to do.
func (e *example) run() {
	base, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { _ = base.Close() })
	e.zookeeper = base.ZooKeeper()
	e.set("kafka.brokers", e.produce())
	e.set("hbase.zookeeper", e.zookeeper)
	e.command(0, "init")
	e.command(0, "run", "--once")
	got := e.rows()
	e.golden("hbase.txt", got)
	e.command(0, "run", "--once")
	if again := e.rows(); again != got {
		e.t.Errorf("a second run changed the rows to:\n%s", again)
	}
}

// produce writes the records, and gives the broker's address.
func (e *example) produce() string {
	text, err := os.ReadFile(filepath.Join(e.dir, "records.jsonl"))
	if err != nil {
		e.t.Fatal(err)
	}
	var records []*kgo.Record
	var topics []string
	s := preview.Samples{Name: "records.jsonl"}
	err = s.Each(bytes.NewReader(text), func(r decode.Record, err error) error {
		if !slices.Contains(topics, r.Topic) {
			topics = append(topics, r.Topic)
		}
		records = append(records, kafkaRecord(r))
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	kafka, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, topics...))
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(kafka.Close)
	producer, err := kgo.NewClient(kgo.SeedBrokers(kafka.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		e.t.Fatal(err)
	}
	defer producer.Close()
	for _, r := range records {
		want := r.Offset
		if err := producer.ProduceSync(e.t.Context(), r).FirstErr(); err != nil || r.Offset != want {
			e.t.Fatalf("%s: produced at offset %d, want %d: %v", r.Topic, r.Offset, want, err)
		}
	}
	return kafka.ListenAddrs()[0]
}

// rows gives the tables of the example, without the marks.
func (e *example) rows() string {
	c, err := config.Load(filepath.Join(e.dir, "rowmark.yaml"))
	if err != nil {
		e.t.Fatal(err)
	}
	client, err := hbase.Open(e.t.Context(), hbase.Config{ZooKeeper: []string{e.zookeeper}})
	if err != nil {
		e.t.Fatal(err)
	}
	defer client.Close()
	var out strings.Builder
	for _, table := range c.Mappings.Tables() {
		fmt.Fprintln(&out, table.Name)
		err := client.Scan(e.t.Context(), table.Name, hbase.Scan{}, func(row hbase.Row) error {
			fmt.Fprintf(&out, "  %+q\n", row.Row)
			for _, cell := range row.Cells {
				if string(cell.Family) != c.HBase.MarkFamily {
					fmt.Fprintf(&out, "    %s:%s %+q\n", cell.Family, cell.Qualifier, cell.Value)
				}
			}
			return nil
		})
		if err != nil {
			e.t.Fatal(err)
		}
	}
	return out.String()
}

func kafkaRecord(r decode.Record) *kgo.Record {
	out := &kgo.Record{Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, Key: r.Key, Value: r.Value, Timestamp: time.UnixMilli(r.Timestamp)}
	for _, h := range r.Headers {
		out.Headers = append(out.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	return out
}
