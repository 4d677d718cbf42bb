package hbase

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLimiterHoldsItsBound(t *testing.T) {
	l := newLimiter(100)
	var used, most atomic.Int64
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				n, err := l.acquire(context.Background(), 1+i*5) // up to 246: more than there is
				if err != nil {
					t.Error(err)
					return
				}
				if u := used.Add(int64(n)); u > most.Load() {
					most.Store(u)
				}
				used.Add(int64(-n))
				l.release(n)
			}
		}()
	}
	wg.Wait()
	if most.Load() > 100 || l.free != 100 || len(l.waiting) != 0 {
		t.Errorf("%d bytes were out at once; %d free and %d waiting in the end", most.Load(), l.free, len(l.waiting))
	}
}

func TestLimiterLetsWaitersLeave(t *testing.T) {
	l := newLimiter(10)
	if _, err := l.acquire(context.Background(), 8); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	small := make(chan error, 1)
	large := make(chan error, 1)
	go func() {
		_, err := l.acquire(ctx, 5)
		large <- err
	}()
	for waiting := 0; waiting == 0; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		waiting = len(l.waiting)
		l.mu.Unlock()
		if ctx.Err() != nil {
			break // it came and went already
		}
	}
	go func() {
		_, err := l.acquire(context.Background(), 2)
		small <- err
	}()
	if err := <-large; err == nil {
		t.Error("more was given out than there is")
	}
	if err := <-small; err != nil { // is served once the large one has left
		t.Error(err)
	}
}
