package kafka

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func only(names ...string) func(context.Context) ([]string, error) {
	return func(context.Context) ([]string, error) { return names, nil }
}

// A member that the group has forgotten, or that meets it in trouble, comes back to what it had, and nobody took it.
func TestGroupKeepsPartitionsOverTrouble(t *testing.T) {
	for name, x := range map[string]struct {
		key  kmsg.Key
		code kafkago.Error // 0: the connection is cut
	}{
		"the session ended":            {kmsg.Heartbeat, kafkago.UnknownMemberId},
		"the generation is over":       {kmsg.Heartbeat, kafkago.IllegalGeneration},
		"a rebalance":                  {kmsg.Heartbeat, kafkago.RebalanceInProgress},
		"another coordinator":          {kmsg.Heartbeat, kafkago.NotCoordinatorForGroup},
		"a coordinator that loads":     {kmsg.Heartbeat, kafkago.GroupLoadInProgress},
		"a cut connection":             {kmsg.Heartbeat, 0},
		"a rebalance while it meets":   {kmsg.SyncGroup, kafkago.RebalanceInProgress},
		"a forgetful group as it meet": {kmsg.JoinGroup, kafkago.UnknownMemberId},
	} {
		t.Run(name, func(t *testing.T) {
			k := fake(t, kfake.SeedTopics(3, "orders"), kfake.GroupMinSessionTimeout(time.Second))
			c := open(t, Config{Brokers: k.ListenAddrs()})
			a := newOwner(t, "a")
			joinFor(t, time.Second, c, "g", a, only("orders"))
			until(t, "all of it", func() bool { return len(a.has()) == 3 })
			var met atomic.Int32
			if x.key != kmsg.Heartbeat { // what makes it meet the others again
				k.ControlKey(int16(kmsg.Heartbeat), func(req kmsg.Request) (kmsg.Response, error, bool) {
					resp := req.ResponseKind().(*kmsg.HeartbeatResponse)
					resp.ErrorCode = int16(kafkago.RebalanceInProgress)
					return resp, nil, true
				})
			}
			k.ControlKey(int16(x.key), func(req kmsg.Request) (kmsg.Response, error, bool) {
				met.Add(1)
				if x.code == 0 {
					return nil, errors.New("cut"), true
				}
				return refusal(req, int16(x.code)), nil, true
			})
			var after atomic.Int32
			until(t, "the trouble", func() bool { return met.Load() > 0 })
			k.ControlKey(int16(kmsg.Heartbeat), func(kmsg.Request) (kmsg.Response, error, bool) {
				k.KeepControl()
				after.Add(1)
				return nil, nil, false
			})
			until(t, "heartbeats again", func() bool { return after.Load() > 2 })
			if had := a.gaveUp(); len(had) > 0 || len(a.has()) != 3 {
				t.Errorf("it has %v and gave up %v", a.has(), had)
			}
		})
	}
}

// refusal is an answer to a member of a group.
func refusal(req kmsg.Request, code int16) kmsg.Response {
	resp := req.ResponseKind()
	switch r := resp.(type) {
	case *kmsg.HeartbeatResponse:
		r.ErrorCode = code
	case *kmsg.SyncGroupResponse:
		r.ErrorCode = code
	case *kmsg.JoinGroupResponse:
		r.ErrorCode = code
	}
	return resp
}

// A member that can't reach the group for longer than its session gives all up: by then others have been given it.
func TestGroupSilence(t *testing.T) {
	k := fake(t, kfake.SeedTopics(3, "orders"), kfake.GroupMinSessionTimeout(100*time.Millisecond))
	c := open(t, Config{Brokers: k.ListenAddrs()})
	g, err := c.NewGroup(GroupConfig{ID: "g", Topics: only("orders"), SessionTimeout: 400 * time.Millisecond, RebalanceTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	a := newOwner(t, "a")
	go func() { done <- g.Run(ctx, a) }()
	until(t, "all of it", func() bool { return len(a.has()) == 3 })
	var deaf atomic.Bool
	deaf.Store(true)
	k.Control(func(req kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		switch kmsg.Key(req.Key()) {
		case kmsg.Heartbeat, kmsg.JoinGroup, kmsg.FindCoordinator:
			if deaf.Load() {
				return nil, errors.New("cut"), true
			}
		}
		return nil, nil, false
	})
	until(t, "all to be given up", func() bool { return len(a.gaveUp()) == 3 })
	deaf.Store(false)
	until(t, "all of it again", func() bool { return len(a.has()) == 3 })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Other consumers that use the group are an error that names it, not members that take partitions away.
func TestGroupRefusesOtherConsumers(t *testing.T) {
	k := fake(t, kfake.SeedTopics(3, "orders"))
	c := open(t, Config{Brokers: k.ListenAddrs()})
	a := newOwner(t, "a")
	join(t, c, "g", a, only("orders"))
	until(t, "all of it", func() bool { return len(a.has()) == 3 })
	resp, err := c.do(testContext(t), 0, otherJoin("range", ""), wantJoinGroup)
	if err == nil { // the id that it is to use
		resp, err = c.do(testContext(t), 0, otherJoin("range", resp.(*kmsg.JoinGroupResponse).MemberID), wantJoinGroup)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := codeError(resp.(*kmsg.JoinGroupResponse).ErrorCode); !isCode(err, kafkago.InconsistentGroupProtocol) {
		t.Errorf("a consumer of another kind joined: %v", err)
	}
}

func otherJoin(protocol, id string) *kmsg.JoinGroupRequest {
	p := kmsg.NewJoinGroupRequestProtocol()
	p.Name, p.Metadata = protocol, subscription([]string{"orders"}, nil, -1)
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.MemberID, req.ProtocolType = "g", id, groupProtocolType
	req.SessionTimeoutMillis, req.RebalanceTimeoutMillis = 10_000, 10_000
	req.Protocols = append(req.Protocols, p)
	return req
}

// A stop does not wait for members that never come to a rebalance.
func TestGroupLeavesWhileItWaits(t *testing.T) {
	k := fake(t, kfake.SeedTopics(3, "orders"))
	c := open(t, Config{Brokers: k.ListenAddrs()})
	a, b := newOwner(t, "a"), newOwner(t, "b")
	_, leaveA := join(t, c, "g", a, only("orders"))
	until(t, "all of it", func() bool { return len(a.has()) == 3 })
	// Of a's heartbeats none says that there is a rebalance, so b waits for it.
	k.ControlKey(int16(kmsg.Heartbeat), func(req kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		return req.ResponseKind(), nil, true
	})
	var waits atomic.Int32
	k.ControlKey(int16(kmsg.JoinGroup), func(kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		waits.Add(1)
		return nil, nil, false
	})
	_, leaveB := join(t, c, "g", b, only("orders"))
	until(t, "b to wait", func() bool { return waits.Load() > 1 })
	begun := time.Now()
	leaveB()
	leaveA()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("leaving took %v", took)
	}
}
