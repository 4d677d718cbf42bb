package mapping

import (
	"fmt"
	"strings"
	"testing"

	"rowmark/rowkey"
)

func TestFormatsAndEventsRefused(t *testing.T) {
	value := func(f Format) []Spec {
		return []Spec{edit(func(s *Spec) { s.Value = f })}
	}
	csv := func(change func(*Format)) []Spec {
		f := Format{Format: "csv", Columns: []string{"a", "b"}}
		change(&f)
		return value(f)
	}
	cdc := func(change func(*Spec)) []Spec { return []Spec{following("debezium", change)} }
	counter := Column{Field: "value.n", To: "d:n", Op: "increment"}
	for _, c := range []struct {
		name         string
		specs        []Spec
		path, reason string
	}{
		{"csv without names", csv(func(f *Format) { f.Columns = nil }), "[0].value.columns", "names of its fields"},
		{"csv with a name twice", csv(func(f *Format) { f.Columns = []string{"a", "a"} }), "[0].value.columns[1]", "a name of its own"},
		{"csv with an empty name", csv(func(f *Format) { f.Columns = []string{""} }), "[0].value.columns[0]", "a name of its own"},
		{"delimiter of two", csv(func(f *Format) { f.Delimiter = "||" }), "[0].value.delimiter", "one ASCII character"},
		{"delimiter that ends lines", csv(func(f *Format) { f.Delimiter = "\n" }), "[0].value.delimiter", "no line end"},
		{"quote beyond ASCII", csv(func(f *Format) { f.Quote = "»" }), "[0].value.quote", "one ASCII character"},
		{"quote that is the delimiter", csv(func(f *Format) { f.Quote = "," }), "[0].value.quote", "the delimiter, too"},
		{"names of json", value(Format{Format: "json", Columns: []string{"a"}}), "[0].value.columns", "csv or tsv"},
		{"delimiter of json", value(Format{Format: "json", Delimiter: ","}), "[0].value.delimiter", "csv or tsv"},
		{"quote of connect", value(Format{Format: "connect", Quote: "'"}), "[0].value.quote", "csv or tsv"},
		{"null of json", value(Format{Format: "json", Null: ptr("")}), "[0].value.null", "csv or tsv"},
		{"compression", value(Format{Format: "json", Compression: "lzma"}), "[0].value.compression", "one of none, gzip, auto"},
		{"the same fault in the key", []Spec{edit(func(s *Spec) { s.Key = Format{Format: "json", Compression: "lzma"}; s.Value = s.Key })}, "[0].value.compression", "one of none"},

		{"form", cdc(func(s *Spec) { s.Value.Events = "oracle" }), "[0].value.events", "one of debezium, debezium-flat, canal, maxwell"},
		{"events of text", cdc(func(s *Spec) { s.Value.Format = "string" }), "[0].value.events", "has no fields"},
		{"events of a key", cdc(func(s *Spec) { s.Key.Events = "debezium" }), "[0].key.events", "are values"},
		{"on_delete of rows", []Spec{edit(func(s *Spec) { s.OnDelete = "ignore" })}, "[0].on_delete", "belongs to change events"},
		{"on_truncate of rows", []Spec{edit(func(s *Spec) { s.OnTruncate = "ignore" })}, "[0].on_truncate", "belongs to change events"},
		{"placeholder of rows", value(Format{Format: "json", Unavailable: "x"}), "[0].value.unavailable", "belongs to change events"},
		{"placeholder of canal", cdc(func(s *Spec) { s.Value.Events, s.Value.Unavailable = "canal", "x" }), "[0].value.unavailable", "events: debezium"},
		{"before of rows", []Spec{edit(columns(Column{Field: "before.a", To: "d:a"}))}, "[0].columns[0].field", "belongs to change events"},
		{"event of rows", []Spec{edit(columns(Column{Field: "event", To: "d:a"}))}, "[0].columns[0].field", "belongs to change events"},
		{"wildcard of an event of rows", []Spec{edit(columns(Column{Fields: "event.*", ToFamily: "d"}))}, "[0].columns[0].fields", "belongs to change events"},
		{"timestamp of an event of rows", []Spec{edit(func(s *Spec) { s.Timestamp = "event.ts_ms" })}, "[0].timestamp", "belongs to change events"},
		{"row key of before", cdc(func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "before.id"}} }), "[0].row_key", "made of value"},
		{"salt of before", cdc(func(s *Spec) { s.RowKey = rowkey.Spec{{Salt: 4, Of: []string{"before.id"}}, {Field: "value.id"}} }), "[0].row_key", "made of value"},
		{"on_delete", cdc(func(s *Spec) { s.OnDelete = "mark" }), "[0].on_delete", "one of delete-row, ignore"},
		{"on_truncate", cdc(func(s *Spec) { s.OnTruncate = "delete" }), "[0].on_truncate", "one of fail, ignore"},
		{"tombstones that can't tell their row", cdc(func(s *Spec) { s.OnTombstone = "delete-row" }), "[0].on_tombstone", "made of value.id"},
		{"tombstones of an event's row", cdc(func(s *Spec) {
			s.OnTombstone, s.RowKey = "delete-row", rowkey.Spec{{Field: "event.id"}}
		}), "[0].on_tombstone", "made of event.id"},
		{"families of no delete", cdc(func(s *Spec) { s.OnDelete, s.DeleteFamilies = "ignore", []string{"d"} }), "[0].delete_families", "on_delete: delete-row"},
		{"mark family deleted", cdc(func(s *Spec) { s.DeleteFamilies = []string{"_k"} }), "[0].delete_families[0]", "mark family"},
		{"counters only", cdc(columns(counter)), "[0].on_delete", "counters take no row delete: set on_delete: ignore"},
		{"counter in a family whose rows are deleted (P4)", cdc(columns(counter, Column{Field: "value.a", To: "d:a"})), "[0].columns[0].op", "family of their own"},
		{"counter of another mapping there (P4)", []Spec{following("debezium", nil), edit(func(s *Spec) {
			s.Topics, s.OnTombstone = []string{"other"}, "ignore"
			s.Columns = []Column{counter}
		})}, "[1].columns[0].op", "tables[0] deletes rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := Compile(c.specs, Options{MarkFamily: "_k"})
			for _, p := range problems {
				if p.Path == c.path && strings.Contains(p.Text, c.reason) {
					return
				}
			}
			t.Errorf("got %v, want %s: …%s", problems, c.path, c.reason)
		})
	}
}

