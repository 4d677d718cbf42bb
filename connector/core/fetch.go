package core

import (
	"errors"
	"fmt"
	"slices"

	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// minFetch is the smallest answer asked for, in bytes.
const minFetch = 64 << 10

func (c *Core) windowBytes() int { return max(minFetch, c.cfg.WindowBytes/max(1, c.active)) }

// fetch asks for more records when there is room for them.
func (c *Core) fetch(s *source) {
	if s.fetching || s.held != nil || s.drain || s.poison != nil || s.relog || !c.leased(s) {
		return
	}
	limit := s.until
	if s.mapUntil >= 0 && (limit < 0 || s.mapUntil < limit) {
		limit = s.mapUntil
	}
	if limit >= 0 && s.win.next >= limit {
		if s.until >= 0 && s.win.next >= s.until && !s.done {
			s.done = true
			c.drain(s)
		}
		return
	}
	want := c.fetchSize(s)
	s.room.note(c.now.Mono, want == 0)
	if want == 0 || s.paused {
		return
	}
	f := Fetch{
		TopicPartition: s.tp, Inst: s.inst, Until: limit, Incarnation: s.ck.Incarnation(), Before: s.foreign,
		At: kafka.FetchAt{Offset: s.win.next, LeaderEpoch: -1, TopicID: s.ck.TopicID, MaxBytes: want},
	}
	if s.epochAt == s.win.next {
		// Of any other offset the broker would rightly say that the epoch ended before it.
		f.At.LeaderEpoch = s.epoch
	}
	if s.mapUntil >= 0 {
		f.Stored = s.ck.Mapping
	}
	s.fetching = true
	s.asked = want
	s.ask++
	f.Ask = s.ask
	c.do(f)
}

func (c *Core) cancelFetch(s *source) {
	if s.fetching {
		s.fetching = false
		c.do(CancelFetch{s.tp})
	}
}

// fetchSize is how many bytes to ask for: what fits into half of the room left, by what the bytes asked for last
// grew to when they were decompressed and mapped. 0: there is no room.
func (c *Core) fetchSize(s *source) int {
	room := c.windowBytes() - s.win.bytes
	if room <= 0 {
		return 0
	}
	if s.growth == 0 {
		return minFetch * 4
	}
	size := min(c.cfg.FetchBytes, int(float64(room)/2/s.growth))
	if c.bounded() && s.dense > 0 {
		size = min(size, int(float64(c.share())/s.dense)) // more would only be held
	}
	return max(minFetch, size)
}

// fetched takes records into the window.
func (c *Core) fetched(s *source, e Fetched) {
	if s.state != stateRunning && s.state != stateSettling || !s.fetching || e.Ask != s.ask {
		return
	}
	s.fetching = false
	c.touch(s)
	if e.Err != nil {
		c.fetchFailed(s, e.Err)
		return
	}
	if e.From != s.win.next || e.Next < e.From {
		c.abandon(s, fmt.Errorf("reading on at offset %d: got [%d, %d)", s.win.next, e.From, e.Next), true)
		return
	}
	s.relogTry = 0
	s.learn(e.Records)
	s.arrived(c.now.Wall, &e)
	s.end, s.blind = e.End, false
	if c.bounded() && len(e.Records) > 0 {
		c.hold(s, &e)
	} else {
		c.letIn(s, &e, len(e.Records))
	}
	c.ensure(s, e.End)
}

// letIn takes the next n records of an answer into the window, and with the last of them what is known of the offsets
// behind.
func (c *Core) letIn(s *source, e *Fetched, n int) {
	c.touch(s)
	s.held = nil
	s.win.recs = slices.Grow(s.win.recs, n)
	for i := range e.Records[:n] {
		if !c.admit(s, &e.Records[i]) {
			return
		}
		if rec := &e.Records[i]; rec.LeaderEpoch >= 0 {
			// Also of records without effects: another mapping might give them some, so they must not be read again.
			s.epoch, s.epochAt = rec.LeaderEpoch, rec.Offset+1
		}
	}
	if n < len(e.Records) {
		s.win.next = e.Records[n-1].Offset + 1
		e.Records = e.Records[n:]
		s.held = e
		return
	}
	s.win.next = e.Next
	if e.LeaderEpoch >= 0 {
		s.epoch, s.epochAt = e.LeaderEpoch, e.Next
	}
}

// size is the bytes of what is held.
func (e *Fetched) size() int {
	n := 0
	if e != nil {
		for i := range e.Records {
			n += e.Records[i].Bytes
		}
	}
	return n
}

// learn notes what the bytes asked for grew to.
func (s *source) learn(recs []Mapped) {
	n := 0
	for i := range recs {
		n += recs[i].Bytes
	}
	if n == 0 || s.asked == 0 {
		return
	}
	// A short answer at the end of the log says little: it may only lower the estimate slowly.
	s.growth = max(float64(n)/float64(s.asked), s.growth*0.9, 0.1)
	s.dense = max(float64(len(recs))/float64(s.asked), s.dense*0.9)
}

// admit takes one record in. False: it can't be passed, and nothing after it is.
func (c *Core) admit(s *source, m *Mapped) bool {
	res := &m.Result
	if res.Err != nil && len(res.Rows) == 0 {
		if res.OnError == mapping.OnErrorSkip {
			c.skipped(s, m.Offset, res.Err)
			c.resolved(s, 1)
			return true
		}
		s.poison = &poison{offset: m.Offset, err: because(CauseRecord, "offset %d: %w", m.Offset, res.Err)}
		s.win.next = m.Offset
		// All that was sent below the ceiling went by this mapping, or by one that is no more lenient: nobody came by.
		s.sent = min(s.sent, m.Offset)
		return false
	}
	if len(res.Rows) == 0 {
		c.resolved(s, 1)
		return true
	}
	policy := res.OnError
	if res.Err != nil {
		policy = mapping.OnErrorFail // the row is the record's letter, and there is no letter of a letter
		c.lettered(s, m.Offset, res.Err)
	}
	rec := c.records.One(record{offset: m.Offset, time: m.Time, epoch: m.LeaderEpoch, bytes: m.Bytes})
	if res.Letter != nil {
		rec.fate = &fate{letter: res.Letter}
	}
	s.win.add(rec)
	rec.left = 1 // until all its rows are known
	for i := range res.Rows {
		if ops := &res.Rows[i]; ops.LogOrder {
			s.newestDue = max(s.newestDue, ops.Time)
		}
		c.deliver(s, pending{rec: rec, ops: res.Rows[i : i+1 : i+1], policy: policy}, m.Bytes)
		if s.poison != nil {
			return false
		}
	}
	rec.left--
	c.settleBarred(rec)
	return true
}

// fetchFailed stops reading. What was read before is written first.
func (c *Core) fetchFailed(s *source, err error) {
	var (
		out  *kafka.OutOfRangeError
		cut  *kafka.DivergedError
		anew *kafka.TopicChangedError
	)
	if errors.As(err, &out) || errors.As(err, &cut) || errors.As(err, &anew) {
		s.relog = true
		s.relogTry++
		s.relogAt = c.now.Mono + backoff(s.relogTry, backoffFirst, backoffLast)
		c.retry(s.tp, RetryLog, Report{Offset: s.win.next, Err: err})
		return
	}
	s.poison = &poison{offset: s.win.next, err: because(CauseTopic, "reading at offset %d: %w", s.win.next, err), retry: true}
}
