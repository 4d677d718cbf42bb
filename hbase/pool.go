package hbase

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// pool keeps one connection per server and service, and the limits of each server.
type pool struct {
	cfg  *Config
	life context.Context // of the client; ends the dials under way
	wg   sync.WaitGroup  // dials under way
	sent callCounts      // requests handed to a connection

	mu      sync.Mutex
	closed  bool
	servers map[string]*server
}

// server is one host:port. It stays when its process dies, and serves for the next one there.
type server struct {
	addr  string
	bytes *limiter
	calls chan struct{} // one token per write or multi-get in flight

	mu    sync.Mutex
	conns map[string]*slot // by service
}

// slot is a connection, or the making of one that several callers wait for.
type slot struct {
	ready chan struct{}
	conn  *conn // after ready
	err   error
	done  atomic.Bool
}

func newPool(life context.Context, cfg *Config) *pool {
	return &pool{cfg: cfg, life: life, servers: map[string]*server{}}
}

func (p *pool) server(addr string) *server {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.servers[addr]
	if s == nil {
		s = &server{
			addr:  addr,
			bytes: newLimiter(p.cfg.MaxInFlightBytes),
			calls: make(chan struct{}, p.cfg.MaxCallsPerServer),
			conns: map[string]*slot{},
		}
		p.servers[addr] = s
	}
	return s
}

// conn gives the live connection to a service, making it if there is none.
func (p *pool) conn(ctx context.Context, s *server, service string) (*conn, error) {
	s.mu.Lock()
	sl := s.conns[service]
	if sl == nil || sl.done.Load() && (sl.err != nil || sl.conn.isDead()) {
		sl = &slot{ready: make(chan struct{})}
		if !p.begin() {
			s.mu.Unlock()
			return nil, notSent(fmt.Errorf("connecting to %s: %w", s.addr, errClosed))
		}
		s.conns[service] = sl
		go p.dial(s.addr, service, sl)
	}
	s.mu.Unlock()
	select {
	case <-sl.ready:
		if sl.err != nil {
			return nil, notSent(fmt.Errorf("connecting to %s: %w", s.addr, sl.err))
		}
		return sl.conn, nil
	case <-ctx.Done():
		return nil, notSent(fmt.Errorf("connecting to %s: %w", s.addr, ctx.Err()))
	}
}

func (p *pool) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.wg.Add(1)
	return true
}

// dial fills a slot. It runs under the client's life, not its first caller's: others may wait for it too.
func (p *pool) dial(addr, service string, sl *slot) {
	defer p.wg.Done()
	ctx, cancel := context.WithTimeout(p.life, p.cfg.DialTimeout)
	defer cancel()
	nc, err := p.cfg.Dial(ctx, addr)
	if err == nil {
		sl.conn, err = newConn(nc, addr, service, p.cfg.User, p.cfg.RPCTimeout, p.cfg.DialTimeout)
	}
	sl.err = err
	sl.done.Store(true)
	close(sl.ready)
}

// call sends one request to a service of a server. size counts against the server's bytes in flight; 0 does not.
func (p *pool) call(ctx context.Context, addr, service string, size int, r *request) (*response, error) {
	s := p.server(addr)
	if size > 0 {
		n, err := s.bytes.acquire(ctx, size)
		if err != nil {
			return nil, notSent(fmt.Errorf("waiting for earlier calls to %s: %w", addr, err))
		}
		defer s.bytes.release(n)
	}
	c, err := p.conn(ctx, s, service)
	if err != nil {
		return nil, err
	}
	p.sent.add(r.method)
	return c.call(ctx, r)
}

// slotFor waits for one of the server's places for writes and multi-gets. The caller gives it back.
func (s *server) slotFor(ctx context.Context) error {
	select {
	case s.calls <- struct{}{}:
		return nil
	case <-ctx.Done():
		return notSent(fmt.Errorf("waiting for earlier calls to %s: %w", s.addr, ctx.Err()))
	}
}

func (s *server) slotDone() { <-s.calls }

// close ends all connections. The client's life is over by now, so dials end at once.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	servers := slices.Collect(maps.Values(p.servers))
	p.mu.Unlock()
	p.wg.Wait()
	for _, s := range servers {
		s.mu.Lock()
		for _, sl := range s.conns {
			if sl.conn != nil {
				sl.conn.close(errClosed)
			}
		}
		s.mu.Unlock()
	}
}
