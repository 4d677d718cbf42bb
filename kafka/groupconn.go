package kafka

import (
	"cmp"
	"context"
	"net"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// leavePatience is how long leaving may wait for an answer before the group's connections are cut.
const leavePatience = 2 * time.Second

// leave ends a membership. kafka-go can't be called back while it waits for other members to join, so after a while
// its connections are cut, unless the owner is still giving partitions up.
func (g *Group) leave(cg *kafkago.ConsumerGroup) {
	left := make(chan struct{})
	go func() {
		defer close(left)
		_ = cg.Close() // it gives no error
	}()
	for {
		select {
		case <-left:
			return
		case <-time.After(leavePatience):
			if g.turn.TryLock() {
				g.turn.Unlock()
				g.conns.cut()
			}
		}
	}
}

// connSet knows the open connections of a group's member.
type connSet struct {
	mu   sync.Mutex
	open map[*groupConn]bool
}

type groupConn struct {
	net.Conn
	set *connSet
}

func (c *groupConn) Close() error {
	c.set.mu.Lock()
	delete(c.set.open, c)
	c.set.mu.Unlock()
	return c.Conn.Close()
}

func (s *connSet) dialer(dial func(context.Context, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, addr string) (net.Conn, error) {
		conn, err := dial(ctx, addr)
		if err != nil {
			return nil, err
		}
		c := &groupConn{Conn: conn, set: s}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open == nil {
			s.open = map[*groupConn]bool{}
		}
		s.open[c] = true
		return c, nil
	}
}

// cut makes every call on the open connections fail.
func (s *connSet) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		_ = c.Conn.Close() // its user closes it again and sees the error
	}
}

func compareTP(a, b TopicPartition) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
}
