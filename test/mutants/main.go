package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

func main() {
	only := flag.String("only", "", "run these mutants only, comma separated")
	seeds := flag.Int("seeds", 1000, "seeds within which a mutant must be caught")
	without := flag.String("without", "", "leave out the mutants of this tier: T1 or T2")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, *only, tier(*without), *seeds)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		code = 2
	}
	os.Exit(code)
}

func run(ctx context.Context, only string, without tier, seeds int) (int, error) {
	root, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return 0, fmt.Errorf("finding the module: run this in the folder of go.mod: %w", err)
	}
	all := mutants()
	chosen, err := choose(all, only)
	if err != nil {
		return 0, err
	}
	chosen = slices.DeleteFunc(chosen, func(m mutant) bool { return m.By == without })
	dir, err := os.MkdirTemp("", "rowmark-mutants-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{root: root, dir: dir, seeds: seeds, programs: map[tier]string{}}
	if b.overlay, err = overlay(root, dir, all); err != nil {
		return 0, err
	}
	if err := b.build(ctx, chosen); err != nil {
		return 0, err
	}
	if err := b.sane(ctx); err != nil {
		return 0, err
	}
	caught := b.try(ctx, chosen)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	fmt.Printf("%d mutants, %d caught, %d survivors\n", len(chosen), caught, len(chosen)-caught)
	if caught < len(chosen) {
		return 1, nil
	}
	return 0, nil
}

// choose picks the mutants that were named; none named is all.
func choose(all []mutant, only string) ([]mutant, error) {
	if only == "" {
		return all, nil
	}
	byID := map[string]mutant{}
	for _, m := range all {
		byID[m.ID] = m
	}
	var out []mutant
	for id := range strings.SplitSeq(only, ",") {
		m, ok := byID[id]
		if !ok {
			return nil, fmt.Errorf("choosing mutants: there is none called %q", id)
		}
		out = append(out, m)
	}
	return out, nil
}

// try runs the mutants, as many side by side as there are processors, and tells each result as it comes.
func (b *bench) try(ctx context.Context, all []mutant) int {
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		caught int
		slots  = make(chan struct{}, runtime.NumCPU())
	)
	for _, m := range all {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			r := b.run(ctx, m.By, m.ID)
			mu.Lock()
			defer mu.Unlock()
			if r.caught {
				caught++
			}
			fmt.Printf("%-8s %-28s %s %s\n", r.word(), m.ID, m.By, r.how)
		})
	}
	wg.Wait()
	return caught
}
