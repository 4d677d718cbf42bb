package core

import "slices"

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
	if s.relog && s.win.empty() && low == s.ck.Offset {
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
	if !adopt && !ceiling && !(s.relog && moved && s.win.empty()) && c.now.Mono < due {
		c.at(due)
		return
	}
	if c.expiring(s, moved) {
		return
	}
	put := s.nextPut(c)
	if adopt {
		c.adopt(&put)
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
	if s.win.next >= 0 && s.rows != nil && s.name != "" {
		low := s.win.low()
		if low > put.Offset {
			put.Offset, put.AdvancedAt = low, c.now.Wall
		} else if low >= s.end {
			put.AdvancedAt = c.now.Wall
		}
		put.Newest = max(put.Newest, s.newest)
		if s.epoch >= 0 && s.epochAt <= low {
			put.LeaderEpoch, put.EpochOffset = s.epoch, s.epochAt
		}
		put.Witness = s.witnesses()
	}
	return put
}

// witnesses is the stored ones, each replaced by a younger one of the same table.
func (s *source) witnesses() []Witness {
	var out []Witness
	for _, w := range s.witness {
		out = append(out, w)
	}
	for _, w := range s.ck.Witness {
		if !slices.ContainsFunc(out, func(o Witness) bool { return o.Table == w.Table }) {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b Witness) int {
		if a.Table < b.Table {
			return -1
		}
		return 1
	})
	return out
}
