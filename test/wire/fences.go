package main

import (
	"strings"
	"sync"
	"time"

	"rowmark/connector/core"
	"rowmark/test/linear"
)

// fences is what one connector has been told of who owns its sources (I7): once it has read that another one took a
// source, its writes under that source must end within a bound.
type fences struct {
	mu      sync.Mutex
	sources map[string]*hold
}

type hold struct {
	owner core.Owner
	epoch int64
	lost  time.Time // when it was told; zero: it was not
}

func (f *fences) of(source string) *hold {
	if f.sources == nil {
		f.sources = map[string]*hold{}
	}
	h := f.sources[source]
	if h == nil {
		h = &hold{}
		f.sources[source] = h
	}
	return h
}

// swap notes whose id a connector writes.
func (f *fences) swap(source string, put []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if pos, err := core.DecodePosition(put); err == nil && pos.Owner != (core.Owner{}) {
		f.of(source).owner = pos.Owner
	}
}

// swapped notes that a checkpoint was written, or not.
func (f *fences) swapped(source string, put []byte, o linear.Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pos, err := core.DecodePosition(put)
	if err != nil || o != linear.Applied {
		return
	}
	h := f.of(source)
	h.epoch = pos.Epoch
	if pos.Owner == h.owner {
		h.lost = time.Time{}
	}
}

// read notes what a checkpoint says.
func (f *fences) read(source string, value []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pos, err := core.DecodePosition(value)
	h := f.of(source)
	switch {
	case err != nil || h.owner == core.Owner{}:
	case pos.Owner == h.owner:
		h.epoch, h.lost = pos.Epoch, time.Time{}
	case pos.Owner != core.Owner{} && pos.Epoch > h.epoch && h.lost.IsZero():
		h.lost = time.Now()
	}
}

// stopWithin is how long a fenced connector may go on writing, on a machine that is not busy.
const stopWithin = 500 * time.Millisecond

// write says how long after it was told of its fence a connector writes under a mark; 0: not too long.
func (f *fences) write(mark string) time.Duration {
	source, _, _ := strings.Cut(mark, "#")
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.sources[source]
	if h == nil || h.lost.IsZero() {
		return 0
	}
	if late := time.Since(h.lost); late > stopWithin+20*lag.most() {
		return late
	}
	return 0
}
