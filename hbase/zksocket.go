package hbase

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
)

// zkSocket dials for the ZooKeeper client, and holds the one socket that it may have. The client drops the socket on
// which it learns that its session has expired without closing it, so that only the garbage collector would.
type zkSocket struct {
	dial zk.Dialer

	mu     sync.Mutex
	nc     net.Conn // the last one dialled
	closed bool
}

// newZKSocket dials over the configured dialer, if there is one. The client's own limit of time, a second, is too short
// for a way over a proxy; DialTimeout holds in its place.
func newZKSocket(cfg *Config) *zkSocket {
	s := &zkSocket{dial: net.DialTimeout}
	if cfg.DialZooKeeper != nil {
		s.dial = func(_, address string, _ time.Duration) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(context.Background(), cfg.DialTimeout)
			defer cancel()
			return cfg.DialZooKeeper(ctx, address)
		}
	}
	return s
}

// open is the ZooKeeper client's dialer. It dials only when it has done with the socket before.
func (s *zkSocket) open(network, address string, atMost time.Duration) (net.Conn, error) {
	s.mu.Lock()
	s.drop()
	s.mu.Unlock()
	nc, err := s.dial(network, address, atMost)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = nc.Close()
		return nil, net.ErrClosed
	}
	s.nc = nc
	return nc, nil
}

// drop closes the socket. It needs mu.
func (s *zkSocket) drop() {
	if s.nc != nil {
		_ = s.nc.Close() // most often it is closed already
		s.nc = nil
	}
}

func (s *zkSocket) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.drop()
}
