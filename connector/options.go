package connector

import (
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/rs/zerolog"
)

// Commit says how rows are committed.
type Commit string

// Commits.
const (
	CommitAuto   Commit = "auto"   // region transaction where the table can, else row by row
	CommitRegion Commit = "region" // refuse a table that can't
	CommitRow    Commit = "row"
)

// Start says where a source without a checkpoint begins.
type Start struct {
	Kind   StartKind
	Offset int64
	Time   int64 // milliseconds
}

// StartKind is the kind of a Start.
type StartKind uint8

// Kinds of start.
const (
	StartEarliest StartKind = iota
	StartLatest
	StartTime
	StartOffset
)

// watchEvery is how often new topics and partitions are looked for.
const watchEvery = 15 * time.Second

// Options are the engine's settings, already validated.
type Options struct {
	Core            core.Config // but Owner, Who, Mapping, MappingHash, Tables, MarkFamily: the engine fills them in
	Mappings        *mapping.Set
	Replay          *Replay            // nil: the engine goes on with the log
	Schemas         decode.Schemas     // of the schema registry, for stored mappings; nil: there is none
	Partitions      map[string][]int32 // topic to partitions; a topic not named is read whole
	Group           string             // not empty: a consumer group shares the partitions out
	GroupSession    time.Duration      // until the group gives up on a silent member
	MirrorGroup     string             // gets the positions; empty: none. With Group it is the same
	Start           Start
	Commit          Commit
	CheckpointTable string
	LetterTopic     string // has dead letters beside their table; empty: none
	MarkFamily      string
	Kafka           kafka.Config
	HBase           hbase.Config
	StartTimeout    time.Duration // how long HBase and Kafka may be away at start
	CallTimeout     time.Duration // of one HBase call
	ShutdownTimeout time.Duration // of a graceful stop
	WatchEvery      time.Duration // how often new topics and partitions are looked for
	FailFast        bool
	AllowWeakWAL    bool
	Version         string // of the program, for people
	Log             zerolog.Logger
}
