package core

import (
	"errors"
	"strings"

	"rowmark/connector/mapping"
)

// A record that HBase refuses for good becomes a dead letter in three steps, each written before the next begins: the
// row's mark bars the record, and says why; the letter is written, a row like any other; the record is resolved. A crash
// before the bar leaves the row to be tried again, one after it leaves a mark that tells of the letter that is due, and
// one after the letter leaves the letter's own mark. So a letter never stands for what is applied. Until the letter
// stands the row takes no other record, which would hide the bar.

// fate is what a record may come to that may become a dead letter.
type fate struct {
	letter   *mapping.Letter
	barred   []refusal // rows that wait for the letter
	lettered bool      // the letter was made
}

// refusal is a row that waits for its record's letter.
type refusal struct {
	row *row
	why error
}

// deliver takes one row of a record in: what it wants there waits until it is written.
func (c *Core) deliver(s *source, p pending, bytes int) {
	ops := &p.ops[0]
	t := c.table(ops.Table)
	r := c.rowOf(s, t, ops.Row)
	if n := len(r.pend); n > 0 && r.pend[n-1].rec == p.rec {
		r.pend[n-1].ops = append(r.pend[n-1].ops, *ops)
		return
	}
	if p.rec.offset < r.mark {
		c.below(r, p)
		return
	}
	p.rec.left++
	if r.state == rowReady {
		r.queued += bytes
		t.readyBytes += bytes
	}
	r.add(c, p)
	c.enqueue(r)
}

func (r *row) add(c *Core, p pending) {
	if r.pend == nil {
		r.pend = c.pends.Give(append(c.pends.Open(1), p))
	} else {
		r.pend = append(r.pend, p)
	}
}

// below passes a record by that lies below its row's mark.
func (c *Core) below(r *row, p pending) {
	if !c.sameLog(r, p.rec) {
		return
	}
	barred := r.barred != nil && p.rec.offset == r.mark-1
	if barred && c.overdue(r, &p) {
		p.rec.left++
		r.add(c, p)
		c.refused(r, r.barred)
		return
	}
	if !barred {
		c.replayed(r.src, 1)
	}
	if r.state == rowIdle {
		c.rest(r)
	}
}

// overdue says whether the letter of a record that was barred may be missing, and must be made. Where the mapping wants
// no letters, the record is skipped: that is told again where its bar is met again.
func (c *Core) overdue(r *row, p *pending) bool {
	if p.policy == mapping.OnErrorDeadLetter {
		return true
	}
	c.skipped(r.src, p.rec.offset, r.barred)
	return false
}

// refused sets a row aside, whose first record is barred, until the record's letter stands.
func (c *Core) refused(r *row, why error) {
	r.state = rowBarred
	rec := r.pend[0].rec
	rec.fate.barred = append(rec.fate.barred, refusal{r, why})
	c.settleBarred(rec)
}

// settleBarred goes on with a record of which rows were refused: when all others are done the letter is written, and when that
// stands, the rows go on.
func (c *Core) settleBarred(rec *record) {
	f := rec.fate
	if f == nil || len(f.barred) == 0 || int(rec.left) != len(f.barred) {
		return
	}
	s := f.barred[0].row.src
	if !f.lettered {
		f.lettered = true
		rows := make([]mapping.RefusedRow, len(f.barred))
		whys := make([]error, len(f.barred))
		for i, b := range f.barred {
			rows[i] = mapping.RefusedRow{Table: b.row.tab.name, Row: b.row.key, Why: b.why}
			whys[i] = b.why
		}
		c.lettered(s, rec.offset, errors.Join(whys...))
		c.deliver(s, pending{rec: rec, ops: []mapping.RowOps{f.letter.Refused(rows)}}, rec.bytes)
		return
	}
	barred := f.barred
	f.barred = nil
	for _, b := range barred {
		c.pop(b.row, 1)
		c.next(b.row)
	}
}

func (c *Core) lettered(s *source, offset int64, why error) {
	c.stats.Letters++
	s.counts.Letters++
	c.report(s.tp, Report{Kind: ReportLetter, Offset: offset, Err: why})
}

// barText is what a bar's mark says of its reason.
func barText(why error) string {
	text := why.Error()
	if len(text) > barredMost {
		text = strings.ToValidUTF8(text[:barredMost], "")
	}
	if text == "" {
		return "refused"
	}
	return text
}
