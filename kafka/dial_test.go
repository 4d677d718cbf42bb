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
	o := newOwner(t, "member")
	ctx, cancel := context.WithCancel(testContext(t))
	ended := make(chan error, 1)
	go func() { ended <- g.Run(ctx, o) }()
	until(t, "the member to be given all", func() bool { return len(o.has()) == 2 })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if dialled["kafka.inside.invalid:9092"] == 0 || len(dialled) < 2 {
		t.Errorf("dialled %v, want the name that only the dialer knows, and what the broker calls itself", dialled)
	}
}
