package main

import (
	"time"

	"rowmark/connector/core"
)

// run plays the history of a seed to its end.
func run(seed uint64, traceOn bool, mutate func(*core.Config)) *world {
	return play(draw(seed), traceOn, mutate)
}

// play plays a plan to its end. A core that panics is a violation like any other.
func play(p *plan, traceOn bool, mutate func(*core.Config)) (w *world) {
	w = newWorld(p, traceOn, mutate)
	defer func() {
		if r := recover(); r != nil {
			w.fail("panic", "%v", r)
		}
	}()
	for n := range int32(max(1, p.set.parts)) {
		w.logs = append(w.logs, w.newLog(n))
	}
	w.foreign(w.hbase.tables)
	w.grow()
	for _, a := range p.acts {
		w.after(a.at, func() { w.do(a) })
	}
	for sink := range int(p.set.sinks) {
		all := w.allParts()
		if sink == 0 && p.set.split > 0 && len(all) > 1 {
			w.spawn(sink, all[:1], nil)
			all = all[1:]
		}
		w.spawn(sink, all, nil)
	}
	w.until(span)
	w.finish()
	return w
}

// finish heals everything, drains the log by further connectors, and checks.
func (w *world) finish() {
	for {
		end := max(span, w.ends) + latest + time.Second
		w.until(end) // what is late has landed, restores are over
		if max(span, w.ends)+latest+time.Second == end {
			break
		}
	}
	w.healed = true
	for _, l := range w.logs {
		for int64(len(l.all)) < w.plan.set.records {
			w.append(l)
		}
		l.stable = l.end
	}
	for _, p := range w.procs {
		p.resume()
		p.deliver(core.Resume{TopicPartition: everything})
	}
	w.until(w.now + 5*time.Second)
	w.watch.fenced()
	w.final = true
	for _, p := range w.procs {
		p.kill()
	}
	for sink := range int(w.plan.set.sinks) {
		w.drain(sink)
	}
	w.check()
}

// drain runs connectors with --once until one has finished every partition; an operator answers what stops them.
func (w *world) drain(sink int) {
	parts, force := w.allParts(), false
	for range 6 {
		last := w.spawn(sink, parts, func(c *core.Config) { c.Once, c.Force = true, force })
		for range 120 {
			w.until(w.now + 500*time.Millisecond)
			if len(last.done) == len(parts) {
				break
			}
		}
		parts, force = nil, false
		for _, n := range last.parts {
			r, ended := last.done[n]
			switch {
			case !ended:
				w.fail("I11", "stuck: partition %d of sink %s does not end", n, sinkNames[sink])
			case r.Kind == core.ReportFinished || w.watch.given[srcKey{sink, n}]:
			default:
				cause := causeOf(r.Err)
				force = force || cause == core.CauseStale || cause == core.CauseLogChanged && !last.logFails()
				parts = append(parts, n)
			}
		}
		last.kill()
		if len(parts) == 0 || len(w.errs) > 0 {
			return
		}
	}
	w.fail("I11", "stuck: partitions %v of sink %s never finish", parts, sinkNames[sink])
}
