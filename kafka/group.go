package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// GroupConfig is a consumer group that shares partitions out among processes. Positions are not read from it.
type GroupConfig struct {
	ID string
	// Topics is asked at the start and then every WatchEvery; when its answer changes, the members meet anew.
	Topics func(context.Context) ([]string, error)

	SessionTimeout   time.Duration // without a heartbeat the group takes the partitions away; default 45s
	RebalanceTimeout time.Duration // in which members must come to a rebalance; default 30s
	WatchEvery       time.Duration // how often new topics and partitions are looked for; default 5s
	Heartbeat        time.Duration // also how late a rebalance is noticed; default 1s, at most a quarter of the session
}

// GroupHandler is told of the partitions of this member. The calls for one partition follow each other; Revoked of some
// partitions may run beside calls for others.
type GroupHandler interface {
	// Assigned says that the member has these partitions too, until Revoked. It should return soon.
	Assigned(generation int32, tps []TopicPartition)
	// Revoked returns when the owner has stopped working on these partitions. Other members get them only then, but for
	// a member that the group has given up on.
	Revoked(generation int32, tps []TopicPartition)
}

// Group is one member of a consumer group. A rebalance takes away only the partitions that another member is to have
// (the cooperative protocol); work on the others goes on.
type Group struct {
	c   *Client
	cfg GroupConfig

	mu     sync.Mutex
	member *membership
}

type membership struct {
	generation int32
	id         string
}

// NewGroup prepares a member; Run joins the group.
func (c *Client) NewGroup(cfg GroupConfig) (*Group, error) {
	if cfg.ID == "" || cfg.Topics == nil {
		return nil, errors.New("preparing a consumer group: it needs an id and topics")
	}
	setDefault(&cfg.SessionTimeout, 45*time.Second)
	setDefault(&cfg.RebalanceTimeout, 30*time.Second)
	setDefault(&cfg.WatchEvery, 5*time.Second)
	setDefault(&cfg.Heartbeat, min(time.Second, cfg.SessionTimeout/4))
	return &Group{c: c, cfg: cfg}, nil
}

// Run is a member of the group until ctx ends; then it gives its partitions up, leaves, and returns nil. Troubles
// on the way are logged and tried again; only a refusal by the brokers, as of a missing right, is an error.
func (g *Group) Run(ctx context.Context, h GroupHandler) error {
	m := newMember(g, h)
	defer m.leave()
	for ctx.Err() == nil {
		topics, err := g.topics(ctx)
		if err == nil && len(topics) > 0 {
			err = m.round(ctx, topics)
		} else if err == nil {
			err = errNoTopics
		}
		switch {
		case err == nil || ctx.Err() != nil:
			continue
		case !retriable(err):
			return fmt.Errorf("taking part in consumer group %s: %w", g.cfg.ID, err)
		case !m.lost(err): // among others: a new cluster has no coordinator yet
			g.c.warn("group "+g.cfg.ID, err, "consumer group "+g.cfg.ID+" can't be joined, trying again")
		}
		sleep(ctx, backoff(m.tries))
		m.tries++
	}
	return nil
}

var errNoTopics = errors.New("there is no topic to read yet")

func (g *Group) topics(ctx context.Context) ([]string, error) {
	names, err := g.cfg.Topics(ctx)
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names), err
}

func (g *Group) setMember(m *membership) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.member = m
}
