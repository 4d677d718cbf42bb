package main

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestHistories(t *testing.T) {
	var wg sync.WaitGroup
	for range 12 {
		seed := rand.Uint64()
		wg.Go(func() {
			w := play(seed, false, nil)
			for _, e := range w.errs {
				t.Errorf("seed %d: %s", seed, e)
			}
		})
	}
	wg.Wait()
}

// A check that can't fail checks nothing: what is spoilt behind the connector's back is found.
func TestTheCheckFindsWhatIsSpoilt(t *testing.T) {
	table := func(name string, do func(*world) error) func(*world) {
		return func(w *world) {
			if err := do(w); err != nil {
				t.Errorf("spoiling %s: %v", name, err)
			}
		}
	}
	for want, spoil := range map[string]func(*world){
		"ahead": table("counts", func(w *world) error { return w.hbase.DeleteRow("counts", []byte(w.aKey())) }),
		"holds": table("rows", func(w *world) error { return w.hbase.DeleteRow("rows", []byte(w.aKey())) }),
		"total": table("counts", func(w *world) error { return w.hbase.DeleteRow("counts", []byte("total-0")) }),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			w := play(rand.Uint64(), false, spoil)
			found := false
			for _, e := range w.errs {
				found = found || strings.Contains(e, want)
			}
			if !found {
				t.Errorf("seed %d: the check found %q, want a word of %q", w.seed, w.errs, want)
			}
		})
	}
}

// aKey is a key whose last record is no delete.
func (w *world) aKey() string {
	for _, log := range w.log.logs {
		if n := len(log); n > 0 && !log[n-1].delete {
			return log[n-1].key
		}
		for i := len(log) - 1; i >= 0; i-- {
			last := true
			for _, later := range log[i+1:] {
				last = last && later.key != log[i].key
			}
			if last && !log[i].delete {
				return log[i].key
			}
		}
	}
	return ""
}
