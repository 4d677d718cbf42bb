package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	length := flag.Duration("for", 10*time.Second, "how long to run histories")
	seed := flag.Uint64("seed", 0, "run this one history and print its trace")
	flag.Parse()
	if *seed != 0 {
		os.Exit(one(*seed))
	}
	os.Exit(many(*length))
}

func one(seed uint64) int {
	w := run(seed, true, nil)
	for _, line := range w.trace {
		fmt.Println(line)
	}
	fmt.Printf("1 history (seed %d), %d events, %d faults, %d violations\n", seed, w.events, w.faults, len(w.errs))
	return min(1, len(w.errs))
}

func many(length time.Duration) int {
	var histories, events, faults, violations atomic.Int64
	end := time.Now().Add(length)
	first := rand.Uint64() >> 16
	var next atomic.Uint64
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for time.Now().Before(end) {
				s := first + next.Add(1)
				w := run(s, false, nil)
				histories.Add(1)
				events.Add(int64(w.events))
				faults.Add(int64(w.faults))
				if len(w.errs) > 0 {
					violations.Add(int64(len(w.errs)))
					fmt.Printf("seed %d: %s\n", s, w.errs[0])
				}
			}
		})
	}
	wg.Wait()
	fmt.Printf("%d histories, %d events, %d faults, %d violations\n", histories.Load(), events.Load(), faults.Load(), violations.Load())
	if violations.Load() > 0 {
		return 1
	}
	return 0
}
