package main

import (
	"errors"
	"time"

	"rowmark/connector/core"
)

// operator is the people who run the connectors: they do what an error says, and nothing else.
type operator struct {
	version    byte // of the mapping
	strict     bool // on_error: fail
	letters    bool // on_error: dead-letter, once it is not strict
	outOfRange core.RangePolicy
	logChanged core.LogPolicy
}

func newOperator(s *settings) operator {
	return operator{version: '1', strict: s.strict > 0, letters: s.letters > 0, outOfRange: core.RangePolicy(s.outOfRange), logChanged: core.LogPolicy(s.logChanged)}
}

func (o *operator) mapping(sink int) []byte {
	if sink > 0 {
		return o.text('1')
	}
	return o.text(o.version)
}

// text of a mapping: its version, and what it does on an error.
func (o *operator) text(version byte) []byte {
	switch {
	case o.strict:
		return []byte{version, 's'}
	case o.letters:
		return []byte{version, 'd'}
	}
	return []byte{version, 'l'}
}

func causeOf(err error) core.Cause {
	var stop *core.StopError
	if errors.As(err, &stop) {
		return stop.Cause
	}
	return core.CauseOther
}

// failed is the operator's answer to a partition that stopped for good. That it had no reason to is a violation.
func (w *world) failed(p *process, r core.Report) {
	key := srcKey{p.sink, r.Partition}
	l := w.logs[r.Partition]
	wrong := func() {
		w.fail("I9", "p%d stopped %s at offset %d for no reason: %v", p.id, r.TopicPartition, r.Offset, r.Err)
	}
	switch causeOf(r.Err) {
	case core.CauseHole:
		if l.holes == 0 {
			wrong()
		}
		w.operator.outOfRange = core.RangeEarliest
	case core.CauseLogChanged:
		if l.life() <= w.watch.life(key) && !w.fenced(p, key) {
			wrong()
		}
		w.operator.logChanged = core.LogIncarnation
		if !p.logFails() {
			// Records took the offsets of others that are in the rows: they can only be passed, by name.
			w.replaceBy(p, 500*time.Millisecond, func(c *core.Config) { c.Force = true })
			return
		}
	case core.CauseRecord:
		if !w.refusedRecord(l, r.Offset) {
			wrong()
		}
		w.operator.strict = false
	case core.CauseTableOlder:
		if !w.watch.blind && !w.fenced(p, key) {
			wrong()
		}
		return // the rewind is on its way
	case core.CauseStale:
		w.stale(p, key, wrong)
		return
	case core.CauseRelease: // HBase was busy too long; the next start goes on
	case core.CauseTable, core.CauseTopic:
		if !p.once {
			wrong()
		}
	default:
		wrong()
	}
	w.replace(p, 500*time.Millisecond)
}

// refusedRecord says whether the strict mapping has a reason to stop at an offset: there, or at a record that comes
// before it in the same window.
func (w *world) refusedRecord(l *modelLog, offset int64) bool {
	if w.plan.set.strict == 0 {
		return false
	}
	for _, rec := range l.all {
		if (rec.bad || rec.heavy) && rec.offset >= offset {
			return true
		}
	}
	return false
}

// fenced says whether another has taken the partition since: what the process reads, and its word, may be as old as its
// pause. The owner alone would not do, since one that failed has released what it held before it says so; nor the epoch,
// since one that is fenced knows the other's.
func (w *world) fenced(p *process, key srcKey) bool {
	ck := w.hbase.checkpoint(key)
	return ck.Epoch > p.epoch(key.part) || ck.Owner != core.Owner{} && ck.Owner != p.owner()
}

// epoch is that of the last checkpoint of a partition that the process knows to be its own.
func (p *process) epoch(part int32) int64 {
	for _, s := range p.core.Statuses() {
		if s.Partition == part {
			return s.Epoch
		}
	}
	return 0
}

// stale decides on --force: only while no mark can have expired is it sure to be right.
func (w *world) stale(p *process, key srcKey, wrong func()) {
	ck, ttl := w.hbase.checkpoint(key), w.plan.set.ttl
	age := w.wall() - ck.AdvancedAt
	switch {
	case w.fenced(p, key):
		return // the word came late: another has gone on since
	case ttl == 0 || age <= ttl/2:
		wrong()
	case age+latest.Milliseconds() < ttl:
		for _, part := range p.parts { // --force is for all of them
			other := srcKey{p.sink, part}
			if ck := w.hbase.checkpoint(other); ck != nil && w.wall()-ck.AdvancedAt+latest.Milliseconds() >= ttl {
				w.watch.given[other] = true
			}
		}
		w.replaceBy(p, 500*time.Millisecond, func(c *core.Config) { c.Force = true })
	default:
		w.watch.given[key] = true
		w.logf("operator gives %v up: its marks may be gone", key)
	}
}

// replace stops a process and starts another in its place.
func (w *world) replace(p *process, wait time.Duration) { w.replaceBy(p, wait, nil) }

func (w *world) replaceBy(p *process, wait time.Duration, change func(*core.Config)) {
	if p.replaced || w.final || w.now > span+latest {
		return
	}
	p.replaced = true
	w.after(wait, func() {
		p.deliver(core.Stop{})
		w.succeed(p, 0, change)
	})
}

// succeed starts a process with the partitions of one that is gone or going.
func (w *world) succeed(p *process, wait time.Duration, change func(*core.Config)) {
	w.ends = max(w.ends, w.now+wait)
	w.after(wait, func() {
		if !w.final && len(p.parts) > 0 {
			w.spawn(p.sink, p.parts, change)
		}
	})
}

// once says whether a process that runs --once has ended, so that it can be run again.
func (w *world) once(p *process) bool {
	for _, n := range p.parts {
		if _, ended := p.done[n]; !ended {
			return false
		}
	}
	return !p.dead && !p.paused && w.now < span
}

// offsetsSet is rowmark offsets set, step by step as connector.SetOffset does it: it takes the epoch, which fences
// the owner, and then writes the offset and lets go. The connector is started again after it.
func (w *world) offsetsSet(a act) {
	key := srcKey{int(a.m>>12) % int(w.plan.set.sinks), w.logs[int(a.n)%len(w.logs)].part}
	l, held := w.logs[key.part], w.hbase.checkpoint(key)
	if held == nil || w.healed {
		return
	}
	to := held.Offset - a.m%30
	if a.m&(1<<11) != 0 {
		to = held.Offset + a.m%15
	}
	to = min(max(to, l.start), l.stable)
	w.faults++
	w.logf("operator sets %v from %d to %d", key, held.Offset, to)
	taken := *held
	taken.Mapping, taken.Who, taken.Beat, taken.Owner = nil, "offsets set", 0, core.Owner{2, byte(a.n), byte(a.m)}
	taken.Epoch++
	if !w.hbase.swap(key, held.Encode(), taken) {
		return
	}
	w.after(w.delay(), func() {
		put := taken
		put.Owner, put.Beat, put.Offset, put.Witness = core.Owner{}, 1, to, nil
		put.AdvancedAt = w.wall()
		if to > held.Offset {
			put.LeaderEpoch, put.EpochOffset = -1, to
		}
		if !w.hbase.swap(key, taken.Encode(), put) {
			return
		}
		w.watch.forward(key, held.Offset, to)
		for _, p := range w.procs {
			if p.sink == key.sink && p.holds(key.part) {
				w.replace(p, w.delay()*20)
			}
		}
	})
}
