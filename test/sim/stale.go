package main

import (
	"slices"
	"time"

	"rowmark/connector/core"
)

// HBase fences writes, not reads: a region server that was paused until its regions went elsewhere, and wakes, answers
// from its memory for a moment (test/contract, TestPausedServerWritesNothing). A process can be sent there only by a
// place that it has remembered since before the move, so no read shows it less than what it wrote or read itself.

// past is what one source's mark in a row has been.
type past struct {
	name  string
	marks []core.Mark // the first is its absence
	seen  sights
}

// sights is how far in a past each process has seen.
type sights []sight

type sight struct{ process, at int }

// zombie is how long a woken server takes to learn that it has lost its regions.
const zombie = 5 * time.Second

func (s *sights) of(p *process) *sight {
	for i := range *s {
		if (*s)[i].process == p.id {
			return &(*s)[i]
		}
	}
	*s = append(*s, sight{process: p.id})
	return &(*s)[len(*s)-1]
}

// older is a place before the last one that the process may still be shown; the last one if there is none.
func (s *sights) older(p *process, last, back int) int {
	at := s.of(p)
	if at.at == last {
		return last
	}
	if p.misled == 0 || p.w.now > p.misled+4*zombie {
		p.misled = p.w.now // one woken server at a time
	}
	if p.w.now > p.misled+zombie {
		at.at = last
	} else {
		at.at = max(at.at, last-1-back%(last-at.at))
	}
	return at.at
}

// fresh notes that a process has seen the last.
func (s *sights) fresh(p *process, last int) {
	s.of(p).at = last
}

// pastOf is what a source's mark in the row has been; absent where nobody has written it.
func (r *modelRow) pastOf(name string) *past {
	for _, p := range r.pasts {
		if p.name == name {
			return p
		}
	}
	p := &past{name: name, marks: make([]core.Mark, 1, 4)}
	r.pasts = append(r.pasts, p)
	return p
}

// remember notes a mark that a process has written.
func (r *modelRow) remember(name []byte, value []byte, by *process) {
	m, err := core.DecodeMark(value)
	if err != nil {
		return // no past to be shown
	}
	p := r.pastOf(string(name))
	p.marks = append(p.marks, m)
	p.seen.fresh(by, len(p.marks)-1)
}

// stale is an earlier mark, if the process may be shown one.
func (h *modelHBase) stale(table string, row []byte, name string, by *process, back int) (core.Mark, error) {
	m, err := h.mark(table, row, name)
	r := h.tables[table].rows[string(row)]
	if err != nil || r == nil {
		return m, err
	}
	p := r.pastOf(name)
	last := len(p.marks) - 1
	if p.marks[last] != m {
		return m, nil // a marker or a TTL hides it
	}
	return p.marks[p.seen.older(by, last, back)], nil
}

// fresh is the mark as it is.
func (h *modelHBase) fresh(table string, row []byte, name string, by *process) (core.Mark, error) {
	m, err := h.mark(table, row, name)
	if r := h.tables[table].rows[string(row)]; err == nil && r != nil {
		p := r.pastOf(name)
		p.seen.fresh(by, len(p.marks)-1)
	}
	return m, err
}

// read is what a process is shown of a mark.
func (p *process) read(table string, row []byte, name string) (core.Mark, error) {
	if back, old := p.w.hit(lookStale); old {
		return p.w.hbase.stale(table, row, name, p, int(back.Milliseconds()))
	}
	return p.w.hbase.fresh(table, row, name, p)
}

// retire keeps the log as its leader has it, which another takes over from.
func (w *world) retire(l *modelLog) {
	if l.was != nil && w.now < l.wasAt+4*zombie {
		return // one at a time
	}
	old := *l
	old.epochs, old.was = slices.Clone(l.epochs), nil
	l.was, l.wasAt = &old, w.now
}

// shown is the log of which a broker tells: for a while after a change the leader before may wake from a pause, and tells
// of the log as it had it, but for the newest of its records, of which it never learned that they were committed.
func (p *process) shown(l *modelLog) (leader *modelLog, high, stable int64) {
	w := p.w
	if l.was != nil && w.now < l.wasAt+zombie {
		if back, old := w.hit(logStale); old {
			unsure := back.Milliseconds() % 4
			high = max(l.was.start, l.was.end-unsure)
			return l.was, high, min(l.was.stable, high)
		}
	}
	return l, l.end, l.stable
}

// checkpointPast is what a checkpoint has been, and is.
type checkpointPast struct {
	all  []*core.Checkpoint // the first is its absence
	seen sights
}

func (h *modelHBase) pastOf(key srcKey) *checkpointPast {
	p := h.checkpoints[key]
	if p == nil {
		p = &checkpointPast{all: make([]*core.Checkpoint, 1, 16)}
		h.checkpoints[key] = p
	}
	return p
}

// checkpoint is a checkpoint as it is; nil: there is none.
func (h *modelHBase) checkpoint(key srcKey) *core.Checkpoint {
	p := h.pastOf(key)
	return p.all[len(p.all)-1]
}

func (h *modelHBase) store(key srcKey, c *core.Checkpoint) {
	p := h.pastOf(key)
	p.all = append(p.all, c)
}

// checkpoint is what a process is shown of a checkpoint.
func (p *process) checkpoint(key srcKey) *core.Checkpoint {
	past := p.w.hbase.pastOf(key)
	last := len(past.all) - 1
	if back, old := p.w.hit(readStale); old {
		return past.all[past.seen.older(p, last, int(back.Milliseconds()))]
	}
	past.seen.fresh(p, last)
	return past.all[last]
}
