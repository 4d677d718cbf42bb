package mapping

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestWildcards(t *testing.T) {
	const at = "ns:t k@36000000"
	const value = `{"a":1,"tmp_x":2,"o":{"x":"1","y":{"z":true},"n":null},"l":[5,{"q":6},[7]],"e":{},"n":null}`
	for _, c := range []struct {
		name   string
		change func(c *Column)
		want   string
	}{
		{"only names", func(c *Column) { c.Only = []string{"value.a", "value.no"} }, " r:a=1"},
		{"only globs", func(c *Column) { c.Only = []string{"value.*_x", "value.a"} }, " r:a=1 r:tmp_x=2"},
		{"only all but", func(c *Column) {
			c.Only, c.Except = []string{"value.*"}, []string{"value.o", "value.l", "value.e", "value.t*"}
		}, " r:a=1"},
		{"except globs", func(c *Column) { c.Except = []string{"value.t*x", "value.o", "value.?", "value.l", "value.e"} }, " r:a=1"},
		{"prefix", func(c *Column) { c.Prefix, c.Only = "v_", []string{"value.a"} }, " r:v_a=1"},
		{"encoding", func(c *Column) { c.As, c.Only = "int8", []string{"value.a", "value.tmp_x"} }, " r:a=\x01 r:tmp_x=\x02"},
		{"encoding that does not fit", func(c *Column) { c.As = "bool" }, "!taking the members of value: not true or false"},
		{"nested by path", func(c *Column) { c.Nested, c.Except = "path", []string{"value.l"} }, " r:a=1 r:tmp_x=2 r:o.x=1 r:o.y.z=true"},
		{"nested by path, arrays too", func(c *Column) { c.Nested, c.Arrays = "path", "path" }, " r:a=1 r:tmp_x=2 r:o.x=1 r:o.y.z=true r:l.0=5 r:l.1.q=6 r:l.2.0=7"},
		{"arrays alone by path", func(c *Column) { c.Arrays, c.Only = "path", []string{"value.l"} }, ` r:l.0=5 r:l.1={"q":6} r:l.2.0=7`},
		{"nested by path, arrays as text", func(c *Column) { c.Nested, c.Only = "path", []string{"value.l"} }, ` r:l=[5,{"q":6},[7]]`},
		{"separator", func(c *Column) { c.Nested, c.Separator, c.Only = "path", "__", []string{"value.o"} }, " r:o__x=1 r:o__y__z=true"},
		{"separator in a name", func(c *Column) { c.Nested, c.Separator = "path", "mp_" }, "!a name holds the separator"},
		{"separator in a name left out", func(c *Column) {
			c.Nested, c.Separator, c.Except = "path", "_", []string{"value.tmp_x", "value.l"}
		}, " r:a=1 r:o_x=1 r:o_y_z=true"},
		{"only a deep one", func(c *Column) { c.Nested, c.Only = "path", []string{"value.o.y.z", "value.l"} }, ` r:o.y.z=true r:l=[5,{"q":6},[7]]`},
		{"only deep ones by glob", func(c *Column) { c.Nested, c.Only = "path", []string{"value.*.x"} }, " r:o.x=1"},
		{"only an element", func(c *Column) { c.Nested, c.Arrays, c.Only = "path", "path", []string{"value.l.1"} }, " r:l.1.q=6"},
		{"only below, but as text", func(c *Column) { c.Arrays, c.Only = "path", []string{"value.o.x"} }, ""},
		{"except a deep one", func(c *Column) { c.Nested, c.Only, c.Except = "path", []string{"value.o"}, []string{"value.o.y"} }, " r:o.x=1"},
		{"nested null deletes", func(c *Column) { c.Nested, c.Only, c.OnNull = "path", []string{"value.o", "value.n"}, "delete" }, " r:o.x=1 r:o.y.z=true r:o.n gone r:n gone"},
		{"nested refused", func(c *Column) { c.Nested = "refuse" }, "!taking the members of value: a member is an object, which nested: refuse keeps out"},
		{"nested refused, left out", func(c *Column) { c.Nested, c.Except = "refuse", []string{"value.o", "value.e", "value.l"} }, " r:a=1 r:tmp_x=2"},
		{"arrays refused", func(c *Column) { c.Arrays = "refuse" }, "!a member is an array, which arrays: refuse keeps out"},
		{"below a path", func(c *Column) { c.Fields, c.Nested, c.Prefix = "value.o.*", "path", "o_" }, " r:o_x=1 r:o_y.z=true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			col := Column{Fields: "value.*", ToFamily: "r"}
			c.change(&col)
			want := c.want
			if want != "" && !strings.HasPrefix(want, "!") {
				want = at + want
			}
			expectMap(t, edit(columns(col)), value, want)
		})
	}
}

