package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// GroupConfig is a consumer group that shares partitions out among processes. Positions are not read from it.
type GroupConfig struct {
	ID string
	// Topics is asked at the start and then every TopicsEvery; when its answer changes, the group is joined anew.
	Topics      func(context.Context) ([]string, error)
	TopicsEvery time.Duration // default 30s

	SessionTimeout   time.Duration // without a heartbeat the group takes the partitions away; default 45s
	RebalanceTimeout time.Duration // in which members must give up their partitions; default 30s
	WatchEvery       time.Duration // how often new partitions are looked for; default 5s
}

// GroupHandler is told of the partitions of this member. Calls never overlap, except as Revoked says.
type GroupHandler interface {
	// Assigned says that the member has these partitions, which may be none, until Revoked. It should return soon.
	Assigned(generation int32, tps []TopicPartition)
	// Revoked returns when the owner has stopped working on the partitions. If it takes longer than four fifths
	// of RebalanceTimeout the group goes on without waiting: other members may then own them already.
	Revoked(generation int32)
}

// Group is one member of a consumer group. Each rebalance takes all partitions away first (eager protocol).
type Group struct {
	c     *Client
	cfg   GroupConfig
	turn  sync.Mutex // held from Assigned to the end of Revoked
	conns connSet

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
	setDefault(&cfg.TopicsEvery, 30*time.Second)
	setDefault(&cfg.SessionTimeout, 45*time.Second)
	setDefault(&cfg.RebalanceTimeout, 30*time.Second)
	setDefault(&cfg.WatchEvery, 5*time.Second)
	// Heartbeats stop while partitions are given up, so the session must outlast that.
	if cfg.SessionTimeout < cfg.RebalanceTimeout {
		return nil, fmt.Errorf("preparing consumer group %s: the session timeout %v is shorter than the rebalance timeout %v",
			cfg.ID, cfg.SessionTimeout, cfg.RebalanceTimeout)
	}
	return &Group{c: c, cfg: cfg}, nil
}

// Run is a member of the group until ctx ends; then it gives its partitions up, leaves, and returns nil. Troubles
// on the way are logged and tried again; only a refusal by the brokers, as of a missing right, is an error.
func (g *Group) Run(ctx context.Context, h GroupHandler) error {
	for try := 0; ctx.Err() == nil; {
		topics, err := g.topics(ctx)
		switch {
		case err != nil && !retriable(err) && ctx.Err() == nil:
			return fmt.Errorf("finding the topics of consumer group %s: %w", g.cfg.ID, err)
		case err != nil || len(topics) == 0:
			g.c.warn("topics "+g.cfg.ID, err, "no topic to read yet for consumer group "+g.cfg.ID)
			sleep(ctx, backoff(try))
			try++
		default:
			try = 0
			if err := g.join(ctx, topics, h); err != nil {
				return fmt.Errorf("taking part in consumer group %s: %w", g.cfg.ID, err)
			}
		}
	}
	return nil
}

func (g *Group) topics(ctx context.Context) ([]string, error) {
	names, err := g.cfg.Topics(ctx)
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names), err
}

// join is a member for a fixed list of topics until that changes or ctx ends.
func (g *Group) join(ctx context.Context, topics []string, h GroupHandler) error {
	mech, err := g.c.cfg.SASL.mechanism()
	if err != nil {
		return err
	}
	cg, err := kafkago.NewConsumerGroup(kafkago.ConsumerGroupConfig{
		ID: g.cfg.ID, Brokers: g.c.cfg.Brokers, Topics: topics,
		Dialer: &kafkago.Dialer{
			ClientID: g.c.cfg.ClientID, Timeout: g.c.cfg.DialTimeout, TLS: g.c.cfg.TLS,
			SASLMechanism: mech, DialFunc: g.conns.dialer(g.c.cfg.dial),
		},
		WatchPartitionChanges: true, PartitionWatchInterval: g.cfg.WatchEvery,
		SessionTimeout: g.cfg.SessionTimeout, RebalanceTimeout: g.cfg.RebalanceTimeout,
		HeartbeatInterval: min(3*time.Second, g.cfg.SessionTimeout/4), JoinGroupBackoff: time.Second,
		Timeout: g.c.cfg.RequestTimeout,
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var watch sync.WaitGroup
	watch.Go(func() { g.watchTopics(ctx, cancel, topics) })
	defer watch.Wait()
	defer cancel()
	defer g.leave(cg)
	for {
		gen, err := cg.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !retriable(err):
			return err
		case err != nil: // among others: a new cluster has no coordinator yet
			g.c.warn("group "+g.cfg.ID, err, "consumer group "+g.cfg.ID+" can't be joined, trying again")
			continue
		}
		gen.Start(func(over context.Context) { g.own(over, gen, h) })
	}
}

// own lasts as long as this member owns what the generation gave it.
func (g *Group) own(over context.Context, gen *kafkago.Generation, h GroupHandler) {
	g.turn.Lock()
	defer g.turn.Unlock()
	if over.Err() != nil { // ended before it began: nobody waits for us
		return
	}
	var tps []TopicPartition
	for topic, parts := range gen.Assignments {
		for _, p := range parts {
			tps = append(tps, TopicPartition{topic, int32(p.ID)})
		}
	}
	slices.SortFunc(tps, compareTP)
	g.setMember(&membership{gen.ID, gen.MemberID})
	h.Assigned(gen.ID, tps)
	<-over.Done()
	given := make(chan struct{})
	go func() {
		defer close(given)
		h.Revoked(gen.ID)
	}()
	select {
	case <-given:
	case <-time.After(g.cfg.RebalanceTimeout * 4 / 5):
		g.c.cfg.Log.Warn().Str("group", g.cfg.ID).Int32("generation", gen.ID).
			Msg("partitions were not given up in time, the group goes on without waiting")
	}
	g.setMember(nil)
}

func (g *Group) setMember(m *membership) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.member = m
}

// watchTopics ends the membership when the list of topics is another.
func (g *Group) watchTopics(ctx context.Context, end func(), have []string) {
	for sleep(ctx, g.cfg.TopicsEvery) {
		names, err := g.topics(ctx)
		if err == nil && !slices.Equal(names, have) {
			end()
		}
	}
}
