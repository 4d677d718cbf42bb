package mapping

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/rowkey"
)

func TestCompileRefuses(t *testing.T) {
	counter := func(to string) Column { return Column{Field: "value.n", To: to, Op: "increment"} }
	two := func(a, b func(*Spec)) []Spec { return []Spec{edit(a), edit(b)} }
	same := func(*Spec) {}
	for _, c := range []struct {
		name         string
		specs        []Spec
		path, reason string
	}{
		{"nothing", nil, "", "nothing to do"},
		{"no topic", []Spec{edit(func(s *Spec) { s.Topics = nil })}, "[0].topics", "at least one topic"},
		{"topic name", []Spec{edit(func(s *Spec) { s.Topics = []string{"a b"} })}, "[0].topics[0]", "letters, digits"},
		{"no table", []Spec{edit(func(s *Spec) { s.Table = "" })}, "[0].table", "needs a table"},
		{"table name", []Spec{edit(func(s *Spec) { s.Table = "a:b:c" })}, "[0].table", "table name"},
		{"system table", []Spec{edit(func(s *Spec) { s.Table = "hbase:meta" })}, "[0].table", "HBase itself"},
		{"format", []Spec{edit(func(s *Spec) { s.Value.Format = "xml" })}, "[0].value.format", "protobuf, raw, string, tsv"},
		{"fields of text", []Spec{edit(func(s *Spec) { s.Value.Format = "string" })}, "[0].columns[0].field", "has no fields"},
		{"fields of a text key", []Spec{edit(func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "key.id"}} })}, "[0].row_key", "has no fields"},
		{"wildcard of text", []Spec{edit(func(s *Spec) {
			s.Value.Format = "raw"
			s.Columns = []Column{{Fields: "value.*", ToFamily: "r"}}
		})}, "[0].columns[0].fields", "has no fields"},
		{"row key", []Spec{edit(func(s *Spec) { s.RowKey[0].As = "x" })}, "[0].row_key[0].as", "known encodings"},
		{"two equal splits", []Spec{edit(splits("a", "0x61"))}, "[0].splits[1]", "splits[0] is the same"},
		{"split of half a byte", []Spec{edit(splits("a", "0x8"))}, "[0].splits[1]", "pairs of hex digits"},
		{"split that is not hex", []Spec{edit(splits("0xgg"))}, "[0].splits[0]", "pairs of hex digits"},
		{"empty split", []Spec{edit(splits("a", ""))}, "[0].splits[1]", "1 to 32767 bytes"},
		{"split of no digits", []Spec{edit(splits("0x"))}, "[0].splits[0]", "1 to 32767 bytes"},
		{"long split", []Spec{edit(splits(strings.Repeat("x", 32768)))}, "[0].splits[0]", "1 to 32767 bytes"},
		{"splits and presplit", []Spec{edit(func(s *Spec) {
			s.Splits, s.RowKey = []string{"a"}, rowkey.Spec{{Field: "key", As: "hex", Presplit: 4}}
		})}, "[0].splits", "one of the two"},
		{"splits beside a faulty row key", []Spec{edit(func(s *Spec) { s.Splits, s.RowKey[0].As = []string{""}, "x" })}, "[0].splits[0]", "1 to 32767 bytes"},
		{"no columns", []Spec{edit(columns())}, "[0].columns", "at least one column"},
		{"no field", []Spec{edit(columns(Column{To: "d:a"}))}, "[0].columns[0]", "needs a field"},
		{"field and literal", []Spec{edit(columns(Column{Field: "key", Literal: ptr("x"), To: "d:a"}))}, "[0].columns[0].literal", "one of field, template"},
		{"literal that is no number", []Spec{edit(columns(Column{Literal: ptr("x"), To: "c:a", Op: "increment"}))}, "[0].columns[0].literal", "not a whole number"},
		{"encoding of an increment", []Spec{edit(columns(Column{Field: "value.n", To: "c:a", Op: "increment", As: "int64"}))}, "[0].columns[0].as", "takes no encoding"},
		{"null policy of an increment", []Spec{edit(columns(Column{Field: "value.n", To: "c:a", Op: "increment", OnNull: "delete"}))}, "[0].columns[0].on_null", "only a put"},
		{"null policy", []Spec{edit(columns(Column{Field: "value.n", To: "d:a", OnNull: "x"}))}, "[0].columns[0].on_null", "one of skip"},
		{"family name", []Spec{edit(columns(Column{Field: "value.n", To: ".d:a"}))}, "[0].columns[0].to", "begin with a point"},
		{"no family", []Spec{edit(columns(Column{Field: "value.n", To: ":a"}))}, "[0].columns[0].to", "needs a name"},
		{"mark family", []Spec{edit(columns(Column{Field: "value.n", To: "_k:a"}))}, "[0].columns[0].to", "mark family"},
		{"mark family deleted", []Spec{edit(func(s *Spec) { s.DeleteFamilies = []string{"_k"} })}, "[0].delete_families[0]", "mark family"},
		{"wildcard with more", []Spec{edit(columns(Column{Fields: "value.*", To: "d:a", ToFamily: "r"}))}, "[0].columns[0].to", "a wildcard takes"},
		{"wildcard without an end", []Spec{edit(columns(Column{Fields: "value", ToFamily: "r"}))}, "[0].columns[0].fields", "a wildcard is value.*"},
		{"wildcard of the topic", []Spec{edit(columns(Column{Fields: "topic.*", ToFamily: "r"}))}, "[0].columns[0].fields", "a wildcard is value.*"},
		{"except elsewhere", []Spec{edit(columns(Column{Fields: "value.o.*", Except: []string{"value.x"}, ToFamily: "r"}))}, "[0].columns[0].except[0]", "value.o."},
		{"except too deep", []Spec{edit(columns(Column{Fields: "value.*", Except: []string{"value.x.y"}, ToFamily: "r"}))}, "[0].columns[0].except[0]", "no member"},
		{"timestamp of the offset", []Spec{edit(func(s *Spec) { s.Timestamp = "offset" })}, "[0].timestamp", "hide behind"},
		{"timestamp without a root", []Spec{edit(func(s *Spec) { s.Timestamp = "ts" })}, "[0].timestamp", "value.ts"},
		{"unit without a field", []Spec{edit(func(s *Spec) { s.TimestampUnit = "s" })}, "[0].timestamp_unit", "belongs to a field"},
		{"unit", []Spec{edit(func(s *Spec) { s.Timestamp, s.TimestampUnit = "value.ts", "min" })}, "[0].timestamp_unit", "one of ms"},
		{"future without a field", []Spec{edit(func(s *Spec) { s.MaxFuture = time.Hour })}, "[0].max_future", "belongs to a field"},
		{"error policy", []Spec{edit(func(s *Spec) { s.OnError = "retry" })}, "[0].on_error", "one of fail, dead-letter, skip"},
		{"dead letters without a table", []Spec{edit(func(s *Spec) { s.OnError = "dead-letter" })}, "[0].on_error", "it needs a table of dead letters"},
		{"order", []Spec{edit(func(s *Spec) { s.Order = "offset" })}, "[0].order", "one of log, time"},
		{"tombstone, row by value", []Spec{edit(func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "value.a"}} })}, "[0].on_tombstone", "set on_tombstone: ignore"},
		{"tombstone, row by value said", []Spec{edit(func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "value.a"}}; s.OnTombstone = "delete-row" })}, "[0].on_tombstone", "made of value.a"},
		{"tombstone, salt by value", []Spec{edit(func(s *Spec) { s.RowKey = rowkey.Spec{{Salt: 4, Of: []string{"value.a"}}, {Field: "key"}} })}, "[0].on_tombstone", "made of value.a"},
		{"tombstone, row by offset", []Spec{edit(func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "offset"}} })}, "[0].on_tombstone", "made of offset"},
		{"tombstone, counters only", []Spec{edit(columns(counter("c:n")))}, "[0].on_tombstone", "counters take no row delete"},
		{"families of an ignored tombstone", []Spec{edit(func(s *Spec) { s.OnTombstone, s.DeleteFamilies = "ignore", []string{"d"} })}, "[0].delete_families", "belongs to"},
		{"column twice", []Spec{edit(columns(Column{Field: "value.a", To: "d:a"}, Column{Field: "value.b", To: "d:a"}))}, "[0].columns[1].to", "tables[0].columns[0]"},
		{"put and delete", []Spec{edit(columns(Column{Field: "value.a", To: "d:a"}, Column{To: "d:a", Op: "delete-column"}))}, "[0].columns[1].to", "hide the other"},
		{"wildcard over a column", []Spec{edit(columns(Column{Field: "value.a", To: "d:a"}, Column{Fields: "value.*", ToFamily: "d"}))}, "[0].columns[1].to_family", "except"},
		{"two wildcards", []Spec{edit(columns(Column{Fields: "value.a.*", ToFamily: "d"}, Column{Fields: "value.b.*", ToFamily: "d"}))}, "[0].columns[1].to_family", "hide the other"},
		{"two mappings, one column", two(same, same), "[1].columns[0].to", "tables[0].columns[0]"},
		{"two mappings by a pattern", two(same, func(s *Spec) { s.Topics = []string{"/t+/"} }), "[1].columns[0].to", "tables[0].columns[0]"},
		{"two mappings by one pattern", two(func(s *Spec) { s.Topics = []string{"/a/"} }, func(s *Spec) { s.Topics = []string{"/a/"} }), "[1].columns[0].to", "hide the other"},
		{"two orders", two(same, func(s *Spec) { s.Order = "time"; s.Columns = []Column{{Field: "value.b", To: "d:b"}} }), "[1].order", "tables[0]"},
		{"counter that is put", []Spec{edit(columns(Column{Field: "value.a", To: "c:n"}, counter("c:n")))}, "[0].columns[1].op", "takes nothing else"},
		{"counter that is put by another topic", two(columns(counter("d:a"), Column{Field: "value.a", To: "e:a"}), func(s *Spec) { s.Topics = []string{"other"} }), "[0].columns[0].op", "tables[1].columns[0]"},
		{"counter in a wildcard", []Spec{edit(columns(Column{Fields: "value.*", ToFamily: "c"}, counter("c:n")))}, "[0].columns[1].op", "takes nothing else"},
		{"counter that is appended to", []Spec{edit(columns(Column{Field: "value.a", To: "c:n", Op: "append"}, counter("c:n"), Column{Field: "value.a", To: "d:a"}))}, "[0].columns[1].op", "takes nothing else"},
		{"counter in a family whose rows are deleted", []Spec{edit(columns(Column{Field: "value.a", To: "d:a"}, counter("d:n")))}, "[0].columns[1].op", "family of their own"},
		{"append in a family whose rows are deleted", two(func(s *Spec) {
			s.Topics = []string{"other"}
			s.Columns = []Column{{Field: "value.a", To: "l:a", Op: "append"}}
			s.OnTombstone = "ignore"
		}, func(s *Spec) { s.DeleteFamilies = []string{"d", "l"} }), "[0].columns[0].op", "tables[1] deletes rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, problems := Compile(c.specs, Options{MarkFamily: "_k"})
			if set != nil || problems == nil {
				t.Fatal("accepted")
			}
			for _, p := range problems {
				if p.Path == c.path && strings.Contains(p.Text, c.reason) {
					if len(problems) > 1 {
						t.Logf("also: %v", problems)
					}
					return
				}
			}
			t.Errorf("got %v, want %s: …%s", problems, c.path, c.reason)
		})
	}
}

