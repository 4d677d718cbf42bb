package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

func main() {
	length := flag.Duration("for", 10*time.Second, "how long to run histories, from a random seed on")
	seeds := flag.Int("seeds", 0, "run this many histories and stop at the first violation, instead of --for")
	first := flag.Uint64("first", 1, "the first seed of --seeds")
	seed := flag.Uint64("seed", 0, "run this one history and print its trace")
	file := flag.String("plan", "", "replay the plan in this file, with its trace")
	out := flag.String("out", "", "write the shrunk plan of the first violation of --for or --seeds here")
	workers := flag.Int("workers", runtime.NumCPU(), "histories played at once")
	quiet := flag.Bool("quiet", false, "print the last line only")
	flag.Parse()
	debug.SetGCPercent(800) // a history is small, and all of it dies at once
	switch {
	case *file != "":
		os.Exit(replay(*file))
	case *seed != 0:
		os.Exit(one(draw(*seed)))
	case *seeds > 0:
		from := *first
		os.Exit(many(batch{
			workers: *workers, quiet: *quiet, out: *out, stopAtFirst: true,
			seed: func(n uint64) (uint64, bool) { return from + n, n < uint64(*seeds) },
		}))
	}
	from, end := rand.Uint64()>>16, time.Now().Add(*length)
	os.Exit(many(batch{
		workers: *workers, quiet: *quiet, out: *out,
		seed: func(n uint64) (uint64, bool) { return from + n, time.Now().Before(end) },
	}))
}

func replay(file string) int {
	in, err := os.Open(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer func() { _ = in.Close() }()
	p, err := readPlan(in)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return one(p)
}

// one plays a plan and prints its trace.
func one(p *plan) int {
	w := play(p, true, nil)
	for _, line := range w.trace {
		fmt.Println(line)
	}
	fmt.Printf("seed %d: 1 histories, %d events, %d faults, %d violations\n", p.seed, w.events, w.faults, len(w.errs))
	return min(1, len(w.errs))
}

// shrinkFor bounds the shrinking of a failing history.
const shrinkFor = 40 * time.Second

// explain shrinks the plan of a failing seed, prints it, and writes it to a file if one is named.
func explain(seed uint64, file string) {
	p := shrunk(draw(seed), nil, shrinkFor)
	fmt.Printf("# seed %d, made smaller; replay it with --plan\n", seed)
	p.write(os.Stdout)
	if file == "" {
		return
	}
	f, err := os.Create(file)
	if err == nil {
		p.write(f)
		err = f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
