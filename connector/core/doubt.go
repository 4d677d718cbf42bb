package core

import "time"

// doubts is how often a partition is tried again whose table or log seems not to be the one that its checkpoint speaks of.
// HBase does not fence reads: a region server that lost its regions in a pause answers from its memory when it wakes,
// until it learns of it; so does a Kafka broker that led the partition.
const doubts = 3

// doubtSpan is how long the repetitions take: 1 s, 2 s and 4 s.
const doubtSpan = 7 * time.Second

// doubted says whether a change that was read is to be read again first.
func doubted(times *int) bool {
	*times++
	return *times <= doubts
}

// ensure bounds what an owner before may have sent. That ends at its ceiling, and at the log's end: it had fetched what it
// sent while its lease stood. But the end may be told by a broker that leads no more, so it counts only after a while.
func (c *Core) ensure(s *source, end int64) {
	if s.sure || c.now.Mono < s.sureAt {
		return
	}
	s.sure = true
	s.sent = max(s.ck.Offset, min(s.sent, end))
	s.foreign = min(s.foreign, s.sent)
}
