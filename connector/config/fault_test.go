package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// with replaces one line's text of the canonical example.
func with(t *testing.T, old, text string) string {
	t.Helper()
	if strings.Count(canonical, old) != 1 {
		t.Fatalf("%q stands %d times in the example", old, strings.Count(canonical, old))
	}
	return strings.Replace(canonical, old, text, 1)
}

func lineOfText(text, mark string) int {
	return strings.Count(text[:strings.Index(text, mark)], "\n") + 1
}

// TestFaultsAreNamed changes one thing and wants the line, the key and a word of the reason. The line is that
// of the mark.
func TestFaultsAreNamed(t *testing.T) {
	for _, c := range []struct{ name, old, text, mark, key, reason string }{
		{"unknown key", "  isolation:", "  isolaton: x\n  isolation:", "isolaton", "kafka.isolaton", "did you mean isolation"},
		{"unknown key at the top", "delivery:", "delivry: x\ndelivery:", "delivry", "delivry", "did you mean delivery"},
		{"unknown key in a part", "as: string}", "like: string}", "like:", "tables[0].row_key[1].like", "no such key"},
		{"duplicate key", "  start: earliest", "  start: earliest\n  start: latest", "  start: latest", "kafka.start", "twice, first in line 5"},
		{"no value", "  start: earliest", "  start:", "  start:", "kafka.start", "no value"},
		{"list for text", "  commit: auto ", "  commit: [auto]", "  commit", "hbase.commit", "a list where a single value belongs"},
		{"text for a list", "[localhost:9092]", "localhost:9092", "  brokers", "kafka.brokers", "where a list belongs"},
		{"text for a section", "key: {format: string}", "key: string", "key: string", "tables[0].key", "where a section belongs, with the keys format"},
		{"boolean for text", "{literal: \"|\"}", "{literal: true}", "literal: true", "tables[0].row_key[2].literal", "quotes"},
		{"text for a boolean", "reverse: true", "reverse: yes", "reverse: yes", "tables[0].row_key[3].reverse", "true or false"},
		{"text for a number", "salt: 16", "salt: many", "salt: many", "tables[0].row_key[0].salt", "whole number"},
		{"word not allowed", "isolation: read_committed", "isolation: committed", "isolation:", "kafka.isolation", "one of read_committed, read_uncommitted"},
		{"start not known", "start: earliest", "start: yesterday", "start:", "kafka.start", "offset:N"},
		{"sink name", "sink: orders  ", "sink: a/b  ", "sink:", "sink", "letters, digits"},
		{"no sink", "sink: orders  ", "#", "sink:", "sink", "needed"},
		{"broker without a port", "[localhost:9092]", "[localhost]", "  brokers", "kafka.brokers[0]", "host:port"},
		{"family that is the mark family", "mark_family: _k", "mark_family: raw", "{fields:", "tables[0].columns[3].to_family", "mark family"},
		{"mark family name", "mark_family: _k", "mark_family: \"a:b\"", "mark_family", "hbase.mark_family", "none of"},
		{"checkpoint table is a data table", "checkpoint_table: rowmark", "checkpoint_table: shop:orders", "table: shop:orders\n    key", "tables[0].table", "checkpoint table"},
		{"encoding not known", "as: float64", "as: double", "as: double", "tables[0].columns[1].as", "known encodings are string"},
		{"operation not known", "op: increment", "op: add", "op: add", "tables[0].columns[2].op", "one of put, increment"},
		{"column without a family", "\"d:status\"", "status", "to: status", "tables[0].columns[0].to", "family:qualifier"},
		{"field without a root", "{field: value.status", "{field: status", "field: status", "tables[0].columns[0].field", "value.status"},
		{"dead letters in the checkpoint table", "tables:", "dead_letters: {table: rowmark}\ntables:", "dead_letters: ", "dead_letters.table", "this is the checkpoint table"},
		{"dead letters in a table of data", "tables:", "dead_letters: {table: \"shop:orders\"}\ntables:", "table: shop:orders\n    key", "tables[0].table", "this is the table of dead letters"},
		{"dead letters in a topic that is read", "tables:", "dead_letters: {topic: orders}\ntables:", "dead_letters: ", "dead_letters.topic", "tables[0].topics[0] takes this topic"},
		{"dead letters in a topic that a pattern takes", "tables:\n  - topics: [orders]", "dead_letters: {topic: o-letters}\ntables:\n  - topics: [other, \"/o.*s/\"]", "dead_letters: ", "dead_letters.topic", "tables[0].topics[1] takes this topic"},
		{"dead letters in a pattern", "tables:", "dead_letters: {topic: /dead/}\ntables:", "dead_letters: ", "dead_letters.topic", "no pattern"},
		{"dead letters in no topic", "tables:", "dead_letters: {topic: \"a b\"}\ntables:", "dead_letters: ", "dead_letters.topic", "a topic has letters"},
		{"row delete without a row", "on_tombstone: ignore", "on_tombstone: delete-row", "on_tombstone", "tables[0].on_tombstone", "value.customer_id"},
		{"increments at least once", "delivery: exactly-once", "delivery: at-least-once", "op: increment", "tables[0].columns[2].op", "allow_duplicates"},
		{"counter in a wildcard's family", "\"c:items\"", "\"raw:items\"", "op: increment", "tables[0].columns[2].op", "takes nothing else"},
		{"column twice", "\"d:total\"", "\"d:status\"", "as: float64", "tables[0].columns[1].to", "tables[0].columns[0]"},
		{"pattern broken", "topics: [orders]", "topics: [\"/(/\"]", "topics: [", "tables[0].topics[0]", "missing closing"},
		{"proxy of another kind", "  isolation:", "  proxy: http://a:1\n  isolation:", "proxy:", "kafka.proxy", "socks5://host:port"},
		{"proxy without a port", "  commit: auto ", "  proxy: socks5://a\n  commit: auto ", "proxy:", "hbase.proxy", "socks5://host:port"},
		{"login in a proxy", "  commit: auto ", "  proxy: socks5://u:secret@a:1\n  commit: auto ", "proxy:", "hbase.proxy", "proxy_username"},
		{"login without a proxy", "  isolation:", "  proxy_username: u\n  isolation:", "  brokers", "kafka.proxy", "no proxy"},
		{"proxy's user without a password", "  isolation:", "  proxy: socks5://a:1\n  proxy_username: u\n  isolation:", "  brokers", "kafka.proxy_password_file", "exactly one"},
		{"proxy's password without a user", "  isolation:", "  proxy: socks5://a:1\n  proxy_password_env: X\n  isolation:", "  brokers", "kafka.proxy_username", "needs it"},
		{"admin server without a port", "tables:", "admin: {listen: localhost}\ntables:", "admin: ", "admin.listen", "host:port to listen on, or off"},
		{"admin server on a port that is none", "tables:", "admin: {listen: \"localhost:http\"}\ntables:", "admin: ", "admin.listen", "host:port to listen on, or off"},
		{"admin server for all without a token", "tables:", "admin: {listen: \":9440\"}\ntables:", "admin: ", "admin.listen", "admin.token_file"},
		{"admin server on a name without a token", "tables:", "admin: {listen: \"localhost.example.org:9440\"}\ntables:", "admin: ", "admin.listen", "admin.token_file"},
		{"profiles for all without a token", "tables:", "admin: {pprof: \"0.0.0.0:9441\"}\ntables:", "admin: ", "admin.pprof", "admin.token_file"},
		{"profiles on the admin server's address", "tables:", "admin: {pprof: \"127.0.0.1:9440\"}\ntables:", "admin: ", "admin.pprof", "an address of its own"},
		{"two tokens", "tables:", "admin: {token_file: a, token_env: b}\ntables:", "admin: ", "admin.token_file", "not both"},
		{"parts that run together", "- {literal: \"|\"}", "- {field: value.name}", "- {field: value.customer_id", "tables[0].row_key[1].field", "literal between"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := with(t, c.old, c.text)
			_, err := Parse("x.yaml", []byte(text))
			if err == nil {
				t.Fatal("accepted")
			}
			want := "x.yaml: " + c.key + ": "
			if c.name != "no sink" {
				want = fmt.Sprintf("x.yaml:%d: %s: ", lineOfText(text, c.mark), c.key)
			}
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.HasPrefix(line, want) && strings.Contains(line, c.reason) {
					return
				}
			}
			t.Errorf("got %v\nwant %s… %s", err, want, c.reason)
		})
	}
}

