package proxy

import (
	"fmt"
	"slices"
	"time"
)

// Fault is something that can happen to a request or to a connection.
type Fault string

// The faults. Rates are probabilities per request (per answer for Slow, also),
// except that of BlackHole, which is per new connection.
const (
	LoseRequest   Fault = "lose-request"   // the request is swallowed
	LoseAnswer    Fault = "lose-answer"    // the server does it, its answer is swallowed
	Delay         Fault = "delay"          // the request, or its answer, comes late by SetDelay
	DoubleRequest Fault = "double-request" // HBase only: the same frame again, at once or late; see Doubles
	Reset         Fault = "reset"          // both ends get RST, before, after or inside the request
	HalfOpen      Fault = "half-open"      // nothing passes any more, nobody is told
	BlackHole     Fault = "black-hole"     // a new connection never comes about, or is silent from the start
	Slow          Fault = "slow"           // the frame comes in small pieces with pauses
	// Cut has no rate: it is counted for each frame and each new connection
	// that Cut held up.
	Cut Fault = "cut"
)

// drawn is the order in which one draw is compared to the rates.
var drawn = []Fault{LoseRequest, LoseAnswer, Delay, DoubleRequest, Reset, HalfOpen, Slow}

// Doubles are the calls of HBase that DoubleRequest may send again: those
// that stand alone. A second next call of a scanner would be an error of its own.
var Doubles = []string{"Get", "Mutate", "Multi", "ExecService"}

// Protocol is what a connection speaks.
type Protocol string

// The protocols.
const (
	HBase     Protocol = "hbase"
	Kafka     Protocol = "kafka"
	ZooKeeper Protocol = "zookeeper"
	Bytes     Protocol = "bytes" // anything else; a request is a piece of up to 32 KiB here
)

// Rule gives the rates for the requests that fit it; an empty field fits all.
type Rule struct {
	Target   string   // host:port, as in the CONNECT
	Protocol Protocol // unknown yet for BlackHole: a rule that names one does not fit there
	// Method is a call of HBase such as Multi, a Kafka API such as Produce, or
	// an operation of ZooKeeper such as getData. Not for BlackHole either.
	Method string
	Rates  map[Fault]float64 // each from 0 to 1, their sum at most 1
	Max    int               // the rule ends after so many bites; 0: never
}

func (r *Rule) check() error {
	sum := 0.0
	for f, rate := range r.Rates {
		if f != BlackHole && !slices.Contains(drawn, f) {
			return fmt.Errorf("setting fault rates: %q is no fault that has a rate", f)
		}
		if !(rate >= 0 && rate <= 1) {
			return fmt.Errorf("setting fault rates: the rate of %s is %v, want one from 0 to 1", f, rate)
		}
		if f != BlackHole {
			sum += rate
		}
	}
	if sum > 1+1e-9 {
		return fmt.Errorf("setting fault rates: they sum up to %v, more than 1", sum)
	}
	return nil
}

// Bite is one fault that took place.
type Bite struct {
	At       time.Time
	Fault    Fault
	Target   string // host:port
	Protocol Protocol
	Method   string // as in Rule, or empty
	ID       int64  // call id, correlation id or xid
	Detail   string // how it was done, for people
}
