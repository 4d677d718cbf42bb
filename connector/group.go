package connector

import (
	"context"
	"slices"
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
type member struct{ e *Engine }

// Assigned begins partitions.
func (m member) Assigned(generation int32, tps []kafka.TopicPartition) {
	m.e.log.Info().Int32("generation", generation).Strs("partitions", tpString(tps)).Msg("group: partitions assigned")
	tps = m.ours(tps)
	m.e.group.take(tps)
	for _, tp := range tps {
		m.e.assigned(tp)
	}
}

// Revoked gives partitions up, and returns when their checkpoints are released. If that takes too long the
// next owner waits for the lease.
func (m member) Revoked(generation int32, tps []kafka.TopicPartition) {
	m.e.log.Info().Int32("generation", generation).Strs("partitions", tpString(tps)).Msg("group: partitions revoked")
	tps = m.ours(tps)
	for _, tp := range tps {
		m.e.post(core.Revoked{TopicPartition: tp})
	}
	ctx, cancel := context.WithTimeout(m.e.ctx, m.e.opts.ShutdownTimeout)
	defer cancel()
	m.e.group.wait(ctx, tps)
	m.e.mirror.last(ctx)
}

// ours leaves out partitions that the configuration does.
func (m member) ours(tps []kafka.TopicPartition) []kafka.TopicPartition {
	return slices.DeleteFunc(slices.Clone(tps), func(tp kafka.TopicPartition) bool {
		only := m.e.opts.Partitions[tp.Topic]
		return only != nil && !slices.Contains(only, tp.Partition)
	})
}

// assigned gives a partition to the core, with what was seen of its checkpoint.
func (e *Engine) assigned(tp kafka.TopicPartition) {
	ev := core.Assigned{TopicPartition: tp}
	ev.Seen, ev.SeenAt = e.sights.of(tp)
	e.post(ev)
}

// runGroup takes part in the consumer group until ctx ends.
func (e *Engine) runGroup(ctx context.Context) error {
	g, err := e.kafka.NewGroup(kafka.GroupConfig{
		ID: e.opts.Group, Topics: e.groupTopics, WatchEvery: e.opts.WatchEvery,
		SessionTimeout: e.opts.GroupSession, RebalanceTimeout: e.opts.GroupSession,
	})
	if err != nil {
		return err
	}
	e.mirrorTo(g.Mirror)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.calls.Go(func() { e.watchCheckpoints(ctx) })
	return g.Run(ctx, member{e})
}

// groupTopics gives the topics that exist and are mapped.
func (e *Engine) groupTopics(ctx context.Context) ([]string, error) {
	tps, err := e.partitions(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, tp := range tps {
		if len(names) == 0 || names[len(names)-1] != tp.Topic {
			names = append(names, tp.Topic)
		}
	}
	return names, nil
}
