package main

import (
	"testing"
	"time"

	"rowmark/connector/core"
)

// TestHistories runs the first seeds; `go run ./test/sim --for 60s` runs others.
func TestHistories(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 50
	}
	faults := 0
	for seed := uint64(1); seed <= n; seed++ {
		w := run(seed, false, nil)
		faults += w.faults
		for _, e := range w.errs {
			t.Errorf("seed %d: %s", seed, e)
		}
	}
	if faults < int(n)*20 {
		t.Errorf("%d faults in %d histories: too few to prove anything", faults, n)
	}
}

// TestReplay: one seed, one trace (I14).
func TestReplay(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		a, b := run(seed, true, nil), run(seed, true, nil)
		if len(a.trace) != len(b.trace) {
			t.Fatalf("seed %d: %d lines, then %d", seed, len(a.trace), len(b.trace))
		}
		for i := range a.trace {
			if a.trace[i] != b.trace[i] {
				t.Fatalf("seed %d, line %d: %q, then %q", seed, i, a.trace[i], b.trace[i])
			}
		}
	}
}

// TestBrokenCoresAreCaught: the simulation must see what goes wrong without marks, and each other part.
func TestBrokenCoresAreCaught(t *testing.T) {
	for _, c := range brokenCores {
		t.Run(c.name, func(t *testing.T) {
			for seed := uint64(1); seed <= 200; seed++ {
				if w := run(seed, false, c.mutate); len(w.errs) > 0 {
					return
				}
			}
			t.Fatal("200 histories showed no violation")
		})
	}
}

var brokenCores = []struct {
	name   string
	mutate func(*core.Config)
}{
	{"no marks", func(c *core.Config) { c.AtLeastOnce = true }},
	{"waits for ever", func(c *core.Config) { c.Lease = time.Hour }},
	{"marks of its own", func(c *core.Config) { c.MarkFamily = []byte(c.Who) }},
}
