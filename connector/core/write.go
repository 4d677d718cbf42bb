package core

import (
	"math"

	"rowmark/hbase"
)

// groupRecords is the most records folded into one write of a row.
const groupRecords = 10000

// flush sends what is ready: at once when nothing is in flight, else when a batch is full or has waited.
func (c *Core) flush(t *table) {
	for len(t.ready) > 0 && t.flight < t.allowed && !c.resting(t) {
		due := t.inFlight == 0 || len(t.ready) >= c.cfg.BatchRows || t.readyBytes >= c.batchBytes(t)
		if !due && c.now.Mono < t.readyAt+c.cfg.Linger {
			c.at(t.readyAt + c.cfg.Linger)
			return
		}
		if !c.trusted(t) {
			return
		}
		c.sendBatch(t)
	}
}

// sendBatch takes rows from the queue, up to one batch, and sends them. A row that several sources write goes once
// into a batch, the others' parts wait for the next: in one call the server reads a row's state only once, so that the
// first of two increments would be lost.
func (c *Core) sendBatch(t *table) {
	w := Write{Table: t.name, Mode: t.info.Mode}
	solo := Write{Table: t.name, Mode: hbase.ModeRow}
	size, n, most := 0, 0, c.batchBytes(t)
	var wait []*row
	t.batch.clear()
	for n < len(t.ready) && len(w.Groups)+len(solo.Groups) < c.cfg.BatchRows && size < most {
		r := t.ready[n]
		t.ready[n] = nil
		n++
		if r.dropped {
			continue
		}
		if t.batch.find(t, r.key, r.hash) != nil {
			wait = append(wait, r)
			continue
		}
		t.readyBytes -= r.queued
		g := c.group(r)
		if g == nil {
			continue
		}
		t.batch.add(r)
		size += g.bytes
		r.state = rowFly
		t.inFlight++
		t.flight += g.bytes
		if r.solo {
			g.mode = hbase.ModeRow
			solo.Groups = append(solo.Groups, g)
		} else {
			g.mode = t.info.Mode
			w.Groups = append(w.Groups, g)
		}
	}
	n -= copy(t.ready[n-len(wait):], wait) // into places that were emptied
	t.ready = t.ready[n:]
	if len(t.ready) == 0 {
		t.ready, t.readyBytes = nil, 0
	}
	t.readyAt = c.now.Mono
	for _, w := range []Write{w, solo} {
		if len(w.Groups) > 0 {
			for _, g := range w.Groups {
				g.flight = t.flight
			}
			c.do(w)
		}
	}
}

// group folds what is pending on a row into one write. nil: the row must wait, or its record can't be written.
func (c *Core) group(r *row) *Group {
	s := r.src
	if s.state != stateRunning || !c.leased(s) {
		c.park(r)
		return nil
	}
	first := &r.pend[0]
	g := Group{Table: r.tab.name, First: first.rec.offset, src: s, row: r, inst: s.inst, at: c.now.Mono}
	f := &c.fold
	f.reset(r.floor)
	if r.fence != nil {
		g.take, g.fence = 1, true
		// The floor rises as if the record had been written: it may be known only through the record's time.
		for _, o := range r.pend[0].ops {
			if o.LogOrder {
				f.floor = max(f.floor, o.Time)
			}
		}
		if c.tooNew(r, f.floor) {
			g.take = 0
		}
	} else {
		for i := range r.pend {
			if i > 0 && (r.single || i >= groupRecords || f.bytes > c.cfg.BatchBytes || !f.fits(r.pend[i].ops)) {
				break
			}
			if r.pend[i].rec.offset >= s.ck.Ceiling {
				break
			}
			if err := f.add(r.pend[i].ops); err != nil {
				if i > 0 {
					f.refold(r, i)
					break
				}
				r.state = rowIdle
				c.giveUp(r, err)
				return nil
			}
			if c.tooNew(r, f.floor) {
				f.refold(r, i)
				break
			}
			g.take = i + 1
		}
	}
	if g.take == 0 || r.pend[0].rec.offset >= s.ck.Ceiling {
		c.park(r)
		return nil
	}
	g.Records = g.take
	g.Next = r.pend[g.take-1].rec.offset + 1
	g.epoch = r.pend[g.take-1].rec.epoch
	g.floor = f.floor
	g.bytes = f.bytes + len(r.key) + 64
	g.Write.Row = first.ops[0].Row
	if !g.fence {
		g.Write.Mutations = f.mutations()
	}
	c.guard(&g)
	s.flying++
	s.maySend = max(s.maySend, g.Next)
	f.muts.Holds(f.bytes)
	f.cells.Holds(f.bytes)
	out := c.groups.One(g)
	c.groups.Holds(f.bytes)
	return out
}

