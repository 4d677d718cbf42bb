package core

import (
	"bytes"
	"fmt"
	"time"

	"rowmark/hbase"
)

// pollEvery is how often a waiting taker looks whether the owner let go.
func (c *Core) pollEvery() time.Duration { return min(time.Second, c.cfg.Lease/4) }

// checkpointRead goes on from what the cell says.
func (c *Core) checkpointRead(s *source, e CheckpointRead) {
	s.reading = false
	if e.Err != nil {
		s.swapTry++
		s.pollAt = c.now.Mono + backoff(s.swapTry, backoffFirst, backoffLast)
		c.retry(s.tp, RetryCheckpoint, Report{Err: fmt.Errorf("reading the checkpoint: %w", e.Err)})
		c.touch(s)
		return
	}
	if s.state == stateSettling {
		c.settled(s, e.Row)
		return
	}
	if s.state != stateReading && s.state != stateWaiting {
		return
	}
	if s.drain {
		c.end(s, Report{Kind: ReportReleased, Offset: -1})
		return
	}
	if e.Row == nil {
		// Never seen before: the start policy names the offset, then the row is made.
		s.have = false
		c.goLog(s)
		return
	}
	free := e.Row.Owner == Owner{} || e.Row.Owner == c.cfg.Owner
	if !free {
		if s.seen == nil || s.seen.Position != e.Row.Position {
			s.seenAt = c.now.Mono
		}
		s.seen = e.Row
		free = c.now.Mono-s.seenAt >= c.cfg.Lease
	}
	if !free {
		s.state = stateWaiting
		if !s.seenOnce {
			s.seenOnce = true
			c.report(s.tp, Report{Kind: ReportWaiting, Offset: e.Row.Offset, Err: fmt.Errorf("held by %s (%s)", e.Row.Who, e.Row.Owner)})
		}
		s.pollAt = min(c.now.Mono+c.pollEvery(), s.seenAt+c.cfg.Lease)
		s.pollAt = max(s.pollAt, c.now.Mono+time.Millisecond)
		c.touch(s)
		return
	}
	s.ck, s.have = *e.Row, true
	c.take(s)
}

// take asks for the next epoch. The mapping and the ceiling stay as they stand: they speak of what was sent, and
// whether anything can be sent is not known yet.
func (c *Core) take(s *source) {
	put := s.ck
	put.Epoch++
	put.Owner, put.Who, put.Beat = c.cfg.Owner, c.cfg.Who, 0
	put.Mapping = nil
	s.inherited = s.ck.Ceiling
	s.state = stateTaking
	c.swap(s, put)
}

// adopt writes the current mapping down with the checkpoint.
func (c *Core) adopt(put *Checkpoint) {
	put.Mapping, put.MappingHash = c.cfg.Mapping, c.cfg.MappingHash
}

// swap sends one conditional write of the checkpoint.
func (c *Core) swap(s *source, put Checkpoint) {
	var expect []byte
	if s.have {
		expect = s.ck.Encode()
	}
	s.put, s.putAt = &put, c.now.Mono
	c.do(SwapCheckpoint{s.tp, s.inst, expect, put})
}

// trySwap sends the pending swap of a taking or releasing source again, after a failure.
func (c *Core) trySwap(s *source) {
	if s.put != nil {
		return
	}
	if c.now.Mono < s.swapDue {
		c.at(s.swapDue)
		return
	}
	if s.state == stateTaking {
		if s.have {
			c.take(s)
		} else {
			c.goLog(s)
		}
		return
	}
	if s.flying > 0 && c.now.Mono < s.waitUntil {
		c.at(s.waitUntil) // what is in flight says how far was sent
		return
	}
	c.release(s)
}

