package mapping

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What Java's ExpressionParser and ExpressionExpander of HBase 2.6.4 say of each.
func TestVisibilityIsWhatHBaseParses(t *testing.T) {
	for _, text := range []string{
		"secret", "secret&!public", "!a", "!(a|b)", "!(!a)", "(a|b)&c", "a|b&c", "a&b&c", "((a))", " a & b ", `"x y"`,
		`"x\"y"`, "a:b/c.d_e-f", `"é"`, "a&!(b|c)",
	} {
		if err := checkVisibility(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "!!a", "a b", "()", "a&", "&a", "a!b", "(a", "a)", `"x\y"`, `""`, "a#", "é", `"a`, `a"b"`, "!", "! a", "(a)(b)",
		"a(b)", "a&|b", `"a""b"`, strings.Repeat("(", 1e6),
	} {
		if checkVisibility(text) == nil {
			t.Errorf("%.20q passes", text)
		}
	}
}

func TestAttributes(t *testing.T) {
	set := compile(t, edit(func(s *Spec) {
		s.TTL, s.Visibility = time.Hour, "a"
		s.Columns = []Column{
			{Field: "value.a", To: "d:a"},
			{Field: "value.a", To: "d:b"},
			{Field: "value.a", To: "d:c", TTL: time.Minute},
			{Field: "value.n", To: "c:n", Op: "increment", Visibility: "b"},
			{Field: "value.z", To: "d:z", OnNull: "delete"},
			{Fields: "value.*", ToFamily: "e", Only: []string{"value.a"}},
			{To: "d:g", Op: "delete-column"},
		}
	}))
	res := set.Map(record(`{"a":"x","n":1,"z":null}`))
	if res.Err != nil || len(res.Rows[0].Cells) != 7 {
		t.Fatalf("%s", show(res))
	}
	for i, want := range []Attributes{{3600000, "a"}, {3600000, "a"}, {60000, "a"}, {3600000, "b"}, {3600000, "a"}, {3600000, "a"}, {3600000, "a"}} {
		if got := res.Rows[0].Cells[i].With; got == nil || *got != want {
			t.Errorf("cell %d has %v, want %v", i, got, want)
		}
	}
	if c := res.Rows[0].Cells; c[0].With != c[1].With {
		t.Error("equal attributes are two")
	}
	tombstone := record("")
	tombstone.Value = nil
	if r := set.Map(tombstone).Rows[0]; fmt.Sprintf("%s %s", r.Delete.Families, r.Delete.Visibility) != "[d e] [a a]" {
		t.Errorf("a row delete reaches %q of %s", r.Delete.Visibility, r.Delete.Families)
	}
	two := compile(t, edit(func(s *Spec) {
		s.Columns = append(s.Columns, Column{Field: "value.b", To: "e:b", Visibility: "secret"})
	}))
	if r := two.Map(tombstone).Rows[0]; fmt.Sprintf("%s %q", r.Delete.Families, r.Delete.Visibility) != `[d e] ["" "secret"]` {
		t.Errorf("a row delete reaches %q of %s", r.Delete.Visibility, r.Delete.Families)
	}
	if !two.Tables()[0].Visibility || compile(t, base()).Tables()[0].Visibility {
		t.Error("the tables don't tell that cells have a visibility")
	}
	if r := compile(t, base()).Map(tombstone).Rows[0]; r.Delete.Visibility != nil {
		t.Errorf("a plain row delete reaches %q", r.Delete.Visibility)
	}
	if c := compile(t, base()).Map(record(`{"a":1}`)).Rows[0].Cells[0]; c.With != nil {
		t.Errorf("a plain cell has %v", c.With)
	}
}

func TestAttributesRefused(t *testing.T) {
	secret := Column{Field: "value.b", To: "d:b", Visibility: "secret"}
	for _, c := range []struct {
		name         string
		spec         Spec
		path, reason string
	}{
		{"visibility", edit(func(s *Spec) { s.Visibility = "a b" }), "[0].visibility", "expression of labels"},
		{"visibility of a column", edit(columns(Column{Field: "value.a", To: "d:a", Visibility: "a&"})), "[0].columns[0].visibility", "expression of labels"},
		{"ttl", edit(func(s *Spec) { s.TTL = time.Microsecond }), "[0].ttl", "a millisecond or longer"},
		{"ttl of a column", edit(columns(Column{Field: "value.a", To: "d:a", TTL: 1})), "[0].columns[0].ttl", "a millisecond or longer"},
		{"ttl of a delete", edit(columns(Column{To: "d:a", Op: "delete-column", TTL: time.Hour})), "[0].columns[0].ttl", "no cell that could expire"},
		{"two visibilities in a family whose rows are deleted", edit(func(s *Spec) { s.Columns = append(s.Columns, secret) }), "[0].columns[1].visibility", "columns[0]"},
		{"two visibilities in a replaced family", edit(func(s *Spec) {
			s.Columns, s.OnTombstone, s.Replace = append(s.Columns, secret), "ignore", true
		}), "[0].columns[1].visibility", "columns[0]"},
	} {
		_, problems := Compile([]Spec{c.spec}, Options{})
		if len(problems) != 1 || problems[0].Path != c.path || !strings.Contains(problems[0].Text, c.reason) {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
	compile(t, edit(func(s *Spec) { s.Columns, s.OnTombstone = append(s.Columns, secret), "ignore" }))
	compile(t, edit(func(s *Spec) {
		s.Columns, s.DeleteFamilies = append(s.Columns, Column{Field: "value.b", To: "e:b", Visibility: "secret"}, Column{Field: "value.b", To: "e:c"}), []string{"d"}
	}))
}

// Two mappings whose row deletes reach cells of different visibilities in one family, from one record: with order: time both
// would be one cell to HBase.
func TestDeletesOfTwoVisibilitiesAtOneTimeAreRefused(t *testing.T) {
	of := func(topic, order, visibility, family string) Spec {
		return edit(func(s *Spec) {
			s.Topics, s.Order, s.Visibility = []string{topic}, order, visibility
			s.Columns = []Column{{Field: "value." + visibility, To: family + ":" + visibility}}
		})
	}
	for _, c := range []struct {
		name    string
		a, b    Spec
		refused bool
	}{
		{"one family", of("t", "time", "a", "d"), of("t", "time", "b", "d"), true},
		{"one plain", of("t", "time", "a", "d"), of("t", "time", "", "d"), true},
		{"the same visibility", of("t", "time", "a", "d"), edit(func(s *Spec) {
			s.Order, s.Visibility, s.Columns = "time", "a", []Column{{Field: "value.x", To: "d:x"}}
		}), false},
		{"two families", of("t", "time", "a", "d"), of("t", "time", "b", "e"), false},
		{"order of the log", of("t", "log", "a", "d"), of("t", "log", "b", "d"), false},
		{"other topics", of("t", "time", "a", "d"), of("u", "time", "b", "d"), false},
		{"no deletes", of("t", "time", "a", "d"), edit(func(s *Spec) {
			s.Order, s.Visibility, s.OnTombstone, s.Columns = "time", "b", "ignore", []Column{{Field: "value.b", To: "d:b"}}
		}), false},
	} {
		if c.b.Visibility == "" {
			c.b.Columns = []Column{{Field: "value.b", To: "d:b"}}
		}
		_, problems := Compile([]Spec{c.a, c.b}, Options{})
		if c.refused != (len(problems) > 0) || c.refused && !strings.Contains(problems[0].Text, "one cell to HBase") {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
	patterns, problems := Compile([]Spec{of("/.*x/", "time", "a", "d"), of("/x.*/", "time", "b", "d")}, Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	if err := patterns.CheckTopic("x"); err == nil || !strings.Contains(err.Error(), "different visibilities") {
		t.Errorf("a topic that both patterns match: %v", err)
	}
}
