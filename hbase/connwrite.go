package hbase

import (
	"encoding/binary"
	"fmt"
	"net"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// authSimple is the auth code of SIMPLE: the user's name is believed.
const authSimple = 0x50

// clientVersion is the version told to servers. Without one they fall back to the ways of ancient clients.
const clientVersion = "2.6.0"

// appendHello builds the preamble and the connection header, which go out in one write: the server answers neither.
func appendHello(b []byte, service, user string) ([]byte, error) {
	h := &pb.ConnectionHeader{
		UserInfo:    &pb.UserInformation{EffectiveUser: &user},
		ServiceName: &service,
		VersionInfo: &pb.VersionInfo{
			Version: proto.String(clientVersion), Url: proto.String(""), Revision: proto.String(""),
			User: proto.String("rowmark"), Date: proto.String(""), SrcChecksum: proto.String(""),
			VersionMajor: proto.Uint32(2), VersionMinor: proto.Uint32(6),
		},
	}
	if service == clientService {
		h.CellBlockCodecClass = proto.String(cellCodec)
	}
	raw, err := proto.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encoding the connection header: %w", err)
	}
	b = append(b, 'H', 'B', 'a', 's', 0, authSimple)
	b = binary.BigEndian.AppendUint32(b, uint32(len(raw)))
	return append(b, raw...), nil
}

// outgoing is what the writer sends in one go. It owns the frames: a call may end while its bytes are on their way,
// and they must stay as they are until the socket has them.
type outgoing struct {
	calls  []*call
	frames []*frame
	bufs   net.Buffers
}

// done frees the frames, which the socket has taken or will never take.
func (o *outgoing) done() {
	for _, f := range o.frames {
		f.free()
	}
	clear(o.calls)
	clear(o.frames)
	clear(o.bufs)
	o.calls, o.frames, o.bufs = o.calls[:0], o.frames[:0], o.bufs[:0]
}

// writeLoop sends what is queued, as much as is there in one system call.
func (c *conn) writeLoop() {
	defer c.wg.Done()
	var out outgoing
	for {
		select {
		case <-c.wake:
		case <-c.dead:
			return
		}
		c.takeQueue(&out)
		if len(out.calls) == 0 {
			continue
		}
		_ = c.nc.SetWriteDeadline(time.Now().Add(c.timeout))
		bufs := out.bufs // WriteTo moves the slice's start
		n, err := bufs.WriteTo(c.nc)
		if err != nil {
			c.writeFailed(out.calls, n, err)
		}
		out.done()
		if err != nil {
			return
		}
	}
}

// takeQueue marks the queued calls as being sent. Calls given up meanwhile are left out.
func (c *conn) takeQueue(out *outgoing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cl := range c.queue {
		if cl.state == callQueued {
			cl.state = callSending
			out.calls = append(out.calls, cl)
			out.frames = append(out.frames, cl.frame)
			out.bufs = append(out.bufs, cl.frame.bytes())
			cl.frame = nil
		}
	}
	clear(c.queue)
	c.queue = c.queue[:0]
}

// writeFailed ends the connection after the socket took only n bytes of the batch: calls that begin at or after
// the n-th byte were surely not sent.
func (c *conn) writeFailed(batch []*call, n int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var start int64
	for _, cl := range batch {
		if cl.state == callSending && start >= n {
			cl.state = callQueued
		}
		start += cl.size
	}
	c.failLocked(fmt.Errorf("writing to %s: %w", c.addr, err))
}
