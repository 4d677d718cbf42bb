package live

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"rowmark/connector"
	"rowmark/test/crash/effect"
	"rowmark/test/crash/matrix"
)

// cancelFetch has no frame of its own: the point is right after SIGTERM.
const cancelFetch = "CancelFetch"

// Options say how the cases are run. The zero value runs one at a time.
type Options struct {
	Workers int                      // cases at once; they wait more than they work
	Mutate  func(*connector.Options) // breaks the connector, to see that it is noticed
	Spoil   func(content)            // spoils what is read before the check, to see that it is noticed
	Only    func(Target) bool        // leaves out targets
}

// Run plays the scenarios into m: each without a crash, which counts the points, and then killed at each of them.
func Run(scenarios []Scenario, m *matrix.Matrix, o Options) {
	type job struct {
		s    Scenario
		plan Plan
	}
	var cases []job
	var mu sync.Mutex
	each(o.Workers, scenarios, func(s Scenario) {
		base := play(s, Plan{}, o)
		if len(base.errs) > 0 {
			m.Violation(s.Name()+", undisturbed", base.errs...)
			return
		}
		plans := plans(s, base.counts[0], o)
		if s.Shape == "regions" {
			plans = append(plans, successors(s, base.counts[0], m, o)...)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, p := range plans {
			cases = append(cases, job{s, p})
		}
	})
	each(o.Workers, cases, func(j job) { one(j.s, j.plan, m, o) })
}

// each runs f for all of a list, some at once.
func each[T any](workers int, list []T, f func(T)) {
	work := make(chan T)
	var wg sync.WaitGroup
	for range max(1, workers) {
		wg.Go(func() {
			for t := range work {
				f(t)
			}
		})
	}
	for _, t := range list {
		work <- t
	}
	close(work)
	wg.Wait()
}

// plans gives the points of a scenario whose requests were counted.
func plans(s Scenario, counts map[string]int, o Options) []Plan {
	var out []Plan
	for _, t := range targets(s, counts, o) {
		out = append(out, Plan{t})
	}
	if s.Shape != "init" && s.Shape != "offsets" {
		for _, at := range []Instant{Before, Landed} {
			if t := (Target{cancelFetch, 1, at}); o.Only == nil || o.Only(t) {
				out = append(out, Plan{t})
			}
		}
	}
	return out
}

// successors gives the points of the process that comes after one killed amid its writes.
func successors(s Scenario, counts map[string]int, m *matrix.Matrix, o Options) []Plan {
	first := Target{"Write/" + s.Commit, max(1, counts["Write/"+s.Commit]/2), Landed}
	base := play(s, Plan{first}, o)
	if len(base.errs) > 0 {
		m.Violation(s.Name()+", "+Plan{first}.String(), base.errs...)
		return nil
	}
	var out []Plan
	for _, t := range targets(s, base.counts[1], o) {
		out = append(out, Plan{first, t})
	}
	return out
}

// targets are the first, the middle and the last request of each effect; of what only finds servers or makes ready, the
// first, and in one shape.
func targets(s Scenario, counts map[string]int, o Options) []Target {
	var out []Target
	for _, e := range slices.Sorted(maps.Keys(counts)) {
		n := counts[e]
		nths := []int{1, (n + 1) / 2, n}
		if aside(e) {
			if s.Shape != "rows" && s.Shape != "group" {
				continue
			}
			nths = nths[:1]
		}
		instants := []Instant{Before, Landed, Answered}
		if e == "Write/row" && s.batch() > 1 {
			instants = append(instants, Partial)
		}
		for _, nth := range slices.Compact(nths) {
			for _, at := range instants {
				if t := (Target{e, nth, at}); o.Only == nil || o.Only(t) {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// Missing gives the kinds of effect that no case was run at, of the core's that are seen in requests and of Outside.
func Missing(reg *effect.Registry, m *matrix.Matrix) []string {
	reached := map[string]bool{}
	for e := range m.Reached() {
		kind, _, _ := strings.Cut(e, "/")
		reached[e], reached[kind] = true, true
	}
	var out []string
	for _, e := range append(reg.Kinds(), effect.Outside...) {
		if !reached[e] && e != "Report" { // a report is a line of the log
			out = append(out, e)
		}
	}
	return out
}

// aside says whether an effect is neither one of the core nor one of package effect's Outside.
func aside(e string) bool {
	if slices.ContainsFunc(effect.Outside, func(name string) bool { return strings.HasPrefix(e, name) }) {
		return false
	}
	kind, _, _ := strings.Cut(e, "/")
	return slices.Contains([]string{"hbase", "kafka", "start", "group", "offsets"}, kind)
}

// one runs a case. Which request is the last depends on how threads take turns: where a run had fewer, one of those.
func one(s Scenario, plan Plan, m *matrix.Matrix, o Options) {
	stage := 0
	if plan[1].Effect != "" {
		stage = 1
	}
	var out outcome
	for range 5 {
		out = play(s, plan, o)
		if out.fired[stage] || len(out.errs) > 0 {
			break
		}
		for i := range stage + 1 {
			if n := out.counts[i][plan[i].Effect]; !out.fired[i] && n > 0 {
				plan[i].Nth = min(plan[i].Nth, n)
			}
		}
	}
	if !out.fired[stage] && len(out.errs) == 0 {
		// Whether such a request comes at all is a matter of timing. Another case has to reach the effect: Missing tells.
		m.Skip()
		return
	}
	t := plan[stage]
	m.Case(t.Effect, string(t.At), s.Shape, fmt.Sprint(s.Name(), " ", stage, " ", t), s.Name()+", "+plan.String(), out.errs)
}
