package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rowmark/connector/config"
	"rowmark/test/reference/fit"
)

const root = "../.."

func TestPagesAreCurrent(t *testing.T) {
	pages, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		if have, err := os.ReadFile(filepath.Join(root, name)); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what the program says (%v): run `%s`", name, err, command)
		}
	}
}

// all gives a setting and those below it.
func (s *setting) all() []*setting {
	out := []*setting{s}
	if s.item != nil {
		out = append(out, s.item.all()...)
	}
	for _, x := range s.within {
		out = append(out, x.all()...)
	}
	return out
}

func TestEveryKeyIsExplained(t *testing.T) {
	top, err := readSettings(root)
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	for _, s := range top.all() {
		if s.key == "" {
			continue
		}
		if keys++; s.about == "" {
			t.Errorf("%s has no meaning: write a comment above its field, then run `%s`", s.path, command)
		}
	}
	if keys < 90 {
		t.Errorf("only %d keys found", keys)
	}
}

// What the program allows and takes by itself reaches the pages from where it is decided.
func TestWordsAndDefaultsAreFound(t *testing.T) {
	top, err := readSettings(root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*setting{}
	for _, s := range top.all() {
		if s.key != "" {
			found[s.path] = s
		}
	}
	for _, c := range []struct{ path, word, byDefault string }{
		{"kafka.isolation", "read_uncommitted", "read_committed"},
		{"kafka.sasl.mechanism", "SCRAM-SHA-256", ""},
		{"hbase.commit", "row", "auto"},
		{"tables[].value.format", "json", "raw"},
		{"tables[].on_null", "empty", "skip"},
		{"tables[].timestamp_unit", "rfc3339", ""},
		{"tables[].columns[].op", "delete-column", "put"},
		{"tables[].columns[].on_null", "delete", ""},
		{"tables[].row_key[].hash", "murmur3", ""},
		{"tables[].row_key[].pad_side", "right", ""},
	} {
		s := found[c.path]
		if s == nil || !strings.Contains(" "+strings.Join(s.words, " ")+" ", " "+c.word+" ") || s.byDefault != c.byDefault {
			t.Errorf("%s: got %+v, want the word %s and the default %q", c.path, s, c.word, c.byDefault)
		}
	}
	for _, path := range []string{"kafka.client_id", "kafka.group_id", "kafka.start", "tables[].columns[].field"} {
		if s := found[path]; s == nil || s.words != nil {
			t.Errorf("%s: got %+v, want any text", path, s)
		}
	}
}

// configurations are those that the project shows its users.
func configurations(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, name := range []string{"docs/config.example.yaml", "docker/rowmark.yaml"} {
		out[name] = read(name)
	}
	for i, b := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(read("README.md"), -1) {
		out[fmt.Sprintf("README.md, block %d", i+1)] = b[1]
	}
	return out
}

func TestWhatIsShownFitsTheSchema(t *testing.T) {
	for name, text := range configurations(t) {
		if err := fit.Check(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The schema refuses what it can know of, and nothing that the program takes.
func TestSchemaAgreesWithTheProgram(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs/config.example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, text string
		good            bool
	}{
		{"unknown key", "  start: earliest", "  strat: earliest", false},
		{"unknown key in a table", "    on_null: skip", "    on_nul: skip", false},
		{"unknown key in a part", "{field: key, as: string}", "{field: key, like: string}", false},
		{"word not allowed", "  commit: auto", "  commit: always", false},
		{"word not allowed in a table", "    order: log", "    order: offset", false},
		{"format not known", "value: {format: json}", "value: {format: jsno}", false},
		{"hash not known", "{hash: md5,", "{hash: md6,", false},
		{"no sink", "sink: orders", "", false},
		{"no topics", "  - topics: [orders]         #", "  - #", false},
		{"no brokers", "brokers: [localhost:9092]", "brokers: []", false},
		{"text for a list", "brokers: [localhost:9092]", "brokers: localhost:9092", false},
		{"text for a section", "key: {format: string}    #", "key: string #", false},
		{"text for a number", "  rows: 2000", "  rows: many", false},
		{"text for a boolean", "allow_weak_wal: false", "allow_weak_wal: never", false},
		{"boolean for text", "client_id: rowmark", "client_id: true", false},
		{"number for a time span", "  lease: 10s", "  lease: 10", false},
		{"time span without a unit", "  lease: 10s", "  lease: 10 seconds", false},
		{"size of another unit", "  window: 32MiB", "  window: 32 megs", false},
		{"number for text", "client_id: rowmark", "client_id: 7", true},
		{"time for a start", "start: earliest", "start: 2026-11-01T00:00:00Z", true},
		{"long time span", "  lease: 10s", "  lease: 1h30m0.5s", true},
		{"zero time span", "  ttl: 0s", "  ttl: 0", true},
		{"size in bytes", "  window: 32MiB", "  window: 33554432", true},
		{"size with a space", "  window: 32MiB", "  window: 32 MiB", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(string(data), c.old) {
				t.Fatalf("the example has no %q", c.old)
			}
			text := []byte(strings.Replace(string(data), c.old, c.text, 1))
			if err := fit.Check(text); (err == nil) != c.good {
				t.Errorf("the schema says %v", err)
			}
			if _, err := config.Parse("x.yaml", text); (err == nil) != c.good {
				t.Errorf("the program says %v", err)
			}
		})
	}
}