func TestAllFaultsComeAtOnce(t *testing.T) {
	text := strings.NewReplacer("start: earliest", "start: x", "commit: auto", "commit: y", "order: log", "order: z").Replace(canonical)
	_, err := Parse("x.yaml", []byte(text))
	p, ok := err.(Problems)
	if !ok || len(p) != 3 {
		t.Fatalf("got %v, want three problems", err)
	}
	for i, key := range []string{"kafka.start", "hbase.commit", "tables[0].order"} {
		if p[i].Key != key {
			t.Errorf("problem %d is of %s, want %s, in the order of the file", i, p[i].Key, key)
		}
	}
}

// Faults of every kind stand side by side, each with all that is known of it, in the order of the file.
func TestFaultsOfEveryKindComeAtOnce(t *testing.T) {
	text := `sink: a/b
kafka:
  brokers: [localhost, "b:1"]
  isolaton: read_committed
  group_id: g
  fetch: {max_bytes: 4 megs, min_bytes: 1B, min_bytes: 2B}
  sasl: {mechanism: PLAIN, username: u, password: hunter2}
hbase:
  zookeeper: []
  commit: always
  call_timeout: 10
  mark_family: d
  allow_weak_wal: 1
checkpoint: {interval: 5s, lease: 10s}
batch: {rows: 0}
flow: {max_records_per_second: -1, max_partition_records_per_second: 2000000000}
shutdown_timeout:
tables:
  - topics: [orders, "/(/"]
    table: shop:orders:x
    value: {format: json}
    row_key: [{field: value.a}, {field: value.b, pad_side: up}]
    columns:
      - {field: value.a, to: "d:a", as: text}
      - {field: valu.a, to: a}
      - {literal: "x", to: "c:n", op: increment}
    on_null: drop
    on_tombstone: delete-row
  - {topics: [names], table: rowmark, row_key: [{field: key}], columns: [{field: value.x, to: "e:v"}], value: json}
`
	want := []string{
		`1: sink: "a/b": letters, digits and . _ -, at most 64 of them`,
		`3: kafka.brokers[0]: "localhost": an address is host:port`,
		`4: kafka.isolaton: no such key; did you mean isolation? Known here are brokers, isolation, `,
		`5: kafka.group_id: "g": it belongs to assignment: group, or to mirror_positions: true`,
		`6: kafka.fetch.min_bytes: the key stands twice, first in line 6`,
		`6: kafka.fetch.max_bytes: "4 megs": a size such as 4MiB, 512KiB or 1000000`,
		`7: kafka.sasl.password: no such key; a password does not belong in this file: `,
		`7: kafka.sasl.password_file: a login needs exactly one of password_file and password_env`,
		`9: hbase.zookeeper: this key is needed`,
		`10: hbase.commit: "always": one of auto, region, row`,
		`11: hbase.call_timeout: "10": a time span such as 500ms, 10s or 1h30m`,
		`13: hbase.allow_weak_wal: "1": true or false`,
		`14: checkpoint.lease: "10s": at least three times checkpoint.interval, 15s, `,
		`15: batch.rows: "0": it must be more than 0`,
		`16: flow.max_records_per_second: "-1": 0, which is no bound, up to 1000000000`,
		`16: flow.max_partition_records_per_second: "2000000000": 0, which is no bound, up to 1000000000`,
		`17: shutdown_timeout: there is no value: give one, or leave the key out`,
		`19: tables[0].topics[1]: "/(/": error parsing regexp: missing closing ): `,
		`20: tables[0].table: "shop:orders:x": a table name has letters, digits, _, - and ., `,
		`22: tables[0].row_key[1].width: padding needs a width`,
		`22: tables[0].row_key[1].pad_side: "up": left or right`,
		`24: tables[0].columns[0].to: "d": this is the mark family, which holds no data`,
		`24: tables[0].columns[0].as: "text": known encodings are string, hex, `,
		`25: tables[0].columns[1].to: "a": a column is family:qualifier, as in to: "d:status"`,
		`25: tables[0].columns[1].field: "valu.a": a field starts with value, key, topic, `,
		`26: tables[0].columns[2].literal: "x": not a whole number`,
		`27: tables[0].on_null: "drop": one of skip, delete, empty`,
		`29: tables[1].value: here stands a single value where a section belongs, with the keys format`,
		`29: tables[1].columns[0].field: "value.x": a value of format raw has no fields`,
		`29: tables[1].table: "rowmark": this is the checkpoint table, which holds no data`,
	}
	_, err := Parse("x.yaml", []byte(text))
	got, _ := err.(Problems)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing: %s", want[i])
		case i >= len(want):
			t.Errorf("too many: %s", got[i])
		case !strings.HasPrefix(got[i].Error(), "x.yaml:"+want[i]):
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
	if err != nil && strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a password is shown: %v", err)
	}
}

