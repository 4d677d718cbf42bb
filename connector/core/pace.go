package core

import (
	"slices"
	"time"
)

// Records are let into the windows at no more than the configured rates. What the brokers sent beyond that is held, and
// no more is fetched for its partition meanwhile; so a batch of a producer may be larger than what a second lets through.

// paceEvery is about how often records are let in where more are held than may go.
const paceEvery = 20 * time.Millisecond

// bounded says whether there is a rate to keep.
func (c *Core) bounded() bool { return c.total.rate > 0 || c.cfg.PartitionRate > 0 }

// share is the records a second that a partition may count on; 0: without a bound.
func (c *Core) share() int64 {
	switch share := c.total.rate / int64(max(1, c.active)); {
	case c.total.rate == 0:
		return c.cfg.PartitionRate
	case c.cfg.PartitionRate == 0:
		return max(1, share)
	default:
		return max(1, min(share, c.cfg.PartitionRate))
	}
}

// hold keeps an answer until its records may go.
func (c *Core) hold(s *source, e *Fetched) {
	s.held = e
	if !slices.Contains(c.holding, s) {
		c.holding = append(c.holding, s)
	}
	c.paceAt = c.now.Mono
}

// pace lets in what may go now, and asks for a tick when more may.
func (c *Core) pace() {
	if len(c.holding) == 0 {
		return
	}
	if c.now.Mono < c.paceAt {
		c.at(c.paceAt)
		return
	}
	c.total.fill(c.now.Mono)
	for _, s := range c.holding {
		s.bucket.fill(c.now.Mono)
	}
	for c.round() {
	}
	c.holding = slices.DeleteFunc(c.holding, func(s *source) bool { return s.held == nil })
	c.paceAt = never
	for _, s := range c.holding {
		n := len(s.held.Records)
		wait := max(c.total.wait(worthwhile(c.total.rate, n)), s.bucket.wait(worthwhile(s.bucket.rate, n)))
		c.paceAt = min(c.paceAt, c.now.Mono+wait)
	}
	c.at(c.paceAt)
}

// worthwhile is how many of n records are worth a round of their own.
func worthwhile(rate int64, n int) int {
	return min(n, max(1, int(rate/int64(time.Second/paceEvery))))
}

// round gives each partition that holds records an equal part of what may go. False: nothing more may. The next round
// begins with the first that had none.
func (c *Core) round() bool {
	moved := false
	part := max(1, c.total.whole()/max(1, len(c.holding)))
	for i, s := range c.holding {
		most := c.total.whole()
		if most == 0 {
			c.holding = append(slices.Clone(c.holding[i:]), c.holding[:i]...)
			return false
		}
		if s.held == nil || !s.flowing() {
			continue
		}
		if n := min(part, most, s.bucket.whole(), len(s.held.Records)); n > 0 {
			c.total.take(n)
			s.bucket.take(n)
			c.letIn(s, s.held, n)
			moved = true
		}
	}
	return moved
}
