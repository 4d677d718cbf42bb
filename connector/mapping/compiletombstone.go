package mapping

import (
	"fmt"
	"slices"

	"rowmark/rowkey"
)

// tombstone settles what a record without a value does, and what a row delete empties.
func (c *compiler) tombstone(r *rule, s *Spec) {
	given := s.DeleteFamilies != nil
	c.deleteFamilies(r, s)
	unset := s.OnTombstone == ""
	why := r.noRowDelete()
	if unset && r.events != nil && why != "" {
		s.OnTombstone = "ignore" // the row was deleted by the event before it
	}
	c.oneOf(".on_tombstone", &s.OnTombstone, "delete-row", "ignore")
	r.deleteRow = s.OnTombstone == "delete-row"
	switch {
	case !r.deleteRow || why == "":
	case unset:
		c.bad(".on_tombstone", "", "%s: set on_tombstone: ignore", why)
	default:
		c.bad(".on_tombstone", "delete-row", "%s", why)
	}
	if r.events != nil && r.events.deleteRow && len(r.delete.Families) == 0 {
		c.bad(".on_delete", "", "%s: set on_delete: ignore", onlyCounters)
	}
	c.replace(r, s)
	if r.empties() {
		c.deleteVisibility(r, s)
		return
	}
	if given {
		c.bad(".delete_families", "", "it belongs to on_tombstone: delete-row, to replace: true, or of change events to on_delete: delete-row")
	}
	s.DeleteFamilies, r.delete.Families = nil, nil
}

func (c *compiler) deleteFamilies(r *rule, s *Spec) {
	for i, f := range s.DeleteFamilies {
		c.family(fmt.Sprintf(".delete_families[%d]", i), f)
	}
	if s.DeleteFamilies == nil {
		for i := range r.columns {
			if col := &r.columns[i]; !col.counts() && !slices.Contains(s.DeleteFamilies, string(col.Family)) {
				s.DeleteFamilies = append(s.DeleteFamilies, string(col.Family))
			}
		}
		slices.Sort(s.DeleteFamilies)
	}
	for _, f := range s.DeleteFamilies {
		r.delete.Families = append(r.delete.Families, []byte(f))
	}
}

// replace checks what replace: true rests on.
func (c *compiler) replace(r *rule, s *Spec) {
	r.replace = s.Replace
	switch {
	case !s.Replace:
	case r.events != nil:
		c.bad(".replace", "true", "a change event may leave out what did not change, and that would be dropped")
	case !r.logOrder:
		c.bad(".replace", "true", "it needs order: log, since of two records of one millisecond neither would drop the other's columns")
	case len(r.delete.Families) == 0:
		c.bad(".replace", "true", "the mapping puts into no family, and counters are not replaced")
	}
}

const onlyCounters = "the mapping puts into no family, and counters take no row delete"

// noRowDelete gives the reason why a tombstone can't delete a row, if there is one.
func (r *rule) noRowDelete() string {
	if len(r.delete.Families) == 0 {
		return onlyCounters
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
	switch ref.Root {
	case rowkey.RootValue, rowkey.RootOffset, rowkey.RootTimestamp, rowkey.RootEvent, rowkey.RootBefore:
		return true
	}
	return false
}
