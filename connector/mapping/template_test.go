package mapping

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rowmark/connector/decode"
)

// expectMap maps one record's value and compares what show says of it, or a part of the reason, after !.
func expectMap(t *testing.T, spec Spec, value, want string) {
	t.Helper()
	spec.OnTombstone = "ignore"
	rec := record(value)
	rec.Headers = []decode.Header{{Key: "h", Value: []byte("head")}}
	got := show(compile(t, spec).Map(rec))
	if reason, bad := strings.CutPrefix(want, "!"); bad {
		if !strings.HasPrefix(got, "!") || !strings.Contains(got, reason) {
			t.Errorf("got %s, want %s", got, reason)
		}
	} else if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestQualifierTemplates(t *testing.T) {
	const at = "ns:t k@36000000"
	const value = `{"n":7,"d":"2026-11-30","e":"","z":null,"o":{"x":1},"b":true}`
	for to, want := range map[string]string{
		"d:day_${value.d}":                  " d:day_2026-11-30=7",
		"d:${value.d}":                      " d:2026-11-30=7",
		"d:${value.d}_${value.b}!":          " d:2026-11-30_true!=7",
		"d:${topic}/${partition}/${offset}": " d:t/2/9=7",
		"d:${timestamp}_${header.h}_${key}": " d:36000000_head_k=7",
		"d:${value.no|default:none}":        " d:none=7",
		"d:${value.z|default:none}":         " d:none=7",
		"d:${value.e|default:}":             " d:=7",
		"d:${value.d|default:none}":         " d:2026-11-30=7",
		"d:a:${value.d}":                    " d:a:2026-11-30=7",
		"d:$${value.d}":                     " d:${value.d}=7",
		"d:$${x}_${value.d}":                " d:${x}_2026-11-30=7",
		"d:$5":                              " d:$5=7",
		"d:x_${value.no}":                   "!naming column d:x_${value.no}: filling in value.no of x_${value.no}: the field is missing",
		"d:x_${value.z}":                    "!filling in value.z of x_${value.z}: the field is null",
		"d:x_${value.e}":                    "!filling in value.e of x_${value.e}: the field is empty",
		"d:x_${value.o}":                    "!filling in value.o of x_${value.o}: the field is an object or array",
	} {
		t.Run(to, func(t *testing.T) {
			if !strings.HasPrefix(want, "!") {
				want = at + want
			}
			expectMap(t, edit(columns(Column{Field: "value.n", To: to})), value, want)
		})
	}
	// A column without anything to write needs no name.
	expectMap(t, edit(columns(Column{Field: "value.gone", To: "d:${value.no}"}, Column{Field: "value.z", To: "f:x${value.no}"}, Column{Field: "value.n", To: "e:n"})), value, at+" e:n=7")
	expectMap(t, edit(columns(Column{Literal: ptr("1"), To: "c:${value.d}", Op: "increment"})), value, at+" c:2026-11-30+=1")
	expectMap(t, edit(columns(Column{To: "d:${value.d}", Op: "delete-column"})), value, at+" d:2026-11-30 gone")
	expectMap(t, edit(func(s *Spec) { s.OnNull, s.Columns = "delete", []Column{{Field: "value.z", To: "d:${value.d}"}} }), value, at+" d:2026-11-30 gone")
}

func TestQualifierTemplatesRefused(t *testing.T) {
	for to, reason := range map[string]string{
		"d:${value.a":         "stands between ${ and }",
		"d:${a}":              "a field starts with value",
		"d:${}":               "a field starts with value",
		"d:${value.a|shout}":  "shout is none of what may follow a field",
		"d:${key.x}":          "a key of format string has no fields",
		"d:${topic.x}":        "topic has no fields",
		"_k:x_${value.a}":     "mark family",
		"d:x_${value..a}":     "no empty steps",
		"${value.a}:x":        "needs the list of those that may come out",
		"d:${value.a|default": "stands between",
	} {
		_, problems := Compile([]Spec{edit(columns(Column{Field: "value.a", To: to}))}, Options{MarkFamily: "_k"})
		if len(problems) == 0 || problems[0].Path != "[0].columns[0].to" || !strings.Contains(problems[0].Text, reason) {
			t.Errorf("%s: %v", to, problems)
		}
	}
}

// Whatever two rules may write in one record is refused, and nothing else.
func TestOpenColumnsClash(t *testing.T) {
	to := func(q string) Column { return Column{Field: "value.a", To: "d:" + q} }
	wild := func(change func(c *Column)) Column {
		c := Column{Fields: "value.*", ToFamily: "d"}
		change(&c)
		return c
	}
	plain := func(*Column) {}
	for _, c := range []struct {
		name  string
		a, b  Column
		clash bool
	}{
		{"in a template", to("x"), to("${value.b}"), true},
		{"its beginning", to("day_1"), to("day_${value.b}"), true},
		{"another beginning", to("month_1"), to("day_${value.b}"), false},
		{"its end", to("day_1_sum"), to("day_${value.b}_sum"), true},
		{"another end", to("day_1_max"), to("day_${value.b}_sum"), false},
		{"too short for both ends", to("aXa"), to("aXa${value.b}aXa"), false},
		{"two templates", to("x${value.b}"), to("xy${value.b}"), true},
		{"two templates of other beginnings", to("x${value.b}"), to("y${value.b}"), false},
		{"two templates of other ends", to("x${value.b}_a"), to("x${value.b}_b"), false},
		{"other families", Column{Field: "value.a", To: "e:x"}, to("${value.b}"), false},
		{"wildcard and template", wild(plain), to("x${value.b}"), true},
		{"wildcard with a prefix and template", wild(func(c *Column) { c.Prefix = "p_" }), to("x${value.b}"), false},
		{"wildcard with a list and template", wild(func(c *Column) { c.Only = []string{"value.q"} }), to("x${value.b}"), false},
		{"wildcard with a list that the template may make", wild(func(c *Column) { c.Only = []string{"value.q", "value.xq"} }), to("x${value.b}"), true},
		{"wildcard with a glob and template", wild(func(c *Column) { c.Only = []string{"value.q*"} }), to("x${value.b}"), false},
		{"wildcard with a glob that the template may make", wild(func(c *Column) { c.Only = []string{"value.q*", "value.*y"} }), to("x${value.b}"), true},
		{"paths and template", wild(func(c *Column) { c.Nested, c.Only = "path", []string{"value.q", "value.r.s"} }), to("x${value.b}"), false},
		{"paths that the template may make", wild(func(c *Column) { c.Nested, c.Only = "path", []string{"value.q", "value.r.s"} }), to("r.${value.b}"), true},
		{"wildcard with a list", wild(func(c *Column) { c.Only = []string{"value.q"} }), to("x"), false},
		{"wildcard that lists it", wild(func(c *Column) { c.Only = []string{"value.x"} }), to("x"), true},
		{"wildcard with a glob", wild(func(c *Column) { c.Only = []string{"value.x_*"} }), to("x_1"), true},
		{"wildcard without", wild(func(c *Column) { c.Except = []string{"value.x*"} }), to("x1"), false},
		{"wildcard without another", wild(func(c *Column) { c.Except = []string{"value.y*"} }), to("x1"), true},
		{"wildcard with a prefix", wild(func(c *Column) { c.Prefix = "p_" }), to("x"), false},
		{"wildcard with its prefix", wild(func(c *Column) { c.Prefix = "p_" }), to("p_x"), true},
		{"path in a wildcard", wild(func(c *Column) { c.Nested = "path" }), to("a.b"), true},
		{"path that it leaves out", wild(func(c *Column) { c.Nested, c.Except = "path", []string{"value.a"} }), to("a.b"), false},
		{"deep path that it leaves out", wild(func(c *Column) { c.Nested, c.Except = "path", []string{"value.a.b"} }), to("a.b"), false},
		{"two wildcards", wild(plain), wild(func(c *Column) { c.Fields = "value.o.*" }), true},
		{"two wildcards of two prefixes", wild(func(c *Column) { c.Prefix = "a_" }), wild(func(c *Column) { c.Prefix = "b_" }), false},
		{"two wildcards of two lists", wild(func(c *Column) { c.Only = []string{"value.a"} }), wild(func(c *Column) { c.Fields, c.Only = "value.o.*", []string{"value.o.b"} }), false},
		{"two wildcards of lists that meet", wild(func(c *Column) { c.Only = []string{"value.b"} }), wild(func(c *Column) { c.Fields, c.Only = "value.o.*", []string{"value.o.b"} }), true},
	} {
		for _, cols := range [][]Column{{c.a, c.b}, {c.b, c.a}} {
			_, problems := Compile([]Spec{edit(columns(cols...))}, Options{})
			if clash := len(problems) > 0 && strings.Contains(problems[0].Text, "may write the same column"); clash != c.clash || !clash && problems != nil {
				t.Errorf("%s: %v, want a clash: %t", c.name, problems, c.clash)
			}
		}
	}
	_, problems := Compile([]Spec{edit(columns(to("x"), Column{Literal: ptr("1"), To: "d:${value.n}", Op: "increment"}))}, Options{})
	if len(problems) == 0 || problems[0].Path != "[0].columns[1].op" {
		t.Errorf("a counter that may be put: %v", problems)
	}
}

// Any text is a template, a literal or a problem, and the same record fills it in the same way again.
func TestAnyTextIsATemplateOrRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	words := []string{"${", "}", "$", "|", ":", "value.a", "value", "topic", "key", "1", "trim", "upper", "default:", "date:2006", "@UTC", "x", `\`, ".", "${value.a}", "${offset|upper}"}
	accepted := 0
	for range 20000 {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(words[random.IntN(len(words))])
		}
		_ = checkVisibility(b.String())
		spec := edit(columns(Column{Field: "value.n", To: "d:" + b.String()}))
		set, problems := Compile([]Spec{spec}, Options{})
		if problems != nil {
			continue
		}
		accepted++
		rec := record(`{"a":"text","n":1}`)
		if first, again := show(set.Map(rec)), show(set.Map(rec)); first != again {
			t.Fatalf("%q: %s, then %s", b.String(), first, again)
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d texts were accepted", accepted)
	}
}
