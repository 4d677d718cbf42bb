package core

import (
	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// written takes the outcomes of groups. Applied goes on; refused and unknown look; the rest is tried again,
// in smaller parts where the server said that a row itself is wrong.
func (c *Core) written(e Written) {
	flight := 0
	for i, g := range e.Groups {
		t := g.row.tab
		flight = max(flight, t.flight) // all are of one table
		t.inFlight--
		t.flight -= g.bytes
		c.touchTable(t)
		res := e.Results[i]
		c.measure(t, g, flight, res)
		if g.inst != g.src.inst {
			continue
		}
		c.landed(g, res)
		c.touch(g.src)
		if g.row.dropped {
			continue
		}
		switch {
		case res.Outcome == hbase.Applied:
			c.applied(g)
		case res.Outcome == hbase.Refused && res.Err == nil:
			c.stats.Refused++
			t.counts.Refused++
			r := g.row
			r.looked++
			if r.looked > 1 {
				r.solo = true
			}
			if r.looked > 3 {
				c.restFor(r, 0, true)
			} else {
				c.look(r)
			}
		case res.Outcome == hbase.Refused:
			c.failed(g, res.Err)
		default:
			c.stats.Unknown++
			c.tried[RetryUnknown]++
			t.suspect = true
			c.reportRetry(g, res.Err)
			c.restFor(g.row, 0, !c.cfg.AtLeastOnce)
		}
	}
}

// landed notes what a write says of the ceiling: only what was refused with a reason has surely not been sent.
func (c *Core) landed(g *Group, res hbase.WriteResult) {
	s := g.src
	s.flying--
	if res.Outcome != hbase.Refused || res.Err == nil {
		s.sent = max(s.sent, g.Next)
	}
	if s.flying == 0 {
		s.maySend = 0
	}
}

func (c *Core) reportRetry(g *Group, err error) {
	if g.row.tries == 0 || g.row.tries == 5 {
		c.report(g.src.tp, Report{Kind: ReportRetry, Offset: g.First, Table: g.Table, Err: err})
	}
}

func (c *Core) applied(g *Group) {
	r, s, t := g.row, g.src, g.row.tab
	c.stats.Rows++
	t.counts.Rows++
	r.floor, r.known = g.floor, true
	r.mark, r.epoch, r.exact = g.Next, g.epoch, true
	r.tries, r.looked = 0, 0
	s.newest = max(s.newest, g.floor)
	// The answer may be old, if this process was paused: the table was there when the write was sent, or later.
	t.lastOK, t.checkTry = max(t.lastOK, g.at), 0
	if !c.cfg.AtLeastOnce {
		c.witness(s, t, Witness{Table: t.name, Row: g.Write.Row, Name: s.name, Mark: g.Next, Until: g.until}, g.at)
	}
	why := r.fence
	r.fence, r.barred = nil, nil
	if g.fence {
		r.barred = why
		if c.overdue(r, &r.pend[0]) {
			c.refused(r, why)
			return
		}
	}
	c.pop(r, g.take)
	c.next(r)
}

func (c *Core) skipped(s *source, offset int64, err error) {
	c.stats.Skipped++
	s.counts.Skipped++
	c.report(s.tp, Report{Kind: ReportSkipped, Offset: offset, Err: err})
}

// pop resolves the first n records of a row.
func (c *Core) pop(r *row, n int) {
	for i := range n {
		rec := r.pend[i].rec
		rec.left--
		c.settleBarred(rec)
	}
	if rest := r.pend[n:]; len(rest) <= n {
		left := copy(r.pend, rest)
		clear(r.pend[left:])
		r.pend = r.pend[:left] // in place: what comes next need not allocate
		return
	}
	clear(r.pend[:n])
	r.pend = r.pend[n:]
}

// next lets a row go on with what is still pending, or rest.
func (c *Core) next(r *row) {
	r.state = rowIdle
	if len(r.pend) == 0 {
		c.rest(r)
		return
	}
	c.enqueue(r)
}

// failed takes a write that surely did nothing.
func (c *Core) failed(g *Group, err error) {
	r, t := g.row, g.row.tab
	switch fault := hbase.FaultOf(err); fault {
	case hbase.FaultConnect, hbase.FaultRelocate:
		t.suspect = true
		c.stats.Retries++
		c.tried[putOff[fault]]++
		c.reportRetry(g, err)
		c.restFor(r, 0, false)
	case hbase.FaultBusy:
		c.stats.Retries++
		c.tried[putOff[fault]]++
		c.reportRetry(g, err)
		c.restFor(r, waitOf(err), false)
	case hbase.FaultTable:
		t.suspect = true
		c.abandon(g.src, because(CauseTable, "%w", err), true)
	case hbase.FaultSchema:
		if g.mode == hbase.ModeRegion {
			r.solo = true
			c.makeReady(r)
			return
		}
		t.suspect = true
		c.abandon(g.src, because(CauseTable, "%w", err), true)
	case hbase.FaultUnsupported:
		if g.mode == hbase.ModeRow {
			c.abandon(g.src, because(CauseTable, "%w", err), false)
			return
		}
		if t.info.Mode != hbase.ModeRow {
			t.info.Mode = hbase.ModeRow
			c.report(g.src.tp, Report{Kind: ReportRowMode, Table: t.name, Err: err})
		}
		c.tried[RetryOther]++
		c.restFor(r, 0, false)
	case hbase.FaultRow:
		// One row of the call is wrong, not always this one: by rows first, then by records.
		switch {
		case g.mode != hbase.ModeRow:
			r.solo = true
			c.makeReady(r)
		case g.take > 1:
			r.single = true
			c.makeReady(r)
		default:
			r.state = rowIdle
			c.giveUp(r, err)
		}
	default:
		c.tried[RetryOther]++
		c.restFor(r, 0, !c.cfg.AtLeastOnce)
	}
}

// giveUp applies the policy to the first record of a row, which can't be written.
func (c *Core) giveUp(r *row, err error) {
	s, p := r.src, &r.pend[0]
	switch {
	case p.policy == mapping.OnErrorFail || r.fence != nil:
		c.abandon(s, because(CauseRecord, "offset %d: writing row %x of table %s: %w", p.rec.offset, r.key, r.tab.name, err), false)
	case !c.cfg.AtLeastOnce:
		// An earlier attempt may still land: a mark of its own bars it before the record is passed.
		r.fence = err
		c.makeReady(r)
	case p.policy == mapping.OnErrorDeadLetter:
		c.refused(r, err)
	default:
		c.skipped(s, p.rec.offset, err)
		c.pop(r, 1)
		c.next(r)
	}
}
