package page

import (
	"context"
	"net/http"
	"time"

	"rowmark/connector/status"
)

// sampleEvery is the pace of the page: that of the snapshots.
const sampleEvery = time.Second

// Handler serves the page at / and its stream at /events. It asks for a snapshot once a second, whether a page is open or
// not, so that a fresh page can show the last minutes; nil is taken for none yet. With ctx all streams end, so that a
// server that shuts down need not wait for open pages.
func Handler(ctx context.Context, snapshot func() *status.Snapshot) http.Handler {
	f := newFeed(ctx.Done())
	go f.follow(ctx, snapshot)
	return routes(f)
}

func routes(f *feed) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", servePage)
	mux.HandleFunc("GET /events", f.serve)
	return mux
}

// follow feeds the snapshots until ctx ends.
func (f *feed) follow(ctx context.Context, snapshot func() *status.Snapshot) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		if s := snapshot(); s != nil {
			f.take(s)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
