package live

import (
	"context"
	"errors"
	"net"
	"sync"
)

var errKilled = errors.New("the process was killed")

// process is one connector, or one command, whose connections are tapped. It is killed by cutting them: what it has
// sent may still be done, nothing comes after.
type process struct {
	w      *world
	teller teller
	cancel context.CancelFunc
	done   chan struct{}
	err    error // after done
	stage  int   // which target of the plan is in this process; -1: none

	mu    sync.Mutex
	dead  bool
	conns []*tap
}

func (p *process) dial(kind protocol) func(ctx context.Context, addr string) (net.Conn, error) {
	return func(ctx context.Context, addr string) (net.Conn, error) {
		nc, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
		if err != nil {
			return nil, err
		}
		c := &tap{Conn: nc, p: p, kind: kind, open: map[uint32]*hit{}}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.dead {
			_ = nc.Close()
			return nil, errKilled
		}
		p.conns = append(p.conns, c)
		return c, nil
	}
}

// kill cuts all connections at once.
func (p *process) kill() {
	p.mu.Lock()
	p.dead = true
	for _, c := range p.conns {
		_ = c.Conn.Close()
	}
	p.mu.Unlock()
	p.cancel()
}

func (p *process) killed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

func (p *process) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// hit is one request on its way, and whether it is the one to kill at.
type hit struct {
	effect string
	target bool
}

// tap is one connection, seen frame by frame.
type tap struct {
	net.Conn
	p    *process
	kind protocol

	wmu     sync.Mutex
	out     []byte
	greeted bool

	omu  sync.Mutex
	open map[uint32]*hit

	in    []byte // not yet whole
	ready []byte // whole frames, not yet taken
	after bool   // the target's answer is among what was taken: kill when more is asked for
}

// Write sends whole frames on. What is not whole waits.
func (c *tap) Write(b []byte) (int, error) {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	c.out = append(c.out, b...)
	if !c.greeted {
		n := c.kind.hello(c.out)
		if n == 0 || n > len(c.out) {
			return len(b), nil
		}
		c.greeted = true
		if n > 0 {
			if _, err := c.Conn.Write(c.out[:n]); err != nil {
				return 0, err
			}
			c.out = c.out[n:]
		}
	}
	for {
		frame, rest, ok := cut(c.out)
		if !ok {
			return len(b), nil
		}
		c.out = rest
		if err := c.send(frame); err != nil {
			return 0, err
		}
	}
}

func (c *tap) send(frame []byte) error {
	id, effect, err := c.kind.request(frame, &c.p.teller)
	if err != nil {
		c.p.w.fail("a request that can't be read: %v", err)
		return err
	}
	h := &hit{effect: effect, target: c.p.w.count(c.p, effect)}
	if h.target {
		switch c.p.w.plan[c.p.stage].At {
		case Before:
			c.p.kill()
			return errKilled
		case Partial:
			c.p.w.tear.Store(true)
		}
	}
	if c.p.killed() {
		return errKilled
	}
	c.omu.Lock()
	c.open[id] = h
	c.omu.Unlock()
	_, err = c.Conn.Write(frame)
	return err
}

// Read takes whole answers.
func (c *tap) Read(b []byte) (int, error) {
	if len(c.ready) == 0 && c.after {
		c.p.kill()
		return 0, errKilled
	}
	buf := make([]byte, 32<<10)
	for len(c.ready) == 0 {
		n, err := c.Conn.Read(buf)
		c.in = append(c.in, buf[:n]...)
		if kerr := c.take(); kerr != nil {
			return 0, kerr
		}
		if err != nil && len(c.ready) == 0 {
			return 0, err
		}
	}
	n := copy(b, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// take moves whole frames to what is ready.
func (c *tap) take() error {
	for {
		frame, rest, ok := cut(c.in)
		if !ok {
			return nil
		}
		c.in = rest
		id, err := c.kind.answer(frame)
		if err != nil {
			c.p.w.fail("an answer that can't be read: %v", err)
			return err
		}
		c.omu.Lock()
		h := c.open[id]
		delete(c.open, id)
		c.omu.Unlock()
		if h != nil && h.target {
			if c.p.w.plan[c.p.stage].At != Answered {
				c.p.kill()
				return errKilled
			}
			c.after = true
		}
		c.ready = append(c.ready, frame...)
		if c.after {
			return nil
		}
	}
}
