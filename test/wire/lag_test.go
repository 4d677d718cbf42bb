package main

import (
	"testing"
	"time"
)

// A machine that hardly gives this program a turn does not use up its time; one that does, does.
func TestBoundsAreOfTheMachinesTime(t *testing.T) {
	var l lagMeter
	done, over := make(chan struct{}), make(chan bool, 1)
	go func() { over <- l.wait(done, time.Second) }()
	for range 40 {
		l.tick(5 * time.Second) // 200 s go by
	}
	time.Sleep(10 * nap)
	select {
	case <-over:
		t.Fatal("the wait has ended while the machine was away")
	default:
	}
	close(done)
	if !<-over {
		t.Error("what came in time is said to be late")
	}
	go func() { over <- l.wait(nil, 2*time.Second) }()
	for range 200 {
		l.tick(nap)
	}
	if <-over {
		t.Error("what never came is said to be in time")
	}
	if l.now() != time.Second || l.most() != 5*time.Second-nap {
		t.Errorf("lag now %s, at most %s", l.now(), l.most())
	}
}
