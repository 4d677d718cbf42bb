package config

import (
	"time"

	"rowmark/connector/mapping"
	"rowmark/connector/registry"
)

// Config is the whole configuration. The tags say the default (default), that there must be a value (need), the words
// allowed (one), and that the value names a file, a file with a secret, or an environment variable (names). The
// comments become docs/config.md and docs/config.schema.json by go run ./test/reference.
type Config struct {
	// Sink is the connector's name, part of every mark. Letters, digits and . _ -, at most 64. Never change it: under
	// another name the same records are applied again.
	Sink  string `yaml:"sink" need:"true"`
	Kafka Kafka  `yaml:"kafka"`
	HBase HBase  `yaml:"hbase"`
	// Delivery is exactly-once, or at-least-once, which writes plain puts without marks, whatever hbase.commit says: a
	// crash may repeat records, so increments and appends are refused there.
	Delivery   string     `yaml:"delivery" default:"exactly-once" one:"exactly-once,at-least-once"`
	Marks      Marks      `yaml:"marks"`
	Batch      Batch      `yaml:"batch"`
	Memory     Memory     `yaml:"memory"`
	Flow       Flow       `yaml:"flow"`
	Checkpoint Checkpoint `yaml:"checkpoint"`
	// DeadLetters is where records go that can't become rows, of mappings with on_error: dead-letter.
	DeadLetters DeadLetters `yaml:"dead_letters"`
	// ShutdownTimeout is how long a stop waits for writes in flight before it gives up on them. What is given up
	// costs a replay, no loss.
	ShutdownTimeout time.Duration  `yaml:"shutdown_timeout" default:"30s"`
	SchemaRegistry  SchemaRegistry `yaml:"schema_registry"`
	Admin           Admin          `yaml:"admin"`
	// Tables are the mappings, see mapping.Spec. One record may match several.
	Tables []mapping.Spec `yaml:"tables" need:"true"`

	// Mappings are Tables, compiled.
	Mappings *mapping.Set `yaml:"-"`
	// Schemas are those of the schema registry, which Mappings ask for; nil without one. It is to be opened.
	Schemas *registry.Client `yaml:"-"`

	places places `yaml:"-"`
}

// AtLeastOnce says that delivery is at-least-once.
func (c *Config) AtLeastOnce() bool { return c.Delivery == "at-least-once" }

// Marks is how long marks live.
type Marks struct {
	// TTL lets marks expire this long after they were written; 0 keeps them as long as their row. For tables whose
	// data expires too. A replay from before it, after a long stop, would double what its marks no longer show.
	TTL time.Duration `yaml:"ttl" default:"0s"`
}

// Batch is what makes a write due. Larger is faster and holds more memory; a region transaction is one WAL entry.
type Batch struct {
	// Rows is the number of rows of a table that makes a write due.
	Rows int `yaml:"rows" default:"2000"`
	// Bytes is the size of the records behind them that makes a write due.
	Bytes Size `yaml:"bytes" default:"2MiB"`
	// Linger is how long rows may wait for company while other writes are in flight.
	Linger time.Duration `yaml:"linger" default:"20ms"`
}

// Memory bounds what the process holds.
type Memory struct {
	// Window is the bytes of records read from Kafka and not yet written, all partitions together.
	Window Size `yaml:"window" default:"32MiB"`
	// InFlight is the bytes of rows sent and not yet answered, for each table, at the most: while servers are busy or throttle
	// rowmark, fewer are sent.
	InFlight Size `yaml:"in_flight" default:"16MiB"`
	// Rows is how many rows' newest timestamps are remembered, all partitions together, at about 300 bytes each.
	// Too few costs a read for late records.
	Rows int `yaml:"rows" default:"50000"`
}

// DeadLetters is where records go that can't become rows.
type DeadLetters struct {
	// Table holds one row for each of them, with the raw record and the reason; rowmark init makes it. Several sinks
	// may share it. After a change the letters of before stay where they are.
	Table string `yaml:"table" default:"rowmark_dead_letters"`
	// Topic is a topic of the same Kafka cluster that gets them too, each at least once, before the table does; unset,
	// none. It must exist, must not be compacted, and no mapping may take it.
	Topic string `yaml:"topic"`
}

// Checkpoint is how a partition's position is kept.
type Checkpoint struct {
	// Interval is the time between two writes of the position.
	Interval time.Duration `yaml:"interval" default:"1s"`
	// Lease is how long a checkpoint must stand still before another process takes the partition. Shorter takes
	// over sooner, and takes a paused owner's partition sooner too. At least three intervals.
	Lease time.Duration `yaml:"lease" default:"10s"`
	// Ceiling is how many offsets ahead of the position may be sent. Raised with the checkpoint, so too small a
	// step slows a fast partition down.
	Ceiling int64 `yaml:"ceiling" default:"100000"`
}
