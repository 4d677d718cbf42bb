package hbasetest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// conn is one connection of a client. A goroutine reads; each call has one of its own, so that answers come in any
// order, as on a server with many handlers.
type conn struct {
	s       *server
	nc      *net.TCPConn
	life    uint64 // the server's incarnation that took it
	service string
	blocks  bool // the client reads cell blocks
	closed  atomic.Bool
	silent  bool // half-open; only the reader looks at it
	calls   sync.WaitGroup
	wmu     sync.Mutex
}

// call is one request.
type call struct {
	id     uint32
	method string
	req    proto.Message
	block  *cellBlock
	raw    []byte    // of the cell block, for a second run
	until  time.Time // after it no mutation of the call is begun; zero: no limit
	fault  Fault
	conn   *conn
}

// late says whether the call's time is over.
func (c *call) late() bool { return !c.until.IsZero() && time.Now().After(c.until) }

// reset ends the connection with RST.
func (c *conn) reset() {
	c.closed.Store(true)
	_ = c.nc.SetLinger(0)
	_ = c.nc.Close()
}

// connFailed is call id -1: a complaint about the connection as a whole.
const connFailed = ^uint32(0)

const maxFrame = 256 << 20

func (c *conn) serve() {
	defer c.calls.Wait()
	defer func() {
		c.closed.Store(true)
		_ = c.nc.Close()
	}()
	r := bufio.NewReader(c.nc)
	if !c.hello(r) {
		return
	}
	for {
		frame, err := readPacket(r, maxFrame)
		if err != nil {
			return
		}
		if !c.s.pass() {
			return
		}
		if c.silent {
			continue
		}
		c.take(frame)
	}
}

// hello reads preamble and connection header, to which the server says nothing if they are right.
func (c *conn) hello(r *bufio.Reader) bool {
	var head [6]byte
	for i := range head {
		b, err := r.ReadByte()
		if err != nil {
			return false
		}
		head[i] = b
	}
	switch {
	case string(head[:4]) != "HBas":
		c.refuse(throwFinal("ipc.FatalConnectionException", "Expected HEADER=HBas but received HEADER=%q", head[:4]))
		return false
	case head[4] != 0:
		c.refuse(throwFinal("ipc.WrongVersionException", "Bad version %d", head[4]))
		return false
	case head[5] != 0x50:
		c.refuse(throwFinal("ipc.BadAuthException", "Unknown auth code %d", head[5]))
		return false
	}
	raw, err := readPacket(r, 1<<20)
	if err != nil {
		return false
	}
	var h pb.ConnectionHeader
	if proto.Unmarshal(raw, &h) != nil {
		return false
	}
	c.service = h.GetServiceName()
	codec := h.GetCellBlockCodecClass()
	if codec != "" && codec != javaPrefix+"codec.KeyValueCodec" || h.GetCellBlockCompressorClass() != "" {
		return false // a server that can't load a codec says nothing either
	}
	c.blocks = codec != "" && h.VersionInfo != nil
	if master := c.s.number < 0; master {
		return c.service == "MasterService"
	}
	return c.service == "ClientService" || c.service == "AdminService"
}

func (c *conn) refuse(x *exception) { c.send(connFailed, nil, nil, x, Fault{}) }

var errFrame = errors.New("request can't be read")

// parse takes a frame apart.
func (c *conn) parse(frame []byte) (*call, *exception, error) {
	raw, n := protowire.ConsumeBytes(frame)
	var h pb.RequestHeader
	if n < 0 || proto.Unmarshal(raw, &h) != nil {
		return nil, nil, errFrame
	}
	rest := frame[n:]
	k := &call{id: h.GetCallId(), method: h.GetMethodName(), conn: c}
	if ms := h.GetTimeout(); ms > 0 {
		k.until = time.Now().Add(time.Duration(max(ms, 20)) * time.Millisecond)
	}
	if cells := int(h.GetCellBlockMeta().GetLength()); cells > 0 && cells <= len(rest) {
		k.raw = rest[len(rest)-cells:]
		rest = rest[:len(rest)-cells]
	}
	newRequest := requests[c.service][k.method]
	if newRequest == nil || !h.GetRequestParam() {
		return k, throwFinal("DoNotRetryIOException", "Unknown method %s, or no parameter", k.method), nil
	}
	k.req = newRequest()
	param, n := protowire.ConsumeBytes(rest)
	if n < 0 || proto.Unmarshal(param, k.req) != nil {
		return k, throwFinal("DoNotRetryIOException", "parameter of %s can't be parsed", k.method), nil
	}
	return k, nil, nil
}

