package core

import (
	"time"

	"rowmark/connector/mapping"
)

// pending is what one record wants of a row.
type pending struct {
	rec *record
	ops []mapping.RowOps // all mappings of the record that name this row
	// policy is what becomes of the record if the server refuses it for good.
	policy mapping.ErrorPolicy
}

// rowState says what a row waits for. A row has at most one thing under way.
type rowState uint8

const (
	rowIdle   rowState = iota // nothing pending: kept only for its floor
	rowReady                  // in its table's queue
	rowParked                 // ready, but the source's ceiling or lease is in the way
	rowFly                    // a write is in flight
	rowLook                   // its mark is being read, or waits to be
	rowRest                   // waits for its next attempt
	rowBarred                 // waits for the dead letter of its first record
)

// row is one row of a table as one source writes it. Tens of thousands are remembered: the small fields stand together.
type row struct {
	src    *source
	tab    *table
	key    []byte // its own copy
	hash   uint64 // of key
	pend   []pending
	floor  int64 // see Mark.Floor
	mark   int64 // records below are known to be applied
	fence  error // the record at the front was refused for good for this: bar it
	barred error // the record before mark was refused for this, as the mark says
	due    time.Duration
	queued int  // bytes counted in the table's queue
	newer  *row // neighbours in the source's memory of idle rows
	older  *row

	epoch    int32 // leader epoch of the record before mark, -1 if not known
	tries    int32 // attempts since the last progress
	looked   int32 // looks since the last progress
	state    rowState
	known    bool // floor is exact
	exact    bool // floor is that of mark, and of no later one
	solo     bool // send by itself, in row mode
	single   bool // send one record at a time
	thenLook bool // after resting
	dropped  bool // the source it belongs to is gone
}

// memory is the idle rows of a source whose floors are known, the least recently used forgotten first.
type memory struct {
	newest, oldest *row
	size           int
}

func (m *memory) push(r *row) {
	r.older, r.newer = m.newest, nil
	if m.newest != nil {
		m.newest.newer = r
	}
	m.newest = r
	if m.oldest == nil {
		m.oldest = r
	}
	m.size++
}

func (m *memory) remove(r *row) {
	if r.newer != nil {
		r.newer.older = r.older
	} else {
		m.newest = r.older
	}
	if r.older != nil {
		r.older.newer = r.newer
	} else {
		m.oldest = r.newer
	}
	r.newer, r.older = nil, nil
	m.size--
}

// rowOf finds the row, or begins it.
func (c *Core) rowOf(s *source, t *table, key []byte) *row {
	hash := hashKey(&c.cfg.Owner, key)
	if r := s.rows.find(t, key, hash); r != nil {
		if r.state == rowIdle {
			s.memory.remove(r)
		}
		return r
	}
	r := c.spare
	if r != nil {
		c.spare = r.older
	} else {
		r = c.rows.One(row{})
	}
	*r = row{src: s, tab: t, key: append(r.key[:0], key...), hash: hash, known: s.countsOnly(t), epoch: -1}
	s.rows.add(r)
	return r
}

// forgetRow drops an idle row, which nothing else names: its place is used again.
func (c *Core) forgetRow(r *row) {
	r.src.rows.remove(r)
	*r = row{key: r.key, older: c.spare}
	c.spare = r
}

// rest puts a row with nothing pending into memory, and forgets the oldest beyond the bound: what is forgotten
// raises the source's bound on the floors of unknown rows.
func (c *Core) rest(r *row) {
	s := r.src
	r.state, r.tries, r.looked, r.solo, r.single = rowIdle, 0, 0, false, false
	if s.countsOnly(r.tab) || !r.known || c.cfg.AtLeastOnce {
		c.forgetRow(r)
		return
	}
	r.pend = nil
	s.memory.push(r)
	for s.memory.size > c.rowMemory() {
		old := s.memory.oldest
		s.memory.remove(old)
		s.bound = max(s.bound, old.floor)
		c.forgetRow(old)
	}
}

// countsOnly says that the floors of a table's rows need not be known. A stored mapping may have put where the
// current one only counts.
func (s *source) countsOnly(t *table) bool { return t.info.Counters && s.mapUntil < 0 }

func (c *Core) rowMemory() int { return c.cfg.RowMemory / max(1, c.active) }
