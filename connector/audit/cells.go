package audit

import (
	"bytes"
	"fmt"
	"slices"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// claim is what one source says of one column.
type claim struct {
	*view
	col *column // nil: only its family was deleted
	// live says that a cell must be there, at a time from least to most; else none up to least.
	live        bool
	least, most int64
	offset      int64 // of the record that says so
	deleted     int64 // the column was deleted up to this time or later; none: it was not
	label       bool  // of the cell that is put or deleted: not all readers see it
}

// cells judges every column that the row holds, or should hold.
func (j *judgement) cells() {
	seen := map[string]bool{}
	judge := func(name *mapping.ColumnName) {
		if key := string(name.Family) + ":" + string(name.Qualifier); !seen[key] {
			seen[key] = true
			j.column(name)
		}
	}
	for i := range j.views {
		for k := range j.views[i].columns {
			judge(j.views[i].columns[k].ColumnName)
		}
	}
	for i := range j.have {
		if c := &j.have[i]; j.row.table.holdsData(c.Family) {
			judge(&mapping.ColumnName{Family: c.Family, Qualifier: c.Qualifier})
		}
	}
}

func (j *judgement) column(name *mapping.ColumnName) {
	var claims []claim
	counted := 0
	for i := range j.views {
		v := &j.views[i]
		if v.missing {
			continue
		}
		if c, some := v.claim(name); some {
			claims = append(claims, c)
			if c.col != nil && c.col.counts() {
				counted++
			}
		}
	}
	cell := j.cell(name)
	switch {
	case counted > 0 && counted == len(claims):
		j.count(name, claims, cell)
	case counted > 0:
		for i := range claims {
			claims[i].outcome.leave(openSources)
		}
	case len(claims) == 0 && cell != nil:
		j.beside(name, cell)
	default:
		for i := range claims {
			j.settle(&claims[i], claims, name, cell)
		}
	}
}

// claim gives what the source says of a column, if it says anything.
func (v *view) claim(name *mapping.ColumnName) (claim, bool) {
	c := claim{view: v, col: v.find(v.source.names.of(name)), offset: none, deleted: none}
	for i := range v.emptied {
		if e := &v.emptied[i]; bytes.Equal(e.family, name.Family) {
			c.deleted, c.offset, c.label = max(c.deleted, e.at), max(c.offset, e.offset), c.label || e.visibility != ""
		}
	}
	if c.col == nil {
		c.least, c.most = c.deleted, c.upTo(c.deleted)
		return c, c.deleted != none
	}
	c.deleted = max(c.deleted, c.col.deletedAt)
	c.offset = max(c.offset, c.col.offset)
	c.live, c.least = c.col.live, c.deleted
	if c.live {
		c.least, c.offset, c.label = c.col.at, c.col.offset, visibilityOf(c.col.with) != ""
	}
	c.most = c.upTo(c.least)
	if c.col.timed {
		c.most = c.least
	}
	return c, true
}

// upTo is the latest that something can be of which the least time is known.
func (v *view) upTo(least int64) int64 {
	if v.source.exact {
		return least
	}
	return max(least, v.newest)
}

// matches says that the cell is what the source put.
func (c *claim) matches(cell *hbase.Cell) bool {
	return c.live && cell.Timestamp >= c.least && cell.Timestamp <= c.most && hashOf(0, cell.Value) == c.col.sum && int64(len(cell.Value)) == c.col.size
}

// refused says that what the claim rests on was refused by HBase, as the row's mark tells.
func (c *claim) refused() bool {
	return c.mark.Barred != "" && c.mark.Next == c.last+1 && c.offset == c.last
}

// settle judges what one source says of a column that is put and deleted.
func (j *judgement) settle(c *claim, all []claim, name *mapping.ColumnName, cell *hbase.Cell) {
	switch {
	case c.refused():
		c.outcome.leave(openRefused)
	case c.col != nil && c.col.doubt:
		c.outcome.leave(openTimes)
	case cell == nil && !c.live:
	case cell == nil || c.live && cell.Timestamp < c.least:
		j.behind(c, all, name, cell)
	case slices.ContainsFunc(all, func(o claim) bool { return o.matches(cell) }):
	case !j.known():
		c.outcome.leave(openOthers)
	case c.past || j.early(c):
		c.outcome.leave(openPast)
	case !c.live && cell.Timestamp <= c.least && c.label:
		c.outcome.leave(openLabelled)
	case !c.live && cell.Timestamp <= c.least:
		j.find(c.view, Stale, name, c.offset, "the cell is as old as what this record deleted, or older")
	case c.live && cell.Timestamp <= c.most && c.col.hasBefore && hashOf(0, cell.Value) == c.col.before:
		j.find(c.view, Stale, name, c.offset, "the cell holds the value of an older record")
	case !c.live && cell.Timestamp <= c.most:
		c.outcome.leave(openFloor)
	case cell.Timestamp <= c.most:
		j.find(c.view, Unexplained, name, c.offset, "the cell has the time of this record and another value: another writer, or another mapping")
	default:
		j.find(c.view, Unexplained, name, c.offset, "the cell is newer than anything of this source: another writer")
	}
}

// known says that whatever wrote the row as part of this sink is before us: one source alone, or several to their ends.
func (j *judgement) known() bool {
	if j.others || len(j.views) == 1 {
		return !j.others
	}
	return !slices.ContainsFunc(j.views, func(v view) bool { return v.past || v.missing || !v.source.whole })
}

// early says that a record before the range may have written a newer cell, since some mapping has order: time.
func (j *judgement) early(c *claim) bool { return j.row.table.timed && !c.source.whole }

// behind judges a column in which a put of the source is missing: nothing is there, or an older cell.
func (j *judgement) behind(c *claim, all []claim, name *mapping.ColumnName, cell *hbase.Cell) {
	hides := func(d claim) bool { return d.view != c.view && d.deleted != none && d.upTo(d.deleted) >= c.least }
	switch {
	case j.excuse(c):
	case slices.ContainsFunc(all, hides), !j.known() && j.row.table.deletes:
		c.outcome.leave(openDeletes)
	case cell == nil && (c.past || j.early(c)) && j.row.table.deletes:
		c.outcome.leave(openPast)
	case cell == nil:
		j.find(c.view, Lost, name, c.offset, "this record put a cell, which is not there")
	default:
		j.find(c.view, Stale, name, c.offset, "the cell is older than this record, which should have written it")
	}
}

// clockSlack is how far HBase's clock may be ahead of this one, milliseconds.
const clockSlack = 60_000

// excuse says whether a cell that is put may rightly not be shown.
func (j *judgement) excuse(c *claim) bool {
	ttl := j.row.table.ttls[string(c.col.Family)]
	if with := c.col.with; with != nil && with.TTL > 0 && (ttl == 0 || with.TTL < ttl) {
		ttl = with.TTL
	}
	switch {
	case ttl > 0 && c.least+ttl <= j.now+clockSlack:
		c.outcome.excused = append(c.outcome.excused, "expired")
	case c.label:
		c.outcome.excused = append(c.outcome.excused, "visibility")
	default:
		return false
	}
	return true
}

// beside judges a cell of which no record of the range speaks.
func (j *judgement) beside(name *mapping.ColumnName, cell *hbase.Cell) {
	if j.others || len(j.views) > 1 {
		return // the others may have written it
	}
	v := &j.views[0]
	switch {
	case v.missing || v.past:
	case v.source.exact:
		j.find(v, Unexplained, name, none, "no record of this source writes the cell: another writer, or an earlier mapping")
	case j.row.table.counting || j.row.table.timed || v.mark.Floor == 0:
		// Counters bear the time of the server, and what was put in order of time may bear any.
	case cell.Timestamp > v.mark.Floor:
		j.find(v, Unexplained, name, none, fmt.Sprintf("the cell is newer than anything of this source, which is at %d at the most: another writer", v.mark.Floor))
	}
}
