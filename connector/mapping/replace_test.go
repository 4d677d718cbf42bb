package mapping

import (
	"strings"
	"testing"

	"rowmark/rowkey"
)

func TestReplace(t *testing.T) {
	replace := func(s *Spec) { s.Replace = true }
	expectMap(t, edit(replace), `{"a":1}`, "ns:t k@36000000 delete d d:a=1")
	expectMap(t, edit(replace), `{"b":1}`, "ns:t k@36000000 delete d")
	expectMap(t, edit(func(s *Spec) {
		s.Replace = true
		s.Columns = []Column{{Field: "value.a", To: "d:a"}, {Field: "value.b", To: "e:b"}, {Literal: ptr("1"), To: "c:n", Op: "increment"}}
	}), `{"a":1}`, "ns:t k@36000000 delete d delete e d:a=1 c:n+=1")
	expectMap(t, edit(func(s *Spec) {
		s.Replace, s.DeleteFamilies = true, []string{"d"}
		s.Columns = append(s.Columns, Column{Field: "value.b", To: "e:b"})
	}), `{"b":1}`, "ns:t k@36000000 delete d e:b=1")

	set := compile(t, edit(func(s *Spec) { s.Replace, s.OnTombstone = true, "ignore" }))
	if got := set.Tables()[0]; !got.Deletes || got.Counters {
		t.Errorf("tables: %+v", got)
	}
	tombstone := record("")
	tombstone.Value = nil
	if got := show(set.Map(tombstone)); got != "" {
		t.Errorf("an ignored tombstone: %s", got)
	}
	if got := show(compile(t, edit(replace)).Map(tombstone)); got != "ns:t k@36000000 delete d" {
		t.Errorf("a tombstone: %s", got)
	}
}

func TestReplaceRefused(t *testing.T) {
	replace := edit(func(s *Spec) { s.Replace = true })
	other := func(change func(*Spec)) Spec {
		return edit(func(s *Spec) { s.Columns[0].To = "d:b"; change(s) })
	}
	for _, c := range []struct {
		name         string
		specs        []Spec
		path, reason string
	}{
		{"order", []Spec{edit(func(s *Spec) { s.Replace, s.Order = true, "time" })}, "[0].replace", "needs order: log"},
		{"counters only", []Spec{edit(func(s *Spec) {
			s.Replace, s.OnTombstone, s.Columns = true, "ignore", []Column{{Field: "value.n", To: "c:n", Op: "increment"}}
		})}, "[0].replace", "puts into no family"},
		{"counter in its family", []Spec{edit(func(s *Spec) {
			s.Replace, s.OnTombstone = true, "ignore"
			s.Columns = append(s.Columns, Column{Field: "value.n", To: "d:n", Op: "increment"})
		})}, "[0].columns[1].op", "family of their own"},
		{"another mapping's columns", []Spec{replace, other(func(*Spec) {})}, "[0].replace", "tables[1] puts into the family d"},
		{"another mapping's columns, before it", []Spec{other(func(s *Spec) { s.Topics = []string{"/t/"} }), replace}, "[1].replace", "tables[0] puts into the family d"},
	} {
		_, problems := Compile(c.specs, Options{})
		if len(problems) == 0 || problems[0].Path != c.path || !strings.Contains(problems[0].Text, c.reason) {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
	for _, fine := range [][]Spec{
		{replace, other(func(s *Spec) { s.Table = "ns:u" })},
		{replace, other(func(s *Spec) { s.Topics = []string{"u"} })},
		{replace, other(func(s *Spec) { s.Columns[0].To = "e:b" })},
		{edit(func(s *Spec) { s.Replace, s.RowKey, s.OnTombstone = true, rowkey.Spec{{Field: "value.a"}}, "ignore" })},
	} {
		if _, problems := Compile(fine, Options{}); problems != nil {
			t.Errorf("%v", problems)
		}
	}
	patterns := compile(t, edit(func(s *Spec) { s.Replace, s.Topics = true, []string{"/t.*/"} }), other(func(s *Spec) { s.Topics = []string{"/.*t/"} }))
	if err := patterns.CheckTopic("t"); err == nil || !strings.Contains(err.Error(), "would drop") {
		t.Errorf("two patterns that meet: %v", err)
	}
}
