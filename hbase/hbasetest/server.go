package hbasetest

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// server is a region server, or with number -1 the master.
type server struct {
	c      *Cluster
	number int
	addr   string
	port   int

	// Guarded by Cluster.mu.
	up        bool
	startCode uint64 // names the incarnation
	moved     map[string]moved
	memory    map[string]*batch // by region, of a server that was given up in a pause
	scanners  map[uint64]*scanner

	connMu sync.Mutex
	ln     net.Listener
	conns  map[*conn]bool
	gate   chan struct{} // not nil: the server is paused until it is closed
}

func (c *Cluster) startServer(number int) (*server, error) {
	s := &server{c: c, number: number, conns: map[*conn]bool{}}
	return s, s.start(net.JoinHostPort(s.host(), "0"))
}

func (s *server) start(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s.c.mu.Lock()
	// A restarted server has none of the regions of its former life, also where nobody has taken them yet.
	for _, t := range s.c.tables {
		for _, r := range t.regions {
			if r.server == s {
				r.server = nil
			}
		}
	}
	s.addr, s.port = ln.Addr().String(), ln.Addr().(*net.TCPAddr).Port
	s.up, s.startCode = true, max(s.startCode+1, uint64(time.Now().UnixMilli()))
	s.memory = nil
	s.moved, s.scanners = map[string]moved{}, map[uint64]*scanner{}
	life := s.startCode
	s.c.mu.Unlock()
	s.connMu.Lock()
	s.ln = ln
	s.connMu.Unlock()
	s.c.wg.Go(func() { s.accept(ln, life) })
	return nil
}

func (s *server) accept(ln net.Listener, life uint64) {
	for {
		nc, err := ln.Accept()
		if err != nil {
			return
		}
		c := &conn{s: s, nc: nc.(*net.TCPConn), life: life}
		s.connMu.Lock()
		if s.ln != ln {
			s.connMu.Unlock()
			c.reset()
			continue
		}
		s.conns[c] = true
		s.connMu.Unlock()
		s.c.wg.Go(func() {
			c.serve()
			s.connMu.Lock()
			delete(s.conns, c)
			s.connMu.Unlock()
		})
	}
}

// shut closes the listener and resets all connections.
func (s *server) shut() error {
	s.wake()
	s.connMu.Lock()
	defer s.connMu.Unlock()
	if s.ln == nil {
		return nil
	}
	err := s.ln.Close()
	s.ln = nil
	for c := range s.conns {
		c.reset()
	}
	return err
}

func (s *server) host() string { return s.c.opts.Host }

// name is host,port,startcode. Called under Cluster.mu.
func (s *server) name() string {
	return s.host() + "," + strconv.Itoa(s.port) + "," + fmt.Sprint(s.startCode)
}

func (s *server) serverName() *pb.ServerName {
	return &pb.ServerName{HostName: proto.String(s.host()), Port: proto.Uint32(uint32(s.port)), StartCode: proto.Uint64(s.startCode)}
}

// Kill ends a region server as a crash does: connections break, what it was about to do is not done. Acknowledged
// writes survive; those that went past the WAL (by their durability, or the table's) die with it unless flushed.
// After Options.Recovery its regions are served by the others, or if there are none by itself after Restart.
func (c *Cluster) Kill(number int) error {
	c.mu.Lock()
	s := c.servers[number]
	if !s.up {
		c.mu.Unlock()
		return fmt.Errorf("killing region server %d: it is dead", number)
	}
	c.bury(s)
	c.mu.Unlock()
	if err := s.shut(); err != nil {
		return fmt.Errorf("killing region server %d: %w", number, err)
	}
	return nil
}

// bury takes a server for dead, with what its memory alone held. Called under mu.
func (c *Cluster) bury(s *server) {
	s.up = false
	for _, t := range c.tables {
		for _, r := range t.regions {
			if r.server == s {
				t.loseUnlogged(r)
			}
		}
	}
	c.recoverSoon()
}

// recoverSoon sees to it that what no live server serves is served after Options.Recovery. Called under mu.
func (c *Cluster) recoverSoon() {
	if c.opts.Recovery == 0 {
		c.recover()
		return
	}
	c.wg.Go(func() {
		if c.wait(c.opts.Recovery) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.recover()
		}
	})
}

// recover gives the regions of dead servers, and hbase:meta, to live ones. Called under mu.
func (c *Cluster) recover() {
	if !c.metaServer.up {
		if s := c.live(); s != nil {
			c.metaServer = s
		}
	}
	for _, t := range c.tables {
		for _, r := range t.regions {
			if r.state == stateOpen && (r.server == nil || !r.server.up) {
				if s := c.live(); s != nil {
					c.place(r, s)
				}
			}
		}
	}
}

// Restart starts a killed region server on its old port, or if somebody has taken that on another. It comes back without regions, unless there was nobody
// else to serve them.
func (c *Cluster) Restart(number int) error {
	c.mu.Lock()
	s := c.servers[number]
	up, addr := s.up, s.addr
	c.mu.Unlock()
	if up {
		return fmt.Errorf("restarting region server %d: it runs", number)
	}
	if err := s.shut(); err != nil { // it was given up while it was paused
		return fmt.Errorf("restarting region server %d: %w", number, err)
	}
	err := errors.New("no try was made")
	for _, a := range []string{addr, addr, addr, net.JoinHostPort(s.host(), "0")} {
		if err = s.start(a); err == nil {
			break
		}
		if !c.wait(20 * time.Millisecond) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("restarting region server %d: %w", number, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recoverSoon()
	return nil
}
