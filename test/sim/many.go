package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// batch is many histories, played by several workers at once.
type batch struct {
	workers     int
	quiet       bool
	stopAtFirst bool
	out         string                        // file for the first failing plan
	seed        func(n uint64) (uint64, bool) // the n-th seed; false: no more
}

// many plays a batch, prints the violations and a last line of figures, and gives the exit code.
func many(b batch) int {
	var (
		histories, events, faults, violations atomic.Int64

		fewestEvents, fewestFaults atomic.Int64

		next    atomic.Uint64
		failing uint64
		mu      sync.Mutex
		wg      sync.WaitGroup
	)
	fewestEvents.Store(1 << 62)
	fewestFaults.Store(1 << 62)
	cpu := cpuTime()
	for range b.workers {
		wg.Go(func() {
			for !b.stopAtFirst || violations.Load() == 0 {
				seed, more := b.seed(next.Add(1) - 1)
				if !more {
					return
				}
				w := run(seed, false, nil)
				histories.Add(1)
				events.Add(int64(w.events))
				faults.Add(int64(w.faults))
				lower(&fewestEvents, int64(w.events))
				lower(&fewestFaults, int64(w.faults))
				if len(w.errs) == 0 {
					continue
				}
				if !b.quiet {
					mu.Lock()
					if violations.Load() == 0 {
						failing = seed
					}
					fmt.Printf("seed %d: %s\n", seed, w.errs[0])
					mu.Unlock()
				}
				violations.Add(int64(len(w.errs)))
			}
		})
	}
	wg.Wait()
	if n := histories.Load(); n > 0 && !b.quiet {
		fmt.Printf("on average %d events and %d faults, at least %d and %d; %.2f ms of CPU a history\n",
			events.Load()/n, faults.Load()/n, fewestEvents.Load(), fewestFaults.Load(), float64(cpuTime()-cpu)/1e6/float64(n))
	}
	if failing != 0 {
		explain(failing, b.out)
	}
	fmt.Printf("%d histories, %d events, %d faults, %d violations\n", histories.Load(), events.Load(), faults.Load(), violations.Load())
	if violations.Load() > 0 {
		return 1
	}
	return 0
}

func lower(least *atomic.Int64, n int64) {
	for {
		was := least.Load()
		if n >= was || least.CompareAndSwap(was, n) {
			return
		}
	}
}
