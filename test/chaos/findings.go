package main

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// fault is what is wrong with the connector, one of the six numbers of the verdict, or an exit code that it must not
// give.
type fault int

const (
	lost fault = iota
	duplicated
	reordered
	ahead    // a checkpoint or a mark says more than the rows hold, or a row holds what was not committed
	unfenced // a fenced process went on, or a checkpoint went back
	stuck
	exited // with a code that nothing explains
	faults
)

var faultNames = [faults]string{"lost", "duplicated", "reordered", "ahead", "unfenced", "stuck", "unexpected exits"}

func (f fault) String() string { return faultNames[f] }

// finding is one thing that is wrong.
type finding struct {
	fault fault
	text  string
}

func found(f fault, format string, args ...any) finding {
	return finding{f, fmt.Sprintf(format, args...)}
}

// findings gathers them from all who look. The same text counts once.
type findings struct {
	mu   sync.Mutex
	n    [faults]int
	list []string
	seen map[string]bool
	log  func(format string, args ...any)
}

// maxExamples bounds what is kept as text; the numbers count all.
const maxExamples = 200

func (f *findings) add(where string, all ...finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	for _, x := range all {
		key := x.fault.String() + ": " + x.text
		if f.seen[key] {
			continue
		}
		f.seen[key] = true
		f.n[x.fault]++
		if len(f.list) < maxExamples {
			line := fmt.Sprintf("%s (%s, %s)", key, where, time.Now().UTC().Format("15:04:05.000"))
			f.list = append(f.list, line)
			if f.log != nil {
				f.log("VIOLATION %s", line)
			}
		}
	}
}

func (f *findings) total() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, x := range f.n {
		n += x
	}
	return n
}

// numbers gives the counts and the examples.
func (f *findings) numbers() ([faults]int, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n, strings.Join(f.list, "\n")
}
