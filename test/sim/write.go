package main

import (
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// write sends the groups region by region; each call has its own fate.
func (p *process) write(a core.Write) {
	w := p.w
	byRegion := make([][]*core.Group, w.regions)
	for _, g := range a.Groups {
		r := uint64(0)
		for _, b := range g.Write.Row {
			r = r*31 + uint64(b)
		}
		n := int(r % uint64(w.regions))
		byRegion[n] = append(byRegion[n], g)
	}
	for _, gs := range byRegion {
		if len(gs) > 0 {
			p.call(a.Table, a.Mode, gs)
		}
	}
}

func (p *process) answer(gs []*core.Group, res []hbase.WriteResult) {
	p.later(core.Written{Groups: gs, Results: res})
}

func (p *process) answerAll(gs []*core.Group, out hbase.Outcome, err error) {
	res := make([]hbase.WriteResult, len(gs))
	for i := range res {
		res[i] = hbase.WriteResult{Outcome: out, Err: err}
	}
	p.answer(gs, res)
}

// call is one call to one region.
func (p *process) call(table string, mode hbase.Mode, gs []*core.Group) {
	w := p.w
	switch {
	case w.slip(writeBusy):
		p.answerAll(gs, hbase.Refused, errBusy)
		return
	case w.slip(writeUnsorted):
		p.answerAll(gs, hbase.Refused, errUnsorted)
		return
	}
	if ms, moved := w.hit(writeMoved); moved {
		// It may come back split or merged, on a server with another clock.
		w.regions = 1 + int(ms.Milliseconds())%4
		w.skew = ms.Milliseconds()%2000 - 1000
		p.answerAll(gs, hbase.Refused, errMoved)
		return
	}
	if w.slip(writeLost) {
		p.giveUp(gs)
		return
	}
	if mode != hbase.ModeRegion && len(gs) > 1 {
		if ms, part := w.hit(writePartial); part {
			n := 1 + int(ms)%(len(gs)-1)
			p.giveUp(gs[n:])
			gs = gs[:n]
		}
	}
	if ms, slow := w.hit(writeSlow); slow {
		p.land(table, mode, gs, min(ms, 2*lease), true, nil)
		return
	}
	late, isLate := w.hit(writeLate)
	if isLate || w.slip(writeNoAnswer) {
		p.land(table, mode, gs, w.delay()+late, false, nil)
		p.giveUp(gs)
		return
	}
	first := p.land(table, mode, gs, w.delay(), true, nil)
	if again, twice := w.hit(writeDoubled); twice {
		p.land(table, mode, gs, w.delay()+again, false, first)
	}
}

// giveUp answers as a client does whose call timed out.
func (p *process) giveUp(gs []*core.Group) {
	p.w.after(callTimeout, func() { p.answerAll(gs, hbase.Unknown, errTimeout) })
}

// land lets a call reach the server, and gives what will come of it. A copy of a call that was refused with a reason does
// not come: to the core such a refusal says that the call is over, and no connection doubles one behind its answer.
func (p *process) land(table string, mode hbase.Mode, gs []*core.Group, after time.Duration, answered bool, original *[]hbase.WriteResult) *[]hbase.WriteResult {
	result := new([]hbase.WriteResult)
	w := p.w
	born := w.hbase.restores
	w.after(after, func() {
		if w.hbase.restores != born {
			if answered {
				p.answerAll(gs, hbase.Unknown, errTimeout)
			}
			return // the region was closed under it
		}
		if original != nil && slices.ContainsFunc(*original, func(r hbase.WriteResult) bool { return r.Outcome == hbase.Refused && r.Err != nil }) {
			return
		}
		w.hbase.from = p
		res := w.hbase.write(table, mode, gs)
		*result = res
		if w.traceOn {
			w.logf("p%d writes %s, %d rows:", p.id, table, len(gs))
			for i, g := range gs {
				w.logf("   %s [%d, %d) %s %v", g.Write.Row, g.First, g.Next, outcomes[res[i].Outcome], res[i].Err)
			}
		}
		if answered {
			p.answer(gs, res)
		}
	})
	return result
}
