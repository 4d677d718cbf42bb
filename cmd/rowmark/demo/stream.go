package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// stuckAfter is how long the checkpoints may stand still before the demo gives up; a recovery takes a lease, of seconds.
const stuckAfter = 2 * time.Minute

// summary is what was seen of the stream from outside.
type summary struct {
	records    int64 // committed
	aborted    int64
	took       time.Duration // from the connector's first start to its last checkpoint
	recoveries []time.Duration
	replayed   int64 // as the last connector says; -1 if it does not
}

// position is what `rowmark offsets show -o json` says of a partition.
type position struct {
	Checkpoint int64  `json:"checkpoint"`
	Lag        int64  `json:"lag"`
	End        int64  `json:"end"`
	Mapping    string `json:"mapping"` // empty: it has no checkpoint yet
	Error      string `json:"error"`
}

// stream lets orders flow while the connector runs and is killed, and returns when its checkpoints are at the end.
func (s *session) stream(ctx context.Context) (*summary, error) {
	p := &producer{records: s.opts.Records, streamFor: s.mode.streamFor}
	produced := make(chan error, 1)
	pctx, cancel := context.WithCancelCause(ctx)
	go func() {
		produced <- p.run(pctx, s.services.brokers())
		close(produced)
	}()
	defer func() {
		cancel(errStopped)
		for range produced { // the producer has ended when it is closed
		}
	}()

	s.out.step("a producer streams orders in transactions; rowmark run starts, as a process of its own")
	w := &watch{session: s, producer: p, produced: produced}
	sum, err := w.run(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.proc.stop(ctx); err != nil {
		return nil, err
	}
	s.out.step("all is read: the connector is stopped with SIGTERM, exit code 0")
	sum.replayed = -1
	if n, ok := s.proc.replayed(); ok {
		sum.replayed = n
	}
	return sum, nil
}

// watch looks at the checkpoints, and kills.
type watch struct {
	*session
	producer *producer
	produced chan error
	finished bool // the producer is done
	runs     int
	moved    time.Time // when the checkpoints last rose
	at       int64     // their sum
	kills    int
	killedAt time.Time // zero once recovered
	sum      summary
}

func (w *watch) run(ctx context.Context) (*summary, error) {
	if err := w.startNext(); err != nil {
		return nil, err
	}
	start := time.Now()
	w.moved = start
	for failures := 0; ; {
		select {
		case err := <-w.produced:
			if err != nil {
				return nil, err
			}
			w.finished, w.produced = true, nil
		case <-w.proc.done:
			return nil, w.proc.failure()
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(w.mode.pollEvery):
		}
		at, lag, err := w.positions(ctx)
		if err != nil {
			if failures++; failures > 5 || ctx.Err() != nil {
				return nil, err
			}
			continue
		}
		failures = 0
		if done, err := w.look(ctx, at, lag, start); done || err != nil {
			return &w.sum, err
		}
	}
}

func (w *watch) startNext() error {
	w.runs++
	_, err := w.startConnector(w.runs)
	return err
}

// positions adds up the checkpoints and lags; lag is -1 while partitions are missing.
func (w *watch) positions(ctx context.Context) (at, lag int64, err error) {
	text, err := w.command(ctx, 30*time.Second, "offsets", "show", "-o", "json")
	if err != nil {
		return 0, 0, err
	}
	var all []position
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return 0, 0, fmt.Errorf("reading the checkpoints: %w", err)
	}
	begun := 0
	for _, p := range all {
		if p.Error != "" {
			return 0, 0, fmt.Errorf("reading the checkpoints: %s", p.Error)
		}
		if p.Mapping != "" {
			begun++
		}
		at += p.Checkpoint
		lag += p.Lag
	}
	if begun < partitions {
		lag = -1
	}
	return at, lag, nil
}

// look decides on what was seen, and says whether all is done.
func (w *watch) look(ctx context.Context, at, lag int64, start time.Time) (bool, error) {
	now := time.Now()
	if at > w.at {
		w.at, w.moved = at, now
		if !w.killedAt.IsZero() {
			took := now.Sub(w.killedAt)
			w.sum.recoveries = append(w.sum.recoveries, took)
			w.killedAt = time.Time{}
			w.out.step("recovered: the checkpoints move again, %.1f s after the kill", took.Seconds())
		}
	}
	if now.Sub(w.moved) > stuckAfter {
		return false, fmt.Errorf("waiting for the checkpoints: they stand still for %v, at lag %d; the last lines of the connector's log:\n%s", stuckAfter, lag, w.proc.tail())
	}
	part := float64(at) / float64(w.producer.offsets())
	w.out.progress(part, "%s produced, %.0f s", count(w.producer.sent.Load()), now.Sub(start).Seconds())
	if len(w.sum.recoveries) == w.kills && w.kills < kills && part >= float64(w.kills+1)/(kills+1) {
		return false, w.kill(ctx, part)
	}
	if !w.finished || lag != 0 || w.kills < kills || !w.killedAt.IsZero() {
		return false, nil
	}
	w.sum.records, w.sum.aborted, w.sum.took = w.producer.sent.Load(), w.producer.aborted.Load(), w.moved.Sub(start)
	w.out.progress(1, "%s records in %.0f s", count(w.sum.records), w.sum.took.Seconds())
	return true, nil
}

// kill opens a gate first, so that records are on their way when the connector dies.
func (w *watch) kill(ctx context.Context, part float64) error {
	w.producer.opened.Add(1)
	if err := sleep(ctx, w.mode.inFlight); err != nil {
		return err
	}
	pid := w.proc.cmd.Process.Pid
	if err := w.proc.kill(); err != nil {
		return err
	}
	w.killedAt = time.Now()
	w.producer.opened.Add(1)
	// A checkpoint written since the last look is no recovery.
	at, _, err := w.positions(ctx)
	if err != nil {
		return err
	}
	w.at = max(w.at, at)
	w.kills++
	w.out.step("kill -9 of the connector (process %d) at %.0f%% of the way, with orders in flight; started again", pid, 100*part)
	return w.startNext()
}
