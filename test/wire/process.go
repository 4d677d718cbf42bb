package main

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"rowmark/connector"
)

// process is one connector. It is killed by cutting its connections: what it has sent may still be applied, and
// nothing comes after. It is paused by stalling them: what it sends comes after the pause.
type process struct {
	id       int
	w        *world
	cancel   context.CancelFunc
	done     chan struct{}
	err      error // after done
	fences   fences
	shutdown time.Duration // its timeout

	mu    sync.Mutex
	dead  bool
	gate  chan struct{} // not nil: stalled until it is closed
	links map[*link]bool
}

var errKilled = errors.New("the process was killed")

func (p *process) dial(ctx context.Context, addr string) (net.Conn, error) {
	if gate := p.stalled(); gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	nc, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	l := &link{Conn: nc, p: p, gone: make(chan struct{})}
	l.tap = newTap(p.w, p)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		_ = nc.Close()
		return nil, errKilled
	}
	p.links[l] = true
	return l, nil
}

func (p *process) stalled() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gate
}

func (p *process) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gate = make(chan struct{})
}

// resume ends a pause: first what was written goes out, then what came is read. It says whether anything went out.
func (p *process) resume() bool {
	p.mu.Lock()
	gate := p.gate
	p.gate = nil
	all := p.all()
	p.mu.Unlock()
	if gate == nil {
		return false
	}
	some := false
	for _, l := range all {
		some = l.flush() || some
	}
	close(gate)
	return some
}

// all lists the links. It needs mu.
func (p *process) all() []*link {
	out := make([]*link, 0, len(p.links))
	for l := range p.links {
		out = append(out, l)
	}
	return out
}

func (p *process) kill() {
	p.mu.Lock()
	p.dead = true
	all := p.all()
	if p.gate != nil {
		close(p.gate)
		p.gate = nil
	}
	p.mu.Unlock()
	for _, l := range all { // not under mu: a link's own lock comes first
		l.cut()
	}
	p.cancel()
}

// spawn starts a connector; once says that it ends when it has caught up.
func (w *world) spawn(ctx context.Context, once bool) *process {
	opts := w.options
	opts.Core.Once = once
	late := lag.now()
	opts.Core.Lease += 4 * late
	opts.CallTimeout += 2 * late
	opts.HBase.RPCTimeout += 2 * late
	opts.HBase.LocateTimeout += 2 * late
	opts.Kafka.RequestTimeout += 2 * late
	opts.ShutdownTimeout += 4 * late
	if once && !w.danger.Load() {
		unhurried(&opts)
	}
	return w.start(ctx, opts)
}

// unhurried lets a connector that nothing befalls any more take its time: what is slow is the machine. Its lease must
// not run out where each call takes as long as a lease, or it would take the partitions again and again.
func unhurried(o *connector.Options) {
	o.Core.Lease += 6 * lag.now()
	o.CallTimeout, o.HBase.RPCTimeout, o.HBase.LocateTimeout = 10*time.Second, 10*time.Second, 10*time.Second
	o.HBase.DialTimeout, o.Kafka.DialTimeout, o.StartTimeout = 10*time.Second, 10*time.Second, calm
	o.Kafka.RequestTimeout, o.ShutdownTimeout = 10*time.Second, 10*time.Second
}

func (w *world) start(ctx context.Context, opts connector.Options) *process {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{w: w, cancel: cancel, done: make(chan struct{}), links: map[*link]bool{}, shutdown: opts.ShutdownTimeout}
	opts.HBase.Dial = p.dial
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

// stop ends a connector gracefully, which must not take much longer than its shutdown timeout (I12).
func (w *world) stop(p *process) {
	p.cancel()
	most := 2*p.shutdown + slack
	if !lag.wait(p.done, lag.clock()+most) {
		w.fail(I12, "connector %d did not end within %s of being asked to", p.id, most)
		p.kill()
		<-p.done
	}
}
