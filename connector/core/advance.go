package core

import (
	"maps"
	"slices"
)

// advance keeps the checkpoint: after resolved records, before the ceiling is reached, and as a sign of life.
func (c *Core) advance(s *source) {
	if s.put != nil {
		return
	}
	low := s.win.low()
	if s.win.empty() && (s.drain || s.poison != nil) {
		c.startRelease(s)
		return
	}
	if s.relog && s.win.empty() && low <= s.ck.Offset { // below it where a log that parted is read again
		if c.now.Mono < s.relogAt {
			c.at(s.relogAt)
			return
		}
		c.goLog(s)
		return
	}
	if c.now.Mono < s.swapDue {
		c.at(s.swapDue)
		return
	}
	adopt := s.mapUntil >= 0 && low >= s.mapUntil
	ceiling := s.mapUntil < 0 && (len(s.parked) > 0 || s.win.next+c.cfg.CeilingStep/2 > s.ck.Ceiling)
	moved := low > s.ck.Offset
	due := s.leaseAt + c.cfg.Lease/3
	if moved {
		due = min(due, s.leaseAt+c.cfg.CheckpointEvery)
	}
	if !adopt && !ceiling && !s.newestLow && !(s.relog && moved && s.win.empty()) && c.now.Mono < due {
		c.at(due)
		return
	}
	if c.expiring(s, moved) {
		return
	}
	put := s.nextPut(c)
	if adopt {
		c.adopt(&put)
		if put.LeaderEpoch < 0 {
			put.EpochOffset = put.Offset // what the stored mapping passed is not read again under this one
		}
	}
	if s.mapUntil < 0 || adopt {
		put.Ceiling = max(put.Ceiling, s.win.next+c.cfg.CeilingStep)
	}
	c.swap(s, put)
}

// expiring stops a source whose records have waited so long that marks which a replay needs may soon be gone.
func (c *Core) expiring(s *source, moved bool) bool {
	half := c.cfg.MarksTTL.Milliseconds() / 2
	if half == 0 || moved || s.win.empty() || c.cfg.Force || c.now.Wall-s.ck.AdvancedAt <= half {
		return false
	}
	c.abandon(s, because(CauseStale, "the checkpoint has not advanced for %s while records wait, more than half of marks.ttl (%s): stopping before marks expire that a replay needs", ms(c.now.Wall-s.ck.AdvancedAt), c.cfg.MarksTTL), false)
	return true
}

// nextPut is the checkpoint as it can be written now.
func (s *source) nextPut(c *Core) Checkpoint {
	put := s.ck
	put.Mapping = nil
	put.Beat++
	put.Who = c.cfg.Who
	if s.win.next >= 0 && s.name != "" {
		low := s.win.low()
		if low > put.Offset {
			put.Offset, put.AdvancedAt = low, c.now.Wall
		} else if low >= s.end && !s.blind {
			put.AdvancedAt = c.now.Wall
		}
		put.Newest = max(put.Newest, s.allow())
		if s.win.epochAt > 0 {
			put.LeaderEpoch, put.EpochOffset = s.win.epoch, s.win.epochAt
		}
		if s.epoch >= 0 && s.epochAt <= low && s.epochAt >= s.win.epochAt {
			put.LeaderEpoch, put.EpochOffset = s.epoch, s.epochAt
		}
		put.Witness = s.witnesses()
	}
	return put
}

// The slack of the floors that a checkpoint allows, milliseconds: twice what they rose by since the one before, within
// these bounds. It saves a wait for the next checkpoint, and costs a look for each row that a next life meets below it.
const (
	slackLeast = 10_000
	slackMost  = 24 * 3600 * 1000
)

// allow is the newest floor that may be sent once the checkpoint stands. It is written down before it is needed: an
// owner after us may pass our records by unread, and must still know how new the rows' cells can be.
func (s *source) allow() int64 {
	top := max(s.newest, s.newestDue)
	if top == 0 {
		return 0
	}
	slack := int64(slackLeast)
	if s.newestWas > 0 {
		slack = min(max(slack, 2*(top-s.newestWas)), slackMost)
	}
	s.newestWas = top
	return saturate(top, slack)
}

// witnesses is those of all tables, sorted by table.
func (s *source) witnesses() []Witness {
	var out []Witness
	for _, table := range slices.Sorted(maps.Keys(s.witness)) {
		out = append(out, s.witness[table]...)
	}
	return out
}
