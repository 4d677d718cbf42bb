package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"rowmark/connector"
	"rowmark/docs"
)

func TestValidateOffline(t *testing.T) {
	file := offline(t)
	got := command("", "validate", "-c", file)
	if want := (result{0, file + " is right: sink s, exactly-once\n  orders -> shop:orders\n", ""}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.NewReplacer("sink: s", "sink: s/t", "brokers: [\"127.0.0.1:1\"]", "brokers: [\"127.0.0.1:1\"], tls: {enabled: true, ca: none.pem}", "op: increment", "op: add").Replace(string(text))
	file = writeFile(t, "bad.yaml", bad)
	got = command("", "validate", "-c", file, "--set", "batch.rows=no")
	want := "--set batch.rows: batch.rows: \"no\": a whole number of at most 64 bits\n" +
		file + ":1: sink: \"s/t\": letters, digits and . _ -, at most 64 of them\n" +
		file + ":2: kafka.tls.ca: \"none.pem\": the file that it names can't be read: no such file or directory\n" +
		file + ":12: tables[0].columns[1].op: \"add\": one of put, increment, append, delete-column\n"
	if got.code != connector.ExitConfig || got.out != want || got.errors != "rowmark: "+file+": 4 faults\n" {
		t.Errorf("got %d\n%s%s\nwant\n%s", got.code, got.out, got.errors, want)
	}

	got = command("", "validate", "-c", file, "-o", "json")
	var answer validationJSON
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatal(err)
	}
	fault := faultJSON{File: file, Line: 12, Key: "tables[0].columns[1].op", Value: "add", Text: "one of put, increment, append, delete-column", Code: connector.ExitConfig}
	if got.code != connector.ExitConfig || answer.OK || len(answer.Faults) != 3 || answer.Faults[2] != fault {
		t.Errorf("got %d %+v", got.code, answer)
	}

	command("", "validate", "-c", file, "-o", "yaml").wants(t, connector.ExitConfig, "", "use text or json")
	command("", "validate", "-c", file+"x").wants(t, connector.ExitConfig, "", "there is no file")
}

func TestValidateConnected(t *testing.T) {
	file, _ := startServices(t)
	got := command("", "validate", "-c", file, "--connect")
	got.wants(t, connector.ExitTable, ":3: hbase.checkpoint_table: \"rowmark\": the checkpoint table rowmark can't be used; run rowmark init", ": 2 faults")
	got.wants(t, connector.ExitTable, ":6: tables[0].table: \"shop:orders\": describing table shop:orders: there is no such table; run rowmark init", "")

	command("", "init", "-c", file).wants(t, 0, "done create table", "")
	got = command("", "validate", "-c", file, "--connect")
	want := file + " is right: sink s, exactly-once\n  orders -> shop:orders\n  topic orders: 2 partitions\n  table shop:orders: 1 region, written by region transactions\n"
	if got.code != 0 || got.out != want {
		t.Errorf("got %+v, want %q", got, want)
	}
	got = command("", "validate", "-c", file, "--connect", "-o", "json")
	var answer validationJSON
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatal(err)
	}
	if found := fmt.Sprintf("%v %v %v", answer.OK, answer.Topics, answer.Tables); found != "true [{orders 2 []}] [{shop:orders 1 region transactions }]" {
		t.Errorf("got %s", found)
	}
	command("", "validate", "-c", offline(t), "--connect").wants(t, connector.ExitUnreached, "kafka.brokers", ": 2 faults")
}

// The tables are there, and the checkpoint table is not.
func TestValidateWithoutCheckpointTable(t *testing.T) {
	file, _ := startServices(t)
	command("", "init", "-c", file).wants(t, 0, "", "")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	twice := writeFile(t, "rowmark.yaml", string(text)+"    allow_duplicates: true\n")
	for _, c := range []struct{ file, delivery, says string }{
		{file, "exactly-once", "table shop:orders: 1 region, not known yet how it is written (whether this HBase honours conditions is tried on the checkpoint table, which can't be used)\n"},
		{twice, "at-least-once", "table shop:orders: 1 region, written by batches without conditions\n"},
	} {
		command("", "validate", "-c", c.file, "--connect", "--set", "hbase.checkpoint_table=other", "--set", "delivery="+c.delivery).wants(t, connector.ExitTable, c.says, "")
	}
}

func TestTableLine(t *testing.T) {
	for want, found := range map[string]connector.TableFound{
		"table t: 1 region, written by region transactions": {Name: "t", Regions: 1, Commit: "region transactions"},
		"table t: 2 regions, written row by row (why)":      {Name: "t", Regions: 2, Commit: "row by row", Because: "why"},
	} {
		if got := tableLine(&found); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSchemaIsPrinted(t *testing.T) {
	if got := command("", "schema"); got.code != 0 || got.out != string(docs.Schema) || !json.Valid(docs.Schema) {
		t.Errorf("got %d and %d bytes", got.code, len(got.out))
	}
}
