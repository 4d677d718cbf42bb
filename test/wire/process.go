package main

import (
	"context"
	"errors"
	"net"
	"sync"

	"rowmark/connector"
)

// process is one connector. It is killed by cutting its connections: what it has sent may still be applied, and
// nothing comes after.
type process struct {
	id     int
	cancel context.CancelFunc
	done   chan struct{}
	err    error // after done

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

var errKilled = errors.New("the process was killed")

func (p *process) dial(ctx context.Context, addr string) (net.Conn, error) {
	nc, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		_ = nc.Close()
		return nil, errKilled
	}
	p.conns = append(p.conns, nc)
	return nc, nil
}

func (p *process) kill() {
	p.mu.Lock()
	p.cut = true
	for _, nc := range p.conns {
		_ = nc.Close()
	}
	p.mu.Unlock()
	p.cancel()
}

// spawn starts a connector; once says that it ends when it has caught up.
func (w *world) spawn(ctx context.Context, once bool) *process {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{cancel: cancel, done: make(chan struct{})}
	opts := w.options
	opts.HBase.Dial = p.dial
	opts.Core.Once = once
	w.mu.Lock()
	p.id = len(w.running)
	w.running = append(w.running, p)
	w.mu.Unlock()
	w.logf("connector %d starts", p.id)
	go func() {
		defer close(p.done)
		defer cancel()
		e, err := connector.New(ctx, opts)
		if err == nil {
			err = e.Run(ctx)
			e.Close()
		}
		p.err = err
		w.logf("connector %d ended: %v", p.id, err)
	}()
	return p
}

func (p *process) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
