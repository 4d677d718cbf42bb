package core

import (
	"sort"
	"time"

	"rowmark/connector/slab"
	"rowmark/hbase"
	"rowmark/kafka"
)

// never is a time that does not come.
const never = time.Duration(1<<63 - 1)

// overdue is how late a tick may come before the process counts as having been paused.
const overdue = 500 * time.Millisecond

// attention is how often a tick is wanted at the least, also while everything waits for answers: a pause shows by a late one.
const attention = time.Second

// Core is the state machine. Feed it with Step; between steps nothing changes.
type Core struct {
	cfg     Config
	now     Now
	out     []Action
	sources map[kafka.TopicPartition]*source
	tables  map[string]*table
	insts   uint64
	active  int // sources that are not stopped for good
	wake    time.Duration
	dirtyS  []*source
	dirtyT  []*table
	fold    folder

	// What many records need is cut from these.
	rows    slab.Slab[row]
	spare   *row // rows to be used again, chained by older
	records slab.Slab[record]
	pends   slab.Slab[pending]
	groups  slab.Slab[Group]
	conds   slab.Slab[hbase.Condition]
	marks   slab.Slab[byte]

	// What the rates hold back.
	total   bucket
	holding []*source // with held records, in the order of their turns
	paceAt  time.Duration

	pauses map[kafka.TopicPartition]bool // true: paused; false: not, though a broader name is

	stop  bool
	steps uint64
	gapAt time.Duration // when a tick came so late that the process must have been paused
	stats Stats
	tried [retryEnd]int64
}

// Stats counts what happened since the start, over all sources.
type Stats struct {
	Records   int64 // resolved
	Rows      int64 // row writes applied
	Skipped   int64 // records passed by on_error: skip
	Letters   int64 // dead letters made
	Replayed  int64 // records found below their mark: already applied
	Refused   int64 // row writes refused by their condition
	Unknown   int64 // row writes that ended unknown
	Looks     int64 // rows looked at
	Retries   int64 // row writes put off: busy, moved, unreachable
	Swaps     int64 // checkpoints accepted
	Witnessed int64 // witness checks
}

// New gives a core without partitions.
func New(cfg Config) *Core {
	return &Core{
		cfg: cfg, sources: map[kafka.TopicPartition]*source{}, tables: map[string]*table{}, wake: never,
		total: bucket{rate: cfg.TotalRate}, pauses: map[kafka.TopicPartition]bool{},
	}
}

// Step takes one event and gives the actions that follow from it, in order.
func (c *Core) Step(now Now, ev Event) []Action {
	if c.wake != never && now.Mono > c.wake+overdue {
		c.gapAt = now.Mono
	}
	c.now = now
	c.steps++
	c.out = nil
	switch e := ev.(type) {
	case Assigned:
		c.assigned(e.TopicPartition)
		if s := c.sources[e.TopicPartition]; s != nil && e.Seen != nil && s.state == stateReading && s.seen == nil {
			s.seen, s.seenAt = &Checkpoint{Position: *e.Seen}, e.SeenAt
		}
	case Revoked:
		if s := c.sources[e.TopicPartition]; s != nil && s.state != stateStopped {
			c.drain(s)
		} else {
			c.report(e.TopicPartition, Report{Kind: ReportReleased})
		}
	case Stop:
		c.stop = true
		for _, s := range c.sorted() {
			if s.state != stateStopped {
				c.drain(s)
			}
		}
	case Pause:
		c.setPaused(e.TopicPartition, true)
	case Resume:
		c.setPaused(e.TopicPartition, false)
	case Tick:
		c.tick()
	case CheckpointRead:
		if s := c.live(e.TopicPartition, e.Inst); s != nil {
			c.checkpointRead(s, e)
		}
	case Swapped:
		if s := c.live(e.TopicPartition, e.Inst); s != nil {
			c.swapped(s, e)
		}
	case LogRead:
		if s := c.live(e.TopicPartition, e.Inst); s != nil {
			c.logRead(s, e)
		}
	case Fetched:
		if s := c.live(e.TopicPartition, e.Inst); s != nil {
			c.fetched(s, e)
		}
	case Written:
		c.written(e)
	case Looked:
		c.looked(e)
	case Witnessed:
		c.witnessed(e)
	}
	c.pace()
	c.pump()
	if c.active > 0 {
		c.at(now.Mono + attention)
	}
	return c.out
}

// Wake is when a Tick is wanted at the latest, in Now.Mono's time.
func (c *Core) Wake() time.Duration { return c.wake }

// Stats gives the counts so far.
func (c *Core) Stats() Stats { return c.stats }

// Live tells how many partitions are not stopped for good.
func (c *Core) Live() int { return c.active }

func (c *Core) do(a Action) { c.out = append(c.out, a) }

func (c *Core) report(tp kafka.TopicPartition, r Report) {
	r.TopicPartition = tp
	c.do(r)
}

// at asks for a tick by t.
func (c *Core) at(t time.Duration) { c.wake = min(c.wake, t) }

func (c *Core) live(tp kafka.TopicPartition, inst uint64) *source {
	if s := c.sources[tp]; s != nil && s.inst == inst {
		return s
	}
	return nil
}

func (c *Core) sorted() []*source {
	out := make([]*source, 0, len(c.sources))
	for _, s := range c.sources {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].tp, out[j].tp
		return a.Topic < b.Topic || a.Topic == b.Topic && a.Partition < b.Partition
	})
	return out
}

func (c *Core) sortedTables() []*table {
	out := make([]*table, 0, len(c.tables))
	for _, t := range c.tables {
		out = append(out, t)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

func (c *Core) touch(s *source) {
	if !s.dirty {
		s.dirty = true
		c.dirtyS = append(c.dirtyS, s)
	}
}

func (c *Core) touchTable(t *table) {
	if !t.dirty {
		t.dirty = true
		c.dirtyT = append(c.dirtyT, t)
	}
}

// tick looks at everything that waits for time, and finds the next time.
func (c *Core) tick() {
	c.wake = never
	for _, s := range c.sorted() {
		c.touch(s)
	}
	for _, t := range c.sortedTables() {
		c.touchTable(t)
	}
}

// pump lets every touched source and table do what it can. A table may touch sources and a source tables.
func (c *Core) pump() {
	for len(c.dirtyS) > 0 || len(c.dirtyT) > 0 {
		for len(c.dirtyS) > 0 {
			s := c.dirtyS[0]
			c.dirtyS = c.dirtyS[1:]
			s.dirty = false
			c.runSource(s)
		}
		for len(c.dirtyT) > 0 {
			t := c.dirtyT[0]
			c.dirtyT = c.dirtyT[1:]
			t.dirty = false
			c.runTable(t)
		}
	}
	c.dirtyS, c.dirtyT = nil, nil
}

// Mapping is the canonical text of the current mapping.
func (c *Core) Mapping() []byte { return c.cfg.Mapping }
