package connector

import (
	"fmt"

	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/connector/registry"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/rs/zerolog"
)

// OptionsOf translates a checked configuration.
func OptionsOf(c *config.Config, log zerolog.Logger) (Options, error) {
	k, err := KafkaConfig(c, log)
	if err != nil {
		return Options{}, err
	}
	h, err := HBaseConfig(c)
	if err != nil {
		return Options{}, err
	}
	o := Options{
		Core: core.Config{
			Sink:            c.Sink,
			MarksTTL:        c.Marks.TTL,
			AtLeastOnce:     c.AtLeastOnce(),
			Lease:           c.Checkpoint.Lease,
			CheckpointEvery: c.Checkpoint.Interval,
			CeilingStep:     c.Checkpoint.Ceiling,
			BatchRows:       c.Batch.Rows,
			BatchBytes:      int(c.Batch.Bytes),
			Linger:          c.Batch.Linger,
			FlightBytes:     int(c.Memory.InFlight),
			FetchBytes:      int(c.Kafka.Fetch.MaxBytes),
			WindowBytes:     int(c.Memory.Window),
			RowMemory:       c.Memory.Rows,
			TotalRate:       c.Flow.MaxRecordsPerSecond,
			PartitionRate:   c.Flow.MaxPartitionRecordsPerSecond,
			OutOfRange:      rangePolicies[c.Kafka.OutOfRange],
			LogChanged:      logPolicies[c.Kafka.LogChanged],
		},
		Mappings:        c.Mappings,
		Partitions:      c.Kafka.Partitions,
		Start:           startOf(c.Kafka.Start),
		Commit:          Commit(c.HBase.Commit),
		CheckpointTable: c.HBase.CheckpointTable,
		LetterTopic:     c.DeadLetters.Topic,
		MarkFamily:      c.HBase.MarkFamily,
		Kafka:           k,
		HBase:           h,
		StartTimeout:    c.HBase.StartTimeout,
		CallTimeout:     c.HBase.CallTimeout,
		ShutdownTimeout: c.ShutdownTimeout,
		WatchEvery:      watchEvery,
		AllowWeakWAL:    c.HBase.AllowWeakWAL,
		Log:             log,
	}
	if c.Kafka.Assignment == "group" {
		o.Group, o.GroupSession = c.Kafka.GroupID, c.Kafka.SessionTimeout
	}
	if c.Kafka.MirrorPositions {
		o.MirrorGroup = c.Kafka.GroupID
	}
	if c.Schemas != nil {
		o.Schemas = c.Schemas
		return o, OpenRegistry(c)
	}
	return o, nil
}

// OpenRegistry tells the client of a configuration's schema registry how to reach it; without one it does nothing. It
// reads the files of TLS and of the logins.
func OpenRegistry(c *config.Config) error {
	if c.Schemas == nil {
		return nil
	}
	r := &c.SchemaRegistry
	password, token, err := r.Credentials()
	if err != nil {
		return err
	}
	conf := registry.Config{URLs: r.URLs, Username: r.Username, Password: password.Reveal(), Token: token.Reveal(), Timeout: r.Timeout}
	if conf.TLS, err = r.TLS.Files().Load(); err != nil {
		return fmt.Errorf("preparing schema_registry.tls: %w", err)
	}
	proxy, err := r.Through().Dialer()
	if err != nil {
		return err
	}
	if proxy != nil {
		conf.Dial = proxy.Dial
	}
	c.Schemas.Open(conf)
	return nil
}

var (
	rangePolicies = map[string]core.RangePolicy{"fail": core.RangeFail, "earliest": core.RangeEarliest, "nearest": core.RangeNearest}
	logPolicies   = map[string]core.LogPolicy{"fail": core.LogFail, "new-incarnation": core.LogIncarnation}
)

func startOf(s config.Start) Start {
	switch s.Kind {
	case config.StartLatest:
		return Start{Kind: StartLatest}
	case config.StartTime:
		return Start{Kind: StartTime, Time: s.Time.UnixMilli()}
	case config.StartOffset:
		return Start{Kind: StartOffset, Offset: s.Offset}
	default:
		return Start{Kind: StartEarliest}
	}
}

// HBaseConfig is how to reach HBase. It reads the file of the login at its proxy.
func HBaseConfig(c *config.Config) (hbase.Config, error) {
	h := hbase.Config{
		ZooKeeper: c.HBase.ZooKeeper, BaseZNode: c.HBase.ZNode, User: c.HBase.User, RPCTimeout: c.HBase.CallTimeout,
		MaxCallBytes: int(c.HBase.MaxCallBytes), MaxCellBytes: int(c.HBase.MaxCellBytes),
		MaxCallsPerServer: c.HBase.ServerCalls,
	}
	proxy, err := c.HBase.Through().Dialer()
	if err != nil {
		return h, err
	}
	if proxy != nil {
		h.Dial, h.DialZooKeeper = proxy.Dial, proxy.Dial
	}
	return h, nil
}

// KafkaConfig is how to reach the brokers. It reads the files of TLS, of SASL and of the login at
// its proxy.
func KafkaConfig(c *config.Config, log zerolog.Logger) (kafka.Config, error) {
	k := kafka.Config{
		Brokers: c.Kafka.Brokers, ClientID: c.Kafka.ClientID, RackID: c.Kafka.Rack,
		ReadCommitted: c.Kafka.Isolation == "read_committed",
		FetchMaxWait:  c.Kafka.Fetch.MaxWait, FetchMinBytes: int(c.Kafka.Fetch.MinBytes), Log: &log,
	}
	proxy, err := c.Kafka.Through().Dialer()
	if err != nil {
		return k, err
	}
	if proxy != nil {
		k.Dial = proxy.Dial
	}
	if t := c.Kafka.TLS; t.Enabled {
		conf, err := t.Files().Load()
		if err != nil {
			return k, fmt.Errorf("preparing kafka.tls: %w", err)
		}
		k.TLS = conf
	}
	if s := c.Kafka.SASL; s.Mechanism != "" {
		user, password, err := s.Credentials()
		if err != nil {
			return k, fmt.Errorf("reading the kafka credentials: %w", err)
		}
		k.SASL = &kafka.SASL{Mechanism: s.Mechanism, Username: user, Password: password.Reveal()}
	}
	return k, nil
}
