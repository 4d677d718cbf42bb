package mapping

import (
	"fmt"
	"slices"
)

// clashes refuses what two rules, or two columns of one, would do to each other in silence.
func (c *compiler) clashes(rules []*rule) {
	c.at = ""
	for i, a := range rules {
		for j, b := range rules[:i+1] {
			if !a.shares(b) {
				continue
			}
			c.counters(i, j, a, b)
			if i != j {
				c.counters(j, i, b, a)
			}
			if i == j || a.meets(b) {
				c.twice(i, j, a, b)
				c.replaced(i, j, a, b)
				c.replaced(j, i, b, a)
				if family := a.deletesElse(b); family != "" {
					c.bad(fmt.Sprintf("[%d].visibility", i), a.spec.Visibility, "tables[%d] deletes the same rows from the same record, and in the family %s cells of another visibility: with order: time both deletes are one cell to HBase, so that one of them would be lost: give each a family of its own, or set order: log", j, family)
				}
				if a.logOrder != b.logOrder {
					c.bad(fmt.Sprintf("[%d].order", i), a.spec.Order, "tables[%d] writes the same rows from the same topic with order: %s", j, b.spec.Order)
				}
			}
		}
	}
}

func (r *rule) matches(name string) bool {
	return slices.ContainsFunc(r.topics, func(t topic) bool { return t.matches(name) })
}

func (r *rule) meets(other *rule) bool {
	for _, t := range r.topics {
		if slices.ContainsFunc(other.topics, t.meets) {
			return true
		}
	}
	return false
}

func columnPath(i int, col *column) string { return fmt.Sprintf("[%d].columns[%d]", i, col.at) }

// counters refuses puts and deletes that meet the increments and appends of rule a: the server stamps those with
// its own clock, and the others carry the record's time, so that the outcome would depend on both clocks.
func (c *compiler) counters(i, j int, a, b *rule) {
	for k := range a.columns {
		col := &a.columns[k]
		if !col.counts() {
			continue
		}
		for l := range b.columns {
			d := &b.columns[l]
			if i == j && k == l || d.kind == col.kind || d.counts() && (j > i || i == j && l > k) || !col.covers(d) {
				continue
			}
			c.bad(columnPath(i, col)+".op", a.spec.Columns[col.at].Op, "tables%s does something else to this column: a column that is incremented or appended to takes nothing else, since its cells carry the server's time", columnPath(j, d))
		}
		if b.empties() && slices.Contains(b.spec.DeleteFamilies, string(col.Family)) {
			c.bad(columnPath(i, col)+".op", a.spec.Columns[col.at].Op, "tables[%d] deletes rows of the family %s, which would lose counts made in the same moment: put counters into a family of their own, or name the others in delete_families", j, col.Family)
		}
	}
}

// twice refuses two columns that one record would both write.
func (c *compiler) twice(i, j int, a, b *rule) {
	for k := range a.columns {
		for l := range b.columns {
			if i == j && l >= k {
				break
			}
			if p, q := &a.columns[k], &b.columns[l]; !p.counts() && !q.counts() && p.covers(q) {
				key := ".to"
				if p.wild != nil {
					key = ".to_family"
				}
				c.bad(columnPath(i, p)+key, "", "tables%s may write the same column from the same record, and one would hide the other: name another column%s", columnPath(j, q), exceptHint(p, q))
			}
		}
	}
}

// replaced refuses a mapping whose replace: true would drop what another one makes of the same record.
func (c *compiler) replaced(i, j int, a, b *rule) {
	if i == j || !a.replace {
		return
	}
	if family := a.drops(b); family != "" {
		c.bad(fmt.Sprintf("[%d].replace", i), "true", "tables[%d] puts into the family %s of the same rows from the same record, and that would be dropped: name the families to replace in delete_families", j, family)
	}
}

// drops gives a family that a's records empty and b's put into, if there is one.
func (r *rule) drops(b *rule) string {
	for i := range b.columns {
		if f := string(b.columns[i].Family); slices.Contains(r.spec.DeleteFamilies, f) {
			return f
		}
	}
	return ""
}

// deletesElse gives a family in which row deletes of both reach cells of different visibilities at one time, if there is
// one. In the order of the log the later delete is a millisecond later.
func (r *rule) deletesElse(other *rule) string {
	if r == other || r.logOrder {
		return ""
	}
	for k, family := range r.delete.Families {
		l := slices.IndexFunc(other.delete.Families, func(f []byte) bool { return string(f) == string(family) })
		if l >= 0 && r.delete.of(k) != other.delete.of(l) {
			return string(family)
		}
	}
	return ""
}

// of is the visibility of the k-th family's cells.
func (d *RowDelete) of(k int) string {
	if d.Visibility == nil {
		return ""
	}
	return d.Visibility[k]
}

func exceptHint(p, q *column) string {
	if (p.wild != nil) != (q.wild != nil) {
		return ", or leave the field out of the wildcard with except"
	}
	return ""
}

// twiceOn gives the reason why two rules can't both take one topic, for patterns that only meet when it comes.
func twiceOn(a, b *rule) error {
	if !a.shares(b) {
		return nil
	}
	if a.logOrder != b.logOrder {
		return fmt.Errorf("two mappings match this topic and write to table %s, one with order: log and one with order: time: narrow the patterns", a.spec.Table)
	}
	if a.replace && a.drops(b) != "" || b.replace && b.drops(a) != "" {
		return fmt.Errorf("two mappings match this topic, and one with replace: true would drop what the other puts into table %s: narrow the patterns", a.spec.Table)
	}
	if family := a.deletesElse(b); family != "" {
		return fmt.Errorf("two mappings match this topic and delete the same rows of table %s, and in the family %s cells of different visibilities, of which with order: time one would stay: narrow the patterns", a.spec.Table, family)
	}
	for k := range a.columns {
		for l := range b.columns {
			if p, q := &a.columns[k], &b.columns[l]; !p.counts() && !q.counts() && p.covers(q) {
				return fmt.Errorf("two mappings match this topic and may write the same column of table %s from one record: narrow the patterns", a.spec.Table)
			}
		}
	}
	return nil
}
