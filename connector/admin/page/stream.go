package page

import (
	"fmt"
	"net/http"
	"time"
)

const (
	// heartbeat is how long a stream is silent at most, so that each end notices when the other is gone.
	heartbeat = 5 * time.Second
	// writeLimit is how long one event may take to leave. The server's limit for a whole answer ends no stream.
	writeLimit = 10 * time.Second
)

// beat is an event without content.
var beat = []byte(": still here\n\n")

// event is one message of a stream; text has no line break, as JSON of encoding/json has none.
func event(name string, text []byte) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, text)
}

// serve streams the history once, then each snapshot, until the request or the feed ends, or its reader takes nothing.
func (f *feed) serve(w http.ResponseWriter, r *http.Request) {
	if !f.enter() {
		w.Header().Set("Retry-After", "10")
		http.Error(w, fmt.Sprintf("%d status pages are open, and no more are served at a time", maxStreams), http.StatusServiceUnavailable)
		return
	}
	defer f.leave()
	past, err := f.past()
	if err != nil {
		http.Error(w, "encoding the history: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // a proxy in between that would collect events
	out := http.NewResponseController(w)
	latest, changed := f.now()
	for ok := send(w, out, append(past, latest...)); ok; {
		select {
		case <-r.Context().Done():
			return
		case <-f.done:
			return
		case <-changed:
			latest, changed = f.now()
			ok = send(w, out, latest)
		case <-time.After(heartbeat):
			ok = send(w, out, beat)
		}
	}
}

// send says whether text left in time.
func send(w http.ResponseWriter, out *http.ResponseController, text []byte) bool {
	if err := out.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return false
	}
	if _, err := w.Write(text); err != nil {
		return false
	}
	return out.Flush() == nil
}
