package hbasetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"rowmark/hbase"
)

// Options say how a Cluster is made. The zero value is one region server without faults.
type Options struct {
	// Servers is the number of region servers. 0 is 1.
	Servers int
	// Now is the clock of a region server, by its number. Nil is the machine's.
	Now func(server int) time.Time
	// Faults chooses what befalls a request; see Plan. Nil is no faults. It may be called by several goroutines.
	Faults func(FrameInfo) Fault
	// Recovery is how long the regions of a killed server are served by none. 0 is not at all.
	Recovery time.Duration
	// Host is the loopback address of all its ports. Empty is 127.0.0.1; see OwnHost.
	Host string
	// Version is what the master says it is. Empty is 2.6.4.
	Version string
}

// Cluster is a running HBase: a ZooKeeper, a master and region servers, each on a port of its own on the loopback.
type Cluster struct {
	opts   Options
	born   int64 // milliseconds
	id     string
	zk     *zooKeeper
	master *server
	stop   chan struct{}
	wg     sync.WaitGroup
	bites  bites
	frames frameCounter

	mu         sync.Mutex
	servers    []*server
	metaServer *server
	tables     map[string]*table
	namespaces map[string]bool
	byName     map[string]*region // all regions, served or not
	lastID     uint64             // of a region
	seq        uint64             // of the last batch
	next       int                // for handing out regions
	procs      procedures
}

// Start makes a cluster. Close it.
func Start(opts Options) (*Cluster, error) {
	opts.Servers = max(opts.Servers, 1)
	if opts.Version == "" {
		opts.Version = "2.6.4"
	}
	if opts.Host == "" {
		opts.Host = "127.0.0.1"
	}
	now := time.Now().UnixMilli()
	c := &Cluster{
		opts: opts, born: now, lastID: uint64(now), stop: make(chan struct{}),
		id:     fmt.Sprintf("%08x-0000-4000-8000-%012x", rand.Uint32(), rand.Uint64()>>16),
		tables: map[string]*table{}, namespaces: map[string]bool{"default": true, "hbase": true}, byName: map[string]*region{},
		procs: newProcedures(),
	}
	err := c.open()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting an HBase in the process: %w", err), c.Close())
	}
	return c, nil
}

func (c *Cluster) open() error {
	var err error
	if c.zk, err = startZooKeeper(c); err != nil {
		return err
	}
	if c.master, err = c.startServer(-1); err != nil {
		return err
	}
	for i := range c.opts.Servers {
		s, err := c.startServer(i)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.servers = append(c.servers, s)
		c.mu.Unlock()
	}
	c.mu.Lock()
	c.metaServer = c.servers[0]
	c.mu.Unlock()
	return nil
}

// Close ends all servers and waits for their goroutines.
func (c *Cluster) Close() error {
	close(c.stop)
	var errs []error
	if c.zk != nil {
		errs = append(errs, c.zk.close())
	}
	c.mu.Lock()
	all := c.servers
	c.mu.Unlock()
	if c.master != nil {
		all = append([]*server{c.master}, all...)
	}
	for _, s := range all {
		c.mu.Lock()
		s.up = false
		c.mu.Unlock()
		errs = append(errs, s.shut())
	}
	c.wg.Wait()
	return errors.Join(errs...)
}

// Config is a client's config for this cluster, with short timeouts that suit tests.
func (c *Cluster) Config() hbase.Config {
	return hbase.Config{ZooKeeper: []string{c.zk.addr}, User: "hbasetest", RPCTimeout: 10 * time.Second}
}

// ZooKeeper is the address of the cluster's ZooKeeper.
func (c *Cluster) ZooKeeper() string { return c.zk.addr }

// Addr is host:port of a region server.
func (c *Cluster) Addr(server int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.servers[server].addr
}

// Up says whether a region server runs.
func (c *Cluster) Up(server int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.servers[server].up
}

// now is a server's clock in milliseconds.
func (c *Cluster) now(s *server) int64 {
	if c.opts.Now == nil || s.number < 0 {
		return time.Now().UnixMilli()
	}
	return c.opts.Now(s.number).UnixMilli()
}

// live gives the next live server in turn, nil if there is none. Called under mu.
func (c *Cluster) live() *server {
	for range c.servers {
		s := c.servers[c.next%len(c.servers)]
		c.next++
		if s.up {
			return s
		}
	}
	return nil
}

// regionID gives an id that no region had. Called under mu.
func (c *Cluster) regionID() uint64 {
	c.lastID = max(c.lastID+1, uint64(time.Now().UnixMilli()))
	return c.lastID
}

// wait sleeps, unless the cluster ends first.
func (c *Cluster) wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.stop:
		return false
	}
}

// Servers is the number of region servers, dead ones counted.
func (c *Cluster) Servers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.servers)
}
