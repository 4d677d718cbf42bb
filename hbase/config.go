package hbase

import (
	"context"
	"errors"
	"net"
	"os"
	"os/user"
	"time"
)

// Config says where HBase is and how hard it may be leaned on. Zero fields take the default named there.
type Config struct {
	// ZooKeeper is the quorum, host:port each. Required.
	ZooKeeper []string
	// BaseZNode is zookeeper.znode.parent of the cluster. Default /hbase.
	BaseZNode string
	// User is the name sent with SIMPLE authentication, which the server believes. Default: the user of the process.
	User string

	// RPCTimeout bounds one call, from the moment it is handed to the connection. The server is told of it, and
	// starts no new mutation of the call after it. Default 30 s.
	RPCTimeout time.Duration
	// DialTimeout bounds the making of one connection. Default 5 s.
	DialTimeout time.Duration
	// LocateTimeout bounds the search for regions in one Write; each still gets one look. Reads search until their
	// context ends. Default 3 s.
	LocateTimeout time.Duration
	// SessionTimeout is that of the ZooKeeper session. Default 30 s.
	SessionTimeout time.Duration

	// MaxCallBytes is about where a call is cut; a row larger than that travels alone. Default 2 MiB.
	MaxCallBytes int
	// MaxCallRows cuts the calls of ModeRow: the server syncs its WAL once per row, one after another. So it does for
	// the rows of ModeBatch that go alone. Default 100.
	MaxCallRows int
	// MaxRegionCallRows cuts the calls of ModeRegion, each of which is one WAL entry, and of ModeBatch the rows that share
	// a RegionAction, one WAL entry for each region. Default 2000.
	MaxRegionCallRows int
	// MaxInFlightBytes bounds the bytes of unanswered calls per server; more calls wait. Default 32 MiB.
	MaxInFlightBytes int
	// MaxCallsPerServer bounds the unanswered writes and multi-gets per server; more wait. Default 8.
	MaxCallsPerServer int
	// MaxCellBytes is the largest cell sent, as the server's hbase.server.keyvalue.maxsize counts it. The server
	// does not check it in ModeRegion. Default 10485760.
	MaxCellBytes int

	// Dial opens connections to HBase servers, host:port: through a proxy, for example. Default: TCP.
	Dial func(ctx context.Context, addr string) (net.Conn, error)
	// DialZooKeeper opens those to ZooKeeper, and gets the names in ZooKeeper as they are written there. Default: TCP,
	// to all addresses that the names have.
	DialZooKeeper func(ctx context.Context, addr string) (net.Conn, error)
}

func (c *Config) withDefaults() (Config, error) {
	d := *c
	if len(d.ZooKeeper) == 0 {
		return d, errors.New("checking the hbase client's config: no zookeeper address is given")
	}
	setDefault(&d.BaseZNode, "/hbase")
	setDefault(&d.User, processUser())
	setDefault(&d.RPCTimeout, 30*time.Second)
	setDefault(&d.DialTimeout, 5*time.Second)
	setDefault(&d.LocateTimeout, 3*time.Second)
	setDefault(&d.SessionTimeout, 30*time.Second)
	setDefault(&d.MaxCallBytes, 2<<20)
	setDefault(&d.MaxCallRows, 100)
	setDefault(&d.MaxRegionCallRows, 2000)
	setDefault(&d.MaxInFlightBytes, 32<<20)
	setDefault(&d.MaxCallsPerServer, 8)
	setDefault(&d.MaxCellBytes, 10485760)
	if d.RPCTimeout < 0 || d.DialTimeout < 0 || d.LocateTimeout < 0 || d.SessionTimeout < 0 ||
		min(d.MaxCallBytes, d.MaxCallRows, d.MaxRegionCallRows, d.MaxInFlightBytes, d.MaxCallsPerServer, d.MaxCellBytes) < 0 {
		return d, errors.New("checking the hbase client's config: a timeout or limit is negative")
	}
	if d.Dial == nil {
		d.Dial = func(ctx context.Context, addr string) (net.Conn, error) {
			var nd net.Dialer // TCP_NODELAY and keep-alive are Go's defaults
			return nd.DialContext(ctx, "tcp", addr)
		}
	}
	return d, nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func processUser() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	return "rowmark"
}
