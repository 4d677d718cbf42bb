package mapping

import (
	"fmt"
	"slices"
	"strings"

	"rowmark/rowkey"
)

// onlyWildcards refuses what belongs to a wildcard in a rule that is none.
func (c *compiler) onlyWildcards(s *Column) {
	for _, x := range []struct {
		key string
		set bool
	}{
		{"only", s.Only != nil},
		{"except", s.Except != nil},
		{"to_family", s.ToFamily != ""},
		{"prefix", s.Prefix != ""},
		{"nested", s.Nested != ""},
		{"arrays", s.Arrays != ""},
		{"separator", s.Separator != ""},
	} {
		if x.set {
			c.bad("."+x.key, "", `it belongs to a wildcard, as in fields: "value.*"`)
		}
	}
}

func (c *compiler) wildcard(s *Column, onNull string, r *rule) column {
	col := column{wild: &wildcard{except: map[string]bool{}}}
	for _, x := range []struct {
		key string
		set bool
	}{
		{"field", s.Field != ""},
		{"template", s.Template != ""},
		{"coalesce", s.Coalesce != nil},
		{"literal", s.Literal != nil},
		{"trim", s.Trim},
		{"substring", s.Substring != nil},
		{"upper", s.Upper},
		{"lower", s.Lower},
		{"date", s.Date != nil},
		{"default", s.Default != nil},
		{"to", s.To != ""},
		{"op", s.Op != "" && s.Op != "put"},
	} {
		if x.set {
			c.bad("."+x.key, "", "a wildcard takes fields, only, except, to_family, families, prefix, nested, arrays, separator, as, on_null, ttl and visibility, and puts")
		}
	}
	col.choice = c.choice(".to_family", s.ToFamily, s, r)
	col.ColumnName = &ColumnName{Family: []byte(s.ToFamily)}
	c.encoding(s, &col)
	c.columnNull(s, onNull, &col)
	col.with = c.attributes(s, &col)
	c.shapes(s, col.wild)
	base, ok := strings.CutSuffix(s.Fields, ".*")
	ref, err := rowkey.ParseRef(base)
	if !ok || err != nil || !hasMembers(ref.Root) {
		c.bad(".fields", s.Fields, "a wildcard is value.*, key.*, before.*, event.*, or a path below them, as in value.address.*")
		return col
	}
	below := ref
	below.Path = append(slices.Clone(ref.Path), "*")
	c.depth(".fields", &below, r)
	col.ref = &ref
	if col.wild.arrays == asPath {
		r.needArrays(ref.Root)
	}
	col.wild.only = c.patterns(".only", s.Only, base, &ref, col.wild)
	for _, p := range c.patterns(".except", s.Except, base, &ref, col.wild) {
		if len(p) == 1 && len(p[0]) == 1 {
			col.wild.except[string(p[0][0])] = true
		} else {
			col.wild.exceptPatterns = append(col.wild.exceptPatterns, p)
		}
	}
	return col
}

// shapes settles what becomes of objects and arrays. What is unset stays unset in the stored text.
func (c *compiler) shapes(s *Column, x *wildcard) {
	for _, kind := range []struct {
		key, value string
		to         *shape
	}{{".nested", s.Nested, &x.objects}, {".arrays", s.Arrays, &x.arrays}} {
		switch kind.value {
		case "", "json":
		case "path":
			*kind.to = asPath
		case "refuse":
			*kind.to = refused
		default:
			c.bad(kind.key, kind.value, "one of json, path, refuse")
		}
	}
	if s.Prefix != "" {
		x.prefix = []byte(s.Prefix)
	}
	if s.Separator != "" && !x.paths() {
		c.bad(".separator", s.Separator, "it belongs to nested: path or arrays: path")
	}
	x.separator = []byte(".")
	if s.Separator != "" {
		x.separator = []byte(s.Separator)
	}
}

// patterns compiles the references of only and except, which lie below what the wildcard takes.
func (c *compiler) patterns(key string, texts []string, base string, of *rowkey.Ref, x *wildcard) []pattern {
	var out []pattern
	for i, text := range texts {
		ref, err := rowkey.ParseRef(text)
		n := len(of.Path)
		if err != nil || ref.Root != of.Root || len(ref.Path) <= n || !slices.Equal(ref.Path[:n], of.Path) || len(ref.Path) > n+1 && !x.paths() {
			c.bad(fmt.Sprintf("%s[%d]", key, i), text, "it is no member of what the wildcard takes: it would begin with %s. and go one step further, or more with nested: path or arrays: path", base)
			continue
		}
		var p pattern
		for _, step := range ref.Path[n:] {
			p = append(p, newGlob(step))
		}
		out = append(out, p)
	}
	return out
}

// hasMembers says whether a wildcard may begin there.
func hasMembers(root rowkey.Root) bool {
	switch root {
	case rowkey.RootValue, rowkey.RootKey, rowkey.RootBefore, rowkey.RootEvent:
		return true
	}
	return false
}
