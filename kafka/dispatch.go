package kafka

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// fetch is one Fetch in flight.
type fetch struct {
	broker  int32
	slot    int
	started time.Time
	wait    time.Duration
	parts   []*fetchPart
}

type fetchPart struct {
	q     *request
	id    TopicID
	epoch int32 // of the leader
	size  int
	// follower says that it is asked of a follower of its rack, not of the leader.
	follower bool
}

// dispatch starts the Fetches that can start and returns when to look again at the latest.
func (r *Reader) dispatch(now time.Time) time.Duration {
	next := time.Second
	later := func(t time.Time) {
		if d := t.Sub(now); d < next {
			next = max(d, time.Millisecond)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	groups := map[int32]*fetch{}
	var want refreshWish
	for _, q := range r.requests {
		want.topic(q.tp.Topic)
		if q.fetch != nil {
			if now.After(q.fetch.started.Add(q.fetch.wait + stuckAfter)) {
				want.now = true
				r.detachIfMoved(q)
			}
			continue
		}
		if now.Before(q.notYet) {
			later(q.notYet)
			continue
		}
		part, broker, ok := r.place(q, now, &want)
		if !ok {
			continue
		}
		if b := r.brokers[broker]; b != nil && now.Before(b.notYet) {
			// The leader may have moved away from a broker that is down; one that throttles keeps it.
			want.now = want.now || b.failures > 0
			later(b.notYet)
			continue
		}
		f := groups[broker]
		if f == nil {
			f = &fetch{broker: broker, started: now}
			groups[broker] = f
		}
		f.parts = append(f.parts, part)
	}
	for _, f := range groups {
		r.start(f)
	}
	if wait, open := r.refreshIfWanted(want, now); open {
		next = min(next, max(wait, time.Millisecond))
	}
	return next
}

// place finds the broker for a request. Without ok the request waits for a newer layout, or has ended.
func (r *Reader) place(q *request, now time.Time, want *refreshWish) (*fetchPart, int32, bool) {
	t := r.c.meta.topic(q.tp.Topic)
	if t == nil || t.seq <= q.metaSeq {
		want.now = true
		return nil, 0, false
	}
	again := func() (*fetchPart, int32, bool) {
		q.metaSeq = t.seq
		q.notYet = now.Add(min(backoff(q.tries), time.Second))
		q.tries++
		want.now = true
		return nil, 0, false
	}
	end := func(err error) (*fetchPart, int32, bool) {
		q.notYet = now.Add(time.Hour) // finish takes it out of the map
		r.done.Go(func() { r.finishErr(q, err) })
		return nil, 0, false
	}
	p, err := t.leaderOf(q.tp)
	var missing *UnknownTopicError
	switch {
	case errors.As(err, &missing):
		if q.unknown.IsZero() {
			q.unknown = now
		}
		if now.Sub(q.unknown) >= unknownLimit {
			return end(missing)
		}
		return again()
	case err != nil && !retriable(err):
		return end(err)
	case err != nil:
		r.c.warn("leader "+q.tp.String(), err, "waiting for a leader of "+q.tp.String())
		return again()
	}
	if is := t.info.ID; is != q.at.TopicID && q.at.TopicID != (TopicID{}) && is != (TopicID{}) {
		if q.changed.IsZero() {
			q.changed = now
		}
		if now.Sub(q.changed) >= changedLimit {
			return end(&TopicChangedError{q.tp, q.at.TopicID, is})
		}
		return again()
	}
	q.unknown, q.changed = time.Time{}, time.Time{}
	part := &fetchPart{q: q, id: t.info.ID, epoch: p.epoch, size: q.size}
	if near, ok := r.followers[q.tp]; ok && near.broker != p.leader {
		if now.Before(near.until) {
			part.follower = true
			return part, near.broker, true
		}
		delete(r.followers, q.tp)
	}
	return part, p.leader, true
}

// start sends f if its broker has a free slot; else its requests wait for one.
func (r *Reader) start(f *fetch) {
	b := r.brokers[f.broker]
	if b == nil {
		b = &brokerState{}
		r.brokers[f.broker] = b
	}
	f.slot = slices.Index(b.slots[:], false)
	if f.slot < 0 {
		return
	}
	f.wait = r.c.cfg.FetchMaxWait
	for range f.slot {
		f.wait /= waitShrinks
	}
	b.slots[f.slot] = true
	slices.SortFunc(f.parts, func(a, b *fetchPart) int { return cmp.Compare(a.q.arrival, b.q.arrival) })
	for _, p := range f.parts {
		p.q.fetch = f
	}
	r.done.Go(func() { r.exchange(f) })
}

// free gives the slot of f back.
func (r *Reader) free(f *fetch) {
	r.brokers[f.broker].slots[f.slot] = false
	r.poke()
}

// detachIfMoved takes a request out of a Fetch that hangs when its partition has another leader by now.
// The answer of that Fetch no longer counts for it.
func (r *Reader) detachIfMoved(q *request) {
	t := r.c.meta.topic(q.tp.Topic)
	if t == nil {
		return
	}
	p, err := t.leaderOf(q.tp)
	if err == nil && p.leader != q.fetch.broker {
		delete(r.followers, q.tp)
		q.fetch = nil
		r.poke()
	}
}