func TestWildcardsRefused(t *testing.T) {
	for key, change := range map[string]func(c *Column){
		"nested":    func(c *Column) { c.Nested = "flat" },
		"arrays":    func(c *Column) { c.Arrays = "flat" },
		"separator": func(c *Column) { c.Separator = "_" },
		"only[0]":   func(c *Column) { c.Only = []string{"value.a.b"} },
		"except[0]": func(c *Column) { c.Except = []string{"key.a"} },
		"as":        func(c *Column) { c.As = "int7" },
		"on_null":   func(c *Column) { c.OnNull = "x" },
		"op":        func(c *Column) { c.Op = "increment" },
		"to":        func(c *Column) { c.To = "d:x" },
		"field":     func(c *Column) { c.Field = "value.x" },
	} {
		col := Column{Fields: "value.*", ToFamily: "r"}
		change(&col)
		if _, problems := Compile([]Spec{edit(columns(col))}, Options{}); len(problems) != 1 || problems[0].Path != "[0].columns[0]."+key {
			t.Errorf("%s: %v", key, problems)
		}
	}
	for key, change := range map[string]func(c *Column){
		"only":      func(c *Column) { c.Only = []string{"value.x"} },
		"except":    func(c *Column) { c.Except = []string{} },
		"to_family": func(c *Column) { c.ToFamily = "r" },
		"prefix":    func(c *Column) { c.Prefix = "p" },
		"nested":    func(c *Column) { c.Nested = "path" },
		"arrays":    func(c *Column) { c.Arrays = "path" },
		"separator": func(c *Column) { c.Separator = "_" },
	} {
		col := Column{Field: "value.a", To: "d:a"}
		change(&col)
		if _, problems := Compile([]Spec{edit(columns(col))}, Options{}); len(problems) != 1 || problems[0].Path != "[0].columns[0]."+key {
			t.Errorf("%s: %v", key, problems)
		}
	}
}

// A glob matches what the regular expression with .* for each * does.
func TestGlobsMatchAsTheirRegularExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(letters string) string {
		var b strings.Builder
		for range random.IntN(7) {
			b.WriteByte(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	for range 20000 {
		pattern, name := word("ab*"), word("ab")
		want := regexp.MustCompile(`^` + strings.ReplaceAll(pattern, "*", ".*") + `$`).MatchString(name)
		if got := newGlob(pattern).matches([]byte(name)); got != want {
			t.Fatalf("%q matches %q: %t", pattern, name, got)
		}
	}
}

// No two paths become one column, whatever the separator and the names are: of those that might, one is refused. A name that
// could not be mistaken is taken.
func TestPathsKeepTheirColumns(t *testing.T) {
	names := []string{""}
	for i := 0; i < len(names) && len(names[i]) < 3; i++ {
		for _, letter := range []string{"a", "b", "_"} {
			names = append(names, names[i]+letter)
		}
	}
	for _, separator := range []string{"_", "__", "_a", "_a_", "aa", "aba"} {
		set := compile(t, edit(columns(Column{Fields: "value.*", ToFamily: "r", Nested: "path", Separator: separator})))
		from := map[string]string{}
		refused := 0
		see := func(value string) {
			res := set.Map(record(value))
			if res.Err != nil {
				refused++
				return
			}
			column := string(res.Rows[0].Cells[0].Qualifier)
			if other, twice := from[column]; twice {
				t.Errorf("separator %s: %s and %s both become %s", separator, other, value, column)
			}
			from[column] = value
		}
		for _, a := range names {
			see(`{"` + a + `":1}`)
			for _, b := range names {
				see(`{"` + a + `":{"` + b + `":1}}`)
			}
		}
		if total := len(names) * (len(names) + 1); refused*2 > total && len(separator) > 1 {
			t.Errorf("separator %s: %d of %d paths are refused", separator, refused, total)
		}
	}
	expectMap(t, edit(columns(Column{Fields: "value.*", ToFamily: "r", Nested: "path", Separator: "__"})), `{"a_":1,"_b":{"c_":2}}`, "ns:t k@36000000 r:a_=1 r:_b__c_=2")
}
