package hbase

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/hbase/pb"
)

func wantFault(t *testing.T, err error, want Fault) {
	t.Helper()
	if got := FaultOf(err); err == nil || got != want {
		t.Errorf("error %v has fault %d, want %d", err, got, want)
	}
}

func TestConnSendsWhatServersExpect(t *testing.T) {
	calls := make(chan *fakeCall, 1)
	headers := make(chan *pb.ConnectionHeader, 1)
	s := newFakeServer(t, func(f *fakeConn) {
		headers <- &f.header
		c := f.next()
		calls <- c
		f.answer(c, &pb.GetResponse{})
		f.drain()
	})
	c := fakeClient(t, s.addr, nil)
	if err := fakeGet(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	h, call := <-headers, <-calls
	if h.GetServiceName() != "ClientService" || h.GetUserInfo().GetEffectiveUser() != "tester" ||
		h.GetCellBlockCodecClass() != cellCodec || h.GetVersionInfo().GetVersionMajor() != 2 {
		t.Errorf("connection header is %v", h)
	}
	if r := &call.header; r.GetMethodName() != "Get" || !r.GetRequestParam() || r.GetTimeout() == 0 || r.GetTimeout() > 10000 || r.CellBlockMeta != nil {
		t.Errorf("request header is %v", r)
	}
}

func TestConnAnswersOutOfOrder(t *testing.T) {
	const n = 20
	s := newFakeServer(t, func(f *fakeConn) {
		var calls []*fakeCall
		for range n {
			calls = append(calls, f.next())
		}
		for i := range calls {
			f.answer(calls[len(calls)-1-i], &pb.GetResponse{})
		}
		f.drain()
	})
	c := fakeClient(t, s.addr, nil)
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := fakeGet(context.Background(), c); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	if got := s.connections(); got != 1 {
		t.Errorf("%d connections were made, want 1", got)
	}
	if got := c.Calls(); got != n {
		t.Errorf("the client counts %d calls, want %d", got, n)
	}
}

func TestConnAnswerCutAnywhereIsAmbiguous(t *testing.T) {
	whole := answerFrame(0, nil, &pb.GetResponse{Result: &pb.Result{}}, nil)
	s := newFakeServer(t, func(f *fakeConn) {
		f.next()
		f.send(whole[:f.number-1])
	})
	c := fakeClient(t, s.addr, nil)
	for cut := range whole {
		err := fakeGet(context.Background(), c)
		if FaultOf(err) != FaultAmbiguous {
			t.Errorf("cut after %d bytes: %v, want ambiguous", cut, err)
		}
		c.cache.put(&Region{Table: "t", Name: []byte("t,,1.x."), Addr: s.addr})
	}
	if got := s.connections(); got != len(whole) {
		t.Errorf("%d connections, want a new one for each of %d calls", got, len(whole))
	}
}

func TestConnNonsenseEndsTheConnection(t *testing.T) {
	for name, b := range map[string][]byte{
		"length over the limit": {0xff, 0xff, 0xff, 0xff},
		"empty frame":           {0, 0, 0, 0},
		"header cut":            {0, 0, 0, 1, 9},
		"header without id":     {0, 0, 0, 1, 0},
		"cells over the frame":  {0, 0, 0, 7, 6, 8, 0, 26, 2, 8, 99},
		"result over the frame": {0, 0, 0, 4, 2, 8, 0, 99},
		"bytes too many":        {0, 0, 0, 5, 2, 8, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFakeServer(t, func(f *fakeConn) {
				f.next()
				f.send(b)
				f.drain()
			})
			wantFault(t, fakeGet(context.Background(), fakeClient(t, s.addr, nil)), FaultAmbiguous)
		})
	}
}

func TestConnErrorEndsAllCalls(t *testing.T) {
	s := newFakeServer(t, func(f *fakeConn) {
		f.next()
		f.next()
		f.throw(connErrorID, javaPrefix+"security.AccessDeniedException", "Authentication is required")
		f.drain() // ends only when the client closes
	})
	c := fakeClient(t, s.addr, nil)
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- fakeGet(context.Background(), c) }()
	}
	for range 2 {
		err := <-errs
		wantFault(t, err, FaultAmbiguous)
		if err != nil && !strings.Contains(err.Error(), "Authentication is required") {
			t.Errorf("error %v does not tell the server's reason", err)
		}
	}
}

