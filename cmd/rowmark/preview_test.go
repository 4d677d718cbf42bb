package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/preview"
	"rowmark/connector/registry/registrytest"

	"github.com/twmb/franz-go/pkg/kgo"
)

const paid = `{"key": "k", "value": {"status": "paid"}, "timestamp": 5, "offset": 7}` + "\n"

func TestPreviewOfSamples(t *testing.T) {
	file := offline(t)
	want := `orders/0 offset 7, 1970-01-01T00:00:00.005Z, key "k"
  -> shop:orders row "k" (6b)
     put d:status "paid" at 5
     increment c:n by 1
     mark _k:s/orders/0 at 8
`
	got := command(paid, "preview", "-c", file, "--stdin")
	if got != (result{0, want, ""}) {
		t.Errorf("got %+v, want %s", got, want)
	}
	got = command("", "preview", "-c", file, "--file", writeFile(t, "samples.jsonl", paid+`{"key": "l", "topic": "orders", "value": null}`))
	got.wants(t, 0, want, "")
	got.wants(t, 0, "key \"l\"\n  nothing to write\n", "")

	// What is wrong with one record or line is told, and the others are shown.
	got = command(`{"key": "a", "value": "{"}`+"\nx\n"+paid, "preview", "-c", file, "--stdin")
	got.wants(t, connector.ExitConfig, want, "rowmark: standard input:2: a sample is a JSON object")
	if n := strings.Count(got.errors, "a sample is a JSON object"); n != 1 || !strings.HasSuffix(got.errors, "\nrowmark: reading samples: 1 line wrong\n") {
		t.Errorf("told %d times: %s", n, got.errors)
	}
	got = command(`{"key": "a", "value": "{"}`+"\n"+paid, "preview", "-c", file, "--stdin")
	got.wants(t, connector.ExitRecord, "error (on_error: fail): mapping orders -> shop:orders: decoding value as json", "1 of 2 records can't be mapped")
	got.wants(t, connector.ExitRecord, want, "")
	command(paid, "preview", "-c", file, "--stdin", "--topic", "other").wants(t, connector.ExitRecord, "no mapping names this topic", "")

	got = command(paid+paid, "preview", "-c", file, "--stdin", "-o", "json")
	dec := json.NewDecoder(strings.NewReader(got.out))
	for range 2 {
		var r preview.Record
		if err := dec.Decode(&r); err != nil || r.Offset != 7 || len(r.Rows) != 1 || r.Rows[0].Cells[0].Value.Hex != "70616964" {
			t.Errorf("got %+v, %v", r, err)
		}
	}
	if dec.More() || got.code != 0 {
		t.Errorf("more than two records, or code %d", got.code)
	}
}

// A preview asks the registry for its schemas, and says when that does not answer.
func TestPreviewOfAvro(t *testing.T) {
	s := registrytest.Start()
	defer s.Close()
	s.Register("orders", registrytest.Schema{Schema: `{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}`})
	text := func(url string) string {
		return fmt.Sprintf(`sink: s
kafka: {brokers: ["k:1"]}
hbase: {zookeeper: [z]}
schema_registry: {urls: ["%s"]}
tables:
  - topics: [orders]
    table: t
    value: {format: avro}
    row_key: [{field: key}]
    columns: [{field: value.a, to: "d:a"}]
`, url)
	}
	sample := func(id byte) string {
		return fmt.Sprintf(`{"key": "k", "value": {"base64": "%s"}}`+"\n", base64.StdEncoding.EncodeToString([]byte{0, 0, 0, 0, id, 14}))
	}
	file := writeFile(t, "avro.yaml", text(s.URL))
	command(sample(1), "preview", "-c", file, "--stdin").wants(t, 0, `put d:a "7"`, "")
	command(sample(2), "preview", "-c", file, "--stdin").wants(t, connector.ExitRecord, "knows no schema of id 2", "")
	file = writeFile(t, "away.yaml", text("http://127.0.0.1:1"))
	command(sample(1), "preview", "-c", file, "--stdin").wants(t, connector.ExitUnreached, "", "reading schema 1 from the schema registry")
}