// take starts a call, under the fault that is meant for it.
func (c *conn) take(frame []byte) {
	k, x, err := c.parse(frame)
	if err != nil {
		c.reset()
		return
	}
	if x != nil {
		c.send(k.id, nil, nil, x, Fault{})
		return
	}
	cl := c.s.c
	if n := cl.frames.n.Add(1); cl.opts.Faults != nil {
		k.fault = cl.opts.Faults(k.info(n))
	}
	switch k.fault.Kind {
	case LoseRequest:
		cl.bites.add(LoseRequest)
		return
	case HalfOpen:
		cl.bites.add(HalfOpen)
		c.silent = true
		return
	case ResetBefore:
		cl.bites.add(ResetBefore)
		c.reset()
		return
	}
	c.calls.Go(func() { c.run(k) })
}

// run does a call and answers it.
func (c *conn) run(k *call) {
	cl, f := c.s.c, k.fault
	switch f.Kind {
	case ApplyLate:
		if !k.until.IsZero() {
			k.until = k.until.Add(f.Delay)
		}
		if !cl.wait(f.Delay) {
			return
		}
		cl.bites.add(f.Kind)
	case Stall:
		if !cl.wait(f.Delay) {
			return
		}
		cl.bites.add(f.Kind)
		// A call whose time is over, or whose connection has closed, leaves the queue without a word.
		if c.closed.Load() || k.late() {
			return
		}
	case Throw:
		cl.bites.add(f.Kind)
		c.send(k.id, nil, nil, f.exception(), f)
		return
	}
	resp, cells, x := k.do()
	switch f.Kind {
	case Double:
		cl.bites.add(f.Kind)
		c.send(k.id, resp, cells, x, f)
		resp, cells, x = k.do()
	case LoseAnswer:
		cl.bites.add(f.Kind)
		return
	case ResetAfter:
		cl.bites.add(f.Kind)
		c.reset()
		return
	case ThrowAfter:
		if x == nil {
			cl.bites.add(f.Kind)
			x = f.exception()
		}
	}
	c.send(k.id, resp, cells, x, f)
}

// do runs the call once.
func (k *call) do() (proto.Message, []byte, *exception) {
	k.block = &cellBlock{rest: k.raw}
	s := k.conn.s
	if !s.pass() {
		return nil, nil, nil
	}
	switch k.conn.service {
	case "MasterService":
		m, x := s.c.askMaster(k)
		return m, nil, x
	case "AdminService":
		m, x := s.askAdmin(k)
		return m, nil, x
	}
	return s.askClient(k)
}

// send answers a call. A call without answer and exception gets none.
func (c *conn) send(id uint32, m proto.Message, cells []byte, x *exception, f Fault) {
	if m == nil && x == nil {
		return
	}
	h := &pb.ResponseHeader{CallId: &id}
	if x != nil {
		h.Exception = x.response()
		m, cells = nil, nil
	} else if len(cells) > 0 {
		h.CellBlockMeta = &pb.CellBlockMeta{Length: proto.Uint32(uint32(len(cells)))}
	}
	b := protowireDelimited(make([]byte, 4), h)
	if m != nil {
		b = protowireDelimited(b, m)
	}
	b = append(b, cells...)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	if !c.s.pass() {
		return
	}
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if f.Kind != Dribble {
		_, _ = c.nc.Write(b) // a client that is gone reads no answer
		return
	}
	c.s.c.bites.add(Dribble)
	for piece := max(1, len(b)/7); len(b) > 0; b = b[min(piece, len(b)):] {
		if _, err := c.nc.Write(b[:min(piece, len(b))]); err != nil || !c.s.c.wait(f.Delay) {
			return
		}
	}
}

func protowireDelimited(b []byte, m proto.Message) []byte {
	raw, err := proto.Marshal(m)
	if err != nil {
		panic("encoding an answer: " + err.Error()) // a required field was left out here
	}
	return protowire.AppendBytes(b, raw)
}

// info is what a fault plan is told of a call.
func (k *call) info(number uint64) FrameInfo {
	f := FrameInfo{Number: number, Server: k.conn.s.number, Service: k.conn.service, Method: k.method, Actions: 1}
	var region []byte
	switch r := k.req.(type) {
	case *pb.MultiRequest:
		f.Actions = len(r.RegionAction)
		for _, a := range r.RegionAction {
			region = a.GetRegion().GetValue()
			for _, act := range a.Action {
				f.Write = f.Write || act.Mutation != nil || act.ServiceCall != nil
			}
		}
	case *pb.CoprocessorServiceRequest:
		region, f.Write = r.GetRegion().GetValue(), true
	case *rawRequest: // Mutate
		region, f.Write = specifierOf(unknownField(r, 1)).GetValue(), true
	case interface{ GetRegion() *pb.RegionSpecifier }:
		region = r.GetRegion().GetValue()
	}
	f.Table, _, _ = strings.Cut(string(region), ",")
	return f
}
