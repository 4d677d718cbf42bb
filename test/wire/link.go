package main

import (
	"net"
	"sync"
	"time"
)

// link is a connection of a connector to HBase, as its process has it: it can be stalled both ways, and told what
// goes over it.
type link struct {
	net.Conn
	p    *process
	tap  *tap
	gone chan struct{} // closed with the link

	mu      sync.Mutex
	pending []byte // what the process has written while it was stalled
	closed  bool
}

// Read gives nothing while the process is stalled.
func (l *link) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if gate := l.p.stalled(); gate != nil {
		select {
		case <-gate:
		case <-l.gone:
			return 0, net.ErrClosed
		}
	}
	l.tap.down(b[:n])
	return n, err
}

// Write takes all and keeps it while the process is stalled: it goes out after that, whatever has become of the
// connection by then, as a frame does that was on its way.
func (l *link) Write(b []byte) (int, error) {
	l.tap.up(b)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, net.ErrClosed
	}
	if l.p.stalled() != nil || len(l.pending) > 0 {
		l.pending = append(l.pending, b...)
		return len(b), nil
	}
	return l.Conn.Write(b)
}

// Close lets what is pending go out first.
func (l *link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return net.ErrClosed
	}
	l.closed = true
	close(l.gone)
	if len(l.pending) > 0 {
		return nil // flush closes it
	}
	return l.Conn.Close()
}

// lateWrite is how long the socket may take for what was pending.
const lateWrite = 10 * time.Second

// flush sends what was written during a stall, and says whether that was anything and went out.
func (l *link) flush() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 {
		return false
	}
	_ = l.SetWriteDeadline(time.Now().Add(lateWrite)) // the client's own has passed in the stall
	_, err := l.Conn.Write(l.pending)                 // a server that is gone reads nothing
	l.pending = nil
	if l.closed {
		_ = l.Conn.Close()
	}
	return err == nil
}

// cut ends the connection, with what is pending.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = nil
	if !l.closed {
		l.closed = true
		close(l.gone)
	}
	_ = l.Conn.Close()
}
