package page

import (
	"encoding/json"
	"sync"

	"rowmark/connector/status"
)

// maxStreams bounds the open pages: each costs a connection, and the encoding of the history when it opens.
const maxStreams = 16

// feed hands each snapshot, encoded once, to all open streams. A stream that is slow misses the ones in between.
type feed struct {
	done <-chan struct{} // closed: all streams end

	mu      sync.Mutex
	streams int
	history history
	latest  []byte        // as an event; nil: none yet
	changed chan struct{} // closed when latest is replaced
}

func newFeed(done <-chan struct{}) *feed {
	return &feed{done: done, changed: make(chan struct{})}
}

// take makes s the latest snapshot. One that was taken already is no news, nor is one that has no JSON.
func (f *feed) take(s *status.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.history.newer(s) {
		return
	}
	text, err := json.Marshal(s)
	if err != nil {
		return // a number that is none; the page says for how long it heard nothing
	}
	f.history.add(s)
	f.latest = event("snapshot", text)
	close(f.changed)
	f.changed = make(chan struct{})
}

// now is the latest snapshot as an event, and what tells of the next.
func (f *feed) now() (latest []byte, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.latest, f.changed
}

// past is what went before, as an event; nil: nothing yet.
func (f *feed) past() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.latest == nil {
		return nil, nil
	}
	text, err := json.Marshal(&f.history)
	if err != nil {
		return nil, err
	}
	return event("history", text), nil
}

// enter counts a stream, unless there are too many.
func (f *feed) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.streams == maxStreams {
		return false
	}
	f.streams++
	return true
}

func (f *feed) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.streams--
}
