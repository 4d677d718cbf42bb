package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// lag is by how much the machine is late to wake a sleeper. Bounds on time are widened by it, and the connectors'
// timeouts and leases too: a busy machine must not show as a fault of the program.
var lag lagMeter

// lagMeter is also a clock of the machine's own, which stands while the machine does nothing for this program: what is
// to be done within so much time is held against that one. An answer passes by many sleepers, each as late as the
// clock, so that a bound is as strict on a busy machine as on an idle one.
type lagMeter struct {
	mu            sync.Mutex
	worst         time.Duration // in the life of this program
	recent, older time.Duration // the worst of the last seconds, and of those before
	fair          time.Duration // the clock
}

// nap is one tick of the clock.
const nap = 10 * time.Millisecond

// tick notes how long a nap took. The clock goes on by the nap, and by as much again at most.
func (l *lagMeter) tick(took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.worst = max(l.worst, took-nap)
	l.recent = max(l.recent, took-nap)
	l.fair += min(took, 2*nap)
}

func (l *lagMeter) age() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recent, l.older = 0, l.recent
}

// now is the worst lag of the last seconds, at most one.
func (l *lagMeter) now() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return min(max(l.recent, l.older), time.Second)
}

func (l *lagMeter) most() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.worst
}

// clock is what the clock shows.
func (l *lagMeter) clock() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fair
}

// wait waits for done until the clock shows end, and says whether done came.
func (l *lagMeter) wait(done <-chan struct{}, end time.Duration) bool {
	for {
		select {
		case <-done:
			return true
		case <-time.After(nap):
		}
		if l.clock() >= end {
			select {
			case <-done:
				return true
			default:
				return false
			}
		}
	}
}

var errTooLong = errors.New("the history took too long")

// within gives a context that ends when the clock has gone on by d.
func (l *lagMeter) within(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	end := l.clock() + d
	go func() {
		if !l.wait(ctx.Done(), end) {
			cancel(errTooLong)
		}
	}()
	return ctx, func() { cancel(nil) }
}

// measureLag goes on until stop is closed. Without it no bound on time is ever passed.
func measureLag(stop <-chan struct{}) {
	aged := time.Now()
	for {
		began := time.Now()
		select {
		case <-time.After(nap):
		case <-stop:
			return
		}
		lag.tick(time.Since(began))
		if time.Since(aged) > 4*time.Second {
			aged = time.Now()
			lag.age()
		}
	}
}

// slack is what a bound on the clock is widened by.
const slack = 3 * time.Second
