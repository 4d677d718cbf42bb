package mapping

import (
	"fmt"
	"slices"

	"rowmark/rowkey"
)

// tombstone settles what a record without a value does, and what a row delete empties.
func (c *compiler) tombstone(r *rule, s *Spec) {
	for i, f := range s.DeleteFamilies {
		c.family(fmt.Sprintf(".delete_families[%d]", i), f)
	}
	given := s.DeleteFamilies != nil
	if !given {
		for i := range r.columns {
			if col := &r.columns[i]; !col.counts() && !slices.Contains(s.DeleteFamilies, string(col.Family)) {
				s.DeleteFamilies = append(s.DeleteFamilies, string(col.Family))
			}
		}
		slices.Sort(s.DeleteFamilies)
	}
	unset := s.OnTombstone == ""
	c.oneOf(".on_tombstone", &s.OnTombstone, "delete-row", "ignore")
	if s.OnTombstone != "delete-row" {
		if given {
			c.bad(".delete_families", "", "it belongs to on_tombstone: delete-row")
		}
		s.DeleteFamilies = nil
		return
	}
	r.deleteRow = true
	for _, f := range s.DeleteFamilies {
		r.families = append(r.families, []byte(f))
	}
	why := r.noRowDelete()
	switch {
	case why == "":
	case unset:
		c.bad(".on_tombstone", "", "%s: set on_tombstone: ignore", why)
	default:
		c.bad(".on_tombstone", "delete-row", "%s", why)
	}
}

// noRowDelete gives the reason why a tombstone can't delete a row, if there is one.
func (r *rule) noRowDelete() string {
	if len(r.families) == 0 {
		return "the mapping puts into no family, and counters take no row delete"
	}
	if r.row == nil {
		return ""
	}
	for _, ref := range r.row.Refs() {
		switch ref.Root {
		case rowkey.RootValue, rowkey.RootOffset, rowkey.RootTimestamp:
			return fmt.Sprintf("a tombstone can't tell its row: the row key is made of %s, which a tombstone lacks or has of its own", ref.String())
		}
	}
	return ""
}
