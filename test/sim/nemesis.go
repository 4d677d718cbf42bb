package main

import (
	"slices"
	"time"

	"rowmark/connector/core"
)

// do carries out one act of the plan.
func (w *world) do(a act) {
	if w.healed {
		return
	}
	switch a.kind {
	case actKill:
		w.kill(a)
	case actStop:
		w.stopOne(a)
	case actPause:
		w.pause(a)
	case actHandOver:
		w.handOver(a)
	case actOutage:
		w.outage(a)
	case actRestore:
		w.restore(a)
	case actSpell:
		w.spell(a)
	case actCompact:
		w.compact(a)
	case actRetain:
		w.retain(a)
	case actLeader:
		w.leader(a)
	case actCut:
		w.cut(a)
	case actRecreate:
		w.recreate(a)
	case actHang:
		w.hang(a)
	case actSet:
		w.offsetsSet(a)
	case actHalt:
		w.halt(a)
	}
}

func (p *process) holds(part int32) bool {
	return !p.dead && slices.Contains(p.parts, part)
}

// pick is one of the processes that run, and that fit.
func (w *world) pick(n int64, fits func(*process) bool) *process {
	var some []*process
	for _, p := range w.procs {
		if !p.dead && !p.paused && !p.replaced && len(p.parts) > 0 && (fits == nil || fits(p)) {
			some = append(some, p)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[int(n)%len(some)]
}

// remap changes the mapping of the connectors to come.
func (w *world) remap(m int64) {
	if w.plan.set.remap > 0 && m%3 == 0 {
		w.operator.version = '2'
	}
}

func (w *world) kill(a act) {
	p := w.pick(a.n, nil)
	if p == nil {
		return
	}
	w.faults++
	w.logf("p%d killed", p.id)
	p.kill()
	p.replaced = true
	w.remap(a.m)
	w.succeed(p, time.Duration(a.m%2000)*time.Millisecond, nil)
}

func (w *world) stopOne(a act) {
	p := w.pick(a.n, nil)
	if p == nil {
		return
	}
	w.faults++
	w.logf("p%d told to stop", p.id)
	p.replaced = true
	p.deliver(core.Stop{})
	w.remap(a.m)
	w.succeed(p, time.Duration(a.m%2000)*time.Millisecond, nil)
}

// pause stops a process as SIGSTOP does; a rival may come meanwhile.
func (w *world) pause(a act) {
	p := w.pick(a.n, nil)
	if p == nil {
		return
	}
	w.faults++
	w.logf("p%d paused", p.id)
	p.paused = true
	if a.m%2 == 0 {
		w.remap(a.m / 2)
		w.after(time.Duration(a.m%3000)*time.Millisecond, func() {
			if !w.healed {
				w.spawn(p.sink, p.parts, nil)
			}
		})
	}
	w.after(time.Duration(100+a.n%9000)*time.Millisecond, p.resume)
}

// outage kills every process, and starts others after a time that may be longer than marks live.
func (w *world) outage(a act) {
	w.faults++
	w.logf("outage")
	wait := time.Duration(a.m%5000) * time.Millisecond
	if ttl := w.plan.set.ttl; ttl > 0 {
		wait = time.Duration(ttl/4+a.m%ttl) * time.Millisecond
	}
	for _, p := range w.procs {
		if p.dead {
			continue
		}
		p.kill()
		if !p.replaced {
			p.replaced = true
			w.succeed(p, wait, nil)
		}
	}
}

// handOver moves a partition from one process to another, or back to the same, as a consumer group does.
func (w *world) handOver(a act) {
	from := w.pick(a.n, nil)
	if from == nil {
		return
	}
	part := from.parts[int(a.m)%len(from.parts)]
	to := w.pick(a.n/7, func(p *process) bool { return p.sink == from.sink })
	w.faults++
	w.logf("partition %d goes from p%d to p%d, way %d", part, from.id, to.id, a.m%4)
	from.parts = slices.DeleteFunc(slices.Clone(from.parts), func(n int32) bool { return n == part })
	given := false
	// The group's members watch the checkpoints of the others' partitions.
	seen, seenAt := w.hbase.checkpoint(srcKey{from.sink, part}), w.now
	give := func() {
		if given || w.healed {
			return
		}
		given = true
		if to.dead || to.replaced {
			if to = w.pick(a.n/7, func(p *process) bool { return p.sink == from.sink }); to == nil {
				w.spawn(from.sink, []int32{part}, nil)
				return
			}
		}
		if !to.holds(part) {
			to.parts = append(slices.Clone(to.parts), part)
		}
		ev := core.Assigned{TopicPartition: tpOf(part)}
		if seen != nil {
			ev.Seen, ev.SeenAt = &seen.Position, seenAt
		}
		to.deliver(ev)
	}
	revoke := func() { from.deliver(core.Revoked{TopicPartition: tpOf(part)}) }
	switch a.m % 4 {
	case 0: // the group waits for the release
		from.moving[part] = give
		revoke()
	case 1: // the group does not wait
		revoke()
		give()
	case 2: // given back while it drains, and taken away again
		revoke()
		from.deliver(core.Assigned{TopicPartition: tpOf(part)})
		from.moving[part] = give
		revoke()
	case 3: // given back while it drains
		revoke()
		to = from
		give()
	}
	w.after(4*time.Second, give)
}
