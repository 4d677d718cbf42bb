package hbasetest

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// zooKeeper answers the reads by which a client finds HBase. Sessions end only by ExpireZooKeeper.
type zooKeeper struct {
	c    *Cluster
	ln   net.Listener
	addr string

	mu       sync.Mutex
	conns    map[net.Conn]bool
	sessions int64 // the id given last
	expired  int64 // ids up to this one are not known any more
	away     bool
	ended    bool
}

// Operations of ZooKeeper's protocol, and the error of a node that is not there.
const (
	zkExists       = 3
	zkGetData      = 4
	zkGetChildren  = 8
	zkPing         = 11
	zkGetChildren2 = 12
	zkClose        = -11
	zkSetWatches   = 101

	zkNoNode        = -101
	zkUnimplemented = -6
)

func startZooKeeper(c *Cluster) (*zooKeeper, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort(c.opts.Host, "0"))
	if err != nil {
		return nil, err
	}
	z := &zooKeeper{c: c, ln: ln, addr: ln.Addr().String(), conns: map[net.Conn]bool{}}
	c.wg.Go(z.accept)
	return z, nil
}

func (z *zooKeeper) accept() {
	for {
		nc, err := z.ln.Accept()
		if err != nil {
			return
		}
		z.mu.Lock()
		if z.ended {
			z.mu.Unlock()
			_ = nc.Close()
			return
		}
		if z.away {
			z.mu.Unlock()
			_ = nc.Close()
			continue
		}
		z.conns[nc] = true
		z.mu.Unlock()
		z.c.wg.Go(func() {
			_ = z.serve(nc) // the client is gone, or spoke another language
			_ = nc.Close()
			z.mu.Lock()
			delete(z.conns, nc)
			z.mu.Unlock()
		})
	}
}

func (z *zooKeeper) close() error {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.ended = true
	for nc := range z.conns {
		_ = nc.Close()
	}
	return z.ln.Close()
}

// readPacket reads one packet: int32 length, and so many bytes.
func readPacket(r io.Reader, most uint32) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > most {
		return nil, errors.New("packet too large")
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

const maxZKPacket = 1 << 20

func (z *zooKeeper) serve(nc net.Conn) error {
	hello, err := readPacket(nc, maxZKPacket)
	if err != nil {
		return err
	}
	d := &decoder{b: hello}
	d.uint32() // protocol version
	d.uint64() // last zxid seen
	timeout, session := d.uint32(), d.uint64()
	if d.bad {
		return errors.New("no connect request")
	}
	id := z.session(int64(session))
	if id == 0 {
		timeout = 0
	}
	e := &jute{}
	e.int32(0)
	e.int32(int32(timeout))
	e.int64(id)
	e.buffer(make([]byte, 16)) // the session's password
	if err := e.send(nc); err != nil {
		return err
	}
	if id == 0 {
		return errors.New("no such session")
	}
	for {
		b, err := readPacket(nc, maxZKPacket)
		if err != nil {
			return err
		}
		d := &decoder{b: b}
		xid, op := int32(d.uint32()), int32(d.uint32())
		var path string
		if op != zkPing && op != zkClose && op != zkSetWatches {
			path = string(d.bytes(int(d.uint32())))
		}
		if d.bad {
			return errors.New("request cut short")
		}
		if err := z.answer(xid, op, path).send(nc); err != nil {
			return err
		}
		if op == zkClose {
			return nil
		}
	}
}

func (z *zooKeeper) answer(xid, op int32, path string) *jute {
	e := &jute{}
	e.int32(xid)
	e.int64(1) // zxid
	var data []byte
	var children []string
	found := true
	code := int32(0)
	switch op {
	case zkPing, zkClose, zkSetWatches:
		e.int32(0)
		return e
	case zkExists, zkGetData:
		data, found = z.node(path)
	case zkGetChildren, zkGetChildren2:
		children, found = z.children(path)
	default:
		code = zkUnimplemented
	}
	if !found {
		code = zkNoNode
	}
	e.int32(code)
	if code != 0 {
		return e
	}
	switch op {
	case zkGetData:
		e.buffer(data)
	case zkGetChildren, zkGetChildren2:
		e.int32(int32(len(children)))
		for _, s := range children {
			e.buffer([]byte(s))
		}
	}
	if op != zkGetChildren {
		e.stat(len(data), len(children))
	}
	return e
}

// node is the value of a znode: HBase's magic and a message.
func (z *zooKeeper) node(path string) ([]byte, bool) {
	c := z.c
	c.mu.Lock()
	defer c.mu.Unlock()
	var m proto.Message
	switch path {
	case "/hbase/hbaseid":
		m = &pb.ClusterId{ClusterId: &c.id}
	case "/hbase/master":
		m = &pb.Master{Master: c.master.serverName()}
	case "/hbase/meta-region-server":
		if c.metaServer == nil || !c.metaServer.up {
			return nil, false
		}
		m = &pb.MetaRegionServer{Server: c.metaServer.serverName(), State: proto.Uint32(3)}
	default:
		return nil, false
	}
	b, err := proto.MarshalOptions{}.MarshalAppend([]byte("\xff\x00\x00\x00\x04testPBUF"), m)
	return b, err == nil
}

func (z *zooKeeper) children(path string) ([]string, bool) {
	if path != "/hbase/rs" {
		return nil, false
	}
	z.c.mu.Lock()
	defer z.c.mu.Unlock()
	var out []string
	for _, s := range z.c.servers {
		if s.up {
			out = append(out, s.name())
		}
	}
	return out, true
}

// jute builds a packet in ZooKeeper's encoding: fixed-width integers, and buffers with a length in front.
type jute struct{ b []byte }

func (e *jute) int32(v int32) { e.b = binary.BigEndian.AppendUint32(e.b, uint32(v)) }
func (e *jute) int64(v int64) { e.b = binary.BigEndian.AppendUint64(e.b, uint64(v)) }
func (e *jute) buffer(b []byte) {
	e.int32(int32(len(b)))
	e.b = append(e.b, b...)
}

// stat is a node's: transactions, times, versions, owner, and the two sizes.
func (e *jute) stat(dataLen, children int) {
	for range 4 {
		e.int64(1)
	}
	for range 3 {
		e.int32(0)
	}
	e.int64(0)
	e.int32(int32(dataLen))
	e.int32(int32(children))
	e.int64(1)
}

func (e *jute) send(w io.Writer) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(e.b))), e.b...))
	return err
}
