package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusedConfigs starts with configurations that must not run: exit code 2, naming file, line and key.
func TestRefusedConfigs(t *testing.T) {
	t.Parallel()
	const head = "sink: s\nkafka: {brokers: [127.0.0.1:1]}\nhbase: {zookeeper: [127.0.0.1:1]}\ntables:\n" // 4 lines
	const table = `  - topics: [in]
    table: t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.v, to: "d:v"}
`
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"an unknown key", "sinc: s\n" + head + table, []string{":1:", "sinc", "sink"}},
		{"an unknown key below", strings.Replace(head, "brokers:", "broker:", 1) + table, []string{":2:", "kafka.broker"}},
		{"an unknown key of a column", head + strings.Replace(table, "field: value.v", "feild: value.v", 1), []string{":11:", "feild"}},
		{"no sink", strings.Replace(head, "sink: s", "delivery: exactly-once", 1) + table, []string{"sink"}},
		{
			"a counter and a row delete", head + strings.Replace(table, `to: "d:v"}`, "to: \"d:v\"}\n      - {field: value.n, to: \"d:n\", op: increment}\n    on_tombstone: delete-row", 1),
			[]string{":12:", "columns[1].op", "family of their own"},
		},
		{
			"a counter and a put", head + strings.Replace(table, `to: "d:v"}`, "to: \"d:v\"}\n      - {field: value.n, to: \"d:v\", op: increment}\n    on_tombstone: ignore", 1),
			[]string{":12:", "tables[0].columns[1]"},
		},
		{"two puts of one column by two mappings", head + table + strings.Replace(table, "[in]", `["/i.*/"]`, 1), []string{":18:", "tables[1].columns[0].to"}},
		{"data in the mark family", head + strings.Replace(table, "d:v", "_k:v", 1), []string{":11:", "mark family"}},
		{"the checkpoint table", head + strings.Replace(table, "table: t", "table: rowmark", 1), []string{":6:", "checkpoint table"}},
		{"a tombstone without a key", head + strings.Replace(table, "{field: key}", "{field: value.v}", 1), []string{"on_tombstone", "ignore"}},
		{"an unknown policy", head + table + "    on_error: dead-leter\n", []string{":12:", "on_error", "dead-letter"}},
		{"dead letters among data", "dead_letters: {table: t}\n" + head + table + "    on_error: dead-letter\n", []string{":7:", "table of dead letters"}},
		{
			"counters at least once", "delivery: at-least-once\n" + head + strings.Replace(table, `to: "d:v"}`, `to: "d:v", op: increment}`, 1) + "    on_tombstone: ignore\n",
			[]string{":12:", "allow_duplicates"},
		},
		{"a password", strings.Replace(head, "brokers:", "sasl: {mechanism: PLAIN, username: u, password: hunter2}, brokers:", 1) + table, []string{":2:", "password_file"}},
		{"two of one key", head + table + "sink: u\n", []string{"sink"}},
		{"a tab", head + "\t" + table, []string{":5:"}},
		{"nothing", "", []string{"sink"}},
	} {
		path := filepath.Join(t.TempDir(), "rowmark.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, sub := range []string{"run", "init"} {
			p := command(t, nil, sub, "-c", path)
			if code := p.exit(); code != 2 {
				t.Errorf("%s: %s ended with %d, want 2:\n%s", c.name, sub, code, p.output())
			}
			for _, text := range append(c.says, path) {
				if !strings.Contains(p.output(), text) {
					t.Errorf("%s: %s does not say %q:\n%s", c.name, sub, text, p.output())
				}
			}
			if strings.Contains(p.output(), "hunter2") {
				t.Errorf("%s: %s shows a secret", c.name, sub)
			}
		}
	}
	command(t, nil, "run", "-c", "no-such-file.yaml").ends(2, "no-such-file.yaml")
	command(t, nil, "run", "--no-such-flag").ends(2, "no-such-flag")
	command(t, nil, "no-such-command").ends(2, "no-such-command")
	command(t, nil, "offsets", "set").ends(2, "to")
	command(t, nil, "run", "left-over").ends(2, "left-over")
	command(t, nil, "version").ends(0, "rowmark")
}

// TestLaidOver lays flags over the environment, and the environment over the file.
func TestLaidOver(t *testing.T) {
	w := newWorld(t)
	topic := w.topic("in", 1, nil)
	config := w.configFile(fmt.Sprintf("sink: nobody\nkafka: {brokers: [127.0.0.1:1]}\nhbase: {zookeeper: [127.0.0.1:1], checkpoint_table: %s, start_timeout: 10s}\ntables:\n%s", checkpointTable, plainTables))
	env := []string{
		"ROWMARK_KAFKA_BROKERS=" + strings.Join(w.brokers, ","), "ROWMARK_HBASE_ZOOKEEPER=" + strings.Join(w.zookeeper, ","),
		"ROWMARK_SINK=somebody", "ROWMARK_UNRELATED=x",
	}
	set := "--set=sink=" + w.sink()
	w.init(w.config(strings.ReplaceAll(plainTables, "$NAME_t", "$NAME_first"))) // the table that all share
	command(t, env, "init", "-c", config, set).ends(0)
	w.counts(topic, 0, 2)
	command(t, env, "run", "-c", config, set, "--once").ends(0)
	w.wantCounts("11")
	p := command(t, env, "offsets", "show", "-c", config, set)
	p.ends(0, topic)
	for _, key := range w.marks(w.name + "_t") {
		if !strings.HasPrefix(key, w.sink()+"/") {
			t.Errorf("a mark of %s, want the sink of the flag", key)
		}
	}
	command(t, append(env, "ROWMARK_BATCH_ROWS=many"), "run", "-c", config).ends(2, "ROWMARK_BATCH_ROWS")
	command(t, env, "run", "-c", config, "--set", "batch.rows=0").ends(2, "--set batch.rows")
	command(t, env, "run", "-c", config, "--set", "batch.rosw=1").ends(2, "batch.rosw")
}

// marks gives the qualifiers of a table's marks.
func (w *world) marks(table string) []string {
	var out []string
	for _, c := range w.cells(table) {
		if c.Family == markFamily {
			out = append(out, c.Qualifier)
		}
	}
	return out
}
