package hbase

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"google.golang.org/protobuf/proto"
)

// Services of a server, as they are named in the connection header.
const (
	clientService = "ClientService"
	masterService = "MasterService"
	adminService  = "AdminService" // on region servers
)

// Client talks to one HBase cluster. Its methods may be used by several goroutines at once.
type Client struct {
	cfg       Config
	reg       *registry
	pool      *pool
	cache     *regionCache
	lookups   *lookupLocks
	clusterID string
	end       context.CancelFunc

	lookedUp, movedAway atomic.Int64 // see Traffic
}

// Open connects to the cluster's ZooKeeper and reads the cluster's id there. It tries until ctx ends; no HBase
// server need be up yet.
func Open(ctx context.Context, cfg Config) (*Client, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	reg, err := openRegistry(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	c := &Client{cfg: cfg, reg: reg, cache: newRegionCache(), lookups: newLookupLocks(), end: end}
	c.pool = newPool(life, &c.cfg)
	err = c.retry(ctx, "reading the cluster's id", func(ctx context.Context) error {
		c.clusterID, err = reg.clusterID(ctx)
		return err
	})
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// openRegistry tries until the names of the quorum resolve, which is all that can fail here.
func openRegistry(ctx context.Context, cfg *Config) (*registry, error) {
	var b backoff
	for {
		reg, err := newRegistry(cfg)
		if err == nil {
			return reg, nil
		}
		if b.wait(ctx, nil) != nil {
			return nil, notSent(err)
		}
	}
}

// Close ends all connections and the ZooKeeper session. Calls in flight end with an error.
func (c *Client) Close() {
	c.end()
	c.pool.close()
	c.reg.close()
}

// Calls is how many requests this client has sent to region servers and masters so far, those without an answer and
// those sent again included. ZooKeeper is asked beside it.
func (c *Client) Calls() int64 { return c.pool.sent.sum() }

// MaxCellBytes is the largest cell that is sent, see Config.
func (c *Client) MaxCellBytes() int { return c.cfg.MaxCellBytes }

// ClusterID is the id that the cluster gave itself when it was made.
func (c *Client) ClusterID() string { return c.clusterID }

// Servers lists the live region servers as ZooKeeper knows them, "host,port,startcode" each.
func (c *Client) Servers(ctx context.Context) ([]string, error) { return c.reg.servers(ctx) }

// retry runs a read, or a call that was surely not begun, until it succeeds, fails for good, or ctx ends.
func (c *Client) retry(ctx context.Context, what string, try func(context.Context) error) error {
	var b backoff
	var last error
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		if !passing(err) {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ctx.Err() != nil && last != nil {
			err = last // tells more than that a try was cut short
		}
		last = err
		if werr := b.wait(ctx, err); werr != nil {
			return gaveUp(what, err, werr)
		}
	}
}

// passing says whether a read may succeed when it is tried again.
func passing(err error) bool {
	if errors.Is(err, errClosed) {
		return false
	}
	switch FaultOf(err) {
	case FaultAmbiguous, FaultConnect, FaultRelocate, FaultBusy:
		return true
	}
	return false
}

// callRegion sends one request to a region's server, once, and keeps the region cache right.
func (c *Client) callRegion(ctx context.Context, r *Region, size int, req *request) (*response, error) {
	resp, err := c.pool.call(ctx, r.Addr, clientService, size, req)
	if err != nil {
		c.learn(ctx, r, err)
	}
	return resp, err
}

// learn draws from a failure what it says about a region's place.
func (c *Client) learn(ctx context.Context, r *Region, err error) {
	e := asError(err)
	// A caller that gave up says nothing of the server; one whose time ran out may have met a server that hangs.
	if e == nil || errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	switch {
	case e.Fault == FaultRelocate && e.Class == javaPrefix+"exceptions.RegionOpeningException":
		// The place is right, only not ready.
	case e.Fault == FaultRelocate:
		c.movedAway.Add(1)
		if !c.cache.moved(r, e.moved) {
			c.cache.drop(r)
		}
	case e.Fault == FaultConnect:
		c.cache.dropServer(r.Addr)
	case e.Fault == FaultAmbiguous && e.Class == "":
		c.cache.drop(r)
	}
}

// callServer sends one request to a service of the server at addr, once.
func (c *Client) callServer(ctx context.Context, addr, service, method string, req, resp proto.Message) error {
	r, err := c.pool.call(ctx, addr, service, 0, &request{method: method, param: req})
	if err != nil {
		return err
	}
	return decodeBody(r, method, resp)
}

// callMaster sends one request to the active master. It waits, until ctx ends, for a master that is up; a call
// that may have been begun is not sent again.
func (c *Client) callMaster(ctx context.Context, method string, req, resp proto.Message) error {
	var b backoff
	for {
		err := c.callMasterOnce(ctx, method, req, resp)
		if err == nil {
			return nil
		}
		f := FaultOf(err)
		if f != FaultConnect && f != FaultBusy && f != FaultRelocate || errors.Is(err, errClosed) {
			return err
		}
		if werr := b.wait(ctx, err); werr != nil {
			return gaveUp("asking the master", err, werr)
		}
	}
}

func (c *Client) callMasterOnce(ctx context.Context, method string, req, resp proto.Message) error {
	sn, err := c.reg.master(ctx)
	if err != nil {
		return err
	}
	return c.callServer(ctx, joinHostPort(sn.GetHostName(), sn.GetPort()), masterService, method, req, resp)
}

func decodeBody(r *response, method string, m proto.Message) error {
	if err := proto.Unmarshal(r.body, m); err != nil {
		return badAnswer(method, err)
	}
	return nil
}

func badAnswer(method string, err error) *Error {
	return &Error{Fault: FaultAmbiguous, Err: fmt.Errorf("decoding the answer of %s: %w", method, err)}
}
