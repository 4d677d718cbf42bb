package mapping

import "rowmark/rowkey"

var kinds = map[string]CellKind{"": CellPut, "put": CellPut, "increment": CellIncrement, "append": CellAppend, "delete-column": CellDeleteColumn}

func (c *compiler) column(at string, s *Column, onNull string, r *rule) column {
	outer := c.at
	c.at += at
	defer func() { c.at = outer }()
	if s.Fields != "" {
		return c.wildcard(s, onNull, r)
	}
	c.onlyWildcards(s)
	col := column{}
	family, qualifier, ok := cutColumn(s.To)
	if !ok {
		c.bad(".to", s.To, "a column is family:qualifier, as in to: \"d:status\"")
	} else {
		col.choice = c.choice(".to", family, s, r)
	}
	name, fixed := c.template(".to", qualifier, r)
	col.ColumnName, col.name = &ColumnName{[]byte(family), fixed}, name
	if s.Op == "" {
		s.Op = "put"
	}
	col.kind, ok = kinds[s.Op]
	if !ok {
		c.bad(".op", s.Op, "one of put, increment, append, delete-column")
	}
	if col.counts() && c.opt.AtLeastOnce && !c.spec.AllowDuplicates {
		c.bad(".op", s.Op, "with delivery: at-least-once a retry counts twice: set allow_duplicates: true on the mapping to accept that")
	}
	c.encoding(s, &col)
	c.columnNull(s, onNull, &col)
	col.with = c.attributes(s, &col)
	c.input(s, &col, r)
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
