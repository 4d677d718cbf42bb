package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// logger writes lines with the time since the start.
type logger struct {
	mu   sync.Mutex
	out  io.Writer
	born time.Time
}

func (l *logger) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// A lost line of a log is no reason to end the run.
	_, _ = fmt.Fprintf(l.out, "%7.1fs  %s\n", time.Since(l.born).Seconds(), fmt.Sprintf(format, args...))
}
