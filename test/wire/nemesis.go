package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"rowmark/connector"
)

// run lets the log grow under connectors and everything that can befall them.
func (w *world) run(ctx context.Context) {
	w.danger.Store(true)
	r := rand.New(rand.NewPCG(w.seed, 8))
	steps := 5 + w.rand.IntN(12)
	produced := make(chan error, 1)
	go func() {
		for range steps {
			if err := w.produce(ctx, r, 10+r.IntN(30)); err != nil {
				produced <- err
				return
			}
			time.Sleep(time.Duration(r.IntN(120)) * time.Millisecond)
		}
		produced <- nil
	}()
	audit, stop := context.WithCancel(ctx)
	audited := make(chan struct{})
	go func() {
		defer close(audited)
		w.audit(audit)
	}()
	live := []*process{w.spawn(ctx, false)}
	for range steps {
		time.Sleep(time.Duration(30+w.rand.IntN(200)) * time.Millisecond)
		live = w.connectors(ctx, live)
		w.servers()
		w.regions()
	}
	if err := <-produced; err != nil {
		w.fail("the log did not grow: %v", err)
	}
	stop()
	<-audited
	for _, p := range live {
		p.kill()
	}
}

// connectors kills, stops or rivals one, and starts one where there is none.
func (w *world) connectors(ctx context.Context, live []*process) []*process {
	var still []*process
	for _, p := range live {
		if !p.over() {
			still = append(still, p)
			continue
		}
		if p.err != nil && connector.ExitCode(p.err) != connector.ExitFenced && connector.ExitCode(p.err) != connector.ExitUnreached && connector.ExitCode(p.err) != connector.ExitShutdown {
			w.fail("connector %d ended by itself: %v", p.id, p.err)
		}
	}
	live = still
	if len(live) > 0 {
		switch p := live[w.rand.IntN(len(live))]; w.rand.IntN(8) {
		case 0:
			w.bite("connector killed", p.id)
			p.kill()
			live = slices.DeleteFunc(live, func(q *process) bool { return q == p })
		case 1:
			w.bite("connector stopped", p.id)
			p.cancel()
			<-p.done
			live = slices.DeleteFunc(live, func(q *process) bool { return q == p })
		case 2:
			if len(live) == 1 {
				w.bite("rival connector")
				return append(live, w.spawn(ctx, false))
			}
		}
	}
	if len(live) == 0 {
		live = append(live, w.spawn(ctx, false))
	}
	return live
}

// servers kills a region server, or starts a dead one.
func (w *world) servers() {
	n := w.rand.IntN(3)
	hit := w.rand.IntN(6) == 0
	if n >= w.hbase.Servers() {
		return
	}
	switch up := w.hbase.Up(n); {
	case up && hit:
		w.bite("region server killed", n)
		if err := w.hbase.Kill(n); err != nil {
			w.fail("%v", err)
		}
	case !up:
		w.logf("region server %d starts", n)
		if err := w.hbase.Restart(n); err != nil {
			w.fail("%v", err)
		}
	}
}

// regions moves, splits, merges or compacts.
func (w *world) regions() {
	table := []string{"rows", "counts", "rowmark"}[w.rand.IntN(3)]
	key := fmt.Appendf(nil, "k%d", w.rand.IntN(50))
	n := w.rand.IntN(w.hbase.Servers())
	var err error
	what := ""
	switch w.rand.IntN(10) {
	case 0:
		what, err = "region moved", w.hbase.Move(table, key, n)
	case 1:
		what, err = "region split", w.hbase.Split(table, key)
	case 2:
		what, err = "regions merged", w.hbase.Merge(table, key)
	case 3:
		what, err = "table compacted", w.hbase.Compact(table, w.rand.IntN(2) == 0)
	}
	if what != "" && err == nil { // it may not be possible just now
		w.bite(what, table, string(key))
	}
}

// drain heals everything and lets one more connector finish the log. It says whether that was done.
func (w *world) drain(ctx context.Context) bool {
	w.plan.Heal()
	for n := range w.hbase.Servers() {
		if !w.hbase.Up(n) {
			if err := w.hbase.Restart(n); err != nil {
				w.fail("%v", err)
			}
		}
	}
	w.mu.Lock()
	before := w.running
	w.mu.Unlock()
	for _, p := range before {
		<-p.done
	}
	time.Sleep(w.plan.Delay) // what is late has landed
	w.logf("all is healed")
	end := time.Now().Add(calm)
	for {
		p := w.spawn(ctx, true)
		select {
		case <-p.done:
		case <-time.After(time.Until(end)):
			w.fail("stuck: the log is not drained in %s", calm)
			p.kill()
			return false
		}
		if p.err == nil {
			return true
		}
		if time.Now().After(end) {
			w.fail("stuck: the last connector ended with %v", p.err)
			return false
		}
	}
}
