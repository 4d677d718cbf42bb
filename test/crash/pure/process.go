package pure

import (
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// process is one connector: a core, and what is on its way between it and the world.
type process struct {
	w      *world
	id     int
	gen    int
	core   *core.Core
	dead   bool
	paused bool
	held   []func() // what happens when it comes back
	wakeAt time.Duration
	parts  map[int32]*partState
	flight []*flying
	rows   map[string]bool // tables it writes row by row after all
	last   map[string]hbase.WriteResult
}

// partState is what the harness remembers of a partition in this process, to tell what an action is for.
type partState struct {
	fetched   bool
	logs      int  // looks at the log
	unsettled bool // the answer to a swap told nothing
	foreign   bool // the checkpoint that was read belongs to another
	end       *core.Report
	taken     bool
	fetch     int  // number of the fetch under way; 0: none
	halted    bool // it was told to read nothing
}

// flying is an effect that was begun and has not landed.
type flying struct{ land func(half bool) }

func (w *world) spawn(gen int, version byte, once bool) *process {
	p := &process{
		w: w, id: len(w.procs), gen: gen, wakeAt: always, parts: map[int32]*partState{}, rows: map[string]bool{},
		last: map[string]hbase.WriteResult{},
	}
	p.core = core.New(w.config(p.id, version, once))
	w.procs = append(w.procs, p)
	w.logf("p%d starts, mapping %c", p.id, version)
	for n := range w.logs {
		p.parts[int32(n)] = &partState{}
		p.deliver(core.Assigned{TopicPartition: tpOf(int32(n))}, nil)
	}
	return p
}

// deliver gives an event to the core, now or when the process comes back. at, if not nil, is the point that is reached
// when the event is taken and nothing was done about it.
func (p *process) deliver(ev core.Event, at *Point) {
	if p.dead {
		return
	}
	if p.paused {
		p.held = append(p.held, func() { p.deliver(ev, at) })
		return
	}
	p.note(ev)
	acts := p.core.Step(core.Now{Mono: p.w.now, Wall: p.w.wall()}, ev)
	if at != nil {
		p.reach(*at)
	}
	for _, a := range acts {
		p.do(a)
	}
	if !p.dead && !p.paused {
		p.wake()
	}
}

// do carries out an action, now or when the process comes back.
func (p *process) do(a core.Action) {
	if p.dead {
		return
	}
	if p.paused {
		p.held = append(p.held, func() { p.do(a) })
		return
	}
	n := p.w.actions[p.gen]
	p.w.actions[p.gen]++
	pt := Point{Action: n, At: Before, Effect: p.classify(a)}
	if p.w.trace != nil {
		p.w.logf("p%d action %d %s", p.id, n, pt.Effect)
	}
	p.reach(pt)
	switch {
	case p.paused:
		p.held = append(p.held, func() { p.act(a, pt) })
	case !p.dead:
		p.act(a, pt)
	}
}

func (p *process) wake() {
	at := p.core.Wake()
	if at >= 1<<62 || at >= p.wakeAt && p.wakeAt > p.w.now {
		return
	}
	p.wakeAt = at
	p.w.after(max(0, at-p.w.now), func() {
		if p.wakeAt == at {
			p.wakeAt = always
			p.deliver(core.Tick{}, nil)
		}
	})
}

// reach notes a point, and breaks the process there if the plan says so.
func (p *process) reach(pt Point) {
	w := p.w
	if p.dead || p.paused {
		return
	}
	w.points[p.gen] = append(w.points[p.gen], pt)
	switch {
	case p.gen == 0 && w.first == nil && w.plan.First != nil && w.plan.First.same(pt):
		w.first = p
		w.flight[0] = len(p.flight)
		w.logf("p%d: %s", p.id, w.plan.String())
		if w.plan.Way == Kill {
			p.kill(w.plan.Fate)
		} else {
			p.pause(w.plan.Fate)
		}
	case p.gen == 1 && w.plan.Second != nil && w.plan.Second.same(pt):
		w.flight[1] = len(p.flight)
		w.logf("p%d killed at %s %s", p.id, pt.Effect, pt.At)
		p.kill(w.plan.Then)
	}
}

func (p *process) kill(f Fate) {
	p.dead = true
	p.settle(f)
}

func (p *process) pause(f Fate) {
	p.paused = true
	if f.When == Now {
		return // they land by themselves
	}
	p.settle(f)
}

// settle decides what becomes of what is in flight.
func (p *process) settle(f Fate) {
	open := p.flight
	p.flight = nil
	for i, e := range open {
		land := e.land
		e.land = nil // not by itself any more
		if f.Lands>>min(i, 63)&1 == 0 || land == nil {
			continue
		}
		switch f.When {
		case Now:
			land(f.Half)
		case Late:
			p.w.late = append(p.w.late, func() { land(f.Half) })
		case Last:
			p.w.last = append(p.w.last, func() { land(f.Half) })
		}
	}
}

func (p *process) resume() {
	if !p.paused || p.dead {
		return
	}
	p.w.logf("p%d comes back", p.id)
	p.paused = false
	held := p.held
	p.held = nil
	// It wakes late, as after SIGCONT: the timer is due first.
	p.deliver(core.Tick{}, nil)
	for _, f := range held {
		f()
	}
}

func (p *process) stop() { p.deliver(core.Stop{}, nil) }

// over says that every partition has ended for good.
func (p *process) over() bool { return !p.dead && !p.paused && p.core.Live() == 0 }

// outlived says that it takes itself for the owner of a partition that another has taken, or that was let go since.
func (p *process) outlived() bool {
	for n, s := range p.parts {
		if c := p.w.store.checkpoints[n]; s.taken && s.end == nil && c != nil && c.Owner[0] != byte(p.id+1) {
			return true
		}
	}
	return false
}

// begin puts an effect in flight: it lands after a while, whatever becomes of the process, unless a crash decides else.
func (p *process) begin(d time.Duration, land func(half bool)) {
	f := &flying{}
	f.land = func(half bool) {
		f.land = nil
		for i, o := range p.flight {
			if o == f {
				p.flight = append(p.flight[:i:i], p.flight[i+1:]...)
				break
			}
		}
		land(half)
	}
	p.flight = append(p.flight, f)
	p.w.after(d, func() {
		if f.land != nil {
			f.land(false)
		}
	})
}
