package kafka

import (
	"maps"
	"slices"
	"time"
)

// refreshState tells when the layout was last asked for.
type refreshState struct {
	running  bool
	last     time.Time // start of the last try
	streak   int       // of tries that requests wanted at once
	failures int
	notYet   time.Time
}

// refreshWish collects what the requests need of the layout.
type refreshWish struct {
	topics map[string]bool
	now    bool
}

func (w *refreshWish) topic(name string) {
	if w.topics == nil {
		w.topics = map[string]bool{}
	}
	w.topics[name] = true
}

// refreshIfWanted asks for the layout in the background, at most once at a time, and returns when to look again
// if it can't yet.
func (r *Reader) refreshIfWanted(w refreshWish, now time.Time) (wait time.Duration, open bool) {
	m := &r.meta
	every := metaEvery
	if r.c.noFetchIDs {
		every = metaEveryNoIDs
	}
	if !w.now {
		m.streak = 0
	}
	if len(w.topics) == 0 || m.running || (!w.now && now.Sub(m.last) < every) {
		return 0, false
	}
	due := m.last.Add(min(metaMinPause<<min(m.streak, 10), metaMaxPause))
	if m.notYet.After(due) {
		due = m.notYet
	}
	if now.Before(due) {
		return due.Sub(now), true
	}
	m.running, m.last = true, now
	if w.now {
		m.streak++
	}
	names := slices.Collect(maps.Keys(w.topics))
	r.done.Go(func() {
		_, err := r.c.refresh(r.ctx, names)
		r.mu.Lock()
		defer r.mu.Unlock()
		m.running = false
		if err != nil {
			m.notYet = time.Now().Add(backoff(m.failures))
			m.failures++
			if r.ctx.Err() == nil {
				r.c.warn("metadata", err, "kafka's layout can't be had, trying again")
			}
		} else {
			m.failures, m.notYet = 0, time.Time{}
		}
		r.poke()
	})
	return 0, false
}
