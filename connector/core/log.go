package core

import (
	"errors"
	"fmt"
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// goLog asks the brokers what the log looks like, before records are read.
func (c *Core) goLog(s *source) {
	s.state = stateLog
	s.relog = false
	s.sureAt = c.now.Mono + doubtSpan
	c.touch(s)
}

func (c *Core) tryLog(s *source) {
	if s.asking {
		return
	}
	if s.drain {
		c.startRelease(s)
		return
	}
	if c.now.Mono < s.relogAt {
		c.at(s.relogAt)
		return
	}
	s.asking = true
	epoch := int32(-1)
	if s.have {
		epoch = s.ck.LeaderEpoch
	}
	c.do(ReadLog{TopicPartition: s.tp, Inst: s.inst, NeedStart: !s.have, LeaderEpoch: epoch})
}

func (c *Core) logRead(s *source, e LogRead) {
	s.asking = false
	if s.state != stateLog {
		return
	}
	c.touch(s)
	if s.drain {
		return
	}
	if e.Err != nil {
		var unknown *kafka.UnknownTopicError
		if errors.As(e.Err, &unknown) {
			c.abandon(s, because(CauseTopic, "%w", e.Err), true)
			return
		}
		var stop *StopError
		if errors.As(e.Err, &stop) {
			c.abandon(s, e.Err, false)
			return
		}
		if f := hbase.FaultOf(e.Err); f == hbase.FaultTable || f == hbase.FaultSchema {
			c.abandon(s, because(CauseTable, "%w", e.Err), true)
			return
		}
		s.relogAt = c.now.Mono + time.Second
		c.retry(s.tp, RetryLog, Report{Err: fmt.Errorf("asking the brokers about the log: %w", e.Err)})
		return
	}
	s.info = e.Info
	if !s.have {
		c.create(s)
		return
	}
	if c.checkLog(s) {
		c.checkWitnesses(s)
	}
}

// create writes the first checkpoint of a source.
func (c *Core) create(s *source) {
	start := s.info.Start
	put := Checkpoint{
		Position:    Position{Offset: start, Epoch: 1, Owner: c.cfg.Owner, Ceiling: start},
		TopicID:     s.info.TopicID,
		LeaderEpoch: -1,
		EpochOffset: start,
		AdvancedAt:  c.now.Wall,
		Who:         c.cfg.Who,
	}
	c.adopt(&put)
	s.inherited = start
	s.state = stateTaking
	c.swap(s, put)
}

// checkLog compares the log with the checkpoint. False: the source was stopped, or a new position is being
// written and the log is looked at again after that.
func (c *Core) checkLog(s *source) bool {
	ck, info := &s.ck, &s.info
	recreated := ck.TopicID.Differs(info.TopicID)
	truncated := ck.CutAt(info.LogStart, info.EpochEnd)
	switch {
	case recreated:
		return c.newLog(s, info.LogStart, because(CauseLogChanged, "the topic was created again (id %s, was %s): its offsets no longer mean what the marks say; set kafka.log_changed: new-incarnation to start it anew under marks of its own, or use another sink name", info.TopicID, ck.TopicID))
	case truncated:
		return c.newLog(s, info.EpochEnd, because(CauseLogChanged, "the log was truncated: leader epoch %d ends at offset %d, but records up to %d were read; set kafka.log_changed: new-incarnation to go on from there under marks of their own", ck.LeaderEpoch, info.EpochEnd, ck.EpochOffset))
	case ck.Offset > info.LogEnd && info.EpochEnd >= ck.Offset:
		// The leader has the records, and does not know yet that they are committed.
		s.relogAt = c.now.Mono + time.Second
		c.retry(s.tp, RetryLog, Report{Err: fmt.Errorf("asking the brokers about the log: its end is %d, below the checkpoint's offset %d, though leader epoch %d ends at %d: the leader's high watermark lags", info.LogEnd, ck.Offset, info.EndedEpoch, info.EpochEnd)})
		return false
	case ck.Offset > info.LogEnd:
		start := s.parted()
		return c.newLog(s, start, because(CauseLogChanged, "the checkpoint's offset %d is past the log end %d: the topic was truncated or created again; set kafka.log_changed: new-incarnation to go on from offset %d under marks of their own, or set the offset by hand", ck.Offset, info.LogEnd, start))
	case ck.Offset < info.LogStart:
		hole := because(CauseHole, "the records of [%d, %d) are gone from the log before they were read (retention): %d offsets; set kafka.out_of_range to earliest or nearest to go on after the hole", ck.Offset, info.LogStart, info.LogStart-ck.Offset)
		if c.cfg.OutOfRange == RangeFail {
			c.abandon(s, hole, false)
			return false
		}
		put := s.nextPut(c)
		put.Offset, put.Ceiling = info.LogStart, max(put.Ceiling, info.LogStart)
		put.LeaderEpoch, put.EpochOffset = -1, info.LogStart // nothing is known of what was passed by
		c.retry(s.tp, RetryLog, Report{Offset: info.LogStart, Err: hole})
		s.state = stateTaking
		c.swap(s, put)
		return false
	}
	s.logDoubts = 0
	if ck.MappingHash != c.cfg.MappingHash && !c.continues(s) && s.inherited > info.LogEnd && c.now.Mono < s.sureAt {
		// The stored mapping ends where the log does now, so that must be sure.
		s.relogAt = s.sureAt
		c.retry(s.tp, RetryLog, Report{Offset: ck.Offset, Err: fmt.Errorf("asking the brokers once more, in %s, for the end of the log: the mapping changed, and offsets up to %d may have been sent under the one before", (s.sureAt - c.now.Mono).Round(time.Second), s.inherited)})
		return false
	}
	return c.fresh(s)
}

// continues says whether what was sent under the stored mapping may be gone on with under the current one.
func (c *Core) continues(s *source) bool {
	return c.cfg.Force || c.cfg.Continues != nil && c.cfg.Continues(s.ck.Mapping)
}

// parted is the offset, at most the log's end, from which the log may not be the one that was read. The records between
// the stored epoch's offset and the checkpoint had no effects, or the epoch would be that of the last of them: to read
// there again does no harm.
func (s *source) parted() int64 {
	end := s.info.EpochEnd
	if s.ck.LeaderEpoch < 0 {
		end = s.ck.EpochOffset
	}
	if end >= s.ck.EpochOffset {
		return max(min(end, s.info.LogEnd), s.info.LogStart)
	}
	return s.info.LogEnd
}

// fresh refuses to go on after a pause in which deletes or marks may have been dropped for good.
func (c *Core) fresh(s *source) bool {
	if c.cfg.Force || s.ck.Offset >= s.info.LogEnd || s.ck.AdvancedAt == 0 {
		return true
	}
	age := c.now.Wall - s.ck.AdvancedAt
	if keep := s.info.DeleteRetention; keep >= 0 && age > keep {
		c.abandon(s, because(CauseStale, "the checkpoint last advanced %s ago, but the compacted topic drops tombstones after %s: deletes may be missing; start with --force to go on", ms(age), ms(keep)), false)
		return false
	}
	if half := c.cfg.MarksTTL.Milliseconds() / 2; half > 0 && age > half {
		c.abandon(s, because(CauseStale, "the checkpoint last advanced %s ago, more than half of marks.ttl (%s): marks may be gone and records could be applied twice; start with --force to go on", ms(age), c.cfg.MarksTTL), false)
		return false
	}
	return true
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// newLog stops, or opens the next incarnation of the log at start. A leader that was paused until another took its place
// tells of the log as it was, until it learns of that; so the brokers are asked again first.
func (c *Core) newLog(s *source, start int64, why error) bool {
	if doubted(&s.logDoubts) {
		s.relogAt = c.now.Mono + backoff(s.logDoubts, failFirst, failLast)
		c.retry(s.tp, RetryLog, Report{Offset: s.ck.Offset, Err: fmt.Errorf("asking the brokers about the log again: %w", why)})
		return false
	}
	s.logDoubts = 0
	if c.cfg.LogChanged == LogFail {
		c.abandon(s, why, false)
		return false
	}
	put := s.nextPut(c)
	put.Open(Segment{Start: start, TopicID: s.info.TopicID, Floor: s.ck.Newest})
	if s.info.EpochEnd == start && s.ck.TopicID == s.info.TopicID {
		put.LeaderEpoch = s.info.EndedEpoch
	}
	c.adopt(&put)
	s.inherited = start
	s.name = "" // the window speaks of the old log: from here on only the checkpoint counts
	c.report(s.tp, Report{Kind: ReportSegment, Offset: start, Err: why})
	s.state = stateTaking
	c.swap(s, put)
	return false
}

// startRunning opens the window at the checkpoint.
func (c *Core) startRunning(s *source) {
	s.state, s.began, s.tableDoubts = stateRunning, c.now.Wall, 0
	s.name = SourceName(c.cfg.Sink, s.tp.Topic, s.tp.Partition, s.ck.Incarnation())
	s.column = &hbase.Column{Family: c.cfg.MarkFamily, Qualifier: []byte(s.name)}
	// Read again what had no effects: the fetch names the epoch that fits its offset, so that the broker tells of a cut.
	from := min(s.ck.Offset, max(s.ck.EpochOffset, s.info.LogStart))
	s.win = window{next: from, epoch: -1}
	s.rows, s.memory = rowIndex{}, memory{}
	s.witness = map[string][]Witness{}
	for _, w := range s.ck.Witness {
		s.witness[w.Table] = c.remember(s.witness[w.Table], w, 0)
	}
	s.bound, s.newest, s.newestDue, s.newestWas, s.newestLow = s.ck.Newest, 0, 0, 0, false
	s.epoch, s.epochAt = s.ck.LeaderEpoch, s.ck.EpochOffset
	s.end, s.blind = s.info.End, s.paused
	if s.paused {
		c.report(s.tp, Report{Kind: ReportPaused, Offset: from})
	}
	s.fetching, s.held, s.caughtUp, s.poison = false, nil, false, nil
	if s.ck.TopicID == (kafka.TopicID{}) {
		s.ck.TopicID = s.info.TopicID
	}
	s.sent = max(s.ck.Offset, s.inherited)
	s.foreign = s.sent
	s.sure = s.sent <= s.info.LogEnd
	c.ensure(s, s.info.LogEnd)
	s.mapUntil = -1
	if s.ck.MappingHash != c.cfg.MappingHash {
		// What may have been sent under the stored mapping is finished with it.
		s.mapUntil = s.sent
		if c.continues(s) {
			s.mapUntil = s.ck.Offset
		} else {
			c.report(s.tp, Report{Kind: ReportMapping, Offset: s.mapUntil})
		}
	}
	if c.cfg.Once && s.until < 0 {
		end, bounded := c.cfg.Until[s.tp]
		if !bounded {
			end = s.info.End
		}
		s.until = max(s.ck.Offset, end)
	}
	c.touch(s)
}
