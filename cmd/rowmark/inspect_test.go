package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"rowmark/connector"
	"rowmark/connector/audit"
)

func TestInspectRefusesArguments(t *testing.T) {
	file := offline(t)
	for _, c := range []struct{ args, reason string }{
		{"row", "which row?"},
		{"row k --parts key=k", "give one of them"},
		{"row k --hex --escaped", "give one of them"},
		{"row --parts key=k --hex", "give one of them"},
		{"row k -o yaml", "use text or json"},
		{"record orders/0", "write topic/partition/offset"},
		{"record orders/0/-1", "write topic/partition/offset"},
		{"record orders/x/1", "write topic/partition/offset"},
		{"record orders/0/1 -o yaml", "use text or json"},
	} {
		command("", append(strings.Fields("inspect "+c.args), "-c", file)...).wants(t, connector.ExitConfig, "", c.reason)
	}
	command("", "inspect", "row", "k", "-c", file).wants(t, connector.ExitUnreached, "", "kafka")
}

func TestInspect(t *testing.T) {
	file, producer := startServices(t)
	produceOrders(t, producer)
	command("", "init", "-c", file).wants(t, 0, "", "")
	command("", "inspect", "record", "orders/0/1", "-c", file).wants(t, 0, "the partition has no checkpoint: nothing of it was written yet\n  -> shop:orders row \"c\" (63)\n     holds it: no, the row has no mark of this source", "")
	command("", "run", "--once", "-c", file).wants(t, 0, "", "")
	got := command("", "inspect", "row", "c", "-c", file)
	got.wants(t, 0, `shop:orders row "c" (63)
  of orders, made of key c

CELL      TIME`, "")
	got.wants(t, 0, "d:status  2025-11-29T07:06:40.002Z  4      \"paid\"           orders/0/1\n", "")
	got.wants(t, 0, "8      1 (bytes_int64)  -\n", "")
	got.wants(t, 0, "\nmark s/orders/0: records below 2\n  the next cell is at 2025-11-29T07:06:40.002Z or later\n", "")
	got.wants(t, 0, "  last written by orders/0/1 of 2025-11-29T07:06:40.002Z, key SHA-256 2e7d2c03a9507ae2…\n", "")
	if strings.Contains(got.out, "value \"") {
		t.Errorf("the record's content is shown unasked: %s", got.out)
	}
	command("", "inspect", "row", "c", "--show-values", "-c", file).wants(t, 0, "    key \"c\"\n    value \"{\"status\": \"paid\"}\"\n", "")
	for _, args := range [][]string{{"--hex", "63"}, {"--escaped", `\x63`}, {"--parts", "key=c"}, {"c", "--table", "shop:orders"}} {
		if same := command("", append([]string{"inspect", "row", "-c", file}, args...)...); same.out != got.out {
			t.Errorf("%v: %+v", args, same)
		}
	}
	command("", "inspect", "row", "x", "-c", file).wants(t, connector.ExitOther, "", "table shop:orders has no row 78")
	command("", "inspect", "row", "x", "--table", "shop:other", "-c", file).wants(t, connector.ExitTable, "", "shop:other")
	command("", "inspect", "row", "--hex", "6", "-c", file).wants(t, connector.ExitConfig, "", "hex digits")
	command("", "inspect", "row", "--parts", "value.id=6", "-c", file).wants(t, connector.ExitConfig, "", "value.id is no part of the row key, which is made of key")

	var v audit.RowView
	asJSON := command("", "inspect", "row", "c", "-c", file, "-o", "json")
	if err := json.Unmarshal([]byte(asJSON.out), &v); err != nil || len(v.Cells) != 2 || v.Cells[1].Record != "orders/0/1" || v.Marks[0].Next != 2 {
		t.Errorf("%+v, %v", asJSON, err)
	}

	got = command("", "inspect", "record", "orders/0/1", "-c", file)
	got.wants(t, 0, "below the checkpoint, which is 2\n  -> shop:orders row \"c\" (63)\n     holds it: yes\n     put d:status: there is this value, at 2025-11-29T07:06:40.002Z\n     increment c:n: there is a cell, last written at ", "")
	command("", "inspect", "record", "orders/0/7", "-c", file).wants(t, connector.ExitOther, "", "outside the log [0, 2)")
	var f audit.Fate
	asJSON = command("", "inspect", "record", "orders/0/1", "-c", file, "-o", "json")
	if err := json.Unmarshal([]byte(asJSON.out), &f); err != nil || f.Rows[0].State != "yes" || f.Record.Value != nil {
		t.Errorf("%+v, %v", asJSON, err)
	}
}

// A row that is looked for by a text that its key is not: the error names the fields, as --parts takes them.
func TestInspectRowNamesTheParts(t *testing.T) {
	file, producer := startServices(t)
	produceOrders(t, producer)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const other = "row keys of this table are not that text alone"
	for _, c := range []struct{ row, key, hint string }{
		{"[{salt: 16, of: [key]}, {field: key}]", "c", "by --parts key=c\n"},
		{"[{hash: md5, of: [key]}]", "c", "by --parts key=c\n"},
		{"[{literal: u}, {field: key}]", "c", "by --parts key=c\n"},
		{"[{field: value.status}, {literal: '|'}, {field: key}]", "c", "by --parts value.status=…,key=…\n"},
		{"[{salt: 16, of: [key]}, {field: key}]", "a b", "by --parts key=…\n"},
		{"[{field: key}]", "x", ""},
	} {
		file := writeFile(t, "rowmark.yaml", strings.Replace(string(text), "[{field: key}]", c.row, 1))
		command("", "init", "-c", file).wants(t, 0, "", "")
		got := command("", "inspect", "row", c.key, "-c", file)
		got.wants(t, connector.ExitOther, "", "has no row")
		got.wants(t, connector.ExitOther, "", c.hint)
		if hinted := strings.Contains(got.errors, other); hinted != (c.hint != "") {
			t.Errorf("%s: %s", c.row, got.errors)
		}
		command("", "inspect", "row", "--hex", "00", "-c", file).wants(t, connector.ExitOther, "", "has no row 00\n")
	}
}
