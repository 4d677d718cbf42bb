package core

import (
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// state is where a source is in its life.
type state uint8

const (
	stateReading   state = iota // the checkpoint is being read
	stateWaiting                // another owner's lease is waited out
	stateTaking                 // the swap to the next epoch is under way
	stateSettling               // a swap's answer was lost: the cell is read
	stateLog                    // the brokers are asked what the log looks like
	stateWitness                // the witness rows are read
	stateRunning                // records flow
	stateReleasing              // drained: the checkpoint is being released
	stateRetrying               // failed; waits for the next attempt
	stateStopped                // for good
)

var stateNames = [...]string{"reading", "waiting", "taking", "settling", "checking log", "checking witness", "running", "releasing", "retrying", "stopped"}

func (s state) String() string { return stateNames[s] }

// source is one partition of the log as this sink writes it.
type source struct {
	tp    kafka.TopicPartition
	inst  uint64 // this life; answers to an earlier one are dropped
	state state
	name  string // qualifier of its marks
	// column is that of its marks, as every write carries it.
	column *hbase.Column
	dirty  bool
	err    error // why it failed, or is about to
	counts Counts

	// Ownership.
	ck       Checkpoint    // the last accepted one
	have     bool          // ck is from HBase
	began    int64         // wall clock as records began to flow, milliseconds
	foreign  int64         // owners before may have sent records below it
	put      *Checkpoint   // the swap under way
	putAt    time.Duration // when it was sent
	settle   state         // where to go when a lost answer is settled
	swapDue  time.Duration // not before, after a failed swap
	swapTry  int
	leaseAt  time.Duration // when the last accepted swap was sent: the lease runs from there
	seen     *Checkpoint   // another owner's, as first seen at seenAt
	seenAt   time.Duration
	seenOnce bool // the wait was reported
	pollAt   time.Duration
	reading  bool // a ReadCheckpoint is under way
	fails    int  // failures since the last progress
	retryAt  time.Duration
	// How often in a row the table, or the log, seemed not to be that of the checkpoint.
	tableDoubts, logDoubts int
	inherited              int64 // the ceiling of the owner before
	info                   LogInfo

	// Reading.
	win      window
	fetching bool
	ask      uint64   // number of the last Fetch
	held     *Fetched // records that wait until the rates let them in; nil: none
	bucket   bucket
	dense    float64 // records for each byte asked for
	asked    int     // bytes asked for
	growth   float64 // bytes held for each byte asked for, 0 before the first answer
	epoch    int32   // leader epoch of the batch before win.next
	epochAt  int64   // offset up to which epoch was seen
	end      int64   // end of what can be read
	caughtUp bool
	until    int64         // --once: stop here; -1 never
	mapUntil int64         // up to here the stored mapping is used; -1: the current one
	poison   *poison       // the record that can't be passed
	relog    bool          // the brokers said the log changed: drain, then look
	relogAt  time.Duration // not before
	relogTry int           // looks since the last answer with records
	asking   bool          // a ReadLog is under way
	readTime int64         // of the youngest record read, Unix milliseconds; 0: none yet
	endAt    int64         // wall clock as all was last known to be resolved, milliseconds; 0: not yet
	room     waiting       // for room in the window

	// Writing.
	rows      rowIndex
	memory    memory
	bound     int64                // upper bound of the floors of rows not in rows
	newest    int64                // upper bound of the floors written and met in this life
	newestDue int64                // floors up to here are wanted: of records read, and of groups that wait for it
	newestWas int64                // what both came to at the last checkpoint
	newestLow bool                 // a group waits for a checkpoint that allows its floor
	sureAt    time.Duration        // an end of the log told from then on is the end
	sure      bool                 // sent is bounded by such an end
	sent      int64                // highest Next of what was sent, by us or by an owner before
	flying    int                  // groups whose outcome is open
	maySend   int64                // highest Next of those
	waitUntil time.Duration        // a release waits so long for them
	witness   map[string][]Witness // by table
	parked    []*row               // ready, but the ceiling or the lease is in the way
	checks    int                  // witness rows not yet answered
	paused    bool                 // by Pause
	blind     bool                 // paused since the log's end was told
	drain     bool                 // no more reading; release when the window is empty
	again     bool                 // assigned anew while it drains
	done      bool                 // --once: the end was reached
}

// poison is a record that stops its source.
type poison struct {
	offset int64
	err    error
	retry  bool
}

func (c *Core) assigned(tp kafka.TopicPartition) {
	if c.stop {
		return
	}
	if s := c.sources[tp]; s != nil && s.state != stateStopped {
		// Given back before it was wholly let go: it begins anew after that.
		s.again = s.drain
		return
	}
	s := &source{tp: tp}
	if was := c.sources[tp]; was != nil {
		s.counts, s.room.sum = was.counts, was.room.sum
	}
	c.active++
	c.sources[tp] = s
	c.begin(s)
}

// begin starts a life of the source from its checkpoint.
func (c *Core) begin(s *source) {
	c.insts++
	fails, table, log := s.fails, s.tableDoubts, s.logDoubts
	*s = source{
		tp: s.tp, inst: c.insts, witness: map[string][]Witness{}, fails: fails, tableDoubts: table, logDoubts: log,
		until: -1, mapUntil: -1, epoch: -1, end: -1, dirty: s.dirty, counts: s.counts, room: waiting{sum: s.room.sum},
		ask: s.ask, bucket: bucket{rate: c.cfg.PartitionRate}, paused: c.pausedAs(s.tp),
	}
	s.win.next = -1
	s.bucket.fill(c.now.Mono)
	c.total.fill(c.now.Mono)
	c.readCheckpoint(s)
}

func (c *Core) readCheckpoint(s *source) {
	if !s.reading {
		s.reading = true
		c.do(ReadCheckpoint{s.tp, s.inst})
	}
}

// runSource does what the source can do now.
func (c *Core) runSource(s *source) {
	switch s.state {
	case stateReading, stateWaiting, stateSettling:
		if s.reading {
			return
		}
		if c.now.Mono < s.pollAt {
			c.at(s.pollAt)
			return
		}
		c.readCheckpoint(s)
	case stateTaking:
		c.trySwap(s)
	case stateLog:
		c.tryLog(s)
	case stateRunning:
		c.run(s)
	case stateReleasing:
		c.trySwap(s)
	case stateRetrying:
		if c.now.Mono < s.retryAt {
			c.at(s.retryAt)
			return
		}
		c.begin(s)
	}
}

// run is one round of a running source: settle, advance, read on.
func (c *Core) run(s *source) {
	if n := s.win.settle(); n > 0 {
		c.resolved(s, n)
	}
	c.advance(s)
	if s.state != stateRunning {
		return
	}
	c.fetch(s)
}
