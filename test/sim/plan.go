package main

import "time"

// plan is one history as data: what it is made of, what is done to it, and which calls fail. A plan drawn from a
// seed has rates in place of hits; running it notes the hits, and with them it can be replayed and made smaller.
type plan struct {
	seed     uint64
	set      settings
	acts     []act
	hits     []hit
	explicit bool // hits says which calls fail, not the rates
}

// act is something that is done to processes, logs or tables at a time. What n and m mean is for the kind to say;
// they are taken modulo what there is to choose from.
type act struct {
	at   time.Duration
	kind actKind
	n, m int64
}

// hit is a fault of one call: the n-th one that could have had it. ms is how late it is, where that matters.
type hit struct {
	kind faultKind
	n    int
	ms   int64
}

type actKind int

const (
	actKill     actKind = iota // SIGKILL, and a new process some time later
	actStop                    // SIGTERM, and a new process some time later
	actPause                   // SIGSTOP, perhaps a rival, SIGCONT
	actHandOver                // as a consumer group takes a partition from one member and gives it to another
	actOutage                  // all processes are killed, for longer
	actRestore                 // the tables go back to an earlier snapshot, or are emptied
	actSpell                   // a table is away for a while
	actCompact                 // major compaction: delete markers and what they hide are dropped
	actRetain                  // retention moves the log start
	actLeader                  // a new leader, without loss
	actCut                     // an unclean election: the log is truncated, and goes on otherwise
	actRecreate                // the topic is deleted and made again
	actHang                    // a transaction stays open
	actSet                     // rowmark offsets set
	actHalt                    // rowmark pause, and some time later rowmark resume
	actKinds
)

var actNames = [actKinds]string{
	"kill", "stop", "pause", "hand-over", "outage", "restore", "spell", "compact", "retain", "leader", "cut",
	"recreate", "hang", "set", "halt",
}

type faultKind int

const (
	writeBusy     faultKind = iota
	writeMoved              // the region is not there, and may be split or merged when it is found
	writeUnsorted           // refused, for a reason that is not known
	writeLost               // the request never arrives
	writeNoAnswer           // it lands, the answer is lost
	writeLate               // it lands long after it was given up
	writeDoubled            // it lands twice
	writeSlow               // it lands, and is answered, after a lease or more
	writePartial            // a part lands, the other never arrives
	lookBusy
	witnessBusy
	readFails // of the checkpoint
	swapBusy
	swapLost
	swapNoAnswer
	swapLate
	logFails // asking the brokers
	fetchFails
	logStale  // the log as the leader before had it
	lookStale // a mark as it was
	readStale // a checkpoint as it was
	faultKinds
)

var faultNames = [faultKinds]string{
	"write-busy", "write-moved", "write-unsorted", "write-lost", "write-no-answer", "write-late", "write-doubled",
	"write-slow", "write-partial", "look-busy", "witness-busy", "read-fails", "swap-busy", "swap-lost",
	"swap-no-answer", "swap-late", "log-fails", "fetch-fails", "log-stale", "look-stale", "read-stale",
}

// settings is what a history is made of. All are numbers, so that one loop prints, reads and shrinks them.
type settings struct {
	parts, records  int64 // partitions; records of each
	regions, region int64 // of a table; region 1: region transactions
	batchRows       int64
	batchBytes      int64
	ceiling         int64 // offsets
	rowMemory       int64
	times           int64 // how record times run, see record.go
	bads, strict    int64 // records that can't be mapped or written; strict: they stop the partition at first
	letters         int64 // 1: such records become dead letters, and are not skipped
	counts, timed   int64 // further tables
	sinks           int64 // connectors that write the same rows
	split           int64 // 1: partition 0 has a process of its own
	ttl             int64 // marks.ttl in milliseconds
	atLeastOnce     int64
	once            int64 // processes run --once, again and again
	remap           int64 // new processes may come with another mapping
	outOfRange      int64 // core.RangePolicy
	logChanged      int64 // core.LogPolicy
	ids             int64 // 1: the brokers tell topic ids and leader epochs
	rate, partRate  int64 // records a second that are let in, of all partitions and of each
	rates           [faultKinds]int64
}

// field is one setting, by name.
type field struct {
	name  string
	value *int64
}

func (s *settings) fields() []field {
	out := []field{
		{"parts", &s.parts},
		{"records", &s.records},
		{"regions", &s.regions},
		{"region", &s.region},
		{"batch-rows", &s.batchRows},
		{"batch-bytes", &s.batchBytes},
		{"ceiling", &s.ceiling},
		{"row-memory", &s.rowMemory},
		{"times", &s.times},
		{"bads", &s.bads},
		{"strict", &s.strict},
		{"letters", &s.letters},
		{"counts", &s.counts},
		{"timed", &s.timed},
		{"sinks", &s.sinks},
		{"split", &s.split},
		{"ttl", &s.ttl},
		{"at-least-once", &s.atLeastOnce},
		{"once", &s.once},
		{"remap", &s.remap},
		{"out-of-range", &s.outOfRange},
		{"log-changed", &s.logChanged},
		{"ids", &s.ids},
		{"rate", &s.rate},
		{"part-rate", &s.partRate},
	}
	for k := range s.rates {
		out = append(out, field{"rate-" + faultNames[k], &s.rates[k]})
	}
	return out
}