func TestEventsAccepted(t *testing.T) {
	for name, s := range map[string]Spec{
		"counters only, no deletes": following("debezium", func(s *Spec) {
			s.OnDelete = "ignore"
			s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}}
		}),
		"counters beside deletes": following("canal", func(s *Spec) {
			s.Columns = append(s.Columns, Column{Field: "value.n", To: "c:n", Op: "increment"})
		}),
		"connect":    following("debezium", func(s *Spec) { s.Value.Format, s.Key.Format = "connect", "connect" }),
		"csv":        edit(func(s *Spec) { s.Value = Format{Format: "csv", Columns: []string{"a"}, Quote: "none", Null: ptr("")} }),
		"compressed": edit(func(s *Spec) { s.Key.Compression, s.Value.Compression = "gzip", "none" }),
	} {
		if _, problems := Compile([]Spec{s}, Options{MarkFamily: "_k"}); problems != nil {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// What is stored with a checkpoint maps the same when it is compiled again, and says all that decides it.
func TestCanonicalTextOfFormatsAndEvents(t *testing.T) {
	specs := []Spec{
		following("debezium", func(s *Spec) { s.Value.Compression = "auto" }),
		following("debezium", func(s *Spec) {
			s.Table, s.OnDelete, s.OnTruncate, s.Value.Unavailable = "x", "ignore", "ignore", "gone"
		}),
		following("debezium-flat", func(s *Spec) { s.Topics, s.RowKey = []string{"u"}, rowkey.Spec{{Field: "key"}} }),
		edit(func(s *Spec) {
			s.Topics, s.Value = []string{"v"}, Format{Format: "csv", Columns: []string{"a", "b"}, Null: ptr("")}
		}),
	}
	set := compile(t, specs...)
	again, err := CompileCanonical(set.Canonical(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != set.Hash() || !again.Continues(set.Canonical()) {
		t.Errorf("%s\n%s", set.Canonical(), again.Canonical())
	}
	for _, topic := range []string{"t", "u", "v"} {
		for _, value := range []string{created, updated, moved, erased, truncated, `{"id":1,"__deleted":"true"}`, "x,", ",", "\x00"} {
			rec := record(value)
			rec.Topic = topic
			if a, b := show(set.Map(rec)), show(again.Map(rec)); a != b {
				t.Errorf("%s: %q, stored %q", value, a, b)
			}
		}
	}
	hashes := map[string]int{set.Hash(): -1}
	for i, change := range []func(*Spec){
		func(s *Spec) { s.OnDelete = "ignore" }, func(s *Spec) { s.OnTruncate = "ignore" }, func(s *Spec) { s.Value.Unavailable = "x" },
		func(s *Spec) { s.Value.Compression = "gzip" }, func(s *Spec) { s.Value.Events = "debezium-flat" }, func(s *Spec) { s.Value.Format = "connect" },
	} {
		s := specs[0]
		change(&s)
		changed := compile(t, s, specs[1], specs[2], specs[3])
		if was, ok := hashes[changed.Hash()]; ok || changed.Continues(set.Canonical()) {
			t.Errorf("change %d shows no more than %d", i, was)
		}
		hashes[changed.Hash()] = i
	}
	said := specs[0]
	said.OnDelete, said.OnTruncate, said.OnTombstone, said.Value.Unavailable = "delete-row", "fail", "ignore", debeziumPlaceholder
	lines := specs[3]
	lines.Table, lines.Value.Delimiter, lines.Value.Quote = "lines", ",", `"`
	unsaid := specs[3]
	unsaid.Table = "lines"
	if compile(t, said, specs[1], specs[2], specs[3], lines).Hash() != compile(t, specs[0], specs[1], specs[2], specs[3], unsaid).Hash() {
		t.Error("the hash depends on whether a default is written out")
	}
}

func TestTablesOfEvents(t *testing.T) {
	for _, c := range []struct {
		name string
		spec Spec
		want Table
	}{
		{"deletes", following("debezium", nil), Table{Name: "ns:t", Families: []string{"d", "e"}, Deletes: true}},
		{"deletes elsewhere", following("debezium", func(s *Spec) { s.DeleteFamilies = []string{"x"} }), Table{Name: "ns:t", Families: []string{"d", "e", "x"}, Deletes: true}},
		{"no deletes", following("debezium", func(s *Spec) { s.OnDelete = "ignore" }), Table{Name: "ns:t", Families: []string{"d", "e"}}},
	} {
		if got := compile(t, c.spec).Tables(); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", []Table{c.want}) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}
