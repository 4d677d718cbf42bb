package main

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"rowmark/connector"
	"rowmark/connector/status"

	"github.com/rs/zerolog"
	"github.com/schollz/progressbar/v3"
)

// Times between two looks at the progress of a run, for a bar and for lines of the log.
const (
	barEvery  = 200 * time.Millisecond
	lineEvery = 10 * time.Second
)

// bar shows how far a run is: a bar with rate and time left on a terminal, lines of the log elsewhere.
type bar struct {
	log    zerolog.Logger
	screen *screen
	engine atomic.Pointer[connector.Engine] // the one that runs
	shown  *progressbar.ProgressBar         // nil: there is no terminal
	stop   chan struct{}
	once   sync.Once
	done   sync.WaitGroup
}

func newBar(out io.Writer, s *screen, log zerolog.Logger) *bar {
	b := &bar{log: log, screen: s, stop: make(chan struct{})}
	every := lineEvery
	if isTerminal(out) {
		every = barEvery
		b.drawn(out)
	}
	b.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				b.show()
			case <-b.stop:
				return
			}
		}
	})
	return b
}

// drawn has the bar drawn on a terminal, which is that of the screen.
func (b *bar) drawn(out io.Writer) {
	b.shown = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("offsets"),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("offsets"),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(barEvery),
		progressbar.OptionSetSpinnerChangeInterval(0)) // else it is drawn at any time, also when it was taken away
	b.screen.mu.Lock()
	defer b.screen.mu.Unlock()
	b.screen.clear = func() { _ = b.shown.Clear() } // a terminal that is gone is no reason to stop
}

// watch takes the engine that is about to run.
func (b *bar) watch(e *connector.Engine) { b.engine.Store(e) }

// Snapshot is that of the engine that runs.
func (b *bar) Snapshot() *status.Snapshot {
	if e := b.engine.Load(); e != nil {
		return e.Snapshot()
	}
	return &status.Snapshot{Phase: status.Connecting}
}

// Metrics are those of the engine that runs.
func (b *bar) Metrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e := b.engine.Load(); e != nil {
			e.Metrics().ServeHTTP(w, r)
		}
	})
}

// Pause is that of the engine that runs.
func (b *bar) Pause(ctx context.Context, names []string) ([]status.Source, error) {
	if e := b.engine.Load(); e != nil {
		return e.Pause(ctx, names)
	}
	return nil, connector.ErrNotRunning
}

// Resume is that of the engine that runs.
func (b *bar) Resume(ctx context.Context, names []string) ([]status.Source, error) {
	if e := b.engine.Load(); e != nil {
		return e.Resume(ctx, names)
	}
	return nil, connector.ErrNotRunning
}

func (b *bar) show() {
	p := b.Snapshot().Reprocess
	switch {
	case p == nil:
	case b.shown != nil:
		b.draw(p.Done, p.Total)
	default:
		b.log.Info().Str("run", p.ID).Int64("offsets", p.Done).Int64("of", p.Total).Int64("offsets_per_s", int64(p.Rate)).
			Int64("seconds_left", int64(p.SecondsLeft)).Msg("reprocessing")
	}
}

func (b *bar) draw(done, total int64) {
	b.screen.mu.Lock()
	defer b.screen.mu.Unlock()
	b.shown.ChangeMax64(total)
	_ = b.shown.Set64(done)
}

// close takes the bar away.
func (b *bar) close() {
	b.once.Do(func() { close(b.stop) })
	b.done.Wait()
	b.screen.mu.Lock()
	defer b.screen.mu.Unlock()
	if b.screen.clear != nil {
		b.screen.clear()
		b.screen.clear = nil
	}
}
