package pure

import (
	"fmt"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// write sends the groups region by region, each call an effect of its own.
func (p *process) write(a *core.Write, pt Point) {
	w := p.w
	calls := make([][]*core.Group, w.s.regions)
	seen := map[string]bool{}
	for _, g := range a.Groups {
		row := string(g.Write.Row)
		// A server reads a row's state once for a call: of two increments of one counter the first would be lost.
		if seen[row] {
			w.fail("row %s of %s twice in one write", row, a.Table)
		}
		seen[row] = true
		if key := fmt.Sprint(p.id, " ", groupKey(g)); g.Write.Condition != nil {
			if w.flying[key] {
				w.fail("two writes of row %s of %s in flight at once", row, a.Table)
			}
			w.flying[key] = true
		}
		n := int(row[0]-'a') % w.s.regions
		calls[n] = append(calls[n], g)
	}
	for _, gs := range calls {
		if gs != nil {
			p.call(a.Table, a.Mode, gs, pt)
			pt.Part++
		}
	}
}

// call sends one call.
func (p *process) call(table string, mode hbase.Mode, gs []*core.Group, pt Point) {
	w := p.w
	answer := func(res []hbase.WriteResult) {
		pt.At = Answered
		w.after(delay(pt, 1), func() {
			if !p.dead {
				for _, g := range gs {
					delete(w.flying, fmt.Sprint(p.id, " ", groupKey(g)))
				}
			}
			p.deliver(core.Written{Groups: gs, Results: res}, &pt)
		})
	}
	same := func(r hbase.WriteResult) []hbase.WriteResult {
		out := make([]hbase.WriteResult, len(gs))
		for i := range out {
			out[i] = r
		}
		return out
	}
	switch {
	case w.s.Special == Fallback && mode == hbase.ModeRegion:
		answer(same(refused(hbase.FaultUnsupported, "no such coprocessor")))
		return
	case p.rough("busy", 7, 2):
		answer(same(refused(hbase.FaultBusy, "busy")))
		return
	case p.rough("lost", 5, 3):
		w.after(30*time.Millisecond, func() { answer(same(unknown)) })
		return
	}
	silent := p.rough("answer", 5, 1)
	p.begin(delay(pt, 0), func(half bool) {
		res := w.store.call(table, mode, gs, half)
		if w.trace != nil {
			for i, g := range gs {
				w.logf("p%d write %s %s [%d, %d): %v %v", p.id, table, g.Write.Row, g.First, g.Next, res[i].Outcome, res[i].Err)
			}
		}
		p.landed(pt)
		if silent {
			w.after(30*time.Millisecond, func() { answer(same(unknown)) })
			return
		}
		answer(res)
	})
}
