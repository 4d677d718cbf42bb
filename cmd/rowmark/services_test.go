package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rowmark/hbase/hbasetest"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

const orderMapping = `tables:
  - topics: [orders]
    table: shop:orders
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.status, to: "d:status"}
      - {literal: "1", to: "c:n", op: increment}
    on_tombstone: ignore
`

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// offline is a configuration whose services are not there.
func offline(t *testing.T) string {
	t.Helper()
	return writeFile(t, "rowmark.yaml", "sink: s\nkafka: {brokers: [\"127.0.0.1:1\"]}\nhbase: {zookeeper: [\"127.0.0.1:1\"], start_timeout: 1s}\n"+orderMapping)
}

// startServices gives embedded services, as a configuration names them, and a producer.
func startServices(t *testing.T) (file string, producer *kgo.Client) {
	t.Helper()
	kafka, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(2, "orders"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(kafka.Close)
	base, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	producer, err = kgo.NewClient(kgo.SeedBrokers(kafka.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(producer.Close)
	text := fmt.Sprintf("sink: s\nkafka: {brokers: [\"%s\"]}\nhbase: {zookeeper: [\"%s\"]}\n", kafka.ListenAddrs()[0], base.ZooKeeper())
	return writeFile(t, "rowmark.yaml", text+orderMapping), producer
}

// result is what a command left.
type result struct {
	code        int
	out, errors string
}

func command(input string, args ...string) result {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetIn(strings.NewReader(input))
	root.SetOut(&out)
	root.SetErr(&errs)
	code := execute(root, append(args, "--log-level", "error"))
	return result{code, out.String(), errs.String()}
}

// wants compares the result; each text is a part of what was printed.
func (r result) wants(t *testing.T, code int, out, errors string) {
	t.Helper()
	if r.code != code || !strings.Contains(r.out, out) || !strings.Contains(r.errors, errors) {
		t.Errorf("code %d, output %q, errors %q; want %d, %q, %q", r.code, r.out, r.errors, code, out, errors)
	}
}
