package pure

import (
	"fmt"
	"slices"
	"sync"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/test/crash/effect"
	"rowmark/test/crash/matrix"
)

// Options say how much of the matrix is run. The zero value is all of it, with no second crashes.
type Options struct {
	Stride  int                // every so many-th point; 0 and 1: each
	Seconds int                // first crashes whose successors are killed too, at each of their points
	Offset  int                // shifts which points those are
	Workers int                // 0: one
	Mutate  func(*core.Config) // breaks the connector, to see that it is noticed
	Spoil   func(*Spoiler)     // spoils the data before the check, to see that it is noticed
	Trace   func(string)       // told what happens; for one case
}

// Spoiler changes what a run left behind.
type Spoiler struct{ w *world }

// outcome is what one run showed.
type outcome struct {
	points [3][]Point
	flight [2]int
	broken bool // the first point was reached
	errs   []string
}

// Play runs one case.
func (s *Scenario) Play(plan Plan, reg *effect.Registry, o Options) (errs []string) {
	return s.run(plan, reg, o).errs
}

func (s *Scenario) run(plan Plan, reg *effect.Registry, o Options) (out outcome) {
	w := newWorld(s, plan, reg, o.Mutate)
	w.trace = o.Trace
	w.spoil = o.Spoil
	defer func() {
		if r := recover(); r != nil {
			out.errs = append(w.errs, fmt.Sprintf("panic: %v", r))
		}
	}()
	w.play()
	return outcome{w.points, w.flight, w.first != nil, w.errs}
}

// Scenarios lists all of them.
func Scenarios() []*Scenario {
	var out []*Scenario
	for _, mode := range []hbase.Mode{hbase.ModeRow, hbase.ModeRegion} {
		for _, remap := range []bool{false, true} {
			for _, op := range Ops {
				for _, shape := range Shapes {
					out = append(out, NewScenario(shape, op, mode, remap, ""))
				}
			}
		}
		for _, sp := range Specials {
			out = append(out, NewScenario(ShapeSpecial, OpMixed, mode, false, sp))
		}
	}
	out = append(out, NewScenario(ShapeSpecial, OpMixed, hbase.ModeRegion, true, Rough))
	return out
}

// Run plays the matrix of all given scenarios into m.
func Run(scenarios []*Scenario, reg *effect.Registry, m *matrix.Matrix, o Options) {
	work := make(chan *Scenario)
	var wg sync.WaitGroup
	for range max(1, o.Workers) {
		wg.Go(func() {
			for s := range work {
				(&runner{s: s, reg: reg, m: m, o: o}).all()
			}
		})
	}
	for _, s := range scenarios {
		work <- s
	}
	close(work)
	wg.Wait()
}

// Missing gives the effects of the core, and of the operator, that no case was run at.
func Missing(reg *effect.Registry, m *matrix.Matrix) []string {
	reached := m.Reached()
	var out []string
	for _, e := range append(slices.Clone(reg.Effects), "offsets/take", "offsets/write") {
		if !reached[e] {
			out = append(out, e)
		}
	}
	return out
}

// runner plays one scenario.
type runner struct {
	s   *Scenario
	reg *effect.Registry
	m   *matrix.Matrix
	o   Options
}

func (r *runner) all() {
	base := r.s.run(Plan{}, r.reg, r.o)
	if len(base.errs) > 0 {
		r.m.Violation(r.s.Name()+", undisturbed", base.errs...)
		return // every case would say the same
	}
	points := base.points[0]
	for i := 0; i < len(points); i += max(1, r.o.Stride) {
		r.kills(&points[i])
		if r.s.Special == "" || r.s.Special == Rough || r.s.Special == Away {
			r.pauses(&points[i])
		}
	}
	if n := r.o.Seconds; n > 0 {
		step := max(1, len(points)/n)
		for i := r.o.Offset % step; i < len(points); i += step {
			r.twice(&points[i])
		}
	}
}

// play runs one case and counts it at a point.
func (r *runner) play(plan Plan, at *Point) outcome {
	out := r.s.run(plan, r.reg, r.o)
	if !out.broken && plan.First.Effect != "offsets/take" && plan.First.Effect != "offsets/write" {
		out.errs = append(out.errs, "the point was not reached: the run does not repeat itself")
	}
	gen := 0
	if at == plan.Second {
		gen = 1
	}
	r.m.Case(at.Effect, at.At.String(), string(r.s.Shape), fmt.Sprint(r.s.Name(), " ", gen, " ", plan.First.Action, " ", *at), r.s.Name()+", "+plan.String(), out.errs)
	return out
}

func (r *runner) kills(pt *Point) {
	first := r.play(Plan{First: pt}, pt)
	for _, f := range fates(first.flight[0], r.s.Mode == hbase.ModeRow)[1:] {
		if f.When != Now && r.s.Special == Hole {
			continue // what a hole leaves is told by the marks before it
		}
		r.play(Plan{First: pt, Fate: f}, pt)
	}
}

// pauses lets the process come back beside its successor: what was in flight lands by itself, or after the takeover.
func (r *runner) pauses(pt *Point) {
	for _, way := range []Way{PauseShort, PauseLong} {
		first := r.play(Plan{First: pt, Way: way}, pt)
		if first.flight[0] > 0 {
			r.play(Plan{First: pt, Way: way, Fate: Fate{Lands: ^uint64(0), When: Late}}, pt)
		}
	}
}

// twice kills the successor too, at each of its points.
func (r *runner) twice(pt *Point) {
	base := r.s.run(Plan{First: pt}, r.reg, r.o)
	for i := range base.points[1] {
		second := base.points[1][i]
		plan := Plan{First: pt, Second: &second}
		if out := r.play(plan, &second); out.flight[1] > 0 {
			plan.Then.Lands = ^uint64(0)
			r.play(plan, &second)
		}
	}
}
