package pure

import (
	"errors"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

func delay(pt Point, k int) time.Duration {
	return time.Duration(1+(pt.Action*7+pt.Part*3+k*5)%4) * time.Millisecond
}

// act carries out an action.
func (p *process) act(a core.Action, pt Point) {
	w := p.w
	switch a := a.(type) {
	case core.ReadCheckpoint:
		p.read(pt, func() core.Event {
			ev := core.CheckpointRead{TopicPartition: a.TopicPartition, Inst: a.Inst}
			if p.rough("read", 5, 2) {
				ev.Err = fault(hbase.FaultBusy, "busy")
				return ev
			}
			if c := w.store.checkpoints[a.Partition]; c != nil {
				row := *c
				ev.Row = &row
			}
			return ev
		})
	case core.SwapCheckpoint:
		p.swap(&a, pt)
	case core.ReadLog:
		p.parts[a.Partition].logs++
		p.read(pt, func() core.Event {
			ev := core.LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: w.readable(a.Partition)}
			if p.rough("log", 3, 1) {
				ev.Err = errAway
			}
			return ev
		})
	case core.Fetch:
		p.fetch(&a, pt)
	case core.CancelFetch:
		p.parts[a.Partition].fetch = 0
		p.landed(pt)
	case core.Write:
		p.write(&a, pt)
	case core.Look:
		p.read(pt, func() core.Event {
			ev := core.Looked{Rows: a.Rows, Marks: make([]core.Mark, len(a.Rows)), Errs: make([]error, len(a.Rows))}
			for i, r := range a.Rows {
				if p.rough("look", 6, 1) {
					ev.Errs[i] = fault(hbase.FaultBusy, "busy")
					continue
				}
				ev.Marks[i], ev.Errs[i] = w.store.mark(r.Table, r.Row, r.Name)
			}
			return ev
		})
	case *core.CheckWitness:
		p.read(pt, func() core.Event {
			m, err := w.store.mark(a.Table, a.Row, a.Name)
			return core.Witnessed{Check: a, Mark: m.Next, Err: err}
		})
	case core.Report:
		p.report(&a)
		p.landed(pt)
	default:
		w.fail("action %d of unknown type %T was asked for", pt.Action, a)
	}
}

var errAway = errors.New("the broker is away")

// rough says whether a call of a kind is disturbed: every n-th one, beginning with the k-th.
func (p *process) rough(kind string, n, k int) bool {
	w := p.w
	if w.s.Special != Rough || p.gen > 0 || w.first != nil {
		return false
	}
	w.counts[kind]++
	return w.counts[kind]%n == k
}

func (p *process) landed(pt Point) {
	pt.At = Landed
	p.reach(pt)
}

func (p *process) answer(pt Point, ev core.Event) {
	pt.At = Answered
	p.w.after(delay(pt, 1), func() { p.deliver(ev, &pt) })
}

// read looks at the world after a while, and brings the answer after another.
func (p *process) read(pt Point, look func() core.Event) {
	p.w.after(delay(pt, 0), func() {
		ev := look()
		p.landed(pt)
		p.answer(pt, ev)
	})
}

func (p *process) swap(a *core.SwapCheckpoint, pt Point) {
	w := p.w
	answer := func(r hbase.WriteResult) {
		p.answer(pt, core.Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: r})
	}
	if p.rough("swap-lost", 5, 4) {
		p.w.after(30*time.Millisecond, func() { answer(unknown) })
		return
	}
	silent := p.rough("swap-answer", 3, 2)
	p.begin(delay(pt, 0), func(bool) {
		ok := w.store.swap(a.Partition, a.Expect, a.Put)
		w.logf("p%d swap %s offset %d epoch %d ceiling %d: %v", p.id, a.TopicPartition, a.Put.Offset, a.Put.Epoch, a.Put.Ceiling, ok)
		if ok {
			w.checkSwap(a.Partition, &a.Put)
		}
		p.landed(pt)
		switch {
		case silent:
			w.after(30*time.Millisecond, func() { answer(unknown) })
		case ok:
			answer(hbase.WriteResult{Outcome: hbase.Applied})
		default:
			answer(hbase.WriteResult{Outcome: hbase.Refused})
		}
	})
}

