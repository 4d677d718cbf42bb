package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// member is this process in the group. One goroutine runs it; giving partitions up goes on beside it.
type member struct {
	g *Group
	h GroupHandler

	id          string
	generation  int32 // the last one that gave it partitions; -1: none
	coordinator int32 // broker; -1: not known
	tries       int   // since the last generation
	heard       time.Time
	reported    map[TopicPartition]bool // what it said to own when it joined
	leads       bool                    // it shared the partitions out
	dealt       []TopicPartition        // the partitions that it shared out

	mu      sync.Mutex
	owned   map[TopicPartition]bool // told to the handler, and not wholly given up
	leaving map[TopicPartition]bool // of them, those being given up
	wanted  map[TopicPartition]bool // what the group wants it to have
	given   chan struct{}           // something was given up
	giving  sync.WaitGroup
}

func newMember(g *Group, h GroupHandler) *member {
	return &member{
		g: g, h: h, generation: -1, coordinator: -1, heard: time.Now(), given: make(chan struct{}, 1),
		owned: map[TopicPartition]bool{}, leaving: map[TopicPartition]bool{}, wanted: map[TopicPartition]bool{},
	}
}

// round is one generation: joining, taking what it brings, and heartbeats until the members are to meet again.
func (m *member) round(ctx context.Context, topics []string) error {
	if m.coordinator < 0 {
		if err := m.findCoordinator(ctx); err != nil {
			return err
		}
	}
	joined, err := m.join(ctx, topics)
	if err != nil {
		return err
	}
	var deal []kmsg.SyncGroupRequestGroupAssignment
	if m.leads = joined.LeaderID == joined.MemberID; m.leads {
		if deal, err = m.deal(ctx, joined.Members); err != nil {
			return err
		}
	}
	tps, err := m.sync(ctx, joined.Generation, deal)
	if err != nil {
		return err
	}
	m.generation, m.tries, m.heard = joined.Generation, 0, time.Now()
	m.g.setMember(&membership{m.generation, m.id})
	m.want(tps)
	return m.beat(ctx, topics)
}

// beat keeps the membership. It returns nil when there is reason to join again.
func (m *member) beat(ctx context.Context, topics []string) error {
	tick := time.NewTicker(m.g.cfg.Heartbeat)
	defer tick.Stop()
	watch := time.NewTicker(m.g.cfg.WatchEvery)
	defer watch.Stop()
	for {
		if m.gaveUp() {
			return nil // others wait for what this member has given up
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.given:
			m.settle()
		case <-watch.C:
			if m.changed(ctx, topics) {
				return nil
			}
		case <-tick.C:
			if err := m.heartbeat(ctx); err != nil {
				return err
			}
			m.heard = time.Now()
		}
	}
}

// changed says whether there are other topics or partitions than when the member joined. Partitions concern the one that
// shared them out; another would not be listened to.
func (m *member) changed(ctx context.Context, have []string) bool {
	names, err := m.g.topics(ctx)
	if err != nil || len(names) == 0 {
		return false
	}
	if !slices.Equal(names, have) {
		return true
	}
	if !m.leads {
		return false
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	now, err := m.partitions(ctx, wanted)
	dealt := slices.DeleteFunc(slices.Clone(m.dealt), func(tp TopicPartition) bool { return !wanted[tp.Topic] })
	return err == nil && !slices.Equal(now, dealt)
}

// partitions lists those of topics as they are now. A topic that is unknown has none.
func (m *member) partitions(ctx context.Context, topics map[string]bool) ([]TopicPartition, error) {
	if len(topics) == 0 {
		return nil, nil
	}
	infos, err := m.g.c.Topics(ctx, slices.Sorted(maps.Keys(topics)))
	if err != nil {
		return nil, err
	}
	for _, t := range infos {
		var unknown *UnknownTopicError
		if t.Err != nil && !errors.As(t.Err, &unknown) {
			return nil, t.Err
		}
	}
	return partitionsOf(infos), nil
}

// lost takes a failure of a round. It says whether that is part of how groups meet, and nothing to tell of.
func (m *member) lost(err error) (usual bool) {
	m.g.setMember(nil)
	switch {
	case isCode(err, kafkago.RebalanceInProgress, kafkago.IllegalGeneration):
		return true
	case isCode(err, kafkago.UnknownMemberId):
		m.id = "" // the session ended; what it owns is the other members' to take
		return true
	}
	m.coordinator = -1
	if time.Since(m.heard) > m.g.cfg.SessionTimeout {
		m.want(nil) // by now the others have taken it over, and wait for its release
	}
	return false
}
