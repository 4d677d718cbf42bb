package config

import "time"

// Kafka is where records come from.
type Kafka struct {
	// Brokers are host:port, to find the others by.
	Brokers []string `yaml:"brokers" need:"true"`
	// Isolation is read_committed, or read_uncommitted, which also reads records of aborted transactions.
	Isolation string `yaml:"isolation" default:"read_committed" one:"read_committed,read_uncommitted"`
	// Start is where a partition without a checkpoint begins: earliest, latest, a time such as
	// 2026-11-01T00:00:00Z, or offset:N. It never moves a partition that has a checkpoint.
	Start Start `yaml:"start" default:"earliest"`
	// OutOfRange is what to do when the wanted offset is no longer in the log: fail, go on at the earliest, or at
	// the nearest end of the log. All but fail lose records, and say how many.
	OutOfRange string `yaml:"out_of_range" default:"fail" one:"fail,earliest,nearest"`
	// LogChanged is what to do when a topic was created again or its log truncated: fail, or new-incarnation, which
	// reads the new log under marks of its own.
	LogChanged string `yaml:"log_changed" default:"fail" one:"fail,new-incarnation"`
	// Assignment is static, this process reads all partitions (or those of Partitions), or group, a Kafka consumer
	// group shares them out among processes with one group_id.
	Assignment string `yaml:"assignment" default:"static" one:"static,group"`
	// GroupID is the consumer group; needed for assignment: group, and for MirrorPositions.
	GroupID string `yaml:"group_id"`
	// MirrorPositions commits the checkpoints to the group every few seconds, so that tools that look at groups show
	// the lag. They are never read back. With assignment: static, nothing else may use the group.
	MirrorPositions bool `yaml:"mirror_positions" default:"false"`
	// SessionTimeout is how long the group waits for a member that is silent before it gives its partitions to
	// others, who also wait for Checkpoint.Lease: a longer one gains nothing there. The brokers bound it
	// (group.min.session.timeout.ms, 6 s).
	SessionTimeout time.Duration `yaml:"session_timeout" default:"15s"`
	// Partitions restricts static assignment: topic to a list of partitions. Topics not named are read whole.
	Partitions map[string][]int32 `yaml:"partitions"`
	// ClientID is the name that brokers log and set quotas by.
	ClientID string `yaml:"client_id" default:"rowmark"`
	// Rack, if set, lets brokers have records read from a replica in the same rack.
	Rack  string `yaml:"rack"`
	Fetch Fetch  `yaml:"fetch"`
	TLS   TLS    `yaml:"tls"`
	SASL  SASL   `yaml:"sasl"`
	// Proxy is a SOCKS5 proxy, socks5://host:port, that all connections to the brokers go through. It resolves the
	// host names.
	Proxy string `yaml:"proxy"`
	// ProxyUsername is the name for a proxy that asks for a login.
	ProxyUsername string `yaml:"proxy_username"`
	// ProxyPasswordFile holds the password for it; one line end at its end is dropped.
	ProxyPasswordFile string `yaml:"proxy_password_file" names:"secret"`
	// ProxyPasswordEnv names the environment variable that holds it.
	ProxyPasswordEnv string `yaml:"proxy_password_env" names:"env"`
}

// Fetch is the size of requests to the brokers.
type Fetch struct {
	// MaxBytes is the wanted size of one partition's answer; one batch of records may exceed it.
	MaxBytes Size `yaml:"max_bytes" default:"4MiB"`
	// MinBytes is what a broker waits for, at most MaxWait.
	MinBytes Size `yaml:"min_bytes" default:"1B"`
	// MaxWait is how long a broker may wait for MinBytes.
	MaxWait time.Duration `yaml:"max_wait" default:"500ms"`
}

// TLS is encryption towards the brokers.
type TLS struct {
	// Enabled is needed for the other settings here to count.
	Enabled bool `yaml:"enabled" default:"false"`
	// CA is a PEM file of the authorities trusted; unset, those of the system.
	CA string `yaml:"ca" names:"file"`
	// Cert and Key are PEM files, for brokers that ask for a client certificate.
	Cert string `yaml:"cert" names:"file"`
	Key  string `yaml:"key" names:"file"`
	// ServerName is the name expected in the brokers' certificates; unset, the host that is dialled.
	ServerName string `yaml:"server_name"`
}

// SASL is the login at the brokers. The password is read from a file or from the environment, never from here.
type SASL struct {
	// Mechanism is PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512; unset, no login. PLAIN without TLS sends the password open.
	Mechanism string `yaml:"mechanism" one:"PLAIN,SCRAM-SHA-256,SCRAM-SHA-512"`
	// Username is the name to log in by.
	Username string `yaml:"username"`
	// UsernameFile holds the name, in place of Username.
	UsernameFile string `yaml:"username_file" names:"secret"`
	// PasswordFile holds the password; one line end at its end is dropped.
	PasswordFile string `yaml:"password_file" names:"secret"`
	// PasswordEnv names the environment variable that holds the password.
	PasswordEnv string `yaml:"password_env" names:"env"`
}
