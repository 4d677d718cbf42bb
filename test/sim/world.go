package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

const lease = 3 * time.Second

// world is one history: everything that happens comes from its plan.
type world struct {
	plan   *plan
	delays *rand.Rand // how long things take
	faulty *rand.Rand // which calls fail, where the plan has rates
	now    time.Duration
	tasks  queue
	seq    int
	events int
	faults int
	calls  [faultKinds]int
	given  map[hit]int64 // the explicit hits, with ms 0 in the key
	healed bool
	quiet  bool          // the log does not grow
	final  bool          // the last connectors run, nothing comes after them
	ends   time.Duration // the last process planned so far starts then
	topics int           // times that the topic was made again

	restoring bool // a snapshot was taken, and offsets are not yet moved back

	hbase    *modelHBase
	logs     []*modelLog
	procs    []*process
	regions  int
	skew     int64 // of the region servers' clock, milliseconds
	mutate   func(*core.Config)
	watch    *watch
	operator operator

	errs    []string
	trace   []string
	traceOn bool
}

func newWorld(p *plan, traceOn bool, mutate func(*core.Config)) *world {
	w := &world{
		plan: p, traceOn: traceOn, mutate: mutate, regions: int(max(1, p.set.regions)),
		delays: rand.New(rand.NewPCG(p.seed, 2)), faulty: rand.New(rand.NewPCG(p.seed, 3)), given: map[hit]int64{},
	}
	for _, h := range p.hits {
		if p.explicit {
			w.given[hit{kind: h.kind, n: h.n}] = h.ms
		}
	}
	w.hbase = newModelHBase(w)
	w.watch = newWatch(w)
	w.operator = newOperator(&p.set)
	return w
}

func (w *world) after(d time.Duration, f func()) {
	w.seq++
	w.tasks.push(task{w.now + d, w.seq, f})
}

func (w *world) until(t time.Duration) {
	for len(w.tasks) > 0 && w.tasks[0].at <= t {
		next := w.tasks.pop()
		w.now = next.at
		next.run()
		if w.events > mostEvents {
			w.tasks = nil
			w.fail("I11", "restless: %d events, and no end", w.events)
		}
	}
	w.now = t
}

// mostEvents is many times what a history has.
const mostEvents = 100_000

func (w *world) logf(format string, args ...any) {
	if w.traceOn {
		w.trace = append(w.trace, fmt.Sprintf("%9.3fs ", w.now.Seconds())+fmt.Sprintf(format, args...))
	}
}

// fail notes a violation of an invariant, named by its id of PROOF.md.
func (w *world) fail(invariant, format string, args ...any) {
	text := invariant + " " + fmt.Sprintf(format, args...)
	if len(w.errs) < 50 {
		w.errs = append(w.errs, text)
	}
	w.logf("VIOLATION %s", text)
}

// hit says whether the next call that could have a fault has it, and how late it is.
func (w *world) hit(k faultKind) (time.Duration, bool) {
	if w.healed {
		return 0, false
	}
	n := w.calls[k]
	w.calls[k]++
	var ms int64
	if w.plan.explicit {
		given, ok := w.given[hit{kind: k, n: n}]
		if !ok {
			return 0, false
		}
		ms = given
	} else {
		rate := w.plan.set.rates[k]
		if rate == 0 || w.faulty.Int64N(1000) >= rate {
			return 0, false
		}
		ms = w.faulty.Int64N(latest.Milliseconds())
		w.plan.hits = append(w.plan.hits, hit{k, n, ms})
	}
	w.faults++
	if w.traceOn {
		w.logf("fault %s %d, %d ms", faultNames[k], n, ms)
	}
	return time.Duration(ms) * time.Millisecond, true
}

// latest bounds how late a call may land.
const latest = 8 * time.Second

// slip says whether a call fails in a way that has no lateness.
func (w *world) slip(k faultKind) bool {
	_, bad := w.hit(k)
	return bad
}

func (w *world) delay() time.Duration {
	return time.Duration(1000+w.delays.Int64N(19000)) * time.Microsecond
}

// wall is the clock of the connectors' hosts, in milliseconds.
func (w *world) wall() int64 { return 1_000_000 + w.now.Milliseconds() }

// serverClock stamps increments and appends.
func (w *world) serverClock() int64 { return w.wall() + w.skew }

func (w *world) mode() hbase.Mode {
	switch {
	case w.plan.set.atLeastOnce > 0:
		return hbase.ModeBatch
	case w.plan.set.region > 0:
		return hbase.ModeRegion
	}
	return hbase.ModeRow
}

func tpOf(p int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: p} }

func (w *world) allParts() []int32 {
	all := make([]int32, len(w.logs))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
