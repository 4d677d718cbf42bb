package proxy

import (
	"io"
	"net"
	"time"
)

const (
	handshakeLimit = 10 * time.Second
	dialLimit      = 5 * time.Second
)

func (p *Proxy) accept() {
	for {
		c, err := p.listen.Accept()
		if err != nil {
			if p.ctx.Err() != nil {
				return
			}
			time.Sleep(10 * time.Millisecond) // out of descriptors, or the client has gone
			continue
		}
		p.wg.Go(func() { p.serve(c) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }() // it may be closed already
	stop := closeAtEnd(p, client)
	defer stop()
	d := newDice(p.opts.Seed, p.conns.Add(1))
	if client.SetDeadline(time.Now().Add(handshakeLimit)) != nil {
		return
	}
	target, err := p.handshake(client)
	if err != nil || client.SetDeadline(time.Time{}) != nil {
		return
	}
	if !p.cuts.pass(p.ctx, target, func() {
		p.bite(Bite{Fault: Cut, Target: target, Detail: "a new connection is held"})
	}) {
		return
	}
	if p.blackHole(d, client, target) {
		return
	}
	server, err := net.DialTimeout("tcp", p.resolve(target), dialLimit)
	if err != nil {
		_ = reply(client, replyRefused) // the client sees the end in any case
		return
	}
	if reply(client, replyOK) != nil {
		_ = server.Close()
		return
	}
	pair := newPair(p, target, client, server, d)
	p.mu.Lock()
	p.open[pair] = true
	p.made[target]++
	p.mu.Unlock()
	pair.relay()
	p.mu.Lock()
	delete(p.open, pair)
	p.mu.Unlock()
}

// closeAtEnd closes a connection when the proxy ends, so that no read of it waits.
func closeAtEnd(p *Proxy, c net.Conn) (stop func()) {
	over := make(chan struct{})
	p.wg.Go(func() {
		select {
		case <-p.ctx.Done():
			_ = c.Close() // it may be closed already
		case <-over:
		}
	})
	return func() { close(over) }
}

func (p *Proxy) resolve(target string) string {
	host, port, err := net.SplitHostPort(target)
	if err != nil {
		return target
	}
	if ip, ok := p.opts.Hosts[host]; ok {
		return net.JoinHostPort(ip, port)
	}
	return target
}

// blackHole may take a new connection out of the world: without an answer, or
// with one and nothing after it, as a stopped process's system gives it.
func (p *Proxy) blackHole(d *dice, client net.Conn, target string) bool {
	r := p.fitting(target, "", "")
	if r == nil || r.Rates[BlackHole] == 0 || d.float() >= r.Rates[BlackHole] || !r.take() {
		return false
	}
	accepted := d.intn(2) == 0
	b := Bite{Fault: BlackHole, Target: target, Detail: "the connection is not made"}
	if accepted {
		b.Detail = "the connection is made and silent"
		if reply(client, replyOK) != nil {
			return true
		}
	}
	p.bite(b)
	if accepted {
		t := time.NewTimer(p.opts.Silence)
		defer t.Stop()
		select {
		case <-t.C:
		case <-p.ctx.Done():
		}
		return true
	}
	if client.SetReadDeadline(time.Now().Add(p.opts.Silence)) == nil {
		_, _ = io.Copy(io.Discard, client) // the client sends nothing: this waits until it has gone
	}
	return true
}
