package core

import (
	"time"
)

// table is a table as all sources write it: what is ready, what is in flight, and whether it can be trusted.
type table struct {
	name  string
	info  TableInfo
	dirty bool

	ready      []*row
	readyBytes int
	readyAt    time.Duration // when the oldest ready row came
	batch      rowIndex      // the keys of the batch that is put together
	looks      []*row        // rows whose marks are wanted
	looking    bool
	resting    []*row        // wait for their time
	inFlight   int           // groups
	flight     int           // bytes
	allowed    int           // bytes that may be in flight
	restUntil  time.Duration // a server asked for it
	counts     TableCounts
	still      waiting // rows waited, and none was in flight

	// witnesses are the rows that may be the youngest of the table, written by this process or met when a partition was
	// taken: which of them is younger is not known.
	witnesses []Witness
	lastOK    time.Duration
	suspect   bool          // the table was away: look at the witness before writing on
	checks    int           // witnesses not yet answered
	checked   []Witness     // those that were asked for
	checkBad  bool          // one of them was not as it must be
	spoiled   bool          // a check missed a witness that came meanwhile, and none has passed since
	checkAt   time.Duration // not before
	checkTry  int
}

func (c *Core) table(name string) *table {
	t := c.tables[name]
	if t == nil {
		info, ok := c.cfg.Tables[name]
		if !ok {
			info = c.cfg.OtherTables
		}
		t = &table{name: name, info: info, allowed: c.cfg.FlightBytes}
		c.tables[name] = t
	}
	return t
}

// enqueue lets an idle row with something pending begin: its floor first, if that must be looked up.
func (c *Core) enqueue(r *row) {
	if r.state != rowIdle || len(r.pend) == 0 {
		return
	}
	if !r.known {
		// A record later than everything the source wrote to rows it no longer remembers needs no look.
		ops := &r.pend[0].ops[0]
		if c.cfg.AtLeastOnce || !ops.LogOrder || ops.Time > r.src.bound {
			r.known, r.floor = true, 0
		} else {
			c.look(r)
			return
		}
	}
	c.makeReady(r)
}

func (c *Core) makeReady(r *row) {
	r.state = rowReady
	t := r.tab
	if len(t.ready) == 0 {
		t.readyAt = c.now.Mono
	}
	t.ready = append(t.ready, r)
	r.queued = r.size()
	t.readyBytes += r.queued
	c.touchTable(t)
}

// size estimates the bytes of what is pending.
func (r *row) size() int {
	n := 0
	for i := range r.pend {
		n += r.pend[i].rec.bytes
	}
	return n
}

func (c *Core) look(r *row) {
	r.state = rowLook
	r.tab.looks = append(r.tab.looks, r)
	c.touchTable(r.tab)
}

// restFor puts a row off after an attempt that led to nothing.
func (c *Core) restFor(r *row, wait time.Duration, thenLook bool) {
	r.tries++
	r.state = rowRest
	r.thenLook = thenLook
	r.due = c.now.Mono + max(wait, backoff(int(r.tries), backoffFirst, backoffLast))
	r.tab.resting = append(r.tab.resting, r)
	c.at(r.due)
}

// runTable wakes what rested, asks for marks, and sends what is due. Where a look spoiled a check of the witnesses, the
// next check goes first and looks wait for it: each may find another witness, so that the table would not be trusted for
// as long as a source is read again.
func (c *Core) runTable(t *table) {
	c.wakeRows(t)
	if !t.spoiled {
		c.sendLooks(t)
	}
	c.flush(t)
	if t.checks == 0 {
		c.sendLooks(t)
	}
	t.still.note(c.now.Mono, t.inFlight == 0 && (len(t.ready) > 0 || len(t.resting) > 0 || t.looking || len(t.looks) > 0))
}

func (c *Core) wakeRows(t *table) {
	kept := t.resting[:0]
	for _, r := range t.resting {
		switch {
		case r.dropped:
		case r.due > c.now.Mono:
			kept = append(kept, r)
			c.at(r.due)
		case r.thenLook:
			c.look(r)
		default:
			c.makeReady(r)
		}
	}
	clear(t.resting[len(kept):])
	t.resting = kept
}
