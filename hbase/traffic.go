package hbase

import "sync/atomic"

// Traffic is what a client asked of the servers so far.
type Traffic struct {
	// Calls are the requests sent to region servers and masters, those without an answer and those sent again included, by
	// the methods of HBase's protocol: Get, Multi (rows), ExecService (region transactions), Scan, and other.
	Calls   map[string]int64
	Lookups int64 // of regions in hbase:meta, for rows whose region was not known
	Moved   int64 // answers that a region is not served there
}

// Traffic may be asked for at any time.
func (c *Client) Traffic() Traffic {
	t := Traffic{Calls: map[string]int64{}, Lookups: c.lookedUp.Load(), Moved: c.movedAway.Load()}
	for i := range c.pool.sent {
		t.Calls[calledMethods[i]] = c.pool.sent[i].Load()
	}
	return t
}

// calledMethods are those that are counted by themselves; the last stands for all others.
var calledMethods = [...]string{"Get", methodMulti, "ExecService", "Scan", "other"}

// callCounts counts requests by their method.
type callCounts [len(calledMethods)]atomic.Int64

func (c *callCounts) add(method string) {
	i := 0
	for i < len(calledMethods)-1 && calledMethods[i] != method {
		i++
	}
	c[i].Add(1)
}

func (c *callCounts) sum() int64 {
	n := int64(0)
	for i := range c {
		n += c[i].Load()
	}
	return n
}