func TestCompileAccepts(t *testing.T) {
	for name, specs := range map[string][]Spec{
		"except keeps a counter out": {edit(func(s *Spec) {
			s.OnTombstone = "ignore"
			s.Columns = []Column{{Fields: "value.*", Except: []string{"value.n"}, ToFamily: "c"}, {Field: "value.n", To: "c:n", Op: "increment"}}
		})},
		"one column from two topics": {base(), edit(func(s *Spec) { s.Topics = []string{"u"} })},
		"one column in two tables":   {base(), edit(func(s *Spec) { s.Table = "ns:u" })},
		"one counter, two fields": {edit(func(s *Spec) {
			s.OnTombstone = "ignore"
			s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}, {Field: "value.m", To: "c:n", Op: "increment"}}
		})},
		"topic and header in a row key": {edit(func(s *Spec) {
			s.RowKey = rowkey.Spec{{Field: "topic"}, {Literal: "/"}, {Field: "header.h"}, {Literal: "/"}, {Field: "key"}}
		})},
	} {
		if _, problems := Compile(specs, Options{MarkFamily: "_k"}); problems != nil {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func TestDeliveryAtLeastOnce(t *testing.T) {
	count := edit(func(s *Spec) {
		s.Columns = append(s.Columns, Column{Field: "value.n", To: "c:n", Op: "increment"}, Column{Field: "value.l", To: "l:l", Op: "append"})
	})
	if _, p := Compile([]Spec{count}, Options{AtLeastOnce: true}); len(p) != 2 || p[0].Path != "[0].columns[1].op" || !strings.Contains(p[0].Text, "allow_duplicates") {
		t.Errorf("got %v", p)
	}
	count.AllowDuplicates = true
	if _, p := Compile([]Spec{count}, Options{AtLeastOnce: true}); p != nil {
		t.Error(p)
	}
}

func TestPatternsThatMeetAreFoundOut(t *testing.T) {
	set := compile(t, edit(func(s *Spec) { s.Topics = []string{"/t.*/"} }), edit(func(s *Spec) { s.Topics = []string{"/.*t/"} }))
	if err := set.CheckTopic("tx"); err != nil {
		t.Error(err)
	}
	if err := set.CheckTopic("t"); err == nil || !strings.Contains(err.Error(), "two mappings match this topic") {
		t.Errorf("got %v", err)
	}
	orders := compile(t, edit(func(s *Spec) { s.Topics = []string{"/t.*/"} }), edit(func(s *Spec) {
		s.Topics, s.Order = []string{"/.*t/"}, "time"
		s.Columns = []Column{{Field: "value.b", To: "d:b"}}
	}))
	if err := orders.CheckTopic("t"); err == nil || !strings.Contains(err.Error(), "order: time") {
		t.Errorf("got %v", err)
	}
	if res := set.Map(record(`{"a":1}`)); res.Err == nil || res.OnError != OnErrorFail {
		t.Errorf("got %s", show(res))
	}
}

func TestTables(t *testing.T) {
	set := compile(t,
		edit(func(s *Spec) {
			s.RowKey = rowkey.Spec{{Salt: 4, Of: []string{"key"}}, {Field: "key"}}
			s.Order = "time"
		}),
		edit(func(s *Spec) {
			s.Topics = []string{"u"}
			s.RowKey = rowkey.Spec{{Salt: 2, Of: []string{"key"}}, {Field: "key"}}
			s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}}
			s.OnTombstone = "ignore"
		}),
		edit(func(s *Spec) {
			s.Table = "counts"
			s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}}
			s.OnTombstone = "ignore"
		}))
	tables := set.Tables()
	want := []Table{
		{Name: "default:counts", Families: []string{"c"}, Counters: true, Counting: true},
		{Name: "ns:t", Families: []string{"c", "d"}, Splits: [][]byte{{1}, {2}, {3}}, Counting: true, Deletes: true, TimeOrder: true},
	}
	if fmt.Sprintf("%+v", tables) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", tables, want)
	}
}

