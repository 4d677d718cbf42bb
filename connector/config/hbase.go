package config

import "time"

// HBase is where rows go.
type HBase struct {
	// ZooKeeper are host:port of the quorum; the port is 2181 unless given.
	ZooKeeper []string `yaml:"zookeeper" need:"true"`
	// ZNode is the parent node, as in zookeeper.znode.parent.
	ZNode string `yaml:"znode" default:"/hbase"`
	// User is the name told to HBase (simple authentication); unset, that of the process.
	User string `yaml:"user"`
	// CheckpointTable holds one row for each partition. All processes of a sink name the same one.
	CheckpointTable string `yaml:"checkpoint_table" default:"rowmark"`
	// MarkFamily is the family of the marks in every data table. Never change it on tables in use: records would
	// be applied again.
	MarkFamily string `yaml:"mark_family" default:"_k"`
	// Commit is region (a transaction for each region; the table needs the coprocessor
	// MultiRowMutationEndpoint), row (any table), or auto, which takes region where it is to be had.
	Commit string `yaml:"commit" default:"auto" one:"auto,region,row"`
	// MaxCallBytes bounds one call to a region server. Keep it well below hbase.ipc.max.request.size there (256 MiB).
	MaxCallBytes Size `yaml:"max_call_bytes" default:"4MiB"`
	// MaxCellBytes is the largest cell; larger ones take the record's error path. Keep it at or below
	// hbase.server.keyvalue.maxsize, which region transactions are not checked against.
	MaxCellBytes Size `yaml:"max_cell_bytes" default:"10MiB"`
	// ServerCalls bounds the unanswered writes to one region server; each takes one of its handlers
	// (hbase.regionserver.handler.count, 30). More helps row by row commits where a sync of the WAL takes long.
	ServerCalls int `yaml:"server_calls" default:"8"`
	// AllowWeakWAL accepts tables whose DURABILITY is SKIP_WAL or ASYNC_WAL. rowmark's own writes ask for SYNC_WAL
	// all the same; what others write there can be lost.
	AllowWeakWAL bool `yaml:"allow_weak_wal" default:"false"`
	// Proxy is a SOCKS5 proxy, socks5://host:port, that all connections to ZooKeeper, the master and the region servers go through. It resolves the
	// host names.
	Proxy string `yaml:"proxy"`
	// ProxyUsername is the name for a proxy that asks for a login.
	ProxyUsername string `yaml:"proxy_username"`
	// ProxyPasswordFile holds the password for it; one line end at its end is dropped.
	ProxyPasswordFile string `yaml:"proxy_password_file" names:"secret"`
	// ProxyPasswordEnv names the environment variable that holds it.
	ProxyPasswordEnv string `yaml:"proxy_password_env" names:"env"`
	// CallTimeout is the deadline of one call. A write cut off by it is looked up, not repeated blindly.
	CallTimeout time.Duration `yaml:"call_timeout" default:"30s"`
	// StartTimeout is how long a start waits for an HBase that can't be reached.
	StartTimeout time.Duration `yaml:"start_timeout" default:"1m"`
}
