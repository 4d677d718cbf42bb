package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"

	"rowmark/test/cluster"
)

// owner records what a member owns and fails the test if calls for one partition come out of order.
type owner struct {
	t    *testing.T
	name string
	hold time.Duration // how long it takes to give up

	mu      sync.Mutex
	owns    map[TopicPartition]bool
	revoked []TopicPartition // in order
}

func newOwner(t *testing.T, name string) *owner {
	return &owner{t: t, name: name, owns: map[TopicPartition]bool{}}
}

func (o *owner) Assigned(gen int32, tps []TopicPartition) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, tp := range tps {
		if o.owns[tp] {
			o.t.Errorf("%s: %s is assigned in generation %d while it owns it", o.name, tp, gen)
		}
		o.owns[tp] = true
	}
}

func (o *owner) Revoked(gen int32, tps []TopicPartition) {
	time.Sleep(o.hold)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, tp := range tps {
		if !o.owns[tp] {
			o.t.Errorf("%s: %s is revoked after generation %d, and it does not own it", o.name, tp, gen)
		}
		delete(o.owns, tp)
	}
	o.revoked = append(o.revoked, tps...)
}

func (o *owner) has() []TopicPartition {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.SortedFunc(maps.Keys(o.owns), compareTP)
}

// gaveUp is what was taken from it so far.
func (o *owner) gaveUp() []TopicPartition {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.revoked)
}

// until waits for a state of both owners together.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testLimit); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waiting for %s", what)
		}
	}
}

func join(t *testing.T, c *Client, id string, o *owner, topics func(context.Context) ([]string, error)) (*Group, func()) {
	t.Helper()
	return joinFor(t, 6*time.Second, c, id, o, topics)
}

func joinFor(t *testing.T, session time.Duration, c *Client, id string, o *owner, topics func(context.Context) ([]string, error)) (*Group, func()) {
	t.Helper()
	g, err := c.NewGroup(GroupConfig{
		ID: id, Topics: topics, SessionTimeout: session, RebalanceTimeout: session,
		WatchEvery: 200 * time.Millisecond, Heartbeat: 100 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx, o) }()
	leave := sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", o.name, err)
			}
		case <-time.After(testLimit):
			t.Errorf("%s does not leave", o.name)
		}
		if has := o.has(); len(has) > 0 {
			t.Errorf("%s left and still owns %v", o.name, has)
		}
	})
	t.Cleanup(leave)
	return g, leave
}

func shareOut(t *testing.T, brokers []string, adm *kadm.Client, topic string) {
	c := open(t, Config{Brokers: brokers})
	var mu sync.Mutex
	names := []string{topic}
	topics := func(context.Context) ([]string, error) {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(names), nil
	}
	id := "group-" + topic
	a, b := newOwner(t, "a"), newOwner(t, "b")
	b.hold = 300 * time.Millisecond
	ga, _ := join(t, c, id, a, topics)
	if err := (&Group{c: c, cfg: GroupConfig{ID: id}}).Mirror(testContext(t), map[TopicPartition]int64{{topic, 0}: 1}); !errors.Is(err, ErrNoMember) {
		t.Errorf("mirroring without membership: %v", err)
	}
	until(t, "all of it", func() bool { return len(a.has()) == 4 })
	tp := TopicPartition{topic, 0}
	if err := ga.Mirror(testContext(t), map[TopicPartition]int64{tp: 17}); err != nil {
		t.Error(err)
	}
	offs, err := adm.FetchOffsets(testContext(t), id)
	if err != nil {
		t.Fatal(err)
	}
	if o, _ := offs.Lookup(topic, 0); o.At != 17 {
		t.Errorf("mirrored position is %d", o.At)
	}
	ga.mu.Lock()
	old := *ga.member
	ga.mu.Unlock()
	_, leaveB := join(t, c, id, b, topics)
	both := func(n int) func() bool {
		return func() bool { return len(a.has())+len(b.has()) == n && len(a.has()) > 0 && len(b.has()) > 0 }
	}
	until(t, "both to share", both(4))
	for _, x := range a.has() {
		if slices.Contains(b.has(), x) {
			t.Errorf("both own %s", x)
		}
	}
	if had := a.gaveUp(); len(had) != 2 {
		t.Errorf("the first gave up %v, and its share is 2 of 4", had)
	}
	// A commit of the generation before is refused, though the answer as a whole has no error.
	if err := c.commit(testContext(t), id, old.generation, old.id, map[TopicPartition]int64{tp: 99}); err == nil {
		t.Error("a commit of an old generation passed")
	}
	if _, err := adm.CreatePartitions(testContext(t), 2, topic); err != nil {
		t.Fatal(err)
	}
	until(t, "new partitions", both(6))
	second := topic + "-second"
	createTopic(t, adm, second, 2, 1)
	mu.Lock()
	names = append(names, second)
	mu.Unlock()
	until(t, "a new topic", both(8))
	had := a.gaveUp()
	leaveB()
	until(t, "all of it again", func() bool { return len(a.has()) == 8 })
	if now := a.gaveUp(); len(now) > len(had) {
		t.Errorf("a member that stays gave up %v as the other left", now[len(had):])
	}
}

func TestGroupShares(t *testing.T) {
	k := fake(t, kfake.SeedTopics(4, "orders"))
	shareOut(t, k.ListenAddrs(), kadm.NewClient(producer(t, k.ListenAddrs())), "orders")
}

func TestRealGroupShares(t *testing.T) {
	r := realKafka(t)
	shareOut(t, r.brokers, r.adm, r.topic(t, 4))
}

func TestRealMirrorStatic(t *testing.T) {
	r := realKafka(t)
	tp := TopicPartition{r.topic(t, 1), 0}
	c := open(t, Config{Brokers: r.brokers})
	id := cluster.UniqueName(t)
	if err := c.MirrorStatic(testContext(t), id, map[TopicPartition]int64{tp: 5}); err != nil {
		t.Fatal(err)
	}
	offs, err := r.adm.FetchOffsets(testContext(t), id)
	if o, _ := offs.Lookup(tp.Topic, 0); err != nil || o.At != 5 {
		t.Errorf("position %d: %v", o.At, err)
	}
}
