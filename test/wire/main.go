package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"time"
)

func main() {
	length := flag.Duration("for", 10*time.Second, "how long to begin new histories")
	count := flag.Int("histories", 0, "play so many histories instead, however long it takes")
	seed := flag.Uint64("seed", 0, "play this one history and print what happens")
	workers := flag.Int("workers", perCore*runtime.GOMAXPROCS(0), "how many histories run at once; by default what the cores bear")
	out := flag.String("out", "wire-failures", "folder where histories with violations are written down, made if need be; empty: nowhere")
	stopAtFirst := flag.Bool("stop", false, "end at the first violation, without waiting for the histories that still run")
	flag.Parse()
	stop := make(chan struct{})
	defer close(stop)
	go measureLag(stop)
	if *seed != 0 {
		os.Exit(one(*seed, *out))
	}
	t := &tally{first: rand.Uint64() >> 16, out: *out}
	if *stopAtFirst {
		t.violated = make(chan struct{}, 1)
	}
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt) // ends the run early, with its figures
	defer release()
	os.Exit(t.many(ctx, *length, *count, *workers))
}

func one(seed uint64, out string) int {
	w := play(seed, true, out)
	if w.unbegun != nil {
		fmt.Println("not begun:", w.unbegun)
		return 1
	}
	if err := w.save(); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("1 histories, %d faults, %d violations\n", w.faults(), len(w.violations))
	return min(1, len(w.violations))
}