func TestBrokenFiles(t *testing.T) {
	for name, text := range map[string]string{
		"no YAML":         "sink: [\n",
		"a list":          "- a\n- b\n",
		"two documents":   canonical + "---\nsink: b\n",
		"empty":           "",
		"comment only":    "# nothing\n",
		"no UTF-8":        "sink: \xff\n",
		"merge key":       "x: &a {b: c}\ny:\n  <<: *a\n",
		"unknown anchor":  "sink: *nothing\n",
		"tag":             "sink: !!binary aGk=\n",
		"a bare word":     "hello",
		"tabs":            "kafka:\n\tbrokers: [a:1]\n",
		"colon in colon":  "a: b: c",
		"tables no list":  "sink: a\ntables: {a: b}\n",
		"key without end": "\"sink: a\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse("x.yaml", []byte(text)); err == nil {
				t.Error("accepted")
			} else if !strings.HasPrefix(err.Error(), "x.yaml") {
				t.Errorf("no file named: %v", err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(canonical)
	f.Add("a: &x [*x]\n")
	f.Add("? {a: b}\n: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("x.yaml", []byte(text))
		if (c == nil) == (err == nil) {
			t.Errorf("config %v and error %v", c, err)
		}
	})
}

func TestAliasesShareSections(t *testing.T) {
	text := with(t, "key: {format: string}", "key: &text {format: string}")
	text = strings.Replace(text, "value: {format: json}", "value: {format: json}", 1) + `  - topics: [names]
    table: shop:names
    key: *text
    value: *text
    row_key: [{field: key}]
    columns: [{field: value, to: "d:name"}]
`
	c, err := Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if c.Tables[1].Value.Format != "string" {
		t.Errorf("value format %q", c.Tables[1].Value.Format)
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.yaml")
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, []byte(canonical), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err != nil {
		t.Error(err)
	}
}