// swapped settles a swap: applied, refused, or to be looked up.
func (c *Core) swapped(s *source, e Swapped) {
	if s.put == nil {
		return
	}
	switch {
	case e.Result.Outcome == hbase.Applied:
		c.accepted(s)
	case e.Result.Outcome == hbase.Refused && e.Result.Err != nil:
		// Nothing was written: try again.
		s.put = nil
		s.swapTry++
		s.swapDue = c.now.Mono + backoff(s.swapTry, backoffFirst, backoffLast)
		c.retry(s.tp, RetryCheckpoint, Report{Err: fmt.Errorf("writing the checkpoint: %w", e.Result.Err)})
		if s.state == stateReleasing && s.swapTry > 3 {
			c.end(s, s.unreleased(e.Result.Err))
			return
		}
		c.touch(s)
	default:
		// Refused by its condition, or unknown: only the cell tells.
		s.settle = s.state
		s.state = stateSettling
		s.pollAt = c.now.Mono
		if e.Result.Outcome == hbase.Unknown {
			s.swapTry++
			s.pollAt += backoff(s.swapTry, backoffFirst, backoffLast)
		}
		c.touch(s)
	}
}

// settled compares the cell with what was sent and what stood before. Which of two writes won is told by the
// owner id and the epoch, never by the answer to a retry.
func (c *Core) settled(s *source, row *Checkpoint) {
	back := s.settle
	if row != nil && bytes.Equal(row.Encode(), s.put.Encode()) {
		s.state = back
		c.accepted(s)
		return
	}
	mine := row != nil && s.have && back != stateTaking && row.Epoch == s.ck.Epoch && row.Owner == c.cfg.Owner
	unchanged := row == nil && !s.have || row != nil && s.have && bytes.Equal(row.Encode(), s.ck.Encode())
	switch {
	case unchanged:
		s.put, s.state = nil, back
		s.swapDue = c.now.Mono + backoff(s.swapTry, backoffFirst, backoffLast)
	case mine:
		// A swap of ours that was given up landed late. It said nothing that is not so.
		s.ck, s.put, s.state = *row, nil, back
	case back == stateTaking:
		// A rival was faster, or our own write landed under another beat: begin again.
		s.put, s.state = nil, stateReading
		s.seen, s.pollAt = nil, c.now.Mono
	case back == stateReleasing:
		c.end(s, s.lastWord())
		return
	default:
		s.put = nil
		c.end(s, Report{Kind: ReportFenced, Offset: s.ck.Offset})
		return
	}
	c.touch(s)
}

// accepted goes on after a swap that landed.
func (c *Core) accepted(s *source) {
	first := !s.have
	mapping := s.ck.Mapping
	was := s.ck.Offset
	s.ck, s.put, s.have, s.swapTry = *s.put, nil, true, 0
	if s.ck.Mapping == nil {
		s.ck.Mapping = mapping
	}
	s.leaseAt = s.putAt
	if s.ck.MappingHash == c.cfg.MappingHash {
		s.mapUntil = -1
	}
	c.stats.Swaps++
	if s.ck.Offset > was {
		s.fails = 0
	}
	if s.name != "" && s.ck.Offset >= s.end && s.state == stateRunning && !s.caughtUp {
		s.caughtUp = true
		c.report(s.tp, Report{Kind: ReportCaughtUp, Offset: s.ck.Offset})
	}
	switch s.state {
	case stateTaking:
		c.report(s.tp, Report{Kind: ReportTaken, Offset: s.ck.Offset})
		if s.drain {
			c.startRelease(s)
			return
		}
		if first {
			c.startRunning(s)
		} else {
			c.goLog(s)
		}
	case stateReleasing:
		if s.ck.Owner == (Owner{}) {
			c.end(s, s.lastWord())
			return
		}
	}
	s.newestLow = false
	c.touch(s)
	c.unpark(s)
}

// leased says whether the lease still holds by our own clock. Without it nothing is sent: the next owner takes
// the log's end after it took the source, and counts on no younger record having been sent.
func (c *Core) leased(s *source) bool { return c.now.Mono-s.leaseAt < c.cfg.Lease }
