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
		{"dead letters", "on_error: fail  ", "on_error: dead-letter #", "on_error", "tables[0].on_error", "this version has fail and skip"},
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
