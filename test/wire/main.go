package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	length := flag.Duration("for", 10*time.Second, "how long to begin new histories")
	seed := flag.Uint64("seed", 0, "play this one history and print what happens")
	workers := flag.Int("workers", 20, "how many histories run at once; they wait more than they work")
	flag.Parse()
	if *seed != 0 {
		os.Exit(one(*seed))
	}
	os.Exit(many(*length, *workers))
}

func one(seed uint64) int {
	w := play(seed, true, nil)
	fmt.Printf("1 histories, %d faults, %d violations\n", w.faults(), len(w.errs))
	return min(1, len(w.errs))
}

func many(length time.Duration, workers int) int {
	var histories, faults, violations, records atomic.Int64
	var mu sync.Mutex
	kinds := map[string]int{}
	end := time.Now().Add(length)
	first := rand.Uint64() >> 16
	var next atomic.Uint64
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			for time.Now().Before(end) {
				seed := first + next.Add(1)
				w := play(seed, false, nil)
				histories.Add(1)
				faults.Add(int64(w.faults()))
				records.Add(int64(w.log.size()))
				violations.Add(int64(len(w.errs)))
				mu.Lock()
				for k, n := range w.bites {
					kinds[k] += n
				}
				for _, e := range w.errs {
					fmt.Printf("seed %d: %s\n", seed, e)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Printf("%d records; faults that bit: %v\n", records.Load(), kinds)
	fmt.Printf("%d histories, %d faults, %d violations\n", histories.Load(), faults.Load(), violations.Load())
	if violations.Load() > 0 || histories.Load() == 0 {
		return 1
	}
	return 0
}
