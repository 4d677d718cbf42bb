package proxy

import (
	"context"
	"fmt"
	"maps"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how a proxy is to be. The zero value is a proxy without faults.
type Options struct {
	Seed uint64 // of all draws; which connection gets which still depends on the order they come in
	// User and Password, if User is not empty, are asked of every client.
	User, Password string
	// Hosts resolves names (not addresses) that clients CONNECT to; others are
	// looked up as usual.
	Hosts map[string]string
	// DelayMin and DelayMax bound how late Delay is; default 50 ms and 5 s.
	// Small ones are as likely as large ones on a logarithmic scale.
	DelayMin, DelayMax time.Duration
	// Silence is how long a HalfOpen or BlackHole connection is kept before it
	// is reset; default 1 minute.
	Silence time.Duration
	// Linger is how long the server's end is kept after the last late frame of
	// a client that has gone, so that the server carries it out; default 3 s.
	Linger time.Duration
	// OnBite is told of each fault at the time it takes place, possibly from
	// several goroutines at once. It must not block. May be nil.
	OnBite func(Bite)
}

// Proxy is a running proxy. All methods may be called at any time.
type Proxy struct {
	opts   Options
	listen net.Listener
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	rules    atomic.Pointer[[]*rule]
	delayMin atomic.Int64
	delayMax atomic.Int64
	cuts     cuts
	conns    atomic.Int64 // so far, to seed each one

	mu    sync.Mutex
	bites map[Fault]int
	made  map[string]int
	open  map[*pair]bool
}

// Start listens on a free port of 127.0.0.1.
func Start(o Options) (*Proxy, error) {
	if o.DelayMin <= 0 {
		o.DelayMin = 50 * time.Millisecond
	}
	if o.DelayMax <= 0 {
		o.DelayMax = 5 * time.Second
	}
	if o.Silence <= 0 {
		o.Silence = time.Minute
	}
	if o.Linger <= 0 {
		o.Linger = 3 * time.Second
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the fault proxy: %w", err)
	}
	p := &Proxy{opts: o, listen: l, bites: map[Fault]int{}, made: map[string]int{}, open: map[*pair]bool{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.rules.Store(&[]*rule{})
	p.SetDelay(o.DelayMin, o.DelayMax)
	p.wg.Go(p.accept)
	return p, nil
}

// Addr is where the proxy listens, as host:port.
func (p *Proxy) Addr() string { return p.listen.Addr().String() }

// URL is Addr as the settings of clients want it.
func (p *Proxy) URL() string { return "socks5://" + p.Addr() }

// Set replaces all rules by one for everything; nil ends the faults that have
// rates. Connections already silent stay so, and what is late stays late.
func (p *Proxy) Set(rates map[Fault]float64) error {
	return p.SetRules(Rule{Rates: rates})
}

// SetRules replaces all rules. The first that fits a request decides.
func (p *Proxy) SetRules(rules ...Rule) error {
	var rs []*rule
	for _, r := range rules {
		if err := r.check(); err != nil {
			return err
		}
		r.Rates = maps.Clone(r.Rates)
		rs = append(rs, &rule{Rule: r})
	}
	p.rules.Store(&rs)
	return nil
}

// SetDelay changes how late Delay and a late DoubleRequest are from now on.
func (p *Proxy) SetDelay(shortest, longest time.Duration) {
	p.delayMin.Store(int64(shortest))
	p.delayMax.Store(int64(max(shortest, longest)))
}

// Cut parts a target (host:port; "" for all) from its clients: what is sent in
// either direction is held, and new connections don't come about. The sockets
// stay open, as when a cable is pulled.
func (p *Proxy) Cut(target string) { p.cuts.cut(target) }

// Heal ends all cuts. What was held goes on, to a server also when the client
// has closed its end meanwhile.
func (p *Proxy) Heal() { p.cuts.heal() }

// Bites are how often each fault took place so far.
func (p *Proxy) Bites() map[Fault]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.bites)
}

// Made is how many connections to each target (as in the CONNECT) were relayed
// so far, to see that a program takes no other way.
func (p *Proxy) Made() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.made)
}

// Open is the number of relayed connections, those kept for Linger and
// Silence included.
func (p *Proxy) Open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}

// ResetAll resets every open connection to a target ("" for all) at once.
func (p *Proxy) ResetAll(target string) {
	p.mu.Lock()
	var hit []*pair
	for c := range p.open {
		if target == "" || c.target == target {
			hit = append(hit, c)
		}
	}
	p.mu.Unlock()
	for _, c := range hit {
		if c.kill(true) {
			p.bite(Bite{Fault: Reset, Target: c.target, Protocol: c.protocol(), Detail: "all connections"})
		}
	}
}

// Close ends all connections and waits until nothing of the proxy runs.
func (p *Proxy) Close() error {
	p.cancel()
	err := p.listen.Close()
	p.mu.Lock()
	for c := range p.open {
		c.kill(false)
	}
	p.mu.Unlock()
	p.wg.Wait()
	if err != nil {
		return fmt.Errorf("stopping the fault proxy: %w", err)
	}
	return nil
}

func (p *Proxy) bite(b Bite) {
	b.At = time.Now()
	p.mu.Lock()
	p.bites[b.Fault]++
	p.mu.Unlock()
	if p.opts.OnBite != nil {
		p.opts.OnBite(b)
	}
}
