package kafka

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// TestAllConnectionsAreDialled gives bootstrap names that only the dialer knows, for reads and for a group.
func TestAllConnectionsAreDialled(t *testing.T) {
	cl := fake(t, kfake.NumBrokers(1), kfake.SeedTopics(2, "t"))
	real := cl.ListenAddrs()[0]
	var mu sync.Mutex
	dialled := map[string]int{}
	c := open(t, Config{
		Brokers: []string{"kafka.inside.invalid:9092"},
		Dial: func(ctx context.Context, address string) (net.Conn, error) {
			mu.Lock()
			dialled[address]++
			mu.Unlock()
			return (&net.Dialer{}).DialContext(ctx, "tcp", real)
		},
	})
	g, err := c.NewGroup(GroupConfig{
		ID: "g", Topics: func(context.Context) ([]string, error) { return []string{"t"}, nil },
		SessionTimeout: 6 * time.Second, RebalanceTimeout: 6 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	before := dialled["kafka.inside.invalid:9092"]
	mu.Unlock()
	o := newOwner(t, "member")
	ctx, cancel := context.WithCancel(testContext(t))
	ended := make(chan error, 1)
	go func() { ended <- g.Run(ctx, o) }()
	deadline := time.Now().Add(time.Minute)
	for o.owned() != 2 {
		if time.Now().After(deadline) {
			t.Fatal("the member was given nothing in a minute")
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if before == 0 || dialled["kafka.inside.invalid:9092"] <= before {
		t.Errorf("dialled %v, %d of them before the group; want some by the client and some by the group", dialled, before)
	}
	if len(dialled) < 2 {
		t.Errorf("dialled %v, want also what the broker calls itself", dialled)
	}
}

func (o *owner) owned() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.owns)
}
