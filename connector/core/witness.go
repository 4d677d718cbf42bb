package core

import "rowmark/hbase"

// checkWitnesses looks, before a source runs, whether each table still holds what the checkpoint says of it.
func (c *Core) checkWitnesses(s *source) {
	s.state = stateWitness
	s.checks = 0
	expired := c.cfg.MarksTTL > 0 && c.now.Wall-s.ck.AdvancedAt > c.cfg.MarksTTL.Milliseconds()/2
	if !c.cfg.AtLeastOnce && !expired {
		for _, w := range s.ck.Witness {
			s.checks++
			c.do(&CheckWitness{Witness: w, src: s, ins: s.inst})
		}
	}
	if s.checks == 0 {
		c.startRunning(s)
	}
}

// vouch takes a witness over for its table, if this process wrote nothing there yet.
func (c *Core) vouch(w Witness) {
	if t := c.table(w.Table); t.witness.Mark == 0 {
		t.witness, t.lastOK = w, c.now.Mono
	}
}

// trusted says whether a table may be written to. After a spell in which it was away, or was left alone long
// enough to have been restored, its witness is looked at first.
func (c *Core) trusted(t *table) bool {
	idle := c.now.Mono - t.lastOK
	if t.witness.Mark == 0 || c.cfg.MarksTTL > 0 && idle > c.cfg.MarksTTL/2 {
		return true
	}
	if !t.suspect && idle < idleCheck {
		return true
	}
	if t.checking {
		return false
	}
	if c.now.Mono < t.checkAt {
		c.at(t.checkAt)
		return false
	}
	t.checking = true
	c.do(&CheckWitness{Witness: t.witness, tab: t})
	return false
}

func (c *Core) witnessed(e Witnessed) {
	c.stats.Witnessed++
	older := because(CauseTableOlder, "row %x of table %s must hold a mark of at least %d and holds %d: the table is older than the checkpoint (restored, truncated or recreated); rewind with rowmark offsets set to a time before the snapshot began", e.Check.Row, e.Check.Table, e.Check.Witness.Mark, e.Mark)
	if s := e.Check.src; s != nil {
		if s.inst != e.Check.ins || s.state != stateWitness {
			return
		}
		c.touch(s)
		switch {
		case e.Err != nil:
			c.abandon(s, because(CauseTable, "reading the witness of table %s: %w", e.Check.Table, e.Err), true)
		case e.Mark < e.Check.Witness.Mark && !c.cfg.Force:
			c.abandon(s, older, false)
		default:
			if e.Mark >= e.Check.Witness.Mark {
				c.vouch(e.Check.Witness)
			}
			if s.checks--; s.checks == 0 {
				if s.drain {
					c.startRelease(s)
				} else {
					c.startRunning(s)
				}
			}
		}
		return
	}
	t := e.Check.tab
	t.checking = false
	c.touchTable(t)
	fault := hbase.FaultOf(e.Err)
	switch {
	case fault == hbase.FaultTable || fault == hbase.FaultSchema:
		c.abandonAll(t, because(CauseTable, "%w", e.Err), true)
	case e.Err != nil:
		t.checkTry++
		t.checkAt = c.now.Mono + max(waitOf(e.Err), backoff(t.checkTry, backoffFirst, backoffLast))
		c.at(t.checkAt)
	case e.Mark < e.Check.Witness.Mark:
		c.abandonAll(t, older, false)
	default:
		t.suspect, t.lastOK, t.checkTry = false, c.now.Mono, 0
	}
}

// abandonAll stops every source that writes the table.
func (c *Core) abandonAll(t *table, err error, retry bool) {
	for _, s := range c.sorted() {
		for id := range s.rows {
			if id.tab == t {
				c.abandon(s, err, retry)
				break
			}
		}
	}
}
