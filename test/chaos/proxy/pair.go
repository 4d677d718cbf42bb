package proxy

import (
	"bufio"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// pair is a relayed connection: the client's end and the server's.
type pair struct {
	proxy          *Proxy
	target         string
	client, server net.Conn
	proto          Protocol
	protoKnown     atomic.Pointer[Protocol]
	dice           *dice
	ctx            context.Context
	cancel         context.CancelFunc
	up, down       *link

	silent  atomic.Bool
	silence sync.Once
	ended   sync.Once
	mu      sync.Mutex
	plans   map[int64]plan
}

func newPair(p *Proxy, target string, client, server net.Conn, d *dice) *pair {
	c := &pair{
		proxy: p, target: target, client: client, server: server, dice: d,
		plans: map[int64]plan{},
	}
	c.ctx, c.cancel = context.WithCancel(p.ctx)
	c.up, c.down = newLink(c, server), newLink(c, client)
	return c
}

func (c *pair) protocol() Protocol {
	if p := c.protoKnown.Load(); p != nil {
		return *p
	}
	return ""
}

// relay moves frames until both ends are done.
func (c *pair) relay() {
	defer c.kill(false)
	in := bufio.NewReaderSize(c.client, pieceBytes)
	proto, err := sniff(in)
	if err != nil && in.Buffered() == 0 {
		return
	}
	c.proto = proto
	c.protoKnown.Store(&proto)
	upDone, downDone := make(chan struct{}), make(chan struct{})
	c.proxy.wg.Go(func() { c.requests(&reader{in: in, proto: proto, request: true}) })
	c.proxy.wg.Go(func() {
		c.answers(&reader{in: bufio.NewReaderSize(c.server, pieceBytes), proto: proto})
	})
	c.proxy.wg.Go(func() {
		defer close(upDone)
		if c.up.run() && !c.up.lateAtEnd() {
			closeWrite(c.server)
		}
	})
	c.proxy.wg.Go(func() {
		defer close(downDone)
		c.down.run()
	})
	select {
	case <-downDone: // the server has closed, and all it said was passed on
		return
	case <-upDone: // the client has, and all it said has arrived
	}
	select {
	case <-downDone:
	case <-time.After(c.proxy.opts.Linger):
	case <-c.ctx.Done():
	}
}

func closeWrite(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.CloseWrite() // fails only if the other end is gone already
	}
}

// kill ends both connections, with RST if wanted. It says whether they were open.
func (c *pair) kill(rst bool) bool {
	first := false
	c.ended.Do(func() {
		first = true
		for _, conn := range []net.Conn{c.client, c.server} {
			if t, ok := conn.(*net.TCPConn); ok && rst {
				_ = t.SetLinger(0) // then it ends more politely
			}
			_ = conn.Close() // nothing is to be saved
		}
		c.cancel()
	})
	return first
}

// hush stops relaying for ever. After Options.Silence the connection is reset.
func (c *pair) hush() {
	c.silence.Do(func() {
		c.silent.Store(true)
		c.proxy.wg.Go(func() {
			c.sleep(c.proxy.opts.Silence)
			c.kill(true)
		})
	})
}

// waitSilent never returns on a silent connection until it ends.
func (c *pair) waitSilent() {
	if c.silent.Load() {
		<-c.ctx.Done()
	}
}

// passCut waits while the target is cut; false if the connection has ended.
func (c *pair) passCut() bool {
	return c.proxy.cuts.pass(c.ctx, c.target, func() {
		c.proxy.bite(Bite{Fault: Cut, Target: c.target, Protocol: c.proto, Detail: "a frame is held"})
	})
}

func (c *pair) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.ctx.Done():
	}
}