func TestConnSkipsAnswersNobodyWaitsFor(t *testing.T) {
	s := newFakeServer(t, func(f *fakeConn) {
		for c := f.next(); c != nil; c = f.next() {
			f.send(answerFrame(12345, nil, &pb.GetResponse{}, nil))
			f.answer(c, &pb.GetResponse{})
		}
	})
	c := fakeClient(t, s.addr, nil)
	for range 3 {
		if err := fakeGet(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	if s.connections() != 1 {
		t.Errorf("%d connections, want 1", s.connections())
	}
}

func TestConnUnreachable(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	_ = ln.Close()
	c := fakeClient(t, addr, nil)
	wantFault(t, fakeGet(context.Background(), c), FaultConnect)
	if c.cache.find("t", []byte("r")) != nil {
		t.Error("the place of an unreachable server is still remembered")
	}
}

func TestConnResetAfterSend(t *testing.T) {
	s := newFakeServer(t, func(f *fakeConn) {
		f.next()
		f.reset()
	})
	wantFault(t, fakeGet(context.Background(), fakeClient(t, s.addr, nil)), FaultAmbiguous)
}

func TestConnGivenUpCallLeavesTheConnection(t *testing.T) {
	release := make(chan struct{})
	s := newFakeServer(t, func(f *fakeConn) {
		late := f.next()
		<-release
		f.answer(late, &pb.GetResponse{})
		c := f.next()
		f.answer(c, &pb.GetResponse{})
		f.drain()
	})
	c := fakeClient(t, s.addr, nil)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := fakeGet(ctx, c)
	wantFault(t, err, FaultAmbiguous)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
	close(release)
	// The location is doubted after a timeout, for the server might hang; here it is right.
	c.cache.put(&Region{Table: "t", Name: []byte("t,,1.x."), Addr: s.addr})
	if err := fakeGet(context.Background(), c); err != nil {
		t.Error(err)
	}
	if s.connections() != 1 {
		t.Errorf("%d connections, want 1", s.connections())
	}
}

func TestConnSilentServerIsDropped(t *testing.T) {
	s := newFakeServer(t, func(f *fakeConn) {
		for c := f.next(); c != nil; c = f.next() {
			if f.number > 1 {
				f.answer(c, &pb.GetResponse{})
			}
		}
	})
	c := fakeClient(t, s.addr, func(cfg *Config) { cfg.RPCTimeout = 100 * time.Millisecond })
	wantFault(t, fakeGet(context.Background(), c), FaultAmbiguous)
	c.cache.put(&Region{Table: "t", Name: []byte("t,,1.x."), Addr: s.addr})
	for range 50 { // the machine may be too busy for 100 ms
		if err := fakeGet(context.Background(), c); err == nil {
			return
		}
		c.cache.put(&Region{Table: "t", Name: []byte("t,,1.x."), Addr: s.addr})
	}
	t.Errorf("no call got through on %d connections", s.connections())
}

func TestConnCloseEndsCalls(t *testing.T) {
	got := make(chan struct{})
	s := newFakeServer(t, func(f *fakeConn) {
		f.next()
		close(got)
		f.drain()
	})
	c := fakeClient(t, s.addr, nil)
	errs := make(chan error, 1)
	go func() { errs <- fakeGet(context.Background(), c) }()
	<-got
	c.end()
	c.pool.close()
	err := <-errs
	wantFault(t, err, FaultAmbiguous)
	if !errors.Is(err, errClosed) {
		t.Errorf("error is %v, want %v in it", err, errClosed)
	}
	wantFault(t, fakeGet(context.Background(), c), FaultConnect)
}

// shortConn takes so many bytes and then fails.
type shortConn struct {
	net.Conn
	left int
}

func (s *shortConn) Write(b []byte) (int, error) {
	if len(b) <= s.left {
		s.left -= len(b)
		return s.Conn.Write(b)
	}
	n, _ := s.Conn.Write(b[:s.left])
	s.left = 0
	return n, fmt.Errorf("the wire broke")
}

func TestConnWriteFailure(t *testing.T) {
	for _, sent := range []int{0, 1, 10} {
		t.Run(fmt.Sprint(sent), func(t *testing.T) {
			s := newFakeServer(t, func(f *fakeConn) { f.drain() })
			nc, err := net.Dial("tcp", s.addr)
			if err != nil {
				t.Fatal(err)
			}
			hello, err := appendHello(nil, clientService, "tester")
			if err != nil {
				t.Fatal(err)
			}
			c, err := newConn(&shortConn{nc, len(hello) + sent}, s.addr, clientService, "tester", time.Minute, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			defer c.close(errClosed)
			_, err = c.call(context.Background(), &request{method: "Get", param: &pb.GetRequest{
				Region: (&Region{Name: []byte("t,,1.x.")}).specifier(), Get: pbGet(&Get{Row: []byte("r")}),
			}})
			want := FaultAmbiguous
			if sent == 0 {
				want = FaultConnect
			}
			wantFault(t, err, want)
		})
	}
}

// pipeConn is a connection whose other end the test reads. It has no buffer: the writer hangs until somebody reads.
func pipeConn(t *testing.T) (*conn, net.Conn) {
	t.Helper()
	client, srv := net.Pipe()
	go func() { _, _ = srv.Read(make([]byte, 4096)) }() // takes the hello, which is one write
	c, err := newConn(client, "pipe", clientService, "tester", time.Minute, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.close(errClosed)
		_ = srv.Close()
	})
	return c, srv
}

// started calls in a goroutine.
func started(ctx context.Context, c *conn, r *request) <-chan error {
	out := make(chan error, 1)
	go func() {
		_, err := c.call(ctx, r)
		out <- err
	}()
	return out
}

// await waits until something holds of the connection.
func await(c *conn, what func() bool) {
	for ok := false; !ok; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		ok = what()
		c.mu.Unlock()
	}
}

// awaitSending waits until the writer has one call in hand and n are queued behind it.
func awaitSending(c *conn, n int) {
	await(c, func() bool { return len(c.calls) == n+1 && len(c.queue) == n })
}

func TestConnQueuedCallIsSurelyNotSent(t *testing.T) {
	c, _ := pipeConn(t)
	get := &request{method: "Get", param: &pb.GetRequest{Region: (&Region{Name: []byte("t,,1.x.")}).specifier(), Get: pbGet(&Get{Row: []byte("r")})}}
	first := started(context.Background(), c, get)
	awaitSending(c, 0)
	ctx, cancel := context.WithCancel(context.Background())
	second := started(ctx, c, get)
	awaitSending(c, 1)
	cancel()
	wantFault(t, <-second, FaultConnect)
	c.fail(errors.New("lost"))
	wantFault(t, <-first, FaultAmbiguous)
}