func TestCanonicalTextMapsTheSame(t *testing.T) {
	specs := []Spec{
		edit(func(s *Spec) {
			s.RowKey = rowkey.Spec{{Salt: 4, Of: []string{"key"}}, {Field: "key", Default: ptr("")}, {Literal: "<\x00>"}, {Field: "value.a", As: "int64", Reverse: true, Default: ptr("0")}}
			s.OnTombstone = "ignore"
			s.Timestamp = "value.ts"
			s.Columns = append(s.Columns, Column{Fields: "value.*", Except: []string{`value.x\.y`}, ToFamily: "r", OnNull: "empty"})
		}),
		edit(func(s *Spec) {
			s.Topics, s.OnError = []string{"/t|u/"}, "skip"
			s.Table = "x"
			s.RowKey = rowkey.Spec{{Hash: "md5", Of: []string{"key"}, Modulo: 10, As: "string", Presplit: 5}, {Field: "topic", Substring: &rowkey.Substring{From: -1}, As: "phoenix_varchar"}, {Field: "key"}}
			s.AllowDuplicates = true
		}),
	}
	set := compile(t, specs...)
	again, err := CompileCanonical(set.Canonical(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Canonical(), set.Canonical()) || again.Hash() != set.Hash() || len(set.Hash()) != 64 {
		t.Errorf("%s\n%s", set.Canonical(), again.Canonical())
	}
	for _, v := range []string{`{"a":5,"ts":36000000,"n":null,"x.y":1}`, `{"a":5}`, `{"ts":1}`, `x`} {
		if a, b := show(set.Map(record(v))), show(again.Map(record(v))); a != b {
			t.Errorf("%s: %q, stored %q", v, a, b)
		}
	}
	// A default written out changes nothing; a real change shows.
	said := specs[0]
	said.OnNull, said.Order, said.MaxFuture, said.OnError = "skip", "log", time.Hour, "fail"
	if compile(t, said, specs[1]).Hash() != set.Hash() {
		t.Error("the hash depends on whether a default is written out")
	}
	said.OnNull = "empty"
	if compile(t, said, specs[1]).Hash() == set.Hash() {
		t.Error("the hash does not show a change")
	}
	for _, text := range []string{``, `{}`, `{"version":2,"tables":[]}`, `{"version":1,"tables":[]}`, `{"version":1,"tables":[{"unknown":1}]}`} {
		if _, err := CompileCanonical([]byte(text), nil); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// TestCanonicalTextIsStored pins the text: a program of a later version must read what this one stored.
func TestCanonicalTextIsStored(t *testing.T) {
	const want = `{"version":1,"tables":[{"topics":["t"],"table":"ns:t","key":{"format":"string"},"value":{"format":"json"},"row_key":[{"field":"key"}],"columns":[{"field":"value.a","to":"d:a","op":"put"}],"on_null":"skip","on_tombstone":"delete-row","delete_families":["d"],"on_error":"fail","order":"log","timestamp":"record"}]}`
	if got := compile(t, base()).Canonical(); string(got) != want {
		t.Errorf("got %s", got)
	}
}

func BenchmarkMap(b *testing.B) {
	set := compile(b, Spec{
		Topics: []string{"t"}, Table: "shop:orders", Key: Format{Format: "string"}, Value: Format{Format: "json"},
		RowKey: rowkey.Spec{{Salt: 16, Of: []string{"value.customer_id"}}, {Field: "value.customer_id"}, {Literal: "|"}, {Field: "value.created_at", As: "int64", Reverse: true}},
		Columns: []Column{
			{Field: "value.status", To: "d:status"},
			{Field: "value.total", To: "d:total", As: "float64"},
			{Field: "value.items", To: "c:items", Op: "increment"},
			{Fields: "value.*", Except: []string{"value.internal"}, ToFamily: "raw"},
		},
		OnTombstone: "ignore",
	})
	rec := record(`{"order_id":"0f8fad5b-d9cb-469f-a165-70867728950e","customer_id":"customer-000042","created_at":1700000000001,"status":"shipped","total":129.95,"currency":"EUR","items":3,"address":{"street":"Long Street 12","city":"Delft","zip":"2611"},"tags":["gift","express"],"note":null,"internal":{"trace":"ab12"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if res := set.Map(rec); res.Err != nil {
			b.Fatal(res.Err)
		}
	}
}
