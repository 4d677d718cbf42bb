package core

import "rowmark/kafka"

// AllPartitions, as the partition of a Pause or Resume, names every partition of the topic; with an empty topic, of all
// topics. Those that are assigned later are meant too.
const AllPartitions int32 = -1

// Pause has partitions read nothing until Resume. What was read is written; the lease is kept, and a stop or a
// revocation releases it as ever. It holds for this core, also when the partition goes and comes back.
type Pause struct{ kafka.TopicPartition }

// Resume ends a Pause of the same partitions or of more. The log is looked at first, as at a start: while nothing was
// read, records may have been deleted, and tombstones compacted away.
type Resume struct{ kafka.TopicPartition }

func (Pause) event()  {}
func (Resume) event() {}

// broader are the names that a partition goes by, the narrowest first.
func broader(tp kafka.TopicPartition) [3]kafka.TopicPartition {
	return [...]kafka.TopicPartition{tp, {Topic: tp.Topic, Partition: AllPartitions}, {Partition: AllPartitions}}
}

// Covers says whether a name, as Pause and Resume take it, means all that another one does.
func Covers(all, one kafka.TopicPartition) bool {
	return all == one || all.Partition == AllPartitions && (all.Topic == "" || all.Topic == one.Topic)
}

// pausedAs says whether a partition is to be paused: the narrowest name that was given tells.
func (c *Core) pausedAs(tp kafka.TopicPartition) bool {
	for _, name := range broader(tp) {
		if paused, said := c.pauses[name]; said {
			return paused
		}
	}
	return false
}

// setPaused takes a Pause or Resume; what was said before of a part of it holds no more.
func (c *Core) setPaused(name kafka.TopicPartition, paused bool) {
	for part := range c.pauses {
		if Covers(name, part) {
			delete(c.pauses, part)
		}
	}
	if c.pausedAs(name) != paused {
		c.pauses[name] = paused
	}
	for _, s := range c.sorted() {
		c.pauseSource(s, c.pausedAs(s.tp))
	}
}

func (c *Core) pauseSource(s *source, paused bool) {
	if s.paused == paused {
		return
	}
	s.paused = paused
	if s.state == stateStopped {
		return
	}
	c.touch(s)
	if paused {
		s.blind = true
		s.held = nil
		c.cancelFetch(s)
		c.report(s.tp, Report{Kind: ReportPaused, Offset: s.win.next})
		return
	}
	s.relog = s.flowing()
	c.report(s.tp, Report{Kind: ReportResumed, Offset: s.win.next})
}

// flowing says whether records may come, or may once the answer to a swap is known.
func (s *source) flowing() bool {
	return s.state == stateRunning || s.state == stateSettling && s.settle == stateRunning
}
