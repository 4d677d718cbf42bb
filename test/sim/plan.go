package main

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// span is how long the log grows and faults happen.
const span = 20 * time.Second

// run plays one history to its end.
func run(seed uint64, traceOn bool, mutate func(*core.Config)) *world {
	w := &world{seed: seed, rand: rand.New(rand.NewPCG(seed, 7)), version: '1', traceOn: traceOn, mutate: mutate}
	w.draw()
	w.hbase = newModelHBase(w.wall, tableMixed, tableCounts)
	w.hbase.poisoned = func(_ string, rw *hbase.RowWrite) error {
		for _, m := range rw.Mutations {
			for _, c := range m.Cells {
				if string(c.Value) == string(heavyValue) {
					return fault(hbase.FaultRow, "too heavy")
				}
			}
		}
		return nil
	}
	parts := 1 + w.rand.IntN(3)
	bads := w.rand.IntN(2) == 0
	for p := range parts {
		w.logs = append(w.logs, newLog(w.rand, int32(p), 60+w.rand.IntN(200), bads))
	}
	w.grow()
	w.spawnFor(parts)
	w.plan()
	w.until(span)
	w.finish()
	return w
}

func (w *world) draw() {
	p := func(most float64) float64 {
		if w.rand.IntN(3) == 0 {
			return 0
		}
		return w.rand.Float64() * most
	}
	w.rates = rates{
		lostRequest: p(0.1), lostAnswer: p(0.2), late: p(0.2), busy: p(0.1), moved: p(0.1), swapLost: p(0.2), fetchError: p(0.05),
		kill: w.rand.IntN(6), pause: w.rand.IntN(4),
	}
	if w.rand.IntN(5) == 0 {
		w.rates.restore = 1
	}
	w.mode = hbase.Mode(w.rand.IntN(2))
	w.regions = 1 + w.rand.IntN(4)
}

// grow shows the log little by little.
func (w *world) grow() {
	var step func()
	step = func() {
		for _, l := range w.logs {
			if w.quiet {
				break
			}
			l.shown = min(l.end, int64(float64(l.end)*w.now.Seconds()/(span.Seconds()*0.9))+1)
			if w.healed {
				l.shown = l.end
			}
		}
		if !w.healed {
			w.after(100*time.Millisecond, step)
		}
	}
	step()
}

func (w *world) spawnFor(parts int) {
	all := make([]int32, parts)
	for i := range all {
		all[i] = int32(i)
	}
	if parts > 1 && w.rand.IntN(2) == 0 {
		w.spawn(all[:1])
		w.spawn(all[1:])
		return
	}
	w.spawn(all)
}

func (w *world) plan() {
	at := func() time.Duration { return time.Duration(w.rand.Int64N(int64(span))) }
	for range w.rates.kill {
		w.after(at(), w.kill)
	}
	for range w.rates.pause {
		w.after(at(), w.pause)
	}
	for range w.rates.restore {
		w.after(at()/2, w.snapshot)
	}
}

func (w *world) pick() *process {
	live := slices.DeleteFunc(slices.Clone(w.procs), func(p *process) bool { return p.dead || p.paused })
	if len(live) == 0 {
		return nil
	}
	return live[w.rand.IntN(len(live))]
}

func (w *world) kill() {
	p := w.pick()
	if p == nil || w.healed {
		return
	}
	w.faults++
	if w.rand.IntN(4) == 0 {
		w.logf("p%d told to stop", p.id)
		p.deliver(core.Stop{})
	} else {
		w.logf("p%d killed", p.id)
		p.dead = true
	}
	w.remap()
	w.after(time.Duration(w.rand.IntN(2000))*time.Millisecond, func() { w.spawn(p.parts) })
}

// remap changes the mapping of the next connectors. Not where a table is restored: a rewind to before a change
// of the mapping replays records under row keys that the snapshot does not know.
func (w *world) remap() {
	if w.rates.restore == 0 && w.rand.IntN(3) == 0 {
		w.version = '2'
	}
}

