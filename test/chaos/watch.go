package main

import (
	"context"
	"maps"
	"sync"
	"time"

	"rowmark/test/cluster"
)

// watch looks at the checkpoints all the time: that none goes back, that none passes the last stable offset, and how
// far each is.
type watch struct {
	client *cluster.JavaClient
	found  *findings
	// stable gives the last stable offset of logs as they are now; a log that can't be asked is left out.
	stable func(context.Context) map[source]int64
	reads  *observations
	truth  *truth

	mu     sync.Mutex
	last   map[string]*position // by seat
	moved  map[string]time.Time // when each last advanced
	looks  int
	failed int
	owners map[string]int // changes of owner, by seat
}

const (
	watchEvery  = 400 * time.Millisecond
	staleLeader = 1500 * time.Millisecond
)

func (w *watch) run(ctx context.Context) {
	for sleep(ctx, watchEvery) == nil {
		if err := w.look(ctx); err != nil {
			w.mu.Lock()
			w.failed++
			w.mu.Unlock()
		}
	}
}

// look reads all checkpoints once.
func (w *watch) look(ctx context.Context) error {
	began := w.reads.now()
	cells, err := w.client.Dump(checkpointTable)
	if err != nil {
		return err
	}
	now, err := parsePositions(cells)
	if err != nil {
		w.found.add("watch", found(unfenced, "%v", err))
		return nil
	}
	w.reads.checkpoints(0, began, now)
	w.take(now, w.reads.wakes.doubtful(began, w.reads.now()))
	if err := w.reads.sample(0, w.client, w.truth.table(rowsTable)); err != nil {
		return err
	}
	if len(past(now, w.stable(ctx))) == 0 {
		return nil
	}
	// A leader that was paused gives an old answer until it learns that it leads no more: it is asked again.
	if err := sleep(ctx, staleLeader); err != nil {
		return err
	}
	w.found.add("watch", past(now, w.stable(ctx))...)
	return nil
}

// past finds checkpoints, read before, that lie past the last stable offset, read after.
func past(now map[string]*position, ends map[source]int64) []finding {
	var out []finding
	for _, p := range now {
		if end, ok := ends[p.source]; ok && p.offset > end {
			out = append(out, found(ahead, "checkpoint %s: %d is past the last stable offset %d", p.name(), p.offset, end))
		}
	}
	return out
}

// take notes a look. A doubtful one that shows something wrong is left out: the next shows it too, if it is.
func (w *watch) take(now map[string]*position, doubtful bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.last, w.moved, w.owners = map[string]*position{}, map[string]time.Time{}, map[string]int{}
	}
	w.looks++
	bad := w.wrong(now)
	if doubtful && len(bad) > 0 {
		w.reads.wakes.leave(1)
		return
	}
	w.found.add("watch", bad...)
	for seat, p := range now {
		old := w.last[seat]
		if old == nil || p.offset != old.offset || p.incarnation != old.incarnation {
			w.moved[seat] = time.Now()
		}
		if old != nil && p.owner != old.owner && p.owner != "" {
			w.owners[seat]++
		}
		w.last[seat] = p
	}
}

// wrong says what is wrong with a look after the last one. It needs mu.
func (w *watch) wrong(now map[string]*position) []finding {
	var bad []finding
	for seat, old := range w.last {
		if now[seat] == nil {
			bad = append(bad, found(unfenced, "checkpoint %s: gone, was %d", seat, old.offset))
		}
	}
	for seat, p := range now {
		bad = append(bad, follow(w.last[seat], p)...)
	}
	return bad
}

// positions gives the last look.
func (w *watch) positions() map[string]*position {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.last)
}

// of gives the checkpoints of a sink by source, as they were at the last look.
func (w *watch) of(sink string) map[source]*position {
	out := map[source]*position{}
	for _, p := range w.positions() {
		if p.sink == sink {
			out[p.source] = p
		}
	}
	return out
}

// movedAt says when each checkpoint last moved.
func (w *watch) movedAt() map[string]time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.moved)
}
