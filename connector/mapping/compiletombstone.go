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
	r.deleteRow = s.OnTombstone == "delete-row"
	r.replace = s.Replace
	if !r.empties() {
		if given {
			c.bad(".delete_families", "", "it belongs to on_tombstone: delete-row or replace: true")
		}
		s.DeleteFamilies = nil
		return
	}
	for _, f := range s.DeleteFamilies {
		r.families = append(r.families, []byte(f))
	}
	c.replace(r, s)
	c.deleteVisibility(r, s)
	if !r.deleteRow {
		return
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

// replace checks what replace: true rests on.
func (c *compiler) replace(r *rule, s *Spec) {
	switch {
	case !s.Replace:
	case !r.logOrder:
		c.bad(".replace", "true", "it needs order: log, since of two records of one millisecond neither would drop the other's columns")
	case len(r.families) == 0:
		c.bad(".replace", "true", "the mapping puts into no family, and counters are not replaced")
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
		if ofRecord(&ref) {
			return fmt.Sprintf("a tombstone can't tell its row: the row key is made of %s, which a tombstone lacks or has of its own", ref.String())
		}
	}
	if r.route == nil {
		return ""
	}
	for i := range r.route.text.parts {
		if ref := r.route.text.parts[i].ref; ref != nil && ofRecord(ref) {
			return fmt.Sprintf("a tombstone can't tell its table: that is named by %s, which a tombstone lacks or has of its own", ref.String())
		}
	}
	return ""
}

// ofRecord says that a field tells one record of a key from another.
func ofRecord(ref *rowkey.Ref) bool {
	return ref.Root == rowkey.RootValue || ref.Root == rowkey.RootOffset || ref.Root == rowkey.RootTimestamp
}