// pause stops a process as SIGSTOP does; a rival comes meanwhile.
func (w *world) pause() {
	p := w.pick()
	if p == nil || w.healed {
		return
	}
	w.faults++
	w.logf("p%d paused", p.id)
	p.paused = true
	if w.rand.IntN(2) == 0 {
		w.after(time.Duration(w.rand.IntN(4000))*time.Millisecond, func() {
			w.remap()
			w.spawn(p.parts)
		})
	}
	w.after(time.Duration(100+w.rand.IntN(12000))*time.Millisecond, p.resume)
}

func (p *process) resume() {
	if !p.paused {
		return
	}
	p.w.logf("p%d resumes", p.id)
	p.paused = false
	held := p.held
	p.held = nil
	for _, ev := range held {
		p.deliver(ev)
	}
}

// snapshot copies the tables, and later puts the copy back under the running connectors. The operator then
// stops them and rewinds to where the snapshot began.
func (w *world) snapshot() {
	offsets := map[string]int64{}
	for k, c := range w.hbase.checkpoints {
		offsets[k] = c.Offset
	}
	copies := map[string]*modelTable{}
	for name, t := range w.hbase.tables {
		copies[name] = t.clone()
	}
	w.logf("snapshot at %v", offsets)
	wait := time.Duration(500+w.rand.IntN(5000)) * time.Millisecond
	if w.rand.IntN(2) == 0 {
		// Nobody writes while the table is away: only its witness can tell.
		w.after(wait/2, func() { w.quiet = true })
		w.after(wait+1600*time.Millisecond, func() { w.quiet = false })
	}
	w.after(wait, func() {
		if w.healed {
			return
		}
		w.faults++
		w.logf("tables disabled and restored")
		for name := range w.hbase.tables {
			w.hbase.tables[name] = copies[name]
			copies[name].disabled = true
		}
		w.hbase.restores++
		w.after(1500*time.Millisecond, func() {
			w.hbase.restores++ // a call on its way since before is not modelled to outlive the spell
			for _, t := range copies {
				t.disabled = false
			}
		})
		w.after(time.Duration(2000+w.rand.IntN(4000))*time.Millisecond, func() { w.rewind(offsets) })
	})
}

func (w *world) rewind(offsets map[string]int64) {
	w.logf("operator rewinds to %v", offsets)
	for _, p := range w.procs {
		p.dead = true
	}
	var parts []int32
	for p := range w.logs {
		parts = append(parts, int32(p))
		key := tpOf(int32(p)).String()
		if c := w.hbase.checkpoints[key]; c != nil {
			n := *c
			n.Offset, n.Epoch, n.Owner, n.Witness = offsets[key], c.Epoch+1, core.Owner{}, nil
			w.hbase.checkpoints[key] = &n
		}
	}
	w.spawn(parts)
}

func (w *world) until(t time.Duration) {
	for w.tasks.Len() > 0 && w.tasks[0].at <= t {
		next := heap.Pop(&w.tasks).(task)
		w.now = next.at
		next.run()
	}
	w.now = t
}

// finish heals everything, drains the log by one more connector, and checks.
func (w *world) finish() {
	w.until(w.now + 15*time.Second) // what is late has landed, restores are over
	w.healed = true
	for _, l := range w.logs {
		l.shown = l.end
	}
	for _, p := range w.procs {
		p.resume()
	}
	w.until(w.now + 10*time.Second)
	for _, p := range w.procs {
		p.dead = true
	}
	w.mutateOnce()
	var parts []int32
	for p := range w.logs {
		parts = append(parts, int32(p))
	}
	last := w.spawn(parts)
	for range 600 {
		w.until(w.now + 100*time.Millisecond)
		if len(last.done) == len(parts) {
			break
		}
	}
	for _, n := range parts {
		if r, ok := last.done[tpOf(n)]; !ok || r.Kind != core.ReportFinished {
			w.fail("stuck: partition %d ended as %v %v", n, r.Kind, r.Err)
		}
	}
	w.check()
}

func (w *world) mutateOnce() {
	before := w.mutate
	w.mutate = func(c *core.Config) {
		c.Once = true
		if before != nil {
			before(c)
		}
	}
}
