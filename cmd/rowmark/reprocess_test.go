package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func orderAt(partition int32, key, value string, at string) *kgo.Record {
	t, _ := time.Parse(time.RFC3339, at)
	return &kgo.Record{Topic: "orders", Partition: partition, Key: []byte(key), Value: []byte(value), Timestamp: t}
}

// A run is made, found done, shown, and removed; what counts is refused unless it goes to another table.
func TestReprocess(t *testing.T) {
	file, producer := startServices(t)
	for _, r := range []*kgo.Record{
		orderAt(0, "a", `{"status":"new"}`, "2026-11-01T00:00:00Z"), orderAt(0, "a", `{"status":"paid"}`, "2026-11-02T00:00:00Z"),
		orderAt(1, "b", `{"status":"new"}`, "2026-11-02T01:00:00Z"), orderAt(0, "a", `{"status":"sent"}`, "2026-11-03T00:00:00Z"),
	} {
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) result { return command("", append(args, "-c", file)...) }
	run("init").wants(t, 0, "", "")
	run("run", "--once").wants(t, 0, "", "")

	day := []string{"run", "--reprocess", "2026-11-02/2026-11-03"}
	with := func(more ...string) []string { return append(append([]string{}, day...), more...) }
	run(day...).wants(t, 2, "", "increment of column c:n in table shop:orders")
	run(with("--once")...).wants(t, 2, "", "once")
	run("run", "--partial").wants(t, 2, "", "--partial belongs to --reprocess")
	run("run", "--reprocess", "yesterday").wants(t, 2, "", "FROM/TO")
	run(with("--reprocess-into", "shop:orders")...).wants(t, 2, "", "write to already")
	run(with("--reprocess-into", "shop:others=shop:copy")...).wants(t, 2, "", "shop:orders")
	run(with("--reprocess-id", "a~b")...).wants(t, 2, "", "letters, digits")

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := writeFile(t, "other.yaml", strings.Replace(string(text), "sink: s\n", "sink: other\n", 1))
	run(with("--reprocess-into", "shop:copy", "--delete-old-keys", other)...).wants(t, 2, "", "it is the configuration of sink other, not of s")

	copied := with("--reprocess-into", "shop:copy", "--reprocess-id", "fix")
	dry := run(append(copied, "--dry-run")...)
	dry.wants(t, 0, "run fix of 2026-11-02T00:00:00Z/2026-11-03T00:00:00Z would\n  read                3 records, and write 2 of the window", "")
	dry.wants(t, 0, "shop:copy row \"a\"\n  d:status nothing -> \"paid\"", "")
	run("reprocess", "list").wants(t, 0, "has no runs", "")
	made := run(copied...)
	made.wants(t, 0, "by rowmark run --reprocess 2026-11-02T00:00:00Z/2026-11-03T00:00:00Z --reprocess-id fix --reprocess-into shop:orders=shop:copy\n", "")
	made.wants(t, 0, "run fix of 2026-11-02T00:00:00Z/2026-11-03T00:00:00Z is done\n  records read       3, 2 of the window\n  row writes         2", "")
	run(copied...).wants(t, 0, "there is nothing to do", "")
	run(append(copied, "--dry-run")...).wants(t, 0, "run fix of 2026-11-02T00:00:00Z/2026-11-03T00:00:00Z is done since", "")
	run("run", "--reprocess", "2026-11-01/2026-11-03", "--reprocess-id", "fix", "--reprocess-into", "shop:copy").wants(t, 2, "", "id fix was made for the window 2026-11-02T00:00:00Z/2026-11-03T00:00:00Z")

	run("reprocess", "list").wants(t, 0, "done   100 %", "")
	var lines []runLine
	out := run("reprocess", "list", "-o", "json")
	if err := json.Unmarshal([]byte(out.out), &lines); err != nil || len(lines) != 1 || lines[0].Into["shop:orders"] != "shop:copy" || lines[0].Passed != lines[0].Offsets {
		t.Errorf("%v: %s", err, out.out)
	}
	run("reprocess", "clean", "other", "--yes").wants(t, 1, "", "no run other")
	command("y\n", "reprocess", "clean", "fix", "-c", file).wants(t, 2, "", "there is no terminal to ask on: give --yes\n")
	run("reprocess", "clean", "fix", "-o", "json").wants(t, 2, "", "-o json: give --yes, since it asks nothing")
	run("reprocess", "clean", "fix", "--yes").wants(t, 0, "id fix must not be used again", "")
	run("reprocess", "list").wants(t, 0, "cleaned  -", "")
	run(append(copied, "--dry-run")...).wants(t, 2, "", "use another id, or remove it together with its marks")
	run(copied...).wants(t, 2, "", "use another id, or remove it together with its marks by rowmark reprocess clean fix --marks")
	run("reprocess", "clean", "fix", "--marks", "--yes").wants(t, 0, "2 rows held its marks", "")
	run("reprocess", "list").wants(t, 0, "has no runs", "")
	run(copied...).wants(t, 2, "", "table shop:copy holds rows already, and the mapping counts")
	run(with("--reprocess-into", "shop:again", "--reprocess-id", "fix")...).wants(t, 0, "fix of 2026-11-02T00:00:00Z/2026-11-03T00:00:00Z is done", "")
	run("reprocess", "clean", "fix", "--marks", "--yes").wants(t, 0, "2 rows held its marks", "")
	if out := run("offsets", "show"); strings.Contains(out.out, "~") || out.code != 0 {
		t.Errorf("offsets show: %+v", out)
	}
}
