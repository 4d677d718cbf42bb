package mapping

import (
	"strings"
	"testing"
)

func chosen(change func(*Column)) Spec {
	return edit(func(s *Spec) {
		s.Columns[0].To, s.Columns[0].Families = "${value.kind|lower}:n", []string{"x", "y"}
		s.OnTombstone = "ignore"
		change(&s.Columns[0])
	})
}

// The family is named by the record, out of a list.
func TestFamiliesNamedByFields(t *testing.T) {
	none := func(*Column) {}
	for _, c := range []struct {
		name, value, want string
		change            func(*Column)
	}{
		{"one", `{"kind":"X","a":5}`, "ns:t k@36000000 x:n=5", none},
		{"the other", `{"kind":"y","a":5}`, "ns:t k@36000000 y:n=5", none},
		{"none of the list", `{"kind":"z","a":5}`, "!mapping t -> ns:t: naming the family of column ${value.kind|lower}: it is none of those in families", none},
		{"missing", `{"a":5}`, "!mapping t -> ns:t: naming the family of column ${value.kind|lower}", none},
		{"missing, with a default", `{"a":5}`, "ns:t k@36000000 y:n=5", func(c *Column) { c.To = "${value.kind|default:y}:n" }},
		{"nothing to write needs no family", `{"b":"x"}`, "", none},
		{"nor does a wildcard of nothing", `{"b":"x"}`, "", func(c *Column) {
			*c = Column{Fields: "value.o.*", ToFamily: "${value.kind}", Families: []string{"x", "y"}}
		}},
		{"increment", `{"kind":"x","a":5}`, "ns:t k@36000000 x:n+=5", func(c *Column) { c.Op = "increment" }},
		{"a colon in the field", `{"kind":"x","a":5}`, "ns:t k@36000000 y:1970-01-01=5", func(c *Column) { c.To = "${value.b|default:y}:${timestamp|date:2006-01-02}" }},
		{"wildcard", `{"kind":"y","o":{"p":1}}`, "ns:t k@36000000 y:p=1", func(c *Column) {
			*c = Column{Fields: "value.o.*", ToFamily: "${value.kind}", Families: []string{"x", "y"}}
		}},
	} {
		got := show(compile(t, chosen(c.change)).Map(record(c.value)))
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestFamiliesNamedByFieldsRefused(t *testing.T) {
	for _, c := range []struct {
		path, want string
		change     func(*Column)
	}{
		{".to", "needs the list of those that may come out", func(c *Column) { c.Families = nil }},
		{".families[1]", "this is the mark family", func(c *Column) { c.Families[1] = "_k" }},
		{".families[1]", "it stands there twice", func(c *Column) { c.Families[1] = "x" }},
		{".families", "it belongs to a family that is named by fields", func(c *Column) { c.To = "d:n" }},
		{".to", "holds no ${", func(c *Column) { c.To = "$${x}:n" }},
		{".to", "has no fields", func(c *Column) { c.To = "${key.kind}:n" }},
		{".to", "a column is family:qualifier", func(c *Column) { c.To = "${value.kind" }},
	} {
		_, problems := Compile([]Spec{chosen(c.change)}, Options{MarkFamily: "_k"})
		if !hasProblem(problems, "[0].columns[0]"+c.path, c.want) {
			t.Errorf("got %v, want %s: %s", problems, c.path, c.want)
		}
	}
}

// What is checked of families is checked of each that may come out.
func TestFamiliesNamedByFieldsAreAllChecked(t *testing.T) {
	set := compile(t, chosen(func(*Column) {}))
	if got := set.Tables()[0].Families; strings.Join(got, " ") != "x y" {
		t.Errorf("the table's families are %v, want x and y", got)
	}
	other := edit(func(s *Spec) { s.Columns[0].To, s.OnTombstone = "y:n", "ignore" })
	_, problems := Compile([]Spec{other, chosen(func(*Column) {})}, Options{})
	if !hasProblem(problems, "[1].columns[0].to", "may write the same column") {
		t.Errorf("two mappings of one column: %v", problems)
	}
}

func hasProblem(problems []Problem, path, text string) bool {
	for _, p := range problems {
		if p.Path == path && strings.Contains(p.Text, text) {
			return true
		}
	}
	return false
}
