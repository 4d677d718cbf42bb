package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/audit"
	"rowmark/connector/config"
	"rowmark/hbase"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestVerifyRefusesFlags(t *testing.T) {
	file := offline(t)
	for _, c := range []struct{ args, reason string }{
		{"--sample 5", "a share above 0%"},
		{"--sample 0%", "a share above 0%"},
		{"--sample 101%", "a share above 0%"},
		{"--sample NaN%", "a share above 0%"},
		{"--rows -1", "0 (all) or more"},
		{"--list -1", "0 or more"},
		{"--from yesterday", "--from \"yesterday\": use an offset"},
		{"--to 1.5", "--to \"1.5\": use an offset"},
		{"--mapping old", "use current or stored"},
		{"--partition orders", "write topic/partition"},
		{"-o yaml", "use text or json"},
	} {
		command("", append(strings.Fields("verify "+c.args), "-c", file)...).wants(t, connector.ExitConfig, "", c.reason)
	}
	command("", "verify", "-c", file).wants(t, connector.ExitUnreached, "", "kafka")
}

// hbaseOf opens the HBase that a configuration names.
func hbaseOf(t *testing.T, file string) *hbase.Client {
	t.Helper()
	c, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	h, err := connector.HBaseConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	client, err := hbase.Open(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// produceOrders writes two orders to each of the two partitions.
func produceOrders(t *testing.T, producer *kgo.Client) {
	t.Helper()
	for i, key := range []string{"a", "b", "c", "d"} {
		r := &kgo.Record{Topic: "orders", Partition: int32(i % 2), Key: []byte(key), Value: []byte(`{"status": "paid"}`), Timestamp: time.UnixMilli(1_764_400_000_000 + int64(i))}
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestVerify(t *testing.T) {
	file, producer := startServices(t)
	produceOrders(t, producer)
	command("", "verify", "-c", file).wants(t, connector.ExitTable, "", "rowmark init makes")
	command("", "init", "-c", file).wants(t, 0, "", "")
	command("", "verify", "-c", file).wants(t, connector.ExitOther, "", "nothing was written yet")
	command("", "run", "--once", "-c", file).wants(t, 0, "", "")
	got := command("", "verify", "-c", file)
	got.wants(t, 0, "orders  0          [0, 2)  2        2     2      0     0        0      0            0\n", "")
	got.wants(t, 0, "orders  1          [0, 2)  2        2     2      0     0        0      0            0\n", "")
	if closing := "\nnothing is lost, doubled or stale: 4 rows right\n"; !strings.HasSuffix(got.out, closing) {
		t.Errorf("got %q, want %q at its end", got.out, closing)
	}
	command("", "verify", "-c", file, "--partition", "orders/1", "--from", "1").wants(t, 0, "stale: 0 rows right, 1 unexplained or not judged\n", "")
	command("", "verify", "-c", file, "--partition", "orders/1", "--from", "1").wants(t, 0, "orders/1: not judged: counters and lists are judged from the beginning of the log only (1)\n", "")
	command("", "verify", "-c", file, "--partition", "orders/7").wants(t, connector.ExitOther, "orders/7: not verified: it has no checkpoint", "no checkpoint")

	h := hbaseOf(t, file)
	cell := hbase.MutationCell{Column: &hbase.Column{Family: []byte("d"), Qualifier: []byte("status")}, Type: hbase.CellDeleteColumn, Timestamp: 1_764_400_000_002}
	if res := h.WriteRow(t.Context(), "shop:orders", hbase.RowWrite{Row: []byte("c"), Mutations: []hbase.Mutation{{Kind: hbase.KindDelete, Cells: []hbase.MutationCell{cell}}}}); res.Err != nil {
		t.Fatal(res.Err)
	}
	want := "lost: shop:orders row 63 d:status, orders/0 offset 1: this record put a cell, which is not there\n"
	command("", "verify", "-c", file).wants(t, connector.ExitWrong, want, "1 row lost or doubled records")
	for _, args := range []string{"", "--partition orders/7"} {
		if wrong := command("", append(strings.Fields("verify "+args), "-c", file)...); strings.Contains(wrong.out, "nothing is lost") {
			t.Errorf("verify %s: %+v", args, wrong)
		}
	}
	command("", "verify", "-c", file, "--show-values").wants(t, connector.ExitWrong, "which is not there; it should hold \"paid\"\n", "")
	command("", "verify", "-c", file, "--list", "0").wants(t, connector.ExitWrong, "and 1 more\n", "")
	command("", "verify", "-c", file, "--partition", "orders/1").wants(t, 0, "", "")
	got = command("", "verify", "-c", file, "-o", "json")
	var r audit.Report
	if err := json.Unmarshal([]byte(got.out), &r); err != nil || got.code != connector.ExitWrong || len(r.Sources) != 2 || r.Sources[0].Lost != 1 || r.Findings[0].Row != "63" {
		t.Errorf("%+v, %v", got, err)
	}
}

// What was written under another mapping is judged by the one that is asked for.
func TestVerifyByTheStoredMapping(t *testing.T) {
	file, producer := startServices(t)
	produceOrders(t, producer)
	command("", "init", "-c", file).wants(t, 0, "", "")
	command("", "run", "--once", "-c", file).wants(t, 0, "", "")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := writeFile(t, "rowmark.yaml", strings.ReplaceAll(string(text), `"d:status"`, `"d:state"`))
	got := command("", "verify", "-c", changed)
	got.wants(t, connector.ExitWrong, "orders/0: the checkpoint holds another mapping than the current one", "4 rows")
	command("", "verify", "-c", changed, "--mapping", "stored").wants(t, 0, "orders/0: judged by the mapping stored with the checkpoint", "")
	command("", "verify", "-c", file, "--mapping", "stored").wants(t, 0, "", "")
	least := writeFile(t, "rowmark.yaml", strings.Replace(strings.Replace(string(text), "sink: s\n", "sink: s\ndelivery: at-least-once\n", 1), "op: increment}", "}", 1))
	command("", "verify", "-c", least).wants(t, connector.ExitConfig, "", "at-least-once writes no marks")
}

// A record that became a dead letter is not missed, by the mapping that could not write it nor by one that can, before it is
// retried and after.
func TestVerifyOfDeadLetters(t *testing.T) {
	file, producer := startServices(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	strict := strings.Replace(string(text), "[{field: key}]", "[{field: value.id}]", 1) + "    on_error: dead-letter\n"
	file = writeFile(t, "rowmark.yaml", strict)
	mended := writeFile(t, "rowmark.yaml", strings.Replace(strict, "{field: value.id}", "{field: value.id, default: none}", 1))
	for _, value := range []string{`{"id": "a", "status": "paid"}`, `{"status": "open"}`} {
		r := &kgo.Record{Topic: "orders", Value: []byte(value), Timestamp: time.UnixMilli(1_764_400_000_000)}
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	command("", "init", "-c", file).wants(t, 0, "", "")
	command("", "run", "--once", "-c", file).wants(t, 0, "", "")
	for _, retried := range []bool{false, true} {
		if retried {
			command("", "dead-letters", "retry", "--all", "-c", mended).wants(t, 0, "1 letter written", "")
		}
		got := command("", "verify", "-c", file, "--partition", "orders/0")
		got.wants(t, 0, "[0, 2)  2        2     2      0     0        0      0            0\n", "")
		got.wants(t, 0, "orders/0: 1 record in dead letters\n", "")
		command("", "verify", "-c", mended, "--partition", "orders/0").wants(t, 0, "not judged: a dead letter stands for a record that can be mapped now (1)\n", "")
	}
	command("", "inspect", "row", "none", "-c", mended).wants(t, 0, "letters below number 2 of a retry of dead letters\n", "")
}
