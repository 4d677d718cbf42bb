package proxy

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	socks "golang.org/x/net/proxy"
	"google.golang.org/protobuf/encoding/protowire"
)

// echo is a server that answers each frame of a protocol with a frame of the
// same id and payload, and keeps what it got.
type echo struct {
	addr  string
	proto Protocol

	mu  sync.Mutex
	got []frame
	raw [][]byte // whole frames, as they came
}

func startEcho(t *testing.T, proto Protocol) *echo {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &echo{addr: l.Addr().String(), proto: proto}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			wg.Go(func() { e.serve(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close() // the test is over
		mu.Lock()
		for _, c := range open {
			_ = c.Close() // likewise
		}
		mu.Unlock()
		wg.Wait()
	})
	return e
}

func (e *echo) serve(c net.Conn) {
	r := &reader{in: bufio.NewReader(c), proto: e.proto, request: true}
	for {
		f, err := r.next()
		if len(f.data) > 0 {
			e.mu.Lock()
			e.got, e.raw = append(e.got, f), append(e.raw, f.data)
			e.mu.Unlock()
		}
		if err != nil {
			return
		}
		if f.method == "connection header" {
			continue
		}
		if _, err := c.Write(answerTo(e.proto, f)); err != nil {
			return
		}
	}
}

func (e *echo) frames() []frame {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.got)
}

func (e *echo) count(method string) int {
	n := 0
	for _, f := range e.frames() {
		if f.method == method {
			n++
		}
	}
	return n
}

// answerTo carries the whole request back behind a header of its protocol.
func answerTo(proto Protocol, f frame) []byte {
	var head []byte
	switch proto {
	case HBase:
		h := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(f.id))
		head = protowire.AppendBytes(nil, h)
	case Kafka, ZooKeeper:
		head = binary.BigEndian.AppendUint32(nil, uint32(f.id))
	case Bytes:
		return f.data
	}
	return withLength(append(head, f.data...))
}

func withLength(b []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)
}

func hbaseHello() []byte { return append([]byte("HBas\x00\x50"), withLength([]byte("a header"))...) }

func hbaseCall(id int, method string, payload []byte) []byte {
	h := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(id))
	h = protowire.AppendString(protowire.AppendTag(h, 3, protowire.BytesType), method)
	h = protowire.AppendVarint(protowire.AppendTag(h, 4, protowire.VarintType), 1)
	return withLength(append(protowire.AppendBytes(nil, h), payload...))
}

func kafkaCall(id, key int, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(key))
	b = binary.BigEndian.AppendUint16(b, 3)
	return withLength(append(binary.BigEndian.AppendUint32(b, uint32(id)), payload...))
}

func zkHello() []byte { return withLength(make([]byte, zkConnect+1)) }

func zkCall(xid, op int) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(xid))
	return withLength(append(binary.BigEndian.AppendUint32(b, uint32(op)), "/path"...))
}

// bites keeps what a proxy tells of its faults.
type bites struct {
	mu  sync.Mutex
	all []Bite
}

func (b *bites) add(x Bite) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, x)
}

func start(t *testing.T, o Options) (*Proxy, *bites) {
	t.Helper()
	told := &bites{}
	o.OnBite = told.add
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if p.Open() != 0 {
			t.Errorf("%d connections are open after Close", p.Open())
		}
	})
	return p, told
}

// dial opens a connection through the proxy; the test's end closes it.
func dial(t *testing.T, p *Proxy, target string) net.Conn {
	t.Helper()
	c, err := tryDial(p, target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // it may be closed already
	return c
}

func tryDial(p *Proxy, target string) (net.Conn, error) {
	d, err := socks.SOCKS5("tcp", p.Addr(), nil, &net.Dialer{})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return d.(socks.ContextDialer).DialContext(ctx, "tcp", target)
}

func send(t *testing.T, c net.Conn, data ...[]byte) {
	t.Helper()
	for _, b := range data {
		if _, err := c.Write(b); err != nil {
			t.Fatal(err)
		}
	}
}

// receive reads n answers and gives their ids.
func receive(t *testing.T, r *reader, n int) []int64 {
	t.Helper()
	var ids []int64
	for range n {
		f, err := r.next()
		if err != nil {
			t.Fatalf("reading answer %d of %d: %v", len(ids)+1, n, err)
		}
		ids = append(ids, f.id)
	}
	return ids
}

func answers(t *testing.T, c net.Conn, proto Protocol) *reader {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &reader{in: bufio.NewReader(c), proto: proto}
}

// nothing checks that no byte comes for a little while.
func nothing(t *testing.T, c net.Conn) {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(150 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	var b [1]byte
	if n, err := c.Read(b[:]); n > 0 || err == io.EOF {
		t.Errorf("a silent connection gave %d bytes, %v", n, err)
	}
}

func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for began := time.Now(); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatalf("waiting for %s: not so after 20 s", what)
		}
	}
}
