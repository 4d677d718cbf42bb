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
	if r.events != nil && r.events.deleteRow && len(r.families) == 0 {
		c.bad(".on_delete", "", "%s: set on_delete: ignore", onlyCounters)
	}
	if r.deletesRows() {
		return
	}
	if given {
		c.bad(".delete_families", "", "it belongs to on_tombstone: delete-row, or of change events to on_delete: delete-row")
	}
	s.DeleteFamilies, r.families = nil, nil
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
		r.families = append(r.families, []byte(f))
	}
}

const onlyCounters = "the mapping puts into no family, and counters take no row delete"

// noRowDelete gives the reason why a tombstone can't delete a row, if there is one.
func (r *rule) noRowDelete() string {
	if len(r.families) == 0 {
		return onlyCounters
	}
	if r.row == nil {
		return ""
	}
	for _, ref := range r.row.Refs() {
		switch ref.Root {
		case rowkey.RootValue, rowkey.RootOffset, rowkey.RootTimestamp, rowkey.RootEvent, rowkey.RootBefore:
			return fmt.Sprintf("a tombstone can't tell its row: the row key is made of %s, which a tombstone lacks or has of its own", ref.String())
		}
	}
	return ""
}
