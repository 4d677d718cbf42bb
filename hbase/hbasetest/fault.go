package hbasetest

import (
	"sync"
	"sync/atomic"
	"time"
)

// FrameInfo is one request, as a server has read it.
type FrameInfo struct {
	Number  uint64 // of the frame in the cluster's life, from 1, in the order of arrival
	Server  int    // -1 is the master
	Service string // ClientService, AdminService or MasterService
	Method  string
	Table   string // of the first region named; empty if none is
	Actions int    // RegionActions of a Multi; else 1
	Write   bool   // it carries mutations
}

// FaultKind is a sort of fault.
type FaultKind uint8

// Kinds of fault. Each is of one request; HalfOpen stays with its connection.
const (
	NoFault     FaultKind = iota
	LoseRequest           // it never arrives; no answer
	LoseAnswer            // it is applied; no answer
	ApplyLate             // it hangs in the network for Delay, and is applied then; its own timeout counts from there
	Double                // it arrives twice, one after the other
	Dribble               // the answer comes in small pieces, with Delay after each
	ResetBefore           // the connection is reset before it is applied
	ResetAfter            // the connection is reset when it has been applied
	HalfOpen              // from now on the connection is read and nothing is done or answered
	Stall                 // it waits for Delay in the server's queue, where its timeout counts
	Throw                 // it is answered with the exception Class
	ThrowAfter            // it is applied and then answered with the exception Class
	Partial               // RegionActions from number From on are answered with Class, the others done
	Abort                 // RegionActions before number From are done, then the whole call fails with Class
	MoveInside            // before RegionAction number From its region moves to another server
	faultKinds
)

var faultNames = [...]string{
	"none", "lost request", "lost answer", "late apply", "doubled", "dribbled", "reset before", "reset after", "half-open",
	"stalled", "exception", "exception after apply", "partial multi", "aborted multi", "moved inside multi",
}

func (k FaultKind) String() string { return faultNames[k] }

// FaultKinds lists all kinds but NoFault.
func FaultKinds() []FaultKind {
	var out []FaultKind
	for k := LoseRequest; k < faultKinds; k++ {
		out = append(out, k)
	}
	return out
}

// Fault is what befalls a request.
type Fault struct {
	Kind  FaultKind
	Delay time.Duration
	Class string // Java class, in full or without org.apache.hadoop.hbase; empty is java.io.IOException
	Text  string // the exception's message
	From  int
}

func (f Fault) exception() *exception {
	class := f.Class
	if class == "" {
		class = "java.io.IOException"
	}
	text := f.Text
	if text == "" {
		text = "a fault of the test"
	}
	return byClass(class, text)
}

type frameCounter struct{ n atomic.Uint64 }

// bites counts the faults that came into effect.
type bites struct {
	mu sync.Mutex
	n  map[FaultKind]int
}

func (b *bites) add(k FaultKind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n == nil {
		b.n = map[FaultKind]int{}
	}
	b.n[k]++
}

// Bites counts, by kind, the faults that came into effect: a partial Multi of one action, say, does not.
func (c *Cluster) Bites() map[FaultKind]int {
	c.bites.mu.Lock()
	defer c.bites.mu.Unlock()
	out := map[FaultKind]int{}
	for k, n := range c.bites.n {
		out[k] = n
	}
	return out
}

// Frames is how many requests have arrived.
func (c *Cluster) Frames() uint64 { return c.frames.n.Load() }
