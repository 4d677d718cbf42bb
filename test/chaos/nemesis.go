package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// class is a kind of fault: how it is done, and how it is proved that it was. run returns when the fault is over, with
// what it saw of its bite.
type class struct {
	classCost
	run func(ctx context.Context, s *stage, rnd *rand.Rand) (bite string, err error)
}

// errNotNow says that a fault can't be done any more, having been done before.
var errNotNow = errors.New("it was done as often as it can be")

// tally is what was seen of one class.
type tally struct {
	planned, bit int
	longest      time.Duration // recovery
	last         string        // proof, or why there is none
}

// nemesis carries out the plan.
type nemesis struct {
	stage   *stage
	classes map[string]class
	began   time.Time

	mu    sync.Mutex
	tally map[string]*tally
	acts  []string
}

const (
	// episodeLimit bounds one episode without its recovery.
	episodeLimit = 3 * time.Minute
	// recoveryLimit is when partitions that do not move again count as stuck. Faults of other lanes go on meanwhile.
	recoveryLimit = 3 * time.Minute
	overtime      = 90 * time.Second // for what is late at the end of the plan
)

func newNemesis(s *stage, classes []class) *nemesis {
	n := &nemesis{stage: s, classes: map[string]class{}, tally: map[string]*tally{}}
	for _, c := range classes {
		n.classes[c.Name] = c
	}
	return n
}

// run carries out the plan, each lane by itself, and returns when all is over.
func (n *nemesis) run(ctx context.Context, plan []episode, length time.Duration) {
	n.began = time.Now()
	for _, e := range plan {
		if n.tally[e.Class] == nil {
			n.tally[e.Class] = &tally{}
		}
		n.tally[e.Class].planned++
	}
	ctx, cancel := context.WithDeadline(ctx, n.began.Add(length+overtime))
	defer cancel()
	var wg sync.WaitGroup
	for _, l := range lanes {
		wg.Go(func() {
			for _, e := range plan {
				if e.Lane == l && sleep(ctx, time.Until(n.began.Add(e.At))) == nil {
					n.episode(ctx, e)
					_ = sleep(ctx, time.Second) // the least quiet time also when late; the end of ctx shows above
				}
			}
		})
	}
	wg.Wait()
}

// episode carries out one fault, and waits until the checkpoints move again.
func (n *nemesis) episode(ctx context.Context, e episode) {
	s := n.stage
	s.log.say("fault %d: %s", e.N, e.Class)
	fctx, cancel := context.WithTimeout(ctx, episodeLimit)
	bite, err := n.classes[e.Class].run(fctx, s, rand.New(rand.NewPCG(e.Seed, uint64(e.N))))
	cancel()
	over := time.Now()
	stalled := n.recover(ctx, over)
	if stalled != "" && ctx.Err() == nil {
		s.found.add("nemesis", found(stuck, "%v after %s: %s", recoveryLimit, e.Class, stalled))
	}
	took := time.Since(over)
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.tally[e.Class]
	t.longest = max(t.longest, took)
	switch {
	case errors.Is(err, errNotNow):
		t.planned--
	case err != nil:
		t.last = err.Error()
	case bite == "":
		t.last = "no bite"
	default:
		t.bit++
		t.last = bite
	}
	line := fmt.Sprintf("fault %d: %s over: %s; recovered in %.1f s", e.N, e.Class, t.last, took.Seconds())
	if stalled != "" {
		line = fmt.Sprintf("fault %d: %s over: %s; not recovered: %s", e.N, e.Class, t.last, stalled)
	}
	n.acts = append(n.acts, fmt.Sprintf("%7.1fs  %s", time.Since(n.began).Seconds(), line))
	s.log.say("%s", line)
}

// recover waits until each checkpoint that has records before it has moved since a time, or another fault explains that
// it can't. It gives what stands still.
func (n *nemesis) recover(ctx context.Context, since time.Time) string {
	for {
		still := n.still(ctx, since)
		if len(still) == 0 {
			return ""
		}
		if time.Since(since) > recoveryLimit {
			return fmt.Sprint(still)
		}
		if sleep(ctx, 200*time.Millisecond) != nil {
			return "the run ended first"
		}
	}
}

// still gives the checkpoints that lag and have not moved since a time.
func (n *nemesis) still(ctx context.Context, since time.Time) []string {
	w := n.stage.watch
	ends := n.stage.stable(ctx)
	if ends == nil {
		return []string{"the brokers don't answer"}
	}
	moved := w.movedAt()
	var out []string
	for seat, p := range w.positions() {
		end, ok := ends[p.source]
		if ok && end > p.offset && moved[seat].Before(since) {
			out = append(out, fmt.Sprintf("%s at %d of %d", seat, p.offset, end))
		}
	}
	return out
}

// unbitten gives the classes that were planned and never seen to bite.
func (n *nemesis) unbitten() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []string
	for name, t := range n.tally {
		if t.bit == 0 {
			out = append(out, fmt.Sprintf("%s (%s)", name, t.last))
		}
	}
	return out
}
