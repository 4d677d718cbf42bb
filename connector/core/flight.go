package core

import (
	"time"

	"rowmark/hbase"
)

// The bytes of a table's rows in flight follow what its servers take: each write that one turns away because it is busy,
// or does not answer, takes half of its bytes off what is allowed, so that a whole flight turned away halves it; what is
// applied lets it grow again, slowly, up to the configured bound.
//
// It goes by table and not by server, though one server may be the busy one: records go to all servers of a table, and
// those that wait for the slow one fill their sources' windows, so that the table goes at its pace anyway.

// leastFlight is what is allowed at the least, in bytes; a write that is larger goes alone. A quota may leave room for few
// rows.
const leastFlight = 1 << 10

// A flight that is applied adds this part of itself to what is allowed, and at most this part of the configured bound.
const (
	growthOfFlight = 32
	growthOfBound  = 256
)

// throttleMost is how long a table rests at the most because a server said so: by then a quota may have been lifted.
const throttleMost = time.Minute

func (c *Core) leastFlight() int { return min(leastFlight, c.cfg.FlightBytes) }

// batchBytes is the size that makes a batch due. Less than what is allowed, so that the servers need not take all of it
// at once.
func (c *Core) batchBytes(t *table) int {
	return min(c.cfg.BatchBytes, max(c.leastFlight(), t.allowed/2))
}

// measure draws from a write's outcome what it says of how busy the servers are. flight is what was on the way when it came.
func (c *Core) measure(t *table, g *Group, flight int, res hbase.WriteResult) {
	if res.Outcome == hbase.Applied {
		c.faster(t, g)
	} else if res.Outcome == hbase.Unknown || hbase.FaultOf(res.Err) == hbase.FaultBusy {
		c.slower(t, g, max(flight, g.flight), res.Err)
	}
}

// slower takes a write that a server was too busy for, or left without an answer.
// flight is what was on the way with it: what was allowed beyond that is no measure.
func (c *Core) slower(t *table, g *Group, flight int, err error) {
	t.allowed = max(c.leastFlight(), min(t.allowed, flight)-g.bytes/2)
	if wait := min(waitOf(err), throttleMost); wait > 0 {
		t.restUntil = max(t.restUntil, c.now.Mono+wait)
	}
}

// faster takes a write that was applied.
func (c *Core) faster(t *table, g *Group) {
	flights := max(growthOfFlight, t.allowed/max(1, c.cfg.FlightBytes/growthOfBound))
	t.allowed = min(c.cfg.FlightBytes, t.allowed+max(1, g.bytes/flights))
}

// resting says whether a server asked for a pause that is not over.
func (c *Core) resting(t *table) bool {
	if c.now.Mono >= t.restUntil {
		return false
	}
	c.at(t.restUntil)
	return true
}
