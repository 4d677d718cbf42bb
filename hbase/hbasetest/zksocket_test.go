package hbasetest_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// counted is a connection that counts among the open ones.
type counted struct {
	net.Conn
	open *atomic.Int64
	once atomic.Bool
}

func (c *counted) Close() error {
	if c.once.CompareAndSwap(false, true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}

// Sessions that expire leave no socket open, nor does the end of the client.
func TestZooKeeperSockets(t *testing.T) {
	var now, all atomic.Int64
	ctx, cl, c := open(t, hbasetest.Options{}, func(cfg *hbase.Config) {
		cfg.DialZooKeeper = func(ctx context.Context, addr string) (net.Conn, error) {
			nc, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, err
			}
			now.Add(1)
			all.Add(1)
			return &counted{Conn: nc, open: &now}, nil
		}
	})
	answered := func(dials int64) {
		t.Helper()
		for {
			_, err := c.Servers(ctx)
			if err == nil && all.Load() >= dials {
				return
			}
			if ctx.Err() != nil {
				t.Fatalf("ZooKeeper was dialled %d times, want %d: %v", all.Load(), dials, err)
			}
			time.Sleep(time.Millisecond)
		}
	}
	answered(1)
	for range 5 {
		before := all.Load()
		cl.ExpireZooKeeper()
		answered(before + 2) // one learns that the session is over, one has the next
	}
	if n := now.Load(); n != 1 {
		t.Errorf("%d of %d sockets to ZooKeeper are open, want 1", n, all.Load())
	}
	c.Close()
	if n := now.Load(); n != 0 {
		t.Errorf("%d of %d sockets to ZooKeeper are open after Close, want none", n, all.Load())
	}
}
