package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// tally sums many histories up.
type tally struct {
	first uint64
	out   string // where histories with violations are written down
	// violated tells of a violation, where the run ends with the first. Nil: it does not.
	violated chan struct{}
	next     atomic.Int64
	running  atomic.Int64

	mu                         sync.Mutex
	histories, records         int
	unbegun                    int
	keys, operations, unproven int
	verdict                    verdict
	wrong                      map[invariant]int
}

func (t *tally) many(ctx context.Context, length time.Duration, count, workers int) int {
	began, from := time.Now(), use()
	var wg sync.WaitGroup
	for i := range max(workers, 1) {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 100 * time.Millisecond) // not all at once: the lag shows what the machine bears
			for {
				n := t.next.Add(1)
				if ctx.Err() != nil || count > 0 && n > int64(count) || count == 0 && time.Since(began) >= length {
					return
				}
				t.admit()
				w := play(t.first+uint64(n), false, t.out)
				t.running.Add(-1)
				t.add(w)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-t.violated:
		t.mu.Lock() // what ends now is not counted
		defer t.mu.Unlock()
		return t.print(time.Since(began), from, use())
	}
	took := time.Since(began)
	now := settled(from, 15*time.Second)
	if text := now.grown(from); text != "" {
		t.verdict.add(I12, "%s, after %d histories", text, t.histories)
		t.count(I12)
		fmt.Println(t.verdict.violations[len(t.verdict.violations)-1])
	}
	return t.print(took, from, now)
}

// Histories wait for one another where the machine can't keep up: else all would run into their timeouts at once.
const (
	busy    = 150 * time.Millisecond // of lag
	atLeast = 4                      // run in any case
)

// admit waits until one more history may begin.
func (t *tally) admit() {
	for t.running.Add(1) > atLeast && lag.now() > busy {
		t.running.Add(-1)
		time.Sleep(100 * time.Millisecond)
	}
}

func (t *tally) add(w *world) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.unbegun != nil {
		t.unbegun++
		fmt.Printf("seed %d: not begun: %v\n", w.seed, w.unbegun)
		return
	}
	t.histories++
	t.records += w.log.size()
	t.keys += w.checked.Keys
	t.operations += w.checked.Ops
	t.unproven += len(w.checked.Undecided)
	for kind, n := range w.bites {
		t.verdict.bite(kind, n)
	}
	for _, v := range w.violations {
		fmt.Printf("seed %d: %s\n", w.seed, v)
		t.verdict.violations = append(t.verdict.violations, v)
		t.count(v.of)
	}
	if err := w.save(); err != nil {
		fmt.Println(err)
	}
	if len(w.violations) > 0 && t.violated != nil {
		select {
		case t.violated <- struct{}{}:
		default:
		}
	}
}

func (t *tally) count(of invariant) {
	if t.wrong == nil {
		t.wrong = map[invariant]int{}
	}
	t.wrong[of]++
}

func (t *tally) print(took time.Duration, from, now usage) int {
	faults := t.verdict.faults()
	fmt.Println("faults that came into effect:")
	for _, kind := range slices.Sorted(maps.Keys(t.verdict.bites)) {
		fmt.Printf("%9d %s\n", t.verdict.bites[kind], kind)
	}
	for _, of := range slices.SortedFunc(maps.Keys(t.wrong), func(a, b invariant) int { return cmp.Compare(t.wrong[b], t.wrong[a]) }) {
		fmt.Printf("%9d violations of %s\n", t.wrong[of], of)
	}
	fmt.Printf("%d records; %d operations on %d checkpoints and rows found linearizable but for %d not decided in time\n", t.records, t.operations, t.keys, t.unproven)
	fmt.Printf("%d to %d goroutines, %d to %d open files; %s, seeds from %d, worst lag of the machine %s\n",
		from.goroutines, now.goroutines, from.files, now.files, took.Round(time.Second), t.first+1, lag.most().Round(time.Millisecond))
	if t.unbegun > 0 {
		fmt.Printf("%d histories could not begin\n", t.unbegun)
	}
	violations := len(t.verdict.violations)
	if violations > 0 && t.out != "" {
		fmt.Printf("histories with violations are written down in %s\n", t.out)
	}
	fmt.Printf("%d histories, %d faults, %d violations\n", t.histories, faults, violations)
	return t.code()
}

// code is the exit code. Of the histories one in a hundred may be left out because it could not begin.
func (t *tally) code() int {
	if len(t.verdict.violations) > 0 || t.histories == 0 || 100*t.unbegun > t.histories+t.unbegun {
		return 1
	}
	return 0
}
