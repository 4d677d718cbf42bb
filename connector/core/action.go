package core

import (
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// Action is something to be done outside. Each is answered by one event, Write by one or more, Report by none.
type Action interface{ action() }

// ReadCheckpoint reads the source's row of the checkpoint table.
type ReadCheckpoint struct {
	kafka.TopicPartition
	Inst uint64
}

// SwapCheckpoint writes the row if its position cell still equals Expect; nil is absent. Fields that are unset
// in Put (Mapping nil) stay as they are.
type SwapCheckpoint struct {
	kafka.TopicPartition
	Inst   uint64
	Expect []byte
	Put    Checkpoint
}

// ReadLog asks the brokers what the log looks like now.
type ReadLog struct {
	kafka.TopicPartition
	Inst        uint64
	NeedStart   bool  // resolve the start policy
	LeaderEpoch int32 // ask where this epoch ends; -1: don't
}

// Fetch reads on at At and maps the records, none at or past Until (-1: no bound). Stored, if not nil, is the
// canonical text of the mapping to use instead of the current one.
type Fetch struct {
	kafka.TopicPartition
	Inst   uint64
	Ask    uint64 // tells it from one that was cancelled
	At     kafka.FetchAt
	Until  int64
	Stored []byte
	// Incarnation is that of the log.
	Incarnation int
	// Before is the offset below which records may have been read before, by this owner or another.
	Before int64
}

// CancelFetch drops the fetch that is under way; its answer, if one still comes, is ignored.
type CancelFetch struct {
	kafka.TopicPartition
}

// Group is the records of one row and source that one write carries.
type Group struct {
	Table       string
	First, Next int64 // offsets: the first record's, and the last one's + 1
	Records     int
	Write       hbase.RowWrite

	src    *source
	row    *row
	take   int // entries of row.pend it covers
	floor  int64
	epoch  int32 // leader epoch of the last record
	bytes  int
	flight int // bytes of the table in flight when it was sent
	fence  bool
	inst   uint64
	mode   hbase.Mode
	at     time.Duration // when it was made
	until  int64         // see Witness.Until
}

// Write sends groups, in the table's mode.
type Write struct {
	Table  string
	Mode   hbase.Mode
	Groups []*Group
}

// LookRow is a row whose mark is wanted.
type LookRow struct {
	Table string
	Row   []byte
	Name  string // source name: the mark's qualifier

	src  *source
	row  *row
	inst uint64
}

// Look reads marks, strongly.
type Look struct{ Rows []*LookRow }

// CheckWitness reads one row's mark, to see that the table is not older than what was written.
type CheckWitness struct {
	Witness

	tab *table
	src *source // nil: a check of the running table
	ins uint64
	at  time.Duration // when it was asked for
}

func (ReadCheckpoint) action() {}
func (SwapCheckpoint) action() {}
func (ReadLog) action()        {}
func (Fetch) action()          {}
func (CancelFetch) action()    {}
func (Write) action()          {}
func (Look) action()           {}
func (*CheckWitness) action()  {}
func (Report) action()         {}

// ReportKind says what a Report is about.
type ReportKind uint8

// Kinds of report.
const (
	ReportWaiting  ReportKind = iota // another owner holds the source; its lease is waited out
	ReportTaken                      // the source is ours, at Offset
	ReportCaughtUp                   // the end was reached for the first time
	ReportSkipped                    // the record at Offset was skipped, for Err
	ReportLetter                     // the record at Offset becomes a dead letter, for Err
	ReportRowMode                    // Table goes on row by row, for Err
	ReportRetry                      // something is retried, for Err
	ReportMapping                    // the mapping changed: below Offset the stored one is used, from there the current one
	ReportSegment                    // a new incarnation of the log was opened at Offset
	ReportFinished                   // --once: the end was reached, the source released
	ReportReleased                   // the source was given back
	ReportFenced                     // another owner took the source; stopped
	ReportFailed                     // the source stopped, for Err; Retry says whether it will be tried again
	ReportPaused                     // nothing is read any more
	ReportResumed                    // it goes on
)

// Report tells the world what happened to a source.
type Report struct {
	kafka.TopicPartition
	Kind   ReportKind
	Offset int64
	Table  string
	Err    error
	Retry  bool
}
