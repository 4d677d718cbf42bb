package hbase

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// fakeServer accepts connections, reads what a client sends first, and leaves the rest to the test: real servers
// cannot be made to cut a frame at a chosen byte.
type fakeServer struct {
	t    testing.TB
	ln   net.Listener
	addr string
	wg   sync.WaitGroup

	mu       sync.Mutex
	accepted int
}

// fakeConn is the server's side of one connection.
type fakeConn struct {
	t      testing.TB
	nc     *net.TCPConn
	r      *bufio.Reader
	header pb.ConnectionHeader
	number int // 1 is the first
}

// fakeCall is one request.
type fakeCall struct {
	header pb.RequestHeader
	param  []byte
	cells  []byte
}

func newFakeServer(t testing.TB, handle func(*fakeConn)) *fakeServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &fakeServer{t: t, ln: ln, addr: ln.Addr().String()}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			nc, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.accepted++
			fc := &fakeConn{t: t, nc: nc.(*net.TCPConn), r: bufio.NewReader(nc), number: s.accepted}
			s.mu.Unlock()
			s.wg.Add(1)
			go func() {
				defer s.wg.Done()
				defer func() { _ = fc.nc.Close() }()
				if fc.hello() {
					handle(fc)
				}
			}()
		}
	}()
	t.Cleanup(func() {
		_ = ln.Close()
		s.wg.Wait()
	})
	return s
}

func (s *fakeServer) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

func (f *fakeConn) hello() bool {
	head := make([]byte, 10)
	if _, err := io.ReadFull(f.r, head); err != nil {
		return false
	}
	if string(head[:6]) != "HBas\x00\x50" {
		f.t.Errorf("preamble is %x", head[:6])
		return false
	}
	raw := make([]byte, binary.BigEndian.Uint32(head[6:]))
	if _, err := io.ReadFull(f.r, raw); err != nil {
		return false
	}
	if err := proto.Unmarshal(raw, &f.header); err != nil {
		f.t.Errorf("connection header: %v", err)
		return false
	}
	return true
}

// next reads one request; nil when the client has closed.
func (f *fakeConn) next() *fakeCall {
	frame, err := readFrame(f.r)
	if err != nil {
		return nil
	}
	raw, n := protowire.ConsumeBytes(frame)
	c := &fakeCall{}
	if n < 0 || proto.Unmarshal(raw, &c.header) != nil {
		f.t.Errorf("request header cannot be read")
		return nil
	}
	rest := frame[n:]
	c.param, n = protowire.ConsumeBytes(rest)
	if n < 0 {
		f.t.Errorf("request parameter cannot be read")
		return nil
	}
	c.cells = rest[n:]
	if int(c.header.GetCellBlockMeta().GetLength()) != len(c.cells) {
		f.t.Errorf("header says %d bytes of cells, %d came", c.header.GetCellBlockMeta().GetLength(), len(c.cells))
	}
	return c
}

// drain reads until the client closes.
func (f *fakeConn) drain() {
	for f.next() != nil {
	}
}

// reset ends the connection with RST.
func (f *fakeConn) reset() {
	_ = f.nc.SetLinger(0)
	_ = f.nc.Close()
}

func (f *fakeConn) send(b []byte) { _, _ = f.nc.Write(b) }

func (f *fakeConn) answer(c *fakeCall, m proto.Message) {
	f.send(answerFrame(c.header.GetCallId(), nil, m, nil))
}

func (f *fakeConn) throw(id uint32, class, text string) {
	f.send(answerFrame(id, &pb.ExceptionResponse{ExceptionClassName: &class, StackTrace: proto.String(class + ": " + text + "\n\tat a.b.C")}, nil, nil))
}

func answerFrame(id uint32, x *pb.ExceptionResponse, m proto.Message, cells []byte) []byte {
	h := &pb.ResponseHeader{CallId: &id, Exception: x}
	if len(cells) > 0 {
		h.CellBlockMeta = &pb.CellBlockMeta{Length: proto.Uint32(uint32(len(cells)))}
	}
	b := make([]byte, 4)
	b, err := appendDelimited(b, h)
	if err == nil && m != nil {
		b, err = appendDelimited(b, m)
	}
	if err != nil {
		panic(err)
	}
	b = append(b, cells...)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

func appendDelimited(b []byte, m proto.Message) ([]byte, error) {
	b = protowire.AppendVarint(b, uint64(proto.Size(m)))
	return proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(b, m)
}

// fakeClient is a client that knows one region, "t" from end to end, on the fake server.
func fakeClient(t testing.TB, addr string, change func(*Config)) *Client {
	t.Helper()
	cfg := Config{ZooKeeper: []string{"127.0.0.1:1"}, User: "tester", RPCTimeout: 10 * time.Second, LocateTimeout: time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	life, end := context.WithCancel(context.Background())
	c := &Client{cfg: cfg, cache: newRegionCache(), lookups: newLookupLocks(), end: end}
	c.pool = newPool(life, &c.cfg)
	c.cache.put(&Region{Table: "t", ID: 1, Name: []byte("t,,1.0123456789abcdef0123456789abcdef."), Addr: addr, SeqNum: 5})
	t.Cleanup(func() {
		end()
		c.pool.close()
	})
	return c
}

// fakeGet calls Get on the fake server, once.
func fakeGet(ctx context.Context, c *Client) (err error) {
	r := c.cache.find("t", []byte("r"))
	if r == nil {
		r = &Region{Table: "t", Name: []byte("t,,1.x.")}
	}
	_, err = c.getFrom(ctx, r, &Get{Row: []byte("r")})
	return err
}
