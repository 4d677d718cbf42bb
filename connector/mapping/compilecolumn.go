package mapping

import (
	"fmt"
	"slices"
	"strings"

	"rowmark/rowkey"
)

var kinds = map[string]CellKind{"": CellPut, "put": CellPut, "increment": CellIncrement, "append": CellAppend, "delete-column": CellDeleteColumn}

func (c *compiler) column(at string, s *Column, onNull string, r *rule) column {
	outer := c.at
	c.at += at
	defer func() { c.at = outer }()
	if s.Fields != "" || s.ToFamily != "" || s.Except != nil {
		return c.wildcard(s, onNull, r)
	}
	col := column{}
	family, qualifier, ok := strings.Cut(s.To, ":")
	if !ok {
		c.bad(".to", s.To, "a column is family:qualifier, as in to: \"d:status\"")
	} else {
		c.family(".to", family)
	}
	col.ColumnName = &ColumnName{[]byte(family), []byte(qualifier)}
	if s.Op == "" {
		s.Op = "put"
	}
	col.kind, ok = kinds[s.Op]
	if !ok {
		c.bad(".op", s.Op, "one of put, increment, append, delete-column")
	}
	if col.counts() && c.opt.AtLeastOnce && !c.allowed {
		c.bad(".op", s.Op, "with delivery: at-least-once a retry counts twice: set allow_duplicates: true on the mapping to accept that")
	}
	c.encoding(s, &col)
	c.columnNull(s, onNull, &col)
	switch {
	case s.Field != "" && s.Literal != nil:
		c.bad(".literal", *s.Literal, "a column has a field or a literal, not both")
	case s.Field != "":
		ref, err := rowkey.ParseRef(s.Field)
		if err != nil {
			c.bad(".field", s.Field, "%v", err)
			break
		}
		c.depth(".field", &ref, r)
		col.ref = &ref
	case s.Literal != nil:
		c.literal(*s.Literal, &col)
	case col.kind != CellDeleteColumn:
		c.bad("", "", "a column needs a field, a literal or a wildcard (fields)")
	}
	return col
}

func (c *compiler) encoding(s *Column, col *column) {
	enc, ok := ParseEncoding(s.As)
	switch {
	case !ok:
		c.bad(".as", s.As, "known encodings are %s", encodingNames)
	case s.As != "" && (col.kind == CellIncrement || col.kind == CellDeleteColumn):
		c.bad(".as", s.As, "a column with %s takes no encoding", s.Op)
	}
	col.enc = enc
}

func (c *compiler) columnNull(s *Column, onNull string, col *column) {
	policy := onNull
	if s.OnNull != "" {
		policy = s.OnNull
		c.oneOf(".on_null", &policy, "skip", "delete", "empty")
		if col.kind != CellPut {
			c.bad(".on_null", s.OnNull, "only a put follows a null policy")
		}
	}
	switch policy {
	case "delete":
		col.onNull = nullDelete
	case "empty":
		col.onNull = nullEmpty
	}
}

func (c *compiler) literal(text string, col *column) {
	v := rowkey.Value{Kind: rowkey.Text, Text: []byte(text)}
	var err error
	switch col.kind {
	case CellIncrement:
		col.delta, err = rowkey.Integer(v)
	case CellDeleteColumn:
		c.bad(".literal", text, "a column with delete-column takes no literal")
	default:
		col.literal, err = col.enc.Append([]byte{}, v)
	}
	if err != nil {
		c.bad(".literal", text, "%v", err)
	}
}

func (c *compiler) wildcard(s *Column, onNull string, r *rule) column {
	col := column{wild: true, except: map[string]bool{}}
	for _, x := range []struct {
		key string
		set bool
	}{{"field", s.Field != ""}, {"literal", s.Literal != nil}, {"to", s.To != ""}, {"as", s.As != ""}, {"op", s.Op != "" && s.Op != "put"}} {
		if x.set {
			c.bad("."+x.key, "", "a wildcard takes fields, except, to_family and on_null, and puts text")
		}
	}
	c.family(".to_family", s.ToFamily)
	col.ColumnName = &ColumnName{Family: []byte(s.ToFamily)}
	c.columnNull(s, onNull, &col)
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
	for i, text := range s.Except {
		x, err := rowkey.ParseRef(text)
		if err != nil || x.Root != ref.Root || len(x.Path) != len(ref.Path)+1 || !slices.Equal(x.Path[:len(ref.Path)], ref.Path) {
			c.bad(fmt.Sprintf(".except[%d]", i), text, "it is no member of what the wildcard takes: it would begin with %s. and go one step further", base)
			continue
		}
		col.except[x.Path[len(ref.Path)]] = true
	}
	return col
}

// hasMembers says whether a wildcard may begin there.
func hasMembers(root rowkey.Root) bool {
	switch root {
	case rowkey.RootValue, rowkey.RootKey, rowkey.RootBefore, rowkey.RootEvent:
		return true
	}
	return false
}