func (p *process) fetch(a *core.Fetch, pt Point) {
	w := p.w
	s := p.parts[a.Partition]
	s.fetched, s.fetch = true, pt.Action+1
	version := p.core.Mapping()[0]
	if a.Stored != nil {
		version = a.Stored[0]
	}
	if w.trace != nil {
		w.logf("p%d fetch %s from %d until %d mapping %c", p.id, a.TopicPartition, a.At.Offset, a.Until, version)
	}
	tries := 0
	var look func()
	look = func() {
		if s.fetch != pt.Action+1 {
			return // cancelled
		}
		ev := core.Fetched{TopicPartition: a.TopicPartition, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: a.At.Offset, LeaderEpoch: 1, End: w.shown[a.Partition]}
		l := w.logs[a.Partition]
		switch {
		case a.At.TopicID != kafka.TopicID{} && a.At.TopicID != kafka.TopicID{l.topic}:
			ev.Err = &kafka.TopicChangedError{}
		case a.At.Offset < w.start[a.Partition]:
			ev.Err = &kafka.OutOfRangeError{}
		default:
			ev.Records, ev.Next = l.read(a.At.Offset, a.Until, w.shown[a.Partition], w.s.chunk, version)
			if tries++; ev.Next == a.At.Offset && tries < 4 && !p.dead {
				w.after(60*time.Millisecond, look)
				return
			}
		}
		p.landed(pt)
		p.w.after(delay(pt, 1), func() {
			if s.fetch == pt.Action+1 {
				s.fetch = 0
				pt.At = Answered
				p.deliver(ev, &pt)
			}
		})
	}
	w.after(delay(pt, 0), look)
}

// read gives the mapped records of [from, until) that can be read, up to n of them, and where to read on.
func (l *logFile) read(from, until, shown int64, n int, version byte) ([]core.Mapped, int64) {
	end := shown
	if until >= 0 {
		end = min(end, until)
	}
	all := l.mapped[version-'1']
	lo := 0
	for lo < len(all) && all[lo].Offset < from {
		lo++
	}
	hi := lo
	for hi < len(all) && all[hi].Offset < end {
		if hi-lo == n {
			return all[lo:hi], all[hi].Offset
		}
		hi++
	}
	return all[lo:hi:hi], max(from, end)
}

// note remembers what an event tells the harness, to name the actions that follow.
func (p *process) note(ev core.Event) {
	switch e := ev.(type) {
	case core.CheckpointRead:
		s := p.parts[e.Partition]
		if e.Err == nil {
			s.unsettled = false
			s.foreign = e.Row != nil && e.Row.Owner != core.Owner{} && e.Row.Owner[0] != byte(p.id+1)
		}
	case core.Swapped:
		s := p.parts[e.Partition]
		s.foreign = false
		s.unsettled = e.Result.Outcome != hbase.Applied && (e.Result.Outcome != hbase.Refused || e.Result.Err == nil)
		s.taken = s.taken || e.Result.Outcome == hbase.Applied
	case core.Written:
		for i, g := range e.Groups {
			p.last[groupKey(g)] = e.Results[i]
		}
	}
}

func groupKey(g *core.Group) string {
	name := ""
	if g.Write.Condition != nil {
		name = string(g.Write.Condition.Qualifier)
	}
	return name + " " + g.Table + " " + string(g.Write.Row)
}

func (p *process) report(r *core.Report) {
	w := p.w
	w.logf("p%d report %s %s offset %d: %v", p.id, w.reg.Report(int64(r.Kind)), r.TopicPartition, r.Offset, r.Err)
	s := p.parts[r.Partition]
	switch r.Kind {
	case core.ReportTaken:
		s.taken, s.end = true, nil
		if p.gen > 0 {
			w.takenOver()
		}
	case core.ReportSkipped, core.ReportLetter:
		w.skipped++
	case core.ReportRowMode:
		p.rows[r.Table] = true
	case core.ReportFailed, core.ReportFenced, core.ReportFinished, core.ReportReleased:
		s.end = r
		if r.Kind == core.ReportFailed && !r.Retry {
			w.fail("process %d gave up %s: %v", p.id, r.TopicPartition, r.Err)
		}
	}
}

// takenOver lets come what waits for a successor to have taken the source.
func (w *world) takenOver() {
	late := w.late
	w.late = nil
	for _, land := range late {
		w.after(4*time.Millisecond, land)
	}
	if w.plan.Way == PauseShort && w.first != nil && w.first.paused && !w.woken {
		w.woken = true
		z := w.first
		w.after(6*time.Millisecond, func() {
			z.resume()
			// What it may rightly own, because it was back first, its successor waits for.
			w.after(3*lease, func() {
				if z.outlived() {
					w.fail("unfenced: paused and outlived, process %d still runs %s after it came back: %v", z.id, 3*lease, z.core.Statuses())
				}
				z.stop()
			})
		})
	}
}
