package core

import (
	"time"

	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Event is something that happened outside. Inst is the Inst of the action that it answers: answers to an
// earlier life of a partition are dropped.
type Event interface{ event() }

// Assigned gives a partition to this connector. Seen is its position as it was read at SeenAt, of Now.Mono: where it stands
// still, the lease of the owner before runs from there; nil: it was not read.
type Assigned struct {
	kafka.TopicPartition
	Seen   *Position
	SeenAt time.Duration
}

// Revoked asks for a partition back: it is drained, its checkpoint released, and Released reported.
type Revoked struct{ kafka.TopicPartition }

// Stop asks for all partitions back.
type Stop struct{}

// Tick says that time has passed; Core.Wake tells when one is wanted.
type Tick struct{}

// CheckpointRead answers ReadCheckpoint; Row is nil if there is none.
type CheckpointRead struct {
	kafka.TopicPartition
	Inst uint64
	Row  *Checkpoint
	Err  error
}

// Swapped answers SwapCheckpoint.
type Swapped struct {
	kafka.TopicPartition
	Inst   uint64
	Result hbase.WriteResult
}

// LogRead answers ReadLog.
type LogRead struct {
	kafka.TopicPartition
	Inst uint64
	Info LogInfo
	Err  error
}

// LogInfo is what the brokers say of a partition.
type LogInfo struct {
	TopicID  kafka.TopicID // zero: not given
	LogStart int64
	LogEnd   int64
	End      int64 // the end for a reader of the configured isolation: last stable offset or log end
	Start    int64 // where the start policy begins; asked only without a checkpoint
	// EpochEnd is where the stored leader epoch ends in the leader's log, -1 if not asked or not known.
	EpochEnd int64
	// EndedEpoch is the epoch that ends there: the stored one, or the last before it that the log still has; -1 if not known.
	EndedEpoch int32
	// DeleteRetention is delete.retention.ms of a compacted topic, -1 for others.
	DeleteRetention int64
}

// Mapped is one record and what the mapping made of it.
type Mapped struct {
	Offset      int64
	LeaderEpoch int32 // of its batch, -1 if not known
	Bytes       int   // memory it holds
	Time        int64 // of the record, Unix milliseconds; not positive if it has none
	Result      mapping.Result
}

// Fetched answers Fetch: the records of [From, Next), mapped.
type Fetched struct {
	kafka.TopicPartition
	Inst        uint64
	Ask         uint64 // that of the Fetch
	From, Next  int64
	Records     []Mapped
	LeaderEpoch int32
	End         int64 // end of what can be read now
	Read        int   // bytes of the records' keys and values
	Err         error
}

// Written answers a Write for some of its groups; each group is answered once.
type Written struct {
	Groups  []*Group
	Results []hbase.WriteResult
}

// Looked answers a Look; Marks and Errs go with Rows.
type Looked struct {
	Rows  []*LookRow
	Marks []Mark // Next 0: no mark
	Errs  []error
}

// Witnessed answers a CheckWitness.
type Witnessed struct {
	Check *CheckWitness
	Mark  int64 // 0: none
	Err   error
}

func (Assigned) event()       {}
func (Revoked) event()        {}
func (Stop) event()           {}
func (Tick) event()           {}
func (CheckpointRead) event() {}
func (Swapped) event()        {}
func (LogRead) event()        {}
func (Fetched) event()        {}
func (Written) event()        {}
func (Looked) event()         {}
func (Witnessed) event()      {}
