package core

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"rowmark/hbase"
)

// lookRows is the most marks asked for in one action.
const lookRows = 2000

func waitOf(err error) time.Duration {
	var e *hbase.Error
	if errors.As(err, &e) {
		return e.Wait
	}
	return 0
}

func (c *Core) sendLooks(t *table) {
	for len(t.looks) > 0 && !t.looking {
		n := min(len(t.looks), lookRows)
		l := Look{}
		for _, r := range t.looks[:n] {
			if !r.dropped {
				l.Rows = append(l.Rows, &LookRow{Table: t.name, Row: bytes.Clone(r.key), Name: r.src.name, src: r.src, row: r, inst: r.src.inst})
			}
		}
		t.looks = t.looks[n:]
		if len(t.looks) == 0 {
			t.looks = nil
		}
		if len(l.Rows) > 0 {
			t.looking = true
			c.do(l)
		}
	}
}

// looked trims each row to the records at or above its mark, and sends what is left.
func (c *Core) looked(e Looked) {
	for i, l := range e.Rows {
		l.row.tab.looking = false
		c.touchTable(l.row.tab)
		if l.row.dropped || l.inst != l.src.inst || l.row.state != rowLook {
			continue
		}
		c.touch(l.src)
		c.stats.Looks++
		l.row.tab.counts.Looks++
		if err := e.Errs[i]; err != nil {
			c.lookFailed(l.row, err)
			continue
		}
		c.trim(l.row, e.Marks[i])
	}
}

func (c *Core) lookFailed(r *row, err error) {
	if f := hbase.FaultOf(err); f == hbase.FaultTable || f == hbase.FaultSchema {
		r.tab.suspect = true
		c.abandon(r.src, because(CauseTable, "%w", err), true)
		return
	}
	var bad *MarkError
	if errors.As(err, &bad) {
		c.abandon(r.src, because(CauseTable, "row %x of table %s: %w; another program writes the mark family, or a later version of this one did", r.key, r.tab.name, bad), false)
		return
	}
	c.tried[RetryMark]++
	if r.tries == 0 {
		c.report(r.src.tp, Report{Kind: ReportRetry, Table: r.tab.name, Err: fmt.Errorf("looking at a mark: %w", err)})
	}
	c.restFor(r, waitOf(err), true)
}

func (c *Core) trim(r *row, m Mark) {
	s := r.src
	if m.Next == 0 && c.cfg.MarksTTL > 0 {
		m = Mark{Next: r.mark, Floor: r.floor, LeaderEpoch: r.epoch} // it may have expired since
		if r.barred != nil {
			m.Barred = r.barred.Error()
		}
	}
	if m.Next < r.mark {
		c.abandon(s, because(CauseTableOlder, "row %x of table %s holds the mark %d, but %d was written: the table is older than what was written to it (restored or truncated); see offsets set", r.key, r.tab.name, m.Next, r.mark), false)
		return
	}
	if m.Next == 0 && len(s.ck.Segments) > 0 {
		m.Floor = s.ck.Segments[len(s.ck.Segments)-1].Floor
	}
	if m.Next > r.mark {
		r.looked, r.tries = 0, 0
	}
	r.mark, r.epoch, r.floor, r.known, r.exact = m.Next, m.LeaderEpoch, m.Floor, true, true
	s.newest = max(s.newest, m.Floor)
	n := 0
	for n < len(r.pend) && r.pend[n].rec.offset < m.Next {
		n++
	}
	c.vouchByLook(r, m, n)
	for i := range n {
		if !c.sameLog(r, r.pend[i].rec) {
			return
		}
	}
	r.barred = nil
	if m.Barred != "" {
		r.barred = errors.New(m.Barred)
	}
	if n > 0 {
		r.fence = nil // the bar stands, or the record was applied before it
		c.replayed(s, n)
	}
	if n > 0 && r.barred != nil && r.pend[n-1].rec.offset == m.Next-1 {
		c.replayed(s, -1)
		if c.overdue(r, &r.pend[n-1]) {
			c.pop(r, n-1)
			c.refused(r, r.barred)
			return
		}
	}
	if n > 0 {
		c.pop(r, n)
	}
	r.state = rowIdle
	if len(r.pend) == 0 {
		c.rest(r)
		return
	}
	c.makeReady(r)
}

// sameLog says whether a record below its row's mark is one that the row holds. If it took the offset of a record that
// is gone, the source is stopped, unless the operator said to pass.
func (c *Core) sameLog(r *row, rec *record) bool {
	if !replaced(rec.epoch, r.epoch) {
		return true
	}
	err := because(CauseLogChanged, "offset %d has leader epoch %d, but row %x of table %s holds records below %d that end with epoch %d: an unclean election cut the log after they were written, and other records took their offsets; the table holds effects of records that are gone: write the log anew under another sink name and table, or pass such records with --force", rec.offset, rec.epoch, r.key, r.tab.name, r.mark, r.epoch)
	if c.cfg.Force {
		c.skipped(r.src, rec.offset, err)
		return true
	}
	c.abandon(r.src, err, false)
	return false
}
