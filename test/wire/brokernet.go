package main

import (
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// netFault is what befalls a frame between a client and a broker.
type netFault string

// Faults of Kafka's frames. A lost frame takes its connection with it: TCP loses nothing else.
const (
	kafkaLostRequest netFault = "kafka: request lost"
	kafkaLostAnswer  netFault = "kafka: answer lost"
	kafkaLate        netFault = "kafka: answer late"
	kafkaSliced      netFault = "kafka: answer sliced"
	kafkaHalfOpen    netFault = "kafka: half-open"
)

var netFaults = []netFault{kafkaLostRequest, kafkaLostAnswer, kafkaLate, kafkaSliced, kafkaHalfOpen}

// brokerNet is the network in front of the brokers. It knows frames: a broker writes each answer in one piece, and
// reads a frame's length by itself.
type brokerNet struct {
	w      *world
	rates  map[netFault]float64
	frames atomic.Uint64

	mu    sync.Mutex
	calm  map[string]bool // clients, by address, that nothing befalls
	conns map[*brokerConn]bool
}

func newBrokerNet(w *world) *brokerNet {
	n := &brokerNet{w: w, rates: map[netFault]float64{}, calm: map[string]bool{}, conns: map[*brokerConn]bool{}}
	for _, f := range netFaults {
		if w.rand.IntN(3) > 0 {
			n.rates[f] = w.rand.Float64() * 0.008
		}
	}
	n.rates[kafkaHalfOpen] /= 4 // each costs whole timeouts
	return n
}

func (n *brokerNet) spare(client string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calm[client] = true
}

// draw chooses a fault for a frame that a client waits for.
func (n *brokerNet) draw(client string, among ...netFault) (netFault, *rand.Rand) {
	if !n.w.danger.Load() {
		return "", nil
	}
	n.mu.Lock()
	calm := n.calm[client]
	n.mu.Unlock()
	if calm {
		return "", nil
	}
	r := rand.New(rand.NewPCG(n.w.seed, 1<<40+n.frames.Add(1)))
	at := r.Float64()
	for _, f := range among {
		if at < n.rates[f] {
			n.w.bite(string(f))
			return f, r
		}
		at -= n.rates[f]
	}
	return "", nil
}

// reset breaks all connections that are not calm.
func (n *brokerNet) reset() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	count := 0
	for c := range n.conns {
		if !n.calm[c.RemoteAddr().String()] {
			c.reset()
			count++
		}
	}
	return count
}

// resetBroker breaks all connections to a broker, those of calm clients too.
func (n *brokerNet) resetBroker(addr string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		if c.LocalAddr().String() == addr {
			c.reset()
		}
	}
}

// listen is kfake's way to listen.
func (n *brokerNet) listen(network, address string) (net.Listener, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen(network, net.JoinHostPort(n.w.host, port))
	if err != nil {
		return nil, err
	}
	return &brokerListener{ln, n}, nil
}

type brokerListener struct {
	net.Listener
	n *brokerNet
}

func (l *brokerListener) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &brokerConn{Conn: nc, n: l.n}
	l.n.mu.Lock()
	l.n.conns[c] = true
	l.n.mu.Unlock()
	return c, nil
}

// brokerConn is a connection as the broker has it.
type brokerConn struct {
	net.Conn
	n      *brokerNet
	silent atomic.Bool
}

var errLost = errors.New("a fault of the test")

func (c *brokerConn) reset() {
	_ = c.Conn.(*net.TCPConn).SetLinger(0)
	_ = c.Conn.Close()
}

func (c *brokerConn) Close() error {
	c.n.mu.Lock()
	delete(c.n.conns, c)
	c.n.mu.Unlock()
	return c.Conn.Close()
}

func (c *brokerConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil && n == 4 && len(b) == 4 {
		if f, _ := c.n.draw(c.RemoteAddr().String(), kafkaLostRequest); f != "" {
			c.reset()
			return 0, errLost
		}
	}
	return n, err
}

func (c *brokerConn) Write(b []byte) (int, error) {
	if c.silent.Load() {
		return len(b), nil
	}
	f, r := c.n.draw(c.RemoteAddr().String(), kafkaLostAnswer, kafkaLate, kafkaSliced, kafkaHalfOpen)
	switch f {
	case kafkaLostAnswer:
		c.reset()
		return 0, errLost
	case kafkaHalfOpen:
		c.silent.Store(true)
		return len(b), nil
	case kafkaLate:
		time.Sleep(time.Duration(r.IntN(300)) * time.Millisecond)
	case kafkaSliced:
		for at, piece := 0, 1+len(b)/5; at < len(b); at += piece {
			if _, err := c.Conn.Write(b[at:min(at+piece, len(b))]); err != nil {
				return at, err
			}
			time.Sleep(time.Millisecond)
		}
		return len(b), nil
	}
	return c.Conn.Write(b)
}
