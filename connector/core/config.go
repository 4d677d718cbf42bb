package core

import (
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// Now is the time that comes with an event.
type Now struct {
	Mono time.Duration // monotonic, from any origin
	Wall int64         // Unix milliseconds; used only for cell TTLs and ages
}

// RangePolicy is what to do when the wanted offset is below the log start.
type RangePolicy uint8

// Policies for a hole in the log.
const (
	RangeFail RangePolicy = iota
	RangeEarliest
	RangeNearest
)

// LogPolicy is what to do when the log was recreated or truncated.
type LogPolicy uint8

// Policies for a log that is not the one the marks speak of.
const (
	LogFail LogPolicy = iota
	LogIncarnation
)

// TableInfo is what the core must know of a table.
type TableInfo struct {
	Mode hbase.Mode
	// Counters says that no cell of the table carries a timestamp of ours, so that floors need not be known.
	Counters bool
}

// Config is the core's settings. Durations and sizes must be positive.
type Config struct {
	Sink        string
	Owner       Owner
	Who         string // host and process, for people
	MarkFamily  []byte
	MarksTTL    time.Duration // 0: marks live as long as their row
	AtLeastOnce bool          // no marks, no conditions

	Lease           time.Duration // a checkpoint unchanged for this long may be taken
	CheckpointEvery time.Duration
	CeilingStep     int64 // offsets

	BatchRows     int           // rows that make a write due
	BatchBytes    int           // bytes that make a write due
	Linger        time.Duration // how long rows may wait for company while others are in flight
	FlightBytes   int           // bytes of rows in flight per table; fewer while its servers are busy
	FetchBytes    int           // wanted size of one answer of the brokers
	WindowBytes   int           // bytes of records read and not resolved, all sources together
	TotalRate     int64         // records a second that are let in, all sources together; 0: without a bound
	PartitionRate int64         // the same, of each source
	RowMemory     int           // rows whose floors are remembered, all sources together

	OutOfRange RangePolicy
	LogChanged LogPolicy
	Once       bool // stop at the end seen at start
	// Until is, with Once, where partitions stop instead of at their end. The log must reach that far.
	Until map[kafka.TopicPartition]int64
	Force bool // pass the stops that say so

	Mapping     []byte // canonical text of the current mapping
	MappingHash string
	// Continues says whether the current mapping makes of every record what a stored one made, and at most passes
	// records at which that one stopped; nil: only the same mapping does.
	Continues func(stored []byte) bool
	Tables    map[string]TableInfo
	// OtherTables is for those that Tables does not name: their names came with the topics, or from a stored mapping.
	OtherTables TableInfo
}

// Back-off of retries: first, doubled each time up to last.
const (
	backoffFirst = 50 * time.Millisecond
	backoffLast  = 5 * time.Second
	// idleCheck is how long a table may be left alone before its witness is looked at again. Disabling, restoring
	// and enabling a table, or truncating it, takes longer (measured on one JVM and one region: 0.9 s at the least).
	idleCheck = 300 * time.Millisecond
	// failFirst and failLast bound the waits between two attempts of a partition that failed.
	failFirst = time.Second
	failLast  = time.Minute
)

func backoff(attempt int, first, last time.Duration) time.Duration {
	d := first
	for i := 1; i < attempt && d < last; i++ {
		d *= 2
	}
	return min(d, last)
}
