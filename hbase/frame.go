package hbase

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// maxFrame is the largest answer taken: the server cuts results near 100 MiB, and frames at 256 MiB.
const maxFrame = 256 << 20

// request is one call before it has a call id.
type request struct {
	method   string
	param    proto.Message
	priority uint32 // 0: left to the server

	// body, in place of param, writes parameter and cell block of about size bytes, the block first for frames are
	// written backwards, and tells the block's length.
	body func(f *frame) (cells int)
	size int
}

// highPriority goes to handlers that ordinary calls cannot fill; for reads of hbase:meta.
const highPriority = 200

// newCallFrame writes length, header, parameter and cell block of one call. The caller frees the frame.
func newCallFrame(id uint32, timeout time.Duration, r *request) (*frame, error) {
	const headRoom = 128
	var f *frame
	cells := 0
	if r.body != nil {
		f = newFrame(r.size + headRoom)
		cells = r.body(f)
	} else {
		n := proto.Size(r.param)
		f = newFrame(n + headRoom)
		if err := f.message(r.param, n); err != nil {
			f.free()
			return nil, fmt.Errorf("encoding the parameter of %s: %w", r.method, err)
		}
	}
	f.varint(uint64(f.len() - cells))
	f.requestHeader(id, timeout, r, cells)
	if total := f.len(); total > maxFrame {
		f.free()
		return nil, fmt.Errorf("encoding %s: frame of %d bytes is over the server's limit of %d", r.method, total, maxFrame)
	}
	f.uint32(uint32(f.len()))
	return f, nil
}

// requestHeader writes a RequestHeader behind its length.
func (f *frame) requestHeader(id uint32, timeout time.Duration, r *request, cells int) {
	end := f.len()
	f.uintField(7, uint64(uint32(max(timeout.Milliseconds(), 1))))
	if r.priority > 0 {
		f.uintField(6, uint64(r.priority))
	}
	if cells > 0 {
		meta := f.len()
		f.uintField(1, uint64(cells))
		f.nest(5, meta)
	}
	f.uintField(4, 1) // a parameter follows
	f.textField(3, r.method)
	f.uintField(1, uint64(id))
	f.varint(uint64(f.len() - end))
}

// response is one answer, its result not yet parsed.
type response struct {
	id        uint32
	exception *pb.ExceptionResponse
	body      []byte // result message
	cells     []byte
}

// readFrame reads one whole frame. Memory grows with what arrives, not with what the length claims.
func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, fmt.Errorf("frame claims %d bytes, over the limit of %d", n, maxFrame)
	}
	const trusted = 1 << 20
	if n <= trusted {
		b := make([]byte, n)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, noEOF(err)
		}
		return b, nil
	}
	var buf bytes.Buffer
	buf.Grow(trusted)
	if _, err := io.CopyN(&buf, r, int64(n)); err != nil {
		return nil, noEOF(err)
	}
	return buf.Bytes(), nil
}

// noEOF tells an end inside a frame from an end between two.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// parseFrame splits a frame into its parts. The parts share its memory.
func parseFrame(frame []byte) (*response, error) {
	raw, n := protowire.ConsumeBytes(frame)
	if n < 0 {
		return nil, fmt.Errorf("reading a response header's length: %w", protowire.ParseError(n))
	}
	rest := frame[n:]
	var h pb.ResponseHeader
	if err := proto.Unmarshal(raw, &h); err != nil {
		return nil, fmt.Errorf("reading a response header: %w", err)
	}
	if h.CallId == nil {
		return nil, fmt.Errorf("reading a response header: no call id")
	}
	resp := &response{id: h.GetCallId(), exception: h.Exception}
	if h.Exception != nil {
		return resp, nil
	}
	if cells := uint64(h.GetCellBlockMeta().GetLength()); cells > 0 {
		if cells > uint64(len(rest)) {
			return nil, fmt.Errorf("reading a response: cell block of %d bytes in a rest of %d", cells, len(rest))
		}
		cut := uint64(len(rest)) - cells
		rest, resp.cells = rest[:cut], rest[cut:]
	}
	if resp.body, n = protowire.ConsumeBytes(rest); n < 0 {
		return nil, fmt.Errorf("reading a result's length: %w", protowire.ParseError(n))
	}
	if n != len(rest) {
		return nil, fmt.Errorf("reading a result: %d bytes too many", len(rest)-n)
	}
	return resp, nil
}
