package connector

import (
	"context"
	"sync"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// sights is what a member of a group has seen of checkpoints, the other members' among them: when one of them dies, its
// lease is then over soon after the group has noticed, and is not waited for from there.
type sights struct {
	mu   sync.Mutex
	seen map[kafka.TopicPartition]sight
}

type sight struct {
	position core.Position
	at       time.Duration // when it was first seen so, of core.Now.Mono
}

// update takes what was read by now.
func (s *sights) update(now time.Duration, read map[kafka.TopicPartition]core.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := make(map[kafka.TopicPartition]sight, len(read))
	for tp, p := range read {
		next[tp] = sight{p, now}
		if was, ok := s.seen[tp]; ok && was.position == p {
			next[tp] = was
		}
	}
	s.seen = next
}

// of is the position last seen, and since when; nil: none was.
func (s *sights) of(tp kafka.TopicPartition) (*core.Position, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.seen[tp]; ok {
		return &was.position, was.at
	}
	return nil, 0
}

// sightsALease is how often the checkpoints are read within a lease: the last of them may be seen so much late.
const sightsALease = 5

// watchCheckpoints reads the sink's checkpoints until ctx ends. They count for the moment after the answer.
func (e *Engine) watchCheckpoints(ctx context.Context) {
	tick := time.NewTicker(max(e.opts.Core.Lease/sightsALease, time.Millisecond))
	defer tick.Stop()
	for {
		call, cancel := context.WithTimeout(ctx, e.opts.CallTimeout)
		read, err := e.store.Positions(call)
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			e.noise.warn("sights", err, "looking at the checkpoints of the group's other members")
		default:
			e.sights.update(time.Since(e.born), read)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
