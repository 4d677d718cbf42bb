package main

import "sync/atomic"

// wakes counts the region servers that were woken after they had been given up: their reads are stale, as HBase's are,
// so that a read from that time says nothing of what is written.
type wakes struct{ begun, ended atomic.Int64 }

// around runs the waking of a server; lost says that it was given up.
func (w *wakes) around(lost bool, wake func() error) error {
	if lost {
		w.begun.Add(1)
		defer w.ended.Add(1)
	}
	return wake()
}

// span is the time of one read.
type span struct {
	w     *wakes
	begun int64
	calm  bool // no server was waking as it began
}

func (w *wakes) span() span {
	ended := w.ended.Load()
	begun := w.begun.Load()
	return span{w, begun, begun == ended}
}

// doubtful says whether the read may be stale.
func (s span) doubtful() bool { return !s.calm || s.w.begun.Load() != s.begun }
