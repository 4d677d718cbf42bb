package core

import (
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// Status is where a partition stands.
type Status struct {
	kafka.TopicPartition
	State      string
	Checkpoint int64 // records below are resolved and it is written down
	Next       int64 // read up to here
	End        int64 // end of what can be read, -1 before the first answer
	Epoch      int64
	AdvancedAt int64 // when the checkpoint last moved, or was seen to be at the end, Unix milliseconds; 0: not known
	WindowSize int   // bytes
	Paused     bool
	Err        error
	// Other is the checkpoint of the owner that is waited for, nil otherwise.
	Other *Checkpoint
	// Age is how old the oldest record is that is not resolved, by its own time: 0 at the end, -1 if not known. Of one that is
	// not read yet it is an upper bound.
	Age    time.Duration
	Waited time.Duration // for room in the window, since the start of the process
	Counts
}

// Statuses gives all partitions, sorted.
func (c *Core) Statuses() []Status {
	out := make([]Status, 0, len(c.sources))
	for _, s := range c.sorted() {
		st := Status{
			TopicPartition: s.tp, State: s.state.String(), Checkpoint: s.ck.Offset, Next: s.win.next, End: s.end, Epoch: s.ck.Epoch,
			AdvancedAt: s.ck.AdvancedAt, WindowSize: s.win.bytes + s.held.size(), Paused: s.paused, Err: s.err, Age: s.age(c.now.Wall), Waited: s.room.sum, Counts: s.counts,
		}
		if s.state == stateWaiting {
			st.Other = s.seen
		}
		if s.state == stateRunning {
			st.Waited = s.room.at(c.now.Mono)
		}
		out = append(out, st)
	}
	return out
}

// atEnd says whether all that could be read when the brokers last answered is resolved. While it is paused they are not asked.
func (s *source) atEnd() bool { return s.end >= 0 && s.win.low() >= s.end && !s.blind }

// arrived notes when records came, before they are taken in.
func (s *source) arrived(wall int64, e *Fetched) {
	s.counts.Read += int64(e.Read)
	if s.atEnd() {
		s.endAt = wall // until now there was nothing to read
	}
	if n := len(e.Records); n > 0 {
		s.readTime = max(s.readTime, e.Records[n-1].Time)
	}
}

func (s *source) age(wall int64) time.Duration {
	since := max(s.readTime, s.endAt)
	switch {
	case len(s.win.recs) > 0:
		since = s.win.recs[0].time
	case s.held != nil:
		since = s.held.Records[0].Time
	}
	switch {
	case s.atEnd():
		return 0
	case s.end < 0 || since <= 0:
		return -1
	}
	return ms(max(0, wall-since))
}

// TableStatus is how the writing to a table goes.
type TableStatus struct {
	Name     string
	Mode     hbase.Mode
	InFlight int           // bytes of rows sent and not yet answered
	Allowed  int           // bytes that may be: fewer than configured while its servers are busy
	Rests    bool          // a server asked for a pause that is not over
	Waited   time.Duration // rows waited, and none was in flight
	TableCounts
}

// TableStatuses gives the tables that were written to, sorted.
func (c *Core) TableStatuses() []TableStatus {
	out := make([]TableStatus, 0, len(c.tables))
	for _, t := range c.sortedTables() {
		out = append(out, TableStatus{Name: t.name, Mode: t.info.Mode, InFlight: t.flight, Allowed: t.allowed, Rests: c.now.Mono < t.restUntil, Waited: t.still.at(c.now.Mono), TableCounts: t.counts})
	}
	return out
}
