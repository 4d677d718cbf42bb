package audit

import (
	"encoding/binary"
	"slices"
	"strconv"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// count judges a column that is incremented or appended to.
func (j *judgement) count(name *mapping.ColumnName, claims []claim, cell *hbase.Cell) {
	if reason := j.uncountable(name, claims); reason != "" {
		for i := range claims {
			claims[i].outcome.leave(reason)
		}
		return
	}
	last := &claims[0]
	var sum int64
	for i := range claims {
		sum += claims[i].col.delta
		if claims[i].offset > last.offset {
			last = &claims[i]
		}
	}
	switch {
	case cell == nil:
		j.find(last.view, Lost, name, last.offset, "what these records count is not there")
	case last.col.kind == mapping.CellAppend:
		j.list(name, last, cell)
	default:
		j.sum(name, last, sum, cell)
	}
}

// uncountable says why a counter or list can't be judged; empty: it can.
func (j *judgement) uncountable(name *mapping.ColumnName, claims []claim) string {
	switch {
	case slices.ContainsFunc(j.views, func(v view) bool { return !v.source.whole }):
		return openRange
	case j.others:
		return openOthers
	case slices.ContainsFunc(j.views, func(v view) bool { return v.past }):
		return openCounted
	}
	for i := range claims {
		c := &claims[i]
		switch {
		case c.refused():
			return openRefused
		case c.label:
			return openLabelled
		case j.row.table.ttls[string(name.Family)] > 0 || c.col.with != nil && c.col.with.TTL > 0:
			return openLives
		case c.col.kind != claims[0].col.kind || c.col.kind == mapping.CellAppend && len(claims) > 1:
			return openSources
		}
	}
	return ""
}

func (j *judgement) list(name *mapping.ColumnName, c *claim, cell *hbase.Cell) {
	switch size := int64(len(cell.Value)); {
	case size > c.col.size:
		j.find(c.view, Doubled, name, c.offset, "the list is longer than what these records append")
	case size < c.col.size:
		j.find(c.view, Lost, name, c.offset, "the list is shorter than what these records append")
	case hashOf(0, cell.Value) != c.col.sum:
		j.find(c.view, Unexplained, name, c.offset, "the list is as long as what these records append, and holds something else")
	}
}

func (j *judgement) sum(name *mapping.ColumnName, c *claim, want int64, cell *hbase.Cell) {
	if len(cell.Value) != 8 {
		j.find(c.view, Unexplained, name, c.offset, "the cell is no counter")
		return
	}
	have := int64(binary.BigEndian.Uint64(cell.Value))
	var f *Finding
	switch {
	case have == want:
		return
	case have > want:
		f = j.find(c.view, Doubled, name, c.offset, "the counter is more than what these records add up to")
	default:
		f = j.find(c.view, Lost, name, c.offset, "the counter is less than what these records add up to")
	}
	if j.Values {
		h, w := strconv.FormatInt(have, 10), strconv.FormatInt(want, 10)
		f.Have, f.Want = &h, &w
	}
}
