package hbase

import (
	"context"
	"sync"
)

// limiter bounds a sum of bytes. Waiters are served in their order, so that a large call is not passed for ever.
type limiter struct {
	mu      sync.Mutex
	free    int
	size    int
	waiting []*waiter
}

type waiter struct {
	n     int
	ready chan struct{}
}

func newLimiter(size int) *limiter { return &limiter{free: size, size: size} }

// acquire takes n of the limit, or all of it for what is larger, and tells how much to give back.
func (l *limiter) acquire(ctx context.Context, n int) (int, error) {
	n = min(n, l.size)
	l.mu.Lock()
	if len(l.waiting) == 0 && l.free >= n {
		l.free -= n
		l.mu.Unlock()
		return n, nil
	}
	w := &waiter{n: n, ready: make(chan struct{})}
	l.waiting = append(l.waiting, w)
	l.mu.Unlock()
	select {
	case <-w.ready:
		return n, nil
	case <-ctx.Done():
		return 0, l.leave(w, ctx.Err())
	}
}

// leave takes a waiter out of the line. It may have been served just now.
func (l *limiter) leave(w *waiter, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, x := range l.waiting {
		if x == w {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			l.serve() // the one behind may be smaller
			return err
		}
	}
	l.free += w.n
	l.serve()
	return err
}

func (l *limiter) release(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free += n
	l.serve()
}

func (l *limiter) serve() {
	for len(l.waiting) > 0 && l.free >= l.waiting[0].n {
		w := l.waiting[0]
		l.waiting = l.waiting[1:]
		l.free -= w.n
		close(w.ready)
	}
}