func TestPreviewRefusesFlags(t *testing.T) {
	file := offline(t)
	for _, c := range []struct{ args, reason string }{
		{"", "nothing to preview"},
		{"--stdin --file x", "give one of them"},
		{"--stdin --count 1", "are for a live topic"},
		{"--file x --from last", "are for a live topic"},
		{"--file none", "opening the samples"},
		{"--topic orders --count 0", "at least 1"},
		{"--topic orders --partition -1", "count from 0"},
		{"--partition 0", "of which topic?"},
		{"--topic clicks --partition orders/0", "it is none of --topic clicks"},
		{"--topic orders --from yesterday --connect=false", "1234 or offset:1234"},
		{"--topic ordesr --connect=false", "no mapping takes it; they take orders"},
		{"--stdin -o yaml", "use text or json"},
	} {
		args := append([]string{"preview", "-c", file}, strings.Fields(c.args)...)
		command("", args...).wants(t, connector.ExitConfig, "", c.reason)
	}
	command("", "preview", "-c", file, "--topic", "orders", "--connect=false").wants(t, connector.ExitUnreached, "", "kafka")
	command(paid, "preview", "-c", file, "--stdin", "--connect").wants(t, connector.ExitUnreached, "", "hbase")
}

func TestPreviewOfALiveTopic(t *testing.T) {
	file, producer := startServices(t)
	for i := range 6 {
		r := &kgo.Record{Topic: "orders", Partition: int32(i % 2), Key: fmt.Append(nil, "k", i), Value: []byte(`{"status": "new"}`), Timestamp: time.UnixMilli(int64(1000 + i))}
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	got := command("", "preview", "-c", file, "--topic", "orders", "--from", "last", "--count", "1")
	got.wants(t, 0, "orders/1 offset 2, 1970-01-01T00:00:01.005Z, key \"k5\"\n  -> shop:orders row \"k5\" (6b35)\n     region not known: listing the regions of shop:orders: ", "")

	command("", "init", "-c", file).wants(t, 0, "", "")
	for _, args := range []string{"--partition orders/0 --from 1", "--topic orders --partition orders/0 --from offset:1"} {
		same := command("", append(strings.Fields("preview --topic orders --partition 0 --from offset:1 --count 1 -c"), file)...)
		if got := command("", append(strings.Fields("preview --count 1 "+args+" -c"), file)...); got.code != 0 || got.out != same.out {
			t.Errorf("%s: %+v, want %+v", args, got, same)
		}
	}
	for _, names := range [][]string{{"first", "earliest", "1970-01-01"}, {"last", "latest", "now"}} {
		var want result
		for i, name := range names {
			got := command("", "preview", "-c", file, "--partition", "orders/0", "--count", "1", "--from", name)
			if i == 0 {
				want = got
			}
			if got.code != 0 || got.out == "" || got.out != want.out {
				t.Errorf("--from %s: %+v, want %+v", name, got, want)
			}
		}
	}
	command("", "preview", "-c", file, "--topic", "orders", "--from", "2100-01-01").wants(t, 0, "there are no records", "")
	got = command("", "preview", "-c", file, "--topic", "orders", "--partition", "0", "--from", "offset:1", "--count", "1")
	got.wants(t, 0, "orders/0 offset 1, 1970-01-01T00:00:01.002Z, key \"k2\"\n  -> shop:orders row \"k2\" (6b32)\n     region ", "")
	got.wants(t, 0, " [, ) on 127.0.0.1:", "")
	if n := strings.Count(got.out, "mark "); n != 1 {
		t.Errorf("%d marks, want 1", n)
	}
	if got := command("", "preview", "-c", file, "--topic", "orders", "--connect=false"); got.code != 0 || strings.Contains(got.out, "region") || strings.Count(got.out, "mark ") != 6 {
		t.Errorf("without HBase: %+v", got)
	}
	command("", "preview", "-c", file, "--topic", "orders", "--from", "offset:1").wants(t, connector.ExitConfig, "", "name one with --partition")
	command("", "preview", "-c", file, "--topic", "orders", "--partition", "7").wants(t, connector.ExitTopic, "", "orders/7")
	command("", "preview", "-c", file, "--topic", "orders", "--partition", "0", "--from", "offset:9").wants(t, connector.ExitConfig, "", "outside the log [0, 3)")
	// Nothing was written.
	command("", "offsets", "show", "-c", file).wants(t, 0, "orders/1: no checkpoint yet; rowmark run begins", "")
}
