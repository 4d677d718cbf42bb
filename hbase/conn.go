package hbase

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// connErrorID is call id -1: the server's complaint about the connection as a whole.
const connErrorID = ^uint32(0)

// stallLimit is how long a call may go without any answer on its connection before the connection counts as dead.
const stallLimit = 5 * time.Second

var errClosed = errors.New("the client was closed")

// callState is how far the bytes of a call have got. It only rises.
type callState uint8

const (
	callQueued  callState = iota // surely not sent
	callSending                  // some bytes may have left
	callDone
)

// call is one call in flight. Its fields are guarded by conn.mu until done is closed.
type call struct {
	id    uint32
	frame *frame // until the writer takes it, or the call ends before that
	size  int64
	state callState
	start time.Time
	resp  *response
	err   error
	fault Fault // of err
	done  chan struct{}
}

// conn is one connection to one service of one server. One goroutine writes, one reads; calls are matched by id.
//
// Whatever ends the connection ends all its calls: as FaultConnect those of which no byte was handed to the
// socket, as FaultAmbiguous all others.
type conn struct {
	addr, service string
	timeout       time.Duration
	nc            net.Conn
	wg            sync.WaitGroup
	wake          chan struct{} // holds a token when queue has something for the writer
	dead          chan struct{} // closed with err set

	mu       sync.Mutex
	err      error
	nextID   uint32
	calls    map[uint32]*call
	queue    []*call
	lastRead time.Time
}

// newConn sends preamble and header, and starts the two goroutines. It owns nc from here on.
func newConn(nc net.Conn, addr, service, user string, timeout, hello time.Duration) (*conn, error) {
	b, err := appendHello(nil, service, user)
	if err == nil {
		_ = nc.SetWriteDeadline(time.Now().Add(hello))
		_, err = nc.Write(b)
	}
	if err != nil {
		_ = nc.Close()
		return nil, fmt.Errorf("greeting %s of %s: %w", service, addr, err)
	}
	c := &conn{
		addr: addr, service: service, timeout: timeout, nc: nc,
		wake: make(chan struct{}, 1), dead: make(chan struct{}), calls: map[uint32]*call{}, lastRead: time.Now(),
	}
	c.wg.Add(2)
	go c.writeLoop()
	go c.readLoop()
	return c, nil
}

// call sends one request and waits for its answer, the end of ctx or the call's own timeout.
func (c *conn) call(ctx context.Context, r *request) (*response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	cl, err := c.enqueue(ctx, r)
	if err != nil {
		return nil, err
	}
	select {
	case <-cl.done:
	case <-ctx.Done():
		c.abandon(cl, ctx.Err())
		<-cl.done
	}
	if cl.err != nil {
		return nil, &Error{Fault: cl.fault, Err: fmt.Errorf("calling %s of %s: %w", r.method, c.addr, cl.err)}
	}
	if x := cl.resp.exception; x != nil {
		return nil, exceptionError(x, r.method, c.addr)
	}
	return cl.resp, nil
}

func (c *conn) enqueue(ctx context.Context, r *request) (*call, error) {
	now := time.Now()
	deadline, _ := ctx.Deadline()
	left := deadline.Sub(now)
	if err := ctx.Err(); err != nil || left <= 0 {
		return nil, notSent(fmt.Errorf("calling %s of %s: %w", r.method, c.addr, cmp.Or(err, context.DeadlineExceeded)))
	}
	c.mu.Lock()
	id := c.freeID()
	c.mu.Unlock()
	f, err := newCallFrame(id, left, r)
	if err != nil {
		return nil, &Error{Fault: FaultRow, Err: err}
	}
	cl := &call{id: id, frame: f, size: int64(f.len()), start: now, done: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		f.free()
		return nil, notSent(fmt.Errorf("calling %s of %s: %w", r.method, c.addr, c.err))
	}
	c.calls[id] = cl
	c.queue = append(c.queue, cl)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return cl, nil
}

// freeID counts 0..2^31-1 and wraps, as Java does. An id still waiting is passed over.
func (c *conn) freeID() uint32 {
	for {
		id := c.nextID
		c.nextID = (c.nextID + 1) & 0x7fffffff
		if c.calls[id] == nil {
			return id
		}
	}
}

// abandon ends a call whose caller waits no longer.
func (c *conn) abandon(cl *call, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cl.state == callDone {
		return
	}
	waited := time.Since(cl.start)
	stalled := cl.state == callSending && waited >= min(stallLimit, c.timeout) && c.lastRead.Before(cl.start)
	c.finish(cl, nil, fmt.Errorf("waiting %s for an answer: %w", waited.Round(time.Millisecond), cause))
	if stalled {
		// Nothing at all came back meanwhile: the peer may be gone without a word.
		c.failLocked(fmt.Errorf("no byte from the server for %s", waited.Round(time.Millisecond)))
	}
}

// finish ends a call under mu. An error is sorted by how far the call's bytes got.
func (c *conn) finish(cl *call, resp *response, err error) {
	if cl.state == callDone {
		return
	}
	if cl.state == callQueued {
		cl.fault = FaultConnect
	} else {
		cl.fault = FaultAmbiguous
	}
	if cl.frame != nil { // no writer will take it now
		cl.frame.free()
		cl.frame = nil
	}
	cl.state, cl.resp, cl.err = callDone, resp, err
	delete(c.calls, cl.id)
	close(cl.done)
}

// fail ends the connection and all its calls, once.
func (c *conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failLocked(err)
}

func (c *conn) failLocked(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	close(c.dead)
	_ = c.nc.Close()
	for _, cl := range c.calls {
		c.finish(cl, nil, fmt.Errorf("connection lost: %w", err))
	}
	c.queue = nil
}

func (c *conn) isDead() bool {
	select {
	case <-c.dead:
		return true
	default:
		return false
	}
}

// close ends the connection and waits for its goroutines.
func (c *conn) close(err error) {
	c.fail(err)
	c.wg.Wait()
}

func notSent(err error) *Error { return &Error{Fault: FaultConnect, Err: err} }

func (c *conn) readLoop() {
	defer c.wg.Done()
	r := bufio.NewReaderSize(c.nc, 64<<10)
	for {
		frame, err := readFrame(r)
		if err != nil {
			c.fail(fmt.Errorf("reading from %s: %w", c.addr, err))
			return
		}
		resp, err := parseFrame(frame)
		if err != nil {
			c.fail(fmt.Errorf("reading from %s: %w", c.addr, err))
			return
		}
		if resp.id == connErrorID {
			x := resp.exception
			c.fail(fmt.Errorf("server %s refused the connection: %s: %s", c.addr, x.GetExceptionClassName(), firstLine(x.GetStackTrace())))
			return
		}
		c.mu.Lock()
		c.lastRead = time.Now()
		// An unknown id is the late answer of a call that was given up.
		if cl := c.calls[resp.id]; cl != nil {
			c.finish(cl, resp, nil)
		}
		c.mu.Unlock()
	}
}
