package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// choice is how a record names the family of a column. The column is compiled once for each family that may come out, so
// that all that is checked of families is checked of each; of a record the first of them is asked, for all.
type choice struct {
	text     *template
	families []string
	columns  map[string]*column // by family
}

var errFamily = errors.New("it is none of those in families")

// columns compiles a rule for columns: one column, or one for each family that may come out.
func (c *compiler) columns(i int, s *Spec, r *rule) []column {
	col := c.column(fmt.Sprintf(".columns[%d]", i), &s.Columns[i], s.OnNull, r)
	col.at = i
	if col.choice == nil {
		return []column{col}
	}
	var out []column
	for _, family := range col.choice.families {
		one := col
		one.ColumnName = &ColumnName{[]byte(family), col.Qualifier}
		col.choice.columns[family] = &one
		out = append(out, one)
	}
	return out
}

// choice checks the name of a family, and gives how a record names it; nil: it is fixed.
func (c *compiler) choice(key, family string, s *Column, r *rule) *choice {
	if !hasFields(family) {
		if s.Families != nil {
			c.bad(".families", "", `it belongs to a family that is named by fields, as in to: "${value.kind}:total"`)
		}
		c.family(key, family)
		return nil
	}
	if len(s.Families) == 0 {
		c.bad(key, family, "a family that is named by fields needs the list of those that may come out (families), so that they are checked at the start")
	}
	for i, f := range s.Families {
		at := fmt.Sprintf(".families[%d]", i)
		c.family(at, f)
		if slices.Contains(s.Families[:i], f) {
			c.bad(at, f, "it stands there twice")
		}
	}
	faults := len(c.problems)
	text, _ := c.template(key, family, r)
	if text == nil {
		if len(c.problems) == faults {
			c.bad(key, family, "the name of a family holds no ${")
		}
		return nil
	}
	return &choice{text: text, families: s.Families, columns: map[string]*column{}}
}

// cutColumn parts family:qualifier at the first colon that is not inside of a field.
func cutColumn(to string) (family, qualifier string, ok bool) {
	for i := 0; i < len(to); i++ {
		if inner, field := strings.CutPrefix(to[i:], "${"); field {
			end := strings.IndexByte(inner, '}')
			if end < 0 {
				break
			}
			i += len("${") + end
		} else if to[i] == ':' {
			return to[:i], to[i+1:], true
		}
	}
	return to, "", false
}

// follows says whether an earlier column is asked in place of this one.
func (c *column) follows() bool { return c.choice != nil && string(c.Family) != c.choice.families[0] }

// choose gives the column of the family that the record names.
func (w *worker) choose(c *column) (*column, error) {
	if c.choice == nil {
		return c, nil
	}
	text, err := w.fill(c.choice.text)
	if err == nil {
		if chosen := c.choice.columns[string(text)]; chosen != nil {
			return chosen, nil
		}
		err = errFamily
	}
	return nil, fmt.Errorf("naming the family of column %s: %w", c.choice.text.text, err)
}