// refold folds the first n records again, without what came after.
func (f *folder) refold(r *row, n int) {
	f.reset(r.floor)
	for i := range n {
		_ = f.add(r.pend[i].ops)
	}
}

// tooNew says whether the checkpoint does not allow the floor yet, and asks for one that does.
func (c *Core) tooNew(r *row, floor int64) bool {
	s := r.src
	if c.cfg.AtLeastOnce || s.countsOnly(r.tab) || floor <= s.ck.Newest {
		return false
	}
	s.newestDue, s.newestLow = max(s.newestDue, floor), true
	c.touch(s)
	return true
}

// guard adds the mark to a group, and the condition that no mark at or past its first record stands; nor one past that
// from which the floor is known: a read may have been stale (see doubts), and its floor would be too low.
func (c *Core) guard(g *Group) {
	if c.cfg.AtLeastOnce {
		return
	}
	floor := g.floor
	if g.src.countsOnly(g.row.tab) {
		floor = 0
	}
	mark := Mark{Next: g.Next, Floor: floor, LeaderEpoch: g.epoch}
	if g.fence {
		mark.Barred = barText(g.row.fence)
	}
	value := c.marks.Give(mark.Append(c.marks.Open(markLen)))
	cell := hbase.MutationCell{Column: g.src.column, Type: hbase.CellPut, Timestamp: g.Next, Value: value}
	from := g.First + 1
	if g.row.exact {
		from = min(from, g.row.mark+1)
	}
	g.Write.Condition = c.conds.One(hbase.Condition{Family: c.cfg.MarkFamily, Qualifier: g.src.column.Qualifier, Op: hbase.CompareEqual, From: from})
	muts := g.Write.Mutations
	if c.cfg.MarksTTL > 0 {
		g.until = saturate(c.now.Wall, c.cfg.MarksTTL.Milliseconds()/2)
		// The cell's time is an offset, so its TTL counts from there to now and on.
		ttl := saturate(c.now.Wall-g.Next, c.cfg.MarksTTL.Milliseconds())
		g.Write.Mutations = append(muts, hbase.Mutation{Kind: hbase.KindPut, Cells: []hbase.MutationCell{cell}, TTL: ttl, HasTTL: true})
		return
	}
	g.Write.Mutations = withMark(muts, cell)
}

// withMark adds the mark to a put of the write, or as one of its own.
func withMark(muts []hbase.Mutation, mark hbase.MutationCell) []hbase.Mutation {
	for i := range muts {
		if muts[i].Kind == hbase.KindPut && plain(&muts[i]) {
			muts[i].Cells = append(muts[i].Cells, mark)
			return muts
		}
	}
	return append(muts, hbase.Mutation{Kind: hbase.KindPut, Cells: []hbase.MutationCell{mark}})
}

func saturate(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// park sets a row aside until the source's checkpoint moves.
func (c *Core) park(r *row) {
	r.state = rowParked
	r.src.parked = append(r.src.parked, r)
	c.touch(r.src)
}

func (c *Core) unpark(s *source) {
	parked := s.parked
	s.parked = nil
	for _, r := range parked {
		if !r.dropped {
			c.makeReady(r)
		}
	}
}
