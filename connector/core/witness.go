package core

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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

// witnessMost bounds the witnesses of a table: about as many as calls may be in flight.
const witnessMost = 16

// remember adds a witness that was sent at the time given. It takes the place of those that were seen to stand before
// that, which are older. Any other may be the younger one, whichever answer came first.
func (c *Core) remember(list []Witness, w Witness, sent time.Duration) []Witness {
	w.by, w.step = c.now.Mono, c.steps
	gone := func(o *Witness) bool { return o.by <= sent || o.Name == w.Name && bytes.Equal(o.Row, w.Row) }
	kept := 0
	for i := range list {
		if gone(&list[i]) {
			continue
		}
		if kept < i { // each row written comes by here, and mostly none is gone
			list[kept] = list[i]
		}
		kept++
	}
	clear(list[kept:])
	list = list[:kept]
	// The rows of one answer were written by one call, in this order.
	if n := len(list); n > 0 && list[n-1].step == w.step && sent > 0 {
		list = list[:n-1]
	}
	list = append(list, w)
	return list[max(0, len(list)-witnessMost):]
}

func (c *Core) witness(s *source, t *table, w Witness, sent time.Duration) {
	s.witness[t.name] = c.remember(s.witness[t.name], w, sent)
	t.witnesses = c.remember(t.witnesses, w, sent)
}

// vouch adds a checkpoint's witness to those of its table: it may be younger than what this process wrote.
func (c *Core) vouch(check *CheckWitness) {
	t := c.table(check.Table)
	if len(t.witnesses) == 0 {
		t.lastOK = check.at
	}
	t.witnesses = c.remember(t.witnesses, check.Witness, 0)
}

// vouchByLook takes a mark that was found for a witness of its table, where there is none (after offsets set, records that
// are only passed by leave no other), or where it holds found of the records that wait: those may be younger than all that
// was written with an answer.
func (c *Core) vouchByLook(r *row, m Mark, found int) {
	s, t := r.src, r.tab
	if m.Next == 0 || c.cfg.AtLeastOnce || found == 0 && len(s.witness[t.name]) > 0 {
		return
	}
	w := Witness{Table: t.name, Row: bytes.Clone(r.key), Name: s.name, Mark: m.Next}
	if c.cfg.MarksTTL > 0 {
		if found == 0 || m.Next <= s.foreign {
			return // when it was written is not known
		}
		w.Until = saturate(s.began, c.cfg.MarksTTL.Milliseconds()/2)
	}
	if len(t.witnesses) == 0 {
		t.lastOK = c.now.Mono
	}
	c.witness(s, t, w, 0)
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
	t.checked = slices.Clone(t.witnesses)
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
			var bad *MarkError
			c.abandon(s, because(CauseTable, "reading the witness of table %s: %w", e.Check.Table, e.Err), !errors.As(e.Err, &bad))
		case e.Mark < e.Check.Witness.Mark && !c.cfg.Force:
			c.abandon(s, older, doubted(&s.tableDoubts))
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
	var bad *MarkError
	t.checks--
	c.touchTable(t)
	fault := hbase.FaultOf(e.Err)
	switch {
	case fault == hbase.FaultTable || fault == hbase.FaultSchema:
		t.checkBad = true
		c.abandonAll(t, because(CauseTable, "%w", e.Err), true)
	case errors.As(e.Err, &bad):
		t.checkBad = true
		c.abandonAll(t, because(CauseTable, "reading the witness of table %s: %w", t.name, e.Err), false)
	case e.Err != nil:
		t.checkBad = true
		t.checkTry++
		c.tried[RetryMark]++
		if t.checkTry == 1 || t.checkTry == 6 {
			c.reportAll(t, Report{Kind: ReportRetry, Table: t.name, Err: fmt.Errorf("reading the witness of table %s: %w", t.name, e.Err)})
		}
		t.checkAt = c.now.Mono + max(waitOf(e.Err), backoff(t.checkTry, backoffFirst, backoffLast))
		c.at(t.checkAt)
	case e.Mark < e.Check.Witness.Mark:
		t.checkBad = true
		c.abandonAll(t, older, false)
	case t.checks == 0 && !t.checkBad && t.unchecked():
		// An answer that came meanwhile made a witness of a row written before the check: it is looked at, too.
		t.spoiled = true
	case t.checks == 0 && !t.checkBad:
		t.suspect, t.spoiled, t.checkTry = false, false, 0
		t.lastOK = max(t.lastOK, e.Check.at)
		if e.Check.at > c.gapAt {
			t.lastOK = c.now.Mono // a slow answer is one of now, unless it lay while the process was paused
		}
	}
}

// unchecked says whether a witness came after the last check was asked for.
func (t *table) unchecked() bool {
	return slices.ContainsFunc(t.witnesses, func(w Witness) bool {
		return !slices.ContainsFunc(t.checked, func(o Witness) bool { return o.Mark >= w.Mark && o.Name == w.Name && bytes.Equal(o.Row, w.Row) })
	})
}

// abandonAll stops every source that writes the table.
func (c *Core) abandonAll(t *table, err error, retry bool) {
	for _, s := range c.writers(t) {
		c.abandon(s, err, retry)
	}
}

// reportAll tells of every source that writes the table.
func (c *Core) reportAll(t *table, r Report) {
	for _, s := range c.writers(t) {
		c.report(s.tp, r)
	}
}

func (c *Core) writers(t *table) []*source {
	var out []*source
	for _, s := range c.sorted() {
		for r := range s.rows.all {
			if r.tab == t {
				out = append(out, s)
				break
			}
		}
	}
	return out
}
