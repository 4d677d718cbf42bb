package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	stop := make(chan struct{})
	go measureLag(stop)
	m.Run()
	close(stop)
}

func TestHistories(t *testing.T) {
	var wg sync.WaitGroup
	sum := &tally{}
	places := make(chan struct{}, perCore*runtime.GOMAXPROCS(0))
	for range 16 {
		wg.Go(func() {
			places <- struct{}{}
			w := play(rand.Uint64()>>16, false, "")
			<-places
			sum.add(w)
			for _, v := range w.violations {
				t.Errorf("seed %d: %s", w.seed, v)
			}
		})
	}
	wg.Wait()
	if sum.operations == 0 || sum.verdict.faults() == 0 || sum.records == 0 || sum.unbegun > 1 {
		t.Errorf("%d records, %d faults, %d operations on checkpoints and rows, %d not begun: too little was tried", sum.records, sum.verdict.faults(), sum.operations, sum.unbegun)
	}
}

// A log that is not drained is found, with where it stands.
func TestAConnectorThatHangsIsFound(t *testing.T) {
	_, w := quiet(t)
	for n := range w.hbase.Servers() {
		if err := w.hbase.Pause(n); err != nil {
			t.Fatal(err)
		}
	}
	w.patience = 300 * time.Millisecond
	if w.drain(t.Context()) || !found(w, I11) || !strings.Contains(w.violations[0].text, "partition 0 at ") {
		t.Errorf("found %v, want a log that is not drained", w.violations)
	}
	for n := range w.hbase.Servers() {
		if err := w.hbase.Resume(n); err != nil {
			t.Fatal(err)
		}
	}
}

// A violation fails the run, and so do no histories, or too many that could not begin; few of those do not.
func TestTheExitCode(t *testing.T) {
	for name, c := range map[string]struct {
		played, unbegun, violations, want int
	}{
		"all went well":    {100, 0, 0, 0},
		"one in a hundred": {99, 1, 0, 0},
		"more than that":   {98, 1, 0, 1},
		"none":             {0, 0, 0, 1},
		"with a violation": {1000, 0, 1, 1},
		"none that began":  {0, 500, 0, 1},
	} {
		tl := &tally{}
		for range c.played {
			tl.add(newWorld(1, false))
		}
		for range c.unbegun {
			tl.add(&world{unbegun: errors.New("a machine that is busy")})
		}
		for range c.violations {
			tl.verdict.add(I1, "of a test")
		}
		if got := tl.code(); got != c.want {
			t.Errorf("%s: exit code %d, want %d", name, got, c.want)
		}
		if tl.histories != c.played {
			t.Errorf("%s: %d histories are counted, %d were played", name, tl.histories, c.played)
		}
	}
}

// quiet is a world in which nothing befalls, with a log that is written and drained.
func quiet(t *testing.T) (context.Context, *world) {
	t.Helper()
	w := newWorld(rand.Uint64()>>16, false)
	w.lettered = false
	return settle(t, w), w
}

// settle lets a world's log grow and be drained.
func settle(t *testing.T, w *world) context.Context {
	t.Helper()
	ctx, cancel := lag.within(context.Background(), 10*calm)
	t.Cleanup(cancel)
	t.Cleanup(w.close)
	if err := w.open(ctx); err != nil {
		t.Fatal(err)
	}
	for grown := false; !grown; grown = !w.lettered || w.hasAllLetters() {
		if err := w.producer.grow(ctx, 4); err != nil {
			t.Fatal(err)
		}
	}
	if !w.drain(ctx) {
		t.Fatal(w.violations)
	}
	w.check()
	w.checkLinear()
	newAuditor(w).look()
	if !w.faultless() {
		t.Fatalf("seed %d: %v", w.seed, w.violations)
	}
	return ctx
}

// Each ending is met by the stop that it asks for.
func TestEndings(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			ctx, w := quiet(t)
			w.end(ctx, e)
			for _, v := range w.violations {
				t.Errorf("seed %d: %s", w.seed, v)
			}
			if !w.faultless() || w.bites["ending: "+e.name] != 1 {
				t.Errorf("seed %d: the ending came about %d times, want once", w.seed, w.bites["ending: "+e.name])
			}
		})
	}
}

// A partition that wrote nothing since its offset was set holds no witness, so that an emptied table is not its to find.
func TestOnlyWhatWasWrittenSinceAnOffsetWasSetIsAWitness(t *testing.T) {
	w := newWorld(1, false)
	for _, e := range []event{{key: "k1"}, {key: "k1", delete: true}, {key: "k1", fate: aborted}, {key: "k1"}} {
		w.log.add(0, e)
	}
	for _, c := range []struct {
		setTo, before int64
		want          bool
	}{{0, 4, true}, {0, 0, false}, {1, 4, true}, {1, 3, false}, {4, 4, false}} {
		w.setTo[0] = c.setTo
		if got := w.hasWitness(0, c.before); got != c.want {
			t.Errorf("set to %d, records from %d: a witness is %v, want %v", c.setTo, c.before, got, c.want)
		}
	}
}

// One that is passed in silence is found.
func TestAnEndingPassedInSilenceIsFound(t *testing.T) {
	ctx, w := quiet(t)
	e := endings[0]
	e.spoil = func(context.Context, *world) (int, int64, error) { return 0, w.log.end(0) - 1, nil }
	w.end(ctx, e)
	if !found(w, I9) || len(w.violations) != 2 {
		t.Errorf("found %v, want the wrong exit code and the checkpoint past the record", w.violations)
	}
}

func found(w *world, of invariant) bool {
	for _, v := range w.violations {
		if v.of == of {
			return true
		}
	}
	return false
}
