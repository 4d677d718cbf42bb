package status

import "time"

// Snapshot is the whole process at one moment. It is made about once a second, and never changed afterwards.
type Snapshot struct {
	Sink     string    `json:"sink"`
	Version  string    `json:"version"`
	Delivery string    `json:"delivery"` // exactly-once or at-least-once
	Phase    Phase     `json:"phase"`
	Started  time.Time `json:"started"`
	At       time.Time `json:"at"`

	Kafka Side `json:"kafka"`
	HBase Side `json:"hbase"`

	Sources []Source `json:"sources"` // by topic and partition
	Tables  []Table  `json:"tables"`  // by name
	// Retries is how often something was tried again since the start of the process, by its cause (core.Retry).
	Retries map[string]int64 `json:"retries"`
	Traffic Traffic          `json:"traffic"`
	// Recent are the last things that went other than well, the newest first; at most RecentMax.
	Recent []Event `json:"recent"`
	// Reprocess is set while a time window is reprocessed.
	Reprocess *Reprocess `json:"reprocess,omitempty"`
}

// Phase is what the process is about.
type Phase string

// Phases, in their order.
const (
	Connecting Phase = "connecting" // to both sides, until hbase.start_timeout
	Running    Phase = "running"
	Stopping   Phase = "stopping" // what was read is written, then the checkpoints are released
)

// Side is how Kafka, or HBase, answers.
type Side struct {
	// Error says why it does not: of Kafka when topics were last looked for, of HBase when a checkpoint was last read or written.
	Error string    `json:"error,omitempty"`
	Since time.Time `json:"since,omitzero"` // of the first error after it last answered
}

// RecentMax is how many events are kept.
const RecentMax = 50

// Source is one partition.
type Source struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	// State is that of the core, and of a partition that stopped for good why: reading, waiting, taking, settling,
	// checking log, checking witness, running, releasing, retrying, fenced, failed, finished or released.
	State  string `json:"state"`
	Paused bool   `json:"paused"`

	Checkpoint int64 `json:"checkpoint"` // every record below is resolved; -1: not known yet
	Next       int64 `json:"next"`       // read up to here
	End        int64 `json:"end"`        // of what can be read; -1: not known yet
	Epoch      int64 `json:"epoch"`

	LagRecords int64   `json:"lag_records"` // -1: not known yet
	LagSeconds float64 `json:"lag_seconds"` // age of the oldest record that is not resolved; 0 at the end, -1: not known
	// AdvancedAt is when the checkpoint last moved, or was seen to be at the end, also by an owner before; zero: not known.
	AdvancedAt  time.Time `json:"advanced_at,omitzero"`
	Records     int64     `json:"records"`      // resolved since the start of the process
	RecordsRate float64   `json:"records_rate"` // a second, over about ten seconds
	WindowBytes int       `json:"window_bytes"` // read and not resolved
	// Of the records since the start of the process: bytes of keys and values read, and how many were passed by on_error:
	// skip, became dead letters, and were found to be applied already.
	ReadBytes   int64 `json:"read_bytes"`
	Skipped     int64 `json:"skipped"`
	DeadLetters int64 `json:"dead_letters"`
	Replayed    int64 `json:"already_applied"`
	// WaitedSeconds is how long reading waited for room in the window, since the start of the process.
	WaitedSeconds float64 `json:"waited_seconds"`
	Error         string  `json:"error,omitempty"`
}

// Traffic is what was asked of the servers since the start of the process.
type Traffic struct {
	HBaseCalls    map[string]int64 `json:"hbase_calls"`    // to region servers and the master, by the protocol's methods
	RegionLookups int64            `json:"region_lookups"` // of regions whose place was not known
	RegionsMoved  int64            `json:"regions_moved"`  // answers that a region is not served there
	KafkaRanges   int64            `json:"kafka_ranges"`   // ranges of partitions read
}

// Table is one table that rows go to.
type Table struct {
	Name string `json:"name"`
	Mode string `json:"mode"` // region (a transaction for each region), row, or plain
	// RowModeReason says why a table that was to be committed by regions goes row by row.
	RowModeReason string `json:"row_mode_reason,omitempty"`
	Rows          int64  `json:"rows"`            // written since the start of the process
	Refused       int64  `json:"refused"`         // row writes that their condition refused
	Looks         int64  `json:"looks"`           // rows of which the mark was read
	InFlightBytes int    `json:"in_flight_bytes"` // of rows sent and not yet answered
	// AllowedBytes may be in flight: fewer than memory.in_flight while the servers are busy.
	AllowedBytes int  `json:"allowed_bytes"`
	Throttled    bool `json:"throttled"` // a server named a wait, which is not over
	// WaitedSeconds is how long rows waited while none was in flight, since the start of the process.
	WaitedSeconds float64 `json:"waited_seconds"`
}

// Event is something that went other than well.
type Event struct {
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"` // retry, refused, skipped, dead-letter, row-mode, fenced, failed …
	Topic     string    `json:"topic,omitempty"`
	Partition int32     `json:"partition"`
	Offset    int64     `json:"offset"` // -1: of none
	Table     string    `json:"table,omitempty"`
	Text      string    `json:"text"`
	Count     int64     `json:"count"` // how many of one kind stand together
}

// Reprocess is how far the reprocessing of a time window is.
type Reprocess struct {
	ID          string    `json:"id"`
	From        time.Time `json:"from"`
	To          time.Time `json:"to"`
	Done        int64     `json:"done"`         // offsets passed
	Total       int64     `json:"total"`        // offsets to pass
	Rate        float64   `json:"rate"`         // offsets a second
	SecondsLeft float64   `json:"seconds_left"` // -1: not known
}
