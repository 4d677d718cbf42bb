package connector

import (
	"context"
	"sync"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// groupState is what the members of a consumer group must wait for: a partition is given up only when its
// checkpoint is released.
type groupState struct {
	mu      sync.Mutex
	held    map[kafka.TopicPartition]bool
	changed chan struct{}
}

func (g *groupState) take(tps []kafka.TopicPartition) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held == nil {
		g.held = map[kafka.TopicPartition]bool{}
	}
	for _, tp := range tps {
		g.held[tp] = true
	}
}

// ended tells waiting members that a partition is no longer held here.
func (g *groupState) ended(tp kafka.TopicPartition) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.held, tp)
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// wait returns when none of the partitions is held, or ctx ends.
func (g *groupState) wait(ctx context.Context, tps []kafka.TopicPartition) {
	for {
		g.mu.Lock()
		busy := false
		for _, tp := range tps {
			busy = busy || g.held[tp]
		}
		if busy && g.changed == nil {
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		if !busy {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// member is this engine as a member of the group.
type member struct {
	e *Engine
}

// Assigned begins the partitions of a generation.
func (m member) Assigned(tps []kafka.TopicPartition) {
	m.e.log.Info().Strs("partitions", tpString(tps)).Msg("group: partitions assigned")
	m.e.group.take(tps)
	for _, tp := range tps {
		m.e.post(core.Assigned{TopicPartition: tp})
	}
}

// Revoked gives the partitions up, and returns when their checkpoints are released or ctx ends.
func (m member) Revoked(ctx context.Context, tps []kafka.TopicPartition) {
	m.e.log.Info().Strs("partitions", tpString(tps)).Msg("group: partitions revoked")
	for _, tp := range tps {
		m.e.post(core.Revoked{TopicPartition: tp})
	}
	m.e.group.wait(ctx, tps)
}
