package connector

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"rowmark/kafka"
)

const (
	// mirrorEvery is the time between two commits of positions.
	mirrorEvery = 5 * time.Second
	// mirrorAgain is when positions that stand still are committed again: a group without members forgets them after
	// offsets.retention.minutes.
	mirrorAgain = time.Hour
	// mirrorPause is the longest time between two attempts when commits fail.
	mirrorPause = 5 * time.Minute
	// mirrorPatience is how long the last commit may hold up a stop.
	mirrorPatience = 3 * time.Second
)

// mirror commits checkpoints to the consumer group, so that tools that look at groups show the lag. Nothing reads them
// back, and a failure costs nothing but their age.
type mirror struct {
	turn sync.Mutex // of commits: an older position must not come last

	mu       sync.Mutex
	commit   func(context.Context, map[kafka.TopicPartition]int64) error // nil: nothing is mirrored
	warn     func(error)
	told     map[kafka.TopicPartition]int64 // as committed, of those that are ours
	moved    map[kafka.TopicPartition]int64 // of them, what is being committed
	allAt    time.Time                      // of the last time that all were
	released map[kafka.TopicPartition]int64 // ours no more, and not committed
	busy     bool
	fails    int
	notYet   time.Time
}

// begin names what commits from now on, and what is told of failures.
func (m *mirror) begin(commit func(context.Context, map[kafka.TopicPartition]int64) error, warn func(error)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.commit, m.warn = commit, warn
}

// release notes where a partition stands that was just let go. Its position goes with the next commit.
func (m *mirror) release(tp kafka.TopicPartition, next int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.commit == nil {
		return
	}
	if m.released == nil {
		m.released = map[kafka.TopicPartition]int64{}
	}
	m.released[tp] = next
}

// round gives what is to be committed now, beside what was released: of the partitions that are ours, those that have
// moved. Nil: there is nothing, or it is not yet time. A commit must follow.
func (m *mirror) round(now time.Time, ours map[kafka.TopicPartition]int64) map[kafka.TopicPartition]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.commit == nil || m.busy || now.Before(m.notYet) {
		return nil
	}
	if now.Sub(m.allAt) >= mirrorAgain {
		m.told, m.allAt = map[kafka.TopicPartition]int64{}, now
	}
	out := m.takeReleased()
	m.moved = map[kafka.TopicPartition]int64{}
	for tp, next := range ours {
		if was, ok := m.told[tp]; !ok || was != next {
			m.moved[tp] = next
		}
	}
	maps.Copy(out, m.moved)
	if len(out) == 0 {
		return nil
	}
	m.busy = true
	return out
}

// takeReleased takes what was released. Another owner's position comes after it, so it is committed once or never.
func (m *mirror) takeReleased() map[kafka.TopicPartition]int64 {
	out := map[kafka.TopicPartition]int64{}
	maps.Copy(out, m.released)
	for tp := range m.released {
		delete(m.told, tp)
	}
	clear(m.released)
	return out
}

// tell commits what round gave.
func (m *mirror) tell(ctx context.Context, next map[kafka.TopicPartition]int64) {
	m.turn.Lock()
	err := m.commit(ctx, next)
	m.turn.Unlock()
	m.mu.Lock()
	m.busy = false
	switch {
	case err == nil:
		m.fails = 0
		maps.Copy(m.told, m.moved)
	case errors.Is(err, kafka.ErrNoMember): // in the middle of a rebalance
		err = nil
	default:
		m.fails++
		m.notYet = time.Now().Add(min(mirrorEvery<<min(m.fails, 10), mirrorPause))
	}
	m.mu.Unlock()
	if err != nil && ctx.Err() == nil {
		m.warn(err)
	}
}

// last commits what was released, once, before the group gives the partitions to others or the process ends.
func (m *mirror) last(ctx context.Context) {
	m.mu.Lock()
	next := m.takeReleased()
	commit := m.commit
	m.mu.Unlock()
	if commit == nil || len(next) == 0 {
		return
	}
	m.turn.Lock()
	defer m.turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, mirrorPatience)
	defer cancel()
	if err := commit(ctx, next); err != nil {
		m.warn(err)
	}
}

// mirrorTo has positions committed from now on.
func (e *Engine) mirrorTo(commit func(context.Context, map[kafka.TopicPartition]int64) error) {
	if e.opts.MirrorGroup == "" {
		return
	}
	e.mirror.begin(commit, func(err error) {
		e.noise.warn("mirror", err, "committing positions to the consumer group (kafka.mirror_positions); tools show older ones meanwhile")
	})
}

// mirrorStatic does so where this process is no member of the group.
func (e *Engine) mirrorStatic() {
	if e.opts.Group == "" {
		e.mirrorTo(func(ctx context.Context, next map[kafka.TopicPartition]int64) error {
			return e.kafka.MirrorStatic(ctx, e.opts.MirrorGroup, next)
		})
	}
}

// tellMirror begins a commit of the positions of the partitions that are ours.
func (e *Engine) tellMirror() {
	ours := map[kafka.TopicPartition]int64{}
	for _, s := range e.core.Statuses() {
		if s.State == "running" {
			ours[s.TopicPartition] = s.Checkpoint
		}
	}
	if next := e.mirror.round(time.Now(), ours); next != nil {
		e.calls.Go(func() { e.mirror.tell(e.ctx, next) })
	}
}
