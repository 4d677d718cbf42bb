package core

import (
	"bytes"
	"slices"
	"strings"

	"rowmark/hbase"
)

// checkWitnesses looks, before a source runs, whether each table still holds what the checkpoint says of it.
func (c *Core) checkWitnesses(s *source) {
	s.state = stateWitness
	s.checks = 0
	expired := c.cfg.MarksTTL > 0 && c.now.Wall-s.ck.AdvancedAt > c.cfg.MarksTTL.Milliseconds()/2
	if !c.cfg.AtLeastOnce && !expired {
		for _, w := range s.ck.Witness {
			if !w.stands(c.now.Wall) {
				continue
			}
			s.checks++
			c.do(&CheckWitness{Witness: w, src: s, ins: s.inst, at: c.now.Mono})
		}
	}
	if s.checks == 0 {
		c.startRunning(s)
	}
}

// vouch adds a checkpoint's witness to those of its table: it may be younger than what this process wrote.
func (c *Core) vouch(check *CheckWitness) {
	w := check.Witness
	t := c.table(w.Table)
	if len(t.witnesses) == 0 {
		t.lastOK = check.at
	}
	same := func(o Witness) bool { return o.Name == w.Name && bytes.Equal(o.Row, w.Row) }
	t.witnesses = append(slices.DeleteFunc(t.witnesses, same), w)
}

// forget drops what a source that ended knew of its tables: its next life looks at the checkpoint's witnesses, which an
// operator may have set back by then together with the table. What others know stays.
func (c *Core) forget(s *source) {
	base := SourceName(c.cfg.Sink, s.tp.Topic, s.tp.Partition, 0)
	own := func(w Witness) bool { return w.Name == base || strings.HasPrefix(w.Name, base+"#") }
	for _, t := range c.sortedTables() {
		was := len(t.witnesses)
		t.witnesses = slices.DeleteFunc(t.witnesses, own)
		if was == 0 || len(t.witnesses) > 0 {
			continue
		}
		for _, o := range c.sorted() {
			if o == s || o.state != stateRunning && (o.state != stateSettling || o.settle != stateRunning) {
				continue
			}
			for _, w := range o.witnesses() {
				if w.Table == t.name {
					t.witnesses = append(t.witnesses, w)
				}
			}
		}
	}
}

// trusted says whether a table may be written to. After a spell in which it was away, or was left alone long
// enough to have been restored, its witness is looked at first.
func (c *Core) trusted(t *table) bool {
	idle := c.now.Mono - t.lastOK
	t.witnesses = slices.DeleteFunc(t.witnesses, func(w Witness) bool { return !w.stands(c.now.Wall) })
	if len(t.witnesses) == 0 {
		return true
	}
	if !t.suspect && idle < idleCheck {
		return true
	}
	if t.checks > 0 {
		return false
	}
	if c.now.Mono < t.checkAt {
		c.at(t.checkAt)
		return false
	}
	for _, w := range t.witnesses {
		t.checks++
		c.do(&CheckWitness{Witness: w, tab: t, at: c.now.Mono})
	}
	t.checkBad = false
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
				c.vouch(e.Check)
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
	t.checks--
	c.touchTable(t)
	fault := hbase.FaultOf(e.Err)
	switch {
	case fault == hbase.FaultTable || fault == hbase.FaultSchema:
		t.checkBad = true
		c.abandonAll(t, because(CauseTable, "%w", e.Err), true)
	case e.Err != nil:
		t.checkBad = true
		t.checkTry++
		t.checkAt = c.now.Mono + max(waitOf(e.Err), backoff(t.checkTry, backoffFirst, backoffLast))
		c.at(t.checkAt)
	case e.Mark < e.Check.Witness.Mark:
		t.checkBad = true
		c.abandonAll(t, older, false)
	case t.checks == 0 && !t.checkBad:
		t.suspect, t.checkTry = false, 0
		t.lastOK = max(t.lastOK, e.Check.at)
		if e.Check.at > c.gapAt {
			t.lastOK = c.now.Mono // a slow answer is one of now, unless it lay while the process was paused
		}
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
