package reprocess

import (
	"slices"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

// Records outside of the window count for the floors of their rows. Behind a record of the window, in a row that it wrote,
// two kinds are sent again, since HBase would now show the row otherwise than the log has it:
//
//   - What has the timestamp of a cell that the run wrote: of two such cells the one that arrived last stays.
//   - Deletes: those that hid the record's cells may be gone since a major compaction, and in families with
//     NEW_VERSION_BEHAVIOR they hide nothing that arrives later.
//
// Both go at the times that they had, so that sending them once more changes nothing else. Sums and lists are left out: they
// count as they stand.

// replay sends what a record of the window does to a row.
func (s *state) replay(out []mapping.RowOps, o *mapping.RowOps) []mapping.RowOps {
	if s.stage.fresh[o.Table] {
		return append(out, *o) // nothing but this run wrote there
	}
	id := s.rows.id(o)
	t := s.rows.of(id)
	if !t.touched() {
		s.counts.rows.Add(1)
	}
	if o.LogOrder {
		out, t.run = core.Settle(out, o, max(t.live, t.run, s.base))
	} else {
		if !t.touched() {
			t.live = o.Time
		}
		out, t.live, t.run = append(out, *o), min(t.live, o.Time), max(t.run, o.Time)
	}
	s.rows.set(id, t)
	return out
}

// count has a record's operations on a row count for its floor, and gives the time that they take effect at.
func (s *state) count(o *mapping.RowOps) int64 {
	if !o.LogOrder || s.stage.left[o.Table] {
		return o.Time
	}
	id := s.rows.id(o)
	t := s.rows.of(id)
	s.settled, t.live = core.Settle(s.settled[:0], o, max(t.live, s.base))
	s.keep(id, t)
	at := o.Time
	for i := range s.settled {
		at = max(at, s.settled[i].Time)
	}
	return at
}

// keep remembers a row's floor where a record of the window may still need it.
func (s *state) keep(id rowID, t rowTimes) {
	if t.touched() || s.offset < s.part.Last && t.live > s.part.oldest {
		s.rows.set(id, t)
	}
}

// follow sends what has to be sent again of a record outside of the window.
func (s *state) follow(out []mapping.RowOps, o *mapping.RowOps) []mapping.RowOps {
	switch {
	case s.stage.left[o.Table]:
		return out
	case !o.LogOrder:
		return s.followTime(out, o)
	}
	id := s.rows.id(o)
	t := s.rows.of(id)
	floor := max(t.live, s.base)
	s.settled, t.live = core.Settle(s.settled[:0], o, floor)
	switch {
	case !t.touched():
	case meets(s.settled, t.run):
		s.settled, t.run = core.Settle(s.settled[:0], o, max(floor, t.run))
		out = s.whole(out, s.settled)
	default:
		out = s.deletes(out, s.settled)
	}
	s.keep(id, t)
	return out
}

// followTime is follow for order: time. There a put may be older than a delete before it, so that deletes count that came
// before any record of the window.
func (s *state) followTime(out []mapping.RowOps, o *mapping.RowOps) []mapping.RowOps {
	t := s.rows.of(s.rows.id(o))
	if t.touched() && o.Time >= t.live && o.Time <= t.run && puts(o) {
		return s.whole(out, []mapping.RowOps{*o})
	}
	if t.touched() || s.offset < s.part.Last {
		return s.deletes(out, []mapping.RowOps{*o})
	}
	return out
}

// whole sends settled operations but for what they count.
func (s *state) whole(out, settled []mapping.RowOps) []mapping.RowOps {
	s.counts.followers.Add(1)
	return sendOnly(out, settled, func(c *mapping.CellOp) bool { return c.Kind == mapping.CellPut || c.Kind == mapping.CellDeleteColumn })
}

// deletes sends the deletes of settled operations.
func (s *state) deletes(out, settled []mapping.RowOps) []mapping.RowOps {
	before := len(out)
	out = sendOnly(out, settled, func(c *mapping.CellOp) bool { return c.Kind == mapping.CellDeleteColumn })
	if len(out) > before {
		s.counts.deletes.Add(1)
	}
	return out
}

// sendOnly adds settled operations to out, of their cells only some.
func sendOnly(out, settled []mapping.RowOps, some func(*mapping.CellOp) bool) []mapping.RowOps {
	for i := range settled {
		o := settled[i]
		o.Cells = only(o.Cells, some)
		if o.Delete != nil || len(o.Cells) > 0 {
			out = append(out, o)
		}
	}
	return out
}

// meets says whether settled operations fall on cells that the run wrote, up to the floor that it left: a put of the same
// time, or a delete that would not reach them all.
func meets(settled []mapping.RowOps, run int64) bool {
	return slices.ContainsFunc(settled, func(o mapping.RowOps) bool {
		deletes := o.Delete != nil || slices.ContainsFunc(o.Cells, func(c mapping.CellOp) bool { return c.Kind == mapping.CellDeleteColumn })
		return deletes && o.Time < run || puts(&o) && o.Time <= run
	})
}

func puts(o *mapping.RowOps) bool {
	return slices.ContainsFunc(o.Cells, func(c mapping.CellOp) bool { return c.Kind == mapping.CellPut })
}

// only gives the cells of a kind; all of them as they are.
func only(cells []mapping.CellOp, of func(*mapping.CellOp) bool) []mapping.CellOp {
	n := 0
	for i := range cells {
		if of(&cells[i]) {
			n++
		}
	}
	if n == len(cells) {
		return cells
	}
	var out []mapping.CellOp
	for i := range cells {
		if of(&cells[i]) {
			out = append(out, cells[i])
		}
	}
	return out
}
