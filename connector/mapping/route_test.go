package mapping

import (
	"fmt"
	"strings"
	"testing"

	"rowmark/rowkey"
)

func TestRoutes(t *testing.T) {
	byType := func(s *Spec) { s.Table, s.Tables = "ns:t_${value.type}", []string{"ns:t_a", "ns:t_b"} }
	for _, c := range []struct {
		name   string
		change func(s *Spec)
		topic  string
		value  string
		table  string // or a part of the reason, after !
	}{
		{"a field", byType, "t", `{"a":1,"type":"b"}`, "ns:t_b"},
		{"a field of another", byType, "t", `{"a":1,"type":"c"}`, "!mapping t -> ns:t_${value.type}: the record goes to a table that is none of those in tables"},
		{"a field that is missing", byType, "t", `{"a":1}`, "!filling in value.type of ns:t_${value.type}: the field is missing"},
		{"a default", func(s *Spec) { s.Table, s.Tables = "ns:${value.type|default:other}", []string{"ns:other"} }, "t", `{"a":1}`, "ns:other"},
		{"a whole name", func(s *Spec) { s.Table, s.Tables = "${value.type}", []string{"ns:a", "b"} }, "t", `{"a":1,"type":"ns:a"}`, "ns:a"},
		{"the namespace default", func(s *Spec) { s.Table, s.Tables = "${value.type}", []string{"ns:a", "b"} }, "t", `{"a":1,"type":"b"}`, "default:b"},
		{"the namespace default, said", func(s *Spec) { s.Table, s.Tables = "${value.type}", []string{"b"} }, "t", `{"a":1,"type":"default:b"}`, "default:b"},
		{"the topic", func(s *Spec) { s.Table = "ns:${topic}" }, "t", `{"a":1}`, "ns:t"},
		{"the topic, changed", func(s *Spec) { s.Table = "${topic|upper}:x" }, "t", `{"a":1}`, "T:x"},
		{"the topic of a pattern", func(s *Spec) { s.Table, s.Topics = "ns:${topic}", []string{"/orders-.*/"} }, "orders-eu", `{"a":1}`, "ns:orders-eu"},
		{"parts of a pattern", func(s *Spec) { s.Table, s.Topics = "${1}:${2}", []string{`/([a-z]+)\.(.*)/`} }, "shop.orders", `{"a":1}`, "shop:orders"},
		{"parts of the pattern that matches", func(s *Spec) { s.Table, s.Topics = "ns:${1}", []string{`/a-(.*)/`, `/b-(.*)/`} }, "b-x", `{"a":1}`, "ns:x"},
		{"a part that is empty", func(s *Spec) { s.Table, s.Topics = "ns:${1}", []string{`/t(.*)/`} }, "t", `{"a":1}`, "!filling in 1 of ns:${1}: the field is empty"},
		{"a part by default", func(s *Spec) { s.Table, s.Topics = "ns:${1|default:plain}", []string{`/t(.*)/`} }, "t", `{"a":1}`, "ns:plain"},
		{"no name of a table", func(s *Spec) { s.Table, s.Topics = "ns:${1}", []string{`/t(.*)/`} }, "t.x", `{"a":1}`, "!naming table ns:.x: a table name"},
		{"one of the list", func(s *Spec) { s.Table, s.Topics, s.Tables = "ns:${topic}", []string{`/t.*/`}, []string{"ns:t1"} }, "t1", `{"a":1}`, "ns:t1"},
		{"none of the list", func(s *Spec) { s.Table, s.Topics, s.Tables = "ns:${topic}", []string{`/t.*/`}, []string{"ns:t1"} }, "t2", `{"a":1}`, "!none of those in tables"},
		{"topic and field", func(s *Spec) {
			s.Table, s.Topics, s.Tables = "ns:${1}_${value.type}_${topic}", []string{`/t(.*)/`}, []string{"ns:1_a_t1", "ns:2_b_t2"}
		}, "t2", `{"a":1,"type":"b"}`, "ns:2_b_t2"},
		{"the literal", func(s *Spec) { s.Table, s.Tables = "ns:$${value.type}", nil }, "t", `{"a":1}`, "!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := edit(c.change)
			spec.OnTombstone = "ignore"
			if c.table == "!" {
				if _, problems := Compile([]Spec{spec}, Options{}); len(problems) != 1 || problems[0].Path != "[0].table" {
					t.Errorf("%v", problems)
				}
				return
			}
			set := compile(t, spec)
			rec := record(c.value)
			rec.Topic = c.topic
			got := show(set.Map(rec))
			if reason, bad := strings.CutPrefix(c.table, "!"); bad {
				if !strings.HasPrefix(got, "!") || !strings.Contains(got, reason) {
					t.Errorf("got %s, want %s", got, reason)
				}
				return
			}
			if want := c.table + " k@36000000 d:a=1"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			again, err := CompileCanonical(set.Canonical(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if s := show(again.Map(rec)); s != got {
				t.Errorf("the stored mapping: %s, want %s", s, got)
			}
			if !strings.Contains(fmt.Sprint(set.TablesOf(c.topic)), c.table) {
				t.Errorf("tables of the topic: %s", set.TablesOf(c.topic))
			}
		})
	}
}

func names(tables []Table) string {
	var out []string
	for _, t := range tables {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

func TestTablesOfRoutes(t *testing.T) {
	set := compile(t,
		edit(func(s *Spec) { s.Table, s.Topics = "ns:${topic}", []string{"a", "b", "/p-.*/"} }),
		edit(func(s *Spec) {
			s.Table, s.Tables, s.Topics = "x:${value.type}", []string{"x:1", "x:2"}, []string{"c"}
			s.OnTombstone = "ignore"
		}),
	)
	if got := names(set.Tables()); got != "ns:a ns:b x:1 x:2" {
		t.Errorf("at the start: %s", got)
	}
	if !set.Matches("p-1") || set.Matches("q") || !set.NamesTables() {
		t.Error("matches")
	}
	if err := set.CheckTopic("p-1"); err != nil {
		t.Error(err)
	}
	if got := names(set.Tables()); got != "ns:a ns:b ns:p-1 x:1 x:2" {
		t.Errorf("with a topic of the pattern: %s", got)
	}
	if got := fmt.Sprint(set.TablesOf("p-1"), set.TablesOf("c"), set.TablesOf("a")); got != "[ns:p-1] [x:1 x:2] [ns:a]" {
		t.Errorf("tables of topics: %s", got)
	}
	for table, want := range map[string]int{"ns:a": 0, "ns:p-1": 0, "x:2": 1, "none:x": 0} {
		if got := set.Writer(table); got != want {
			t.Errorf("the writer of %s is %d, want %d", table, got, want)
		}
	}
	for _, s := range set.Tables() {
		if fmt.Sprint(s.Families) != "[d]" {
			t.Errorf("families of %s: %s", s.Name, s.Families)
		}
	}
	if compile(t, base()).NamesTables() || compile(t, edit(func(s *Spec) { s.Table = "ns:${topic}" })).NamesTables() {
		t.Error("tables of named topics are known")
	}
}

// A table that only counts, as far as its topics are known, may yet be put into.
func TestCountersOfATableThatAPatternMayName(t *testing.T) {
	count := edit(func(s *Spec) {
		s.Table, s.Topics, s.OnTombstone = "ns:n", []string{"a"}, "ignore"
		s.Columns = []Column{{Literal: ptr("1"), To: "c:n", Op: "increment"}}
	})
	for name, counters := range map[string]bool{"ns:${1}": false, "other:${1}": true} {
		set := compile(t, count, edit(func(s *Spec) { s.Table, s.Topics = name, []string{"/b(.*)/"} }))
		if got := set.Tables()[0]; got.Name != "ns:n" || got.Counters != counters || fmt.Sprint(got.Families) != "[c]" {
			t.Errorf("%s: %+v, want the family c, and counters alone: %t", name, got, counters)
		}
	}
}

func TestRoutesRefused(t *testing.T) {
	for _, c := range []struct {
		name         string
		change       func(s *Spec)
		path, reason string
	}{
		{"a field without a list", func(s *Spec) { s.Table = "ns:${value.type}" }, ".tables", "needs the list"},
		{"a header without a list", func(s *Spec) { s.Table = "ns:${header.x}" }, ".tables", "needs the list"},
		{"the partition without a list", func(s *Spec) { s.Table = "ns:${partition}" }, ".tables", "needs the list"},
		{"a tombstone", func(s *Spec) { s.Table, s.Tables = "ns:${value.type}", []string{"ns:a"} }, ".on_tombstone", "can't tell its table"},
		{"a list without a field", func(s *Spec) { s.Tables = []string{"ns:t"} }, ".tables", "named by fields"},
		{"a bad name in the list", func(s *Spec) { s.Table, s.Tables = "ns:${value.type}", []string{"ns:a", "hbase:meta"} }, ".tables[1]", "HBase itself"},
		{"a part of no pattern", func(s *Spec) { s.Table = "ns:${1}" }, ".table", "part 1 in parentheses"},
		{"a part that the pattern lacks", func(s *Spec) { s.Table, s.Topics = "ns:${2}", []string{"/(a)/"} }, ".table", "part 2 in parentheses"},
		{"a part that one pattern lacks", func(s *Spec) { s.Table, s.Topics = "ns:${1}", []string{"/(a)/", "/b/"} }, ".table", "/b/ has no such part"},
		{"a topic that is no name of a table", func(s *Spec) { s.Table, s.Topics = "${topic}:x", []string{"a.b"} }, ".table", "for the topic a.b: naming table a.b:x: a namespace"},
		{"a topic whose table is not in the list", func(s *Spec) { s.Table, s.Tables = "ns:${topic}", []string{"ns:u"} }, ".table", "none of those in tables"},
		{"a field of what has none", func(s *Spec) { s.Table, s.Tables = "ns:${key.x}", []string{"ns:u"} }, ".table", "has no fields"},
		{"a part in a qualifier", func(s *Spec) { s.Topics, s.Columns[0].To = []string{"/(a)/"}, "d:${1}" }, ".columns[0].to", "only the name of a table"},
		{"no reference", func(s *Spec) { s.Table = "ns:${type}" }, ".table", "a field starts with"},
	} {
		spec := edit(c.change)
		if c.path != ".on_tombstone" {
			spec.OnTombstone = "ignore"
		}
		_, problems := Compile([]Spec{spec}, Options{})
		if len(problems) != 1 || problems[0].Path != "[0]"+c.path || !strings.Contains(problems[0].Text, c.reason) {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
}

// Two mappings clash where they may come to write one column of one table from one record, and only there.
func TestRoutesClash(t *testing.T) {
	route := func(table string, tables []string, topics ...string) Spec {
		return edit(func(s *Spec) { s.Table, s.Tables, s.Topics, s.OnTombstone = table, tables, topics, "ignore" })
	}
	for _, c := range []struct {
		name  string
		a, b  Spec
		clash bool
	}{
		{"in the list", route("ns:a", nil, "t"), route("ns:${value.x}", []string{"ns:a", "ns:b"}, "t"), true},
		{"not in the list", route("ns:c", nil, "t"), route("ns:${value.x}", []string{"ns:a", "ns:b"}, "t"), false},
		{"lists that meet", route("ns:${value.y}", []string{"ns:b"}, "t"), route("ns:${value.x}", []string{"ns:a", "ns:b"}, "t"), true},
		{"lists that don't", route("ns:${value.y}", []string{"ns:c"}, "t"), route("ns:${value.x}", []string{"ns:a", "ns:b"}, "t"), false},
		{"other topics", route("ns:a", nil, "t"), route("ns:${value.x}", []string{"ns:a", "ns:b"}, "u"), false},
		{"the topic's name", route("ns:t", nil, "t"), route("ns:${topic}", nil, "t"), true},
		{"another namespace", route("other:t", nil, "t"), route("ns:${topic}", nil, "t"), false},
		{"two of the topic", route("ns:${topic}", nil, "t"), route("ns:${topic}", nil, "t"), true},
		{"the namespace default", route("t", nil, "t"), route("${topic}", nil, "t"), true},
	} {
		for _, specs := range [][]Spec{{c.a, c.b}, {c.b, c.a}} {
			_, problems := Compile(specs, Options{})
			if clash := len(problems) == 1 && problems[0].Path == "[1].columns[0].to"; clash != c.clash || !clash && problems != nil {
				t.Errorf("%s: %v, want a clash: %t", c.name, problems, c.clash)
			}
		}
	}
	// Patterns that meet are told when a topic comes.
	set := compile(t, route("ns:${topic}", nil, "/t.*/"), route("ns:${1}", nil, "/(.*)x/"))
	if err := set.CheckTopic("tx"); err != nil {
		t.Errorf("ns:tx and ns:t: %v", err)
	}
	set = compile(t, route("ns:${topic}", nil, "/t.*/"), route("ns:${1}x", nil, "/(.*)x/"))
	if err := set.CheckTopic("tx"); err == nil || !strings.Contains(err.Error(), "table ns:tx") {
		t.Errorf("ns:tx twice: %v", err)
	}
}

// One record, several rows in several tables: each by the mapping that makes it.
func TestSeveralRoutesOfOneTopic(t *testing.T) {
	set := compile(t,
		edit(func(s *Spec) { s.Table = "ns:${topic}" }),
		edit(func(s *Spec) {
			s.Table, s.Tables, s.OnTombstone = "by:${value.type}", []string{"by:a", "by:b"}, "ignore"
			s.RowKey = rowkey.Spec{{Field: "value.id"}}
		}),
	)
	if got := show(set.Map(record(`{"a":1,"type":"b","id":"i"}`))); got != "ns:t k@36000000 d:a=1; by:b i@36000000 d:a=1" {
		t.Errorf("got %s", got)
	}
	tombstone := record("")
	tombstone.Value = nil
	if got := show(set.Map(tombstone)); got != "ns:t k@36000000 delete d" {
		t.Errorf("a tombstone: %s", got)
	}
}
