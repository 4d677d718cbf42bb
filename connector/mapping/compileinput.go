package mapping

import (
	"fmt"

	"rowmark/rowkey"
)

// input settles where a column's value comes from: a field as it is (ref), something made of fields (input), a
// literal, or nothing.
func (c *compiler) input(s *Column, col *column, r *rule) {
	var in input
	var sources []string
	if s.Field != "" {
		sources = append(sources, "field")
		col.ref = c.ref(".field", s.Field, r)
		in.fields = []*rowkey.Ref{col.ref}
	}
	if s.Template != "" {
		sources = append(sources, "template")
		text, fixed := c.template(".template", s.Template, r)
		if text == nil {
			c.bad(".template", string(fixed), "there is no field in it, as in ${value.first} ${value.last}: fixed text is a literal")
		} else {
			text.empties = true
		}
		in.text = text
	}
	if s.Coalesce != nil {
		sources = append(sources, "coalesce")
		if len(s.Coalesce) < 2 {
			c.bad(".coalesce", "", "it takes two fields or more, as in [value.nick, value.name]")
		}
		for i, text := range s.Coalesce {
			in.fields = append(in.fields, c.ref(fmt.Sprintf(".coalesce[%d]", i), text, r))
		}
	}
	if s.Literal != nil {
		sources = append(sources, "literal")
		c.literal(*s.Literal, col)
	}
	switch {
	case len(sources) > 1:
		c.bad("."+sources[len(sources)-1], "", "a column has one of field, template, coalesce and literal")
	case len(sources) == 0 && col.kind != CellDeleteColumn:
		c.bad("", "", "a column needs a field, a template, coalesce, a literal or a wildcard (fields)")
	}
	c.steps(s, &in)
	c.fallback(s, &in, col)
	if s.Template == "" && s.Coalesce == nil && in.steps == nil && in.fallback == nil {
		return
	}
	if s.Literal != nil || len(sources) == 0 || col.kind == CellDeleteColumn && (in.steps != nil || in.fallback != nil || in.text != nil) {
		c.bad("", "", "trim, substring, upper, lower, date and default change the value of a field, template or coalesce, and a delete-column has none")
	}
	col.ref, col.input = nil, &in
}

// ref compiles a reference; it is never nil, so that one fault is told once.
func (c *compiler) ref(key, text string, r *rule) *rowkey.Ref {
	ref, err := rowkey.ParseRef(text)
	if err != nil {
		c.bad(key, text, "%v", err)
	} else {
		c.depth(key, &ref, r)
	}
	return &ref
}

// steps gives the changes in their order.
func (c *compiler) steps(s *Column, in *input) {
	if s.Trim {
		in.steps = append(in.steps, trim{})
	}
	if s.Substring != nil {
		if s.Substring.From < 0 || s.Substring.Length < 0 {
			c.bad(".substring", "", "from and length are not negative")
		}
		in.steps = append(in.steps, substring{max(0, s.Substring.From), s.Substring.Length})
	}
	switch {
	case s.Upper && s.Lower:
		c.bad(".lower", "true", "a value is not both upper and lower")
	case s.Upper:
		in.steps = append(in.steps, upper)
	case s.Lower:
		in.steps = append(in.steps, lower)
	}
	if s.Date != nil {
		step, key, err := newDate(*s.Date)
		if err != nil {
			c.bad(".date."+key, map[string]string{"from": s.Date.From, "to": s.Date.To, "zone": s.Date.Zone}[key], "%v", err)
		}
		in.steps = append(in.steps, step)
	}
}

// fallback takes over a default, which must be what the encoding can write.
func (c *compiler) fallback(s *Column, in *input, col *column) {
	if s.Default == nil {
		return
	}
	in.fallback = []byte(*s.Default)
	v := rowkey.Value{Kind: rowkey.Text, Text: in.fallback}
	var err error
	if col.kind == CellIncrement {
		_, err = rowkey.Integer(v)
	} else {
		_, err = col.enc.Append(nil, v)
	}
	if err != nil {
		c.bad(".default", *s.Default, "%v", err)
	}
}
