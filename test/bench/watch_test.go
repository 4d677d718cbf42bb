package main

import (
	"slices"
	"testing"
	"time"
)

// TestWatchTakesDownTheFirstSight: a row that is seen again counts once, and the look goes on at the first gap.
func TestWatchTakesDownTheFirstSight(t *testing.T) {
	const n = 4 * latencyPartitions
	start := time.Now()
	w := &watch{n: n, due: make([]time.Time, n), seen: make([]time.Time, n), left: n, wake: make(chan struct{}, 1)}
	for i := range w.due {
		w.due[i] = start
	}
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	if next := w.note([]int{1, 1 + 2*latencyPartitions}, 1, at(10)); next != 1+latencyPartitions {
		t.Errorf("goes on at %d, want at the gap", next)
	}
	if next := w.note([]int{1 + latencyPartitions, 1 + 2*latencyPartitions}, 1+latencyPartitions, at(20)); next != 1+3*latencyPartitions {
		t.Errorf("goes on at %d, want behind all three", next)
	}
	if w.left != n-3 {
		t.Errorf("%d rows are left, want %d", w.left, n-3)
	}
	for _, i := range []int{0, 2, 3} {
		w.note([]int{i, i + latencyPartitions, i + 2*latencyPartitions, i + 3*latencyPartitions}, i, at(30))
	}
	w.note([]int{1 + 3*latencyPartitions}, 1+3*latencyPartitions, at(30))
	delays := w.delays()
	if len(delays) != n-n/10 || delays[1+latencyPartitions-n/10] != 0.02 || delays[1+2*latencyPartitions-n/10] != 0.01 {
		t.Errorf("%v", delays)
	}
	if err := w.until(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

func TestWatchedKeysSort(t *testing.T) {
	var keys []string
	for p := range latencyPartitions {
		for _, i := range []int{0, 9, 10, 123456} {
			keys = append(keys, string(watchedKey(p, i)))
		}
	}
	if !slices.IsSorted(keys) {
		t.Errorf("%q", keys)
	}
}
