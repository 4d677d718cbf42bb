package main

import (
	"bytes"
	"testing"
	"time"

	"rowmark/connector/core"
)

func withoutMarks(c *core.Config) { c.AtLeastOnce = true }

// A failing plan is shrunk to a much smaller one that still fails, also when it was written down and read again.
func TestShrink(t *testing.T) {
	seed := uint64(1)
	for len(run(seed, false, withoutMarks).errs) == 0 {
		seed++
	}
	full := draw(seed)
	play(full, false, withoutMarks)
	small := shrunk(draw(seed), withoutMarks, 5*time.Second)
	if small.size()*3 > full.size() {
		t.Errorf("seed %d: shrunk from %d to %d only", seed, full.size(), small.size())
	}
	var text bytes.Buffer
	small.write(&text)
	again, err := readPlan(&text)
	if err != nil {
		t.Fatal(err)
	}
	if w := play(again, false, withoutMarks); len(w.errs) == 0 {
		t.Errorf("seed %d: the shrunk plan, read again, shows no violation", seed)
	}
}

// A plan whose hits are listed is the history of its seed.
func TestPlanReplaysItsSeed(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		p := draw(seed)
		a := play(p, true, nil)
		var text bytes.Buffer
		p.explicit = true
		p.write(&text)
		q, err := readPlan(&text)
		if err != nil {
			t.Fatal(err)
		}
		b := play(q, true, nil)
		if len(a.trace) != len(b.trace) || a.events != b.events || a.faults != b.faults {
			t.Errorf("seed %d: %d events, %d faults, replayed %d and %d", seed, a.events, a.faults, b.events, b.faults)
		}
	}
}
