package hbasetest

import (
	"fmt"
	"time"

	"rowmark/hbase/pb"
)

// lastWords is how long a server that comes back and finds itself given up goes on answering: writes with errors, and
// gets from its memory, for HBase does not fence reads (measured: TestPausedServerWritesNothing of test/contract).
const lastWords = 50 * time.Millisecond

// pass waits while the server is paused. False: the cluster has ended.
func (s *server) pass() bool {
	s.connMu.Lock()
	gate := s.gate
	s.connMu.Unlock()
	if gate == nil {
		return true
	}
	select {
	case <-gate:
		return true
	case <-s.c.stop:
		return false
	}
}

// wake lets a paused server go on.
func (s *server) wake() {
	s.connMu.Lock()
	defer s.connMu.Unlock()
	if s.gate != nil {
		close(s.gate)
		s.gate = nil
	}
}

// Paused says whether a region server stands still.
func (c *Cluster) Paused(number int) bool {
	s := c.numbered(number)
	s.connMu.Lock()
	defer s.connMu.Unlock()
	return s.gate != nil
}

func (c *Cluster) numbered(number int) *server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.servers[number]
}

// Pause stops a region server as SIGSTOP does: it accepts connections, as its kernel does, and reads and answers
// nothing, neither what was sent before. It keeps its regions, unless it is given up.
func (c *Cluster) Pause(number int) error {
	s := c.numbered(number)
	if !c.Up(number) {
		return fmt.Errorf("pausing region server %d: it is dead", number)
	}
	s.connMu.Lock()
	defer s.connMu.Unlock()
	if s.gate != nil {
		return fmt.Errorf("pausing region server %d: it is paused", number)
	}
	s.gate = make(chan struct{})
	return nil
}

// GiveUp lets a paused region server's session end: its regions are served by others after Options.Recovery.
func (c *Cluster) GiveUp(number int) error {
	if !c.Paused(number) {
		return fmt.Errorf("giving up region server %d: it is not paused", number)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.servers[number]
	if !s.up {
		return fmt.Errorf("giving up region server %d: it is dead", number)
	}
	memory := c.memoryOf(s)
	c.bury(s)
	s.memory = memory
	return nil
}

// memoryOf copies what a server's regions hold, by the region's full name. Called under mu.
func (c *Cluster) memoryOf(s *server) map[string]*batch {
	out := map[string]*batch{}
	for _, t := range c.tables {
		var old *table
		for _, r := range t.regions {
			if r.server != s || r.state != stateOpen {
				continue
			}
			if old == nil {
				old = &table{families: t.families, rows: make(map[string]row, len(t.rows))}
				for key, data := range t.rows {
					old.rows[key] = data.clone()
				}
			}
			out[string(r.name)] = &batch{t: old, r: &region{table: r.table, start: r.start, end: r.end, name: r.name}, now: c.now(s)}
		}
	}
	return out
}

// recall gives a region as a server remembers it that was given up in a pause, nil if there is none. Called under mu.
func (k *call) recall(spec *pb.RegionSpecifier) *batch {
	s := k.conn.s
	if s.up || s.startCode != k.conn.life {
		return nil
	}
	return s.memory[string(spec.GetValue())]
}

// Resume lets a paused region server go on. One that was given up refuses the writes that it finds waiting, answers gets
// from its memory, and ends; Restart it.
func (c *Cluster) Resume(number int) error {
	s := c.numbered(number)
	if !c.Paused(number) {
		return fmt.Errorf("resuming region server %d: it is not paused", number)
	}
	s.wake()
	if c.Up(number) {
		return nil
	}
	c.wait(lastWords)
	if err := s.shut(); err != nil {
		return fmt.Errorf("resuming region server %d, which was given up: %w", number, err)
	}
	return nil
}
