package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// attributes gives what the cells of a column carry; nil: nothing.
func (c *compiler) attributes(s *Column, col *column) *Attributes {
	with := Attributes{TTL: c.spec.TTL.Milliseconds(), Visibility: c.spec.Visibility}
	if s.TTL != 0 {
		with.TTL = s.TTL.Milliseconds()
		c.ttl(".ttl", s.TTL)
		if col.kind == CellDeleteColumn {
			c.bad(".ttl", s.TTL.String(), "a column with delete-column writes no cell that could expire")
		}
	}
	if s.Visibility != "" {
		with.Visibility = s.Visibility
		c.visibility(".visibility", s.Visibility)
	}
	if with == (Attributes{}) {
		return nil
	}
	for _, known := range c.known {
		if *known == with {
			return known
		}
	}
	c.known = append(c.known, &with)
	return &with
}

// deleteVisibility settles, for each family that a row delete empties, the visibility of the cells that go. A delete
// reaches only cells of its own visibility, and two deletes of one family and time are one cell to HBase, so that there
// can be but one for a family.
func (c *compiler) deleteVisibility(r *rule, s *Spec) {
	of := make([]string, len(r.delete.Families))
	for k, family := range r.delete.Families {
		first := -1
		for i := range r.columns {
			col := &r.columns[i]
			if col.counts() || string(col.Family) != string(family) {
				continue
			}
			if first < 0 {
				first, of[k] = i, visibilityOf(col.with)
			}
			if visibilityOf(col.with) != of[k] {
				c.bad(fmt.Sprintf(".columns[%d].visibility", i), s.Columns[i].Visibility, "columns[%d] of the same family has another, and row deletes (or replace) would reach the cells of one alone: give this column a family of its own", first)
			}
		}
	}
	if slices.ContainsFunc(of, func(visibility string) bool { return visibility != "" }) {
		r.delete.Visibility = of
	}
}

func visibilityOf(with *Attributes) string {
	if with == nil {
		return ""
	}
	return with.Visibility
}

func (c *compiler) ttl(key string, ttl time.Duration) {
	if ttl != 0 && ttl < time.Millisecond {
		c.bad(key, ttl.String(), "a cell lives a millisecond or longer")
	}
}

func (c *compiler) visibility(key, text string) {
	if err := checkVisibility(text); text != "" && err != nil {
		c.bad(key, text, "%v", err)
	}
}

var errVisibility = errors.New("a visibility is an expression of labels with &, |, ! and parentheses, as in secret&!public; a label has letters, digits and _ - : . /, or stands in double quotes")

// checkVisibility says what is wrong with an expression, which HBase would refuse record by record.
func checkVisibility(text string) error {
	rest, ok := visibilityTerms(text, 0)
	if !ok || rest != "" {
		return errVisibility
	}
	return nil
}

// visibilityTerms reads terms with & or | between them, and gives what follows.
func visibilityTerms(s string, depth int) (rest string, ok bool) {
	for {
		if s, ok = visibilityTerm(strings.TrimLeft(s, " "), depth); !ok {
			return s, false
		}
		s = strings.TrimLeft(s, " ")
		if s == "" || s[0] != '&' && s[0] != '|' {
			return s, true
		}
		s = s[1:]
	}
}

// visibilityTerm reads a label, its negation, or terms in parentheses.
func visibilityTerm(s string, depth int) (rest string, ok bool) {
	const deepest = 100
	switch {
	case s == "" || depth > deepest:
		return s, false
	case s[0] == '!':
		if strings.HasPrefix(s, "!!") {
			return s, false
		}
		return visibilityTerm(s[1:], depth+1)
	case s[0] == '(':
		rest, ok = visibilityTerms(s[1:], depth+1)
		after, closed := strings.CutPrefix(rest, ")")
		return after, ok && closed
	case s[0] == '"':
		return quotedLabel(s[1:])
	}
	rest = strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:./")
	return rest, len(rest) < len(s)
}

// quotedLabel reads up to the closing quote. In a label only quotes and backslashes have a backslash before them.
func quotedLabel(s string) (rest string, ok bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return s[i+1:], i > 0
		case '\\':
			i++
			if i == len(s) || s[i] != '"' && s[i] != '\\' {
				return s, false
			}
		}
	}
	return s, false
}
