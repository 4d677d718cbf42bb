package main

import (
	"encoding/binary"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// tap reads along what a connector says to a region server and hears from it, and records the operations on
// checkpoints and sampled rows as the client's socket saw them: begun when the last byte of the request was written,
// ended when the last byte of the answer was read. An operation takes effect between the two, so this is the
// narrowest honest span; an answer that never comes leaves it unknown.
//
// It decodes for itself what the client encodes and decodes.
type tap struct {
	w *world
	p *process

	mu      sync.Mutex
	sent    []byte
	heard   []byte
	greeted bool
	quiet   bool // nothing of it is of interest, or it could not be read
	calls   map[uint32]answerer
}

// answerer takes the answer to a call.
type answerer func(h *pb.ResponseHeader, body, cells []byte)

func newTap(w *world, p *process) *tap { return &tap{w: w, p: p, calls: map[uint32]answerer{}} }

// up takes bytes that the client writes.
func (t *tap) up(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.quiet {
		return
	}
	t.sent = append(t.sent, b...)
	if !t.greeted {
		const preamble = 6
		head, rest, ok := nextFrame(t.sent[min(preamble, len(t.sent)):])
		if !ok {
			return
		}
		var h pb.ConnectionHeader
		if proto.Unmarshal(head, &h) != nil || h.GetServiceName() != "ClientService" {
			t.quiet = true
			return
		}
		t.greeted, t.sent = true, rest
	}
	for {
		frame, rest, ok := nextFrame(t.sent)
		if !ok {
			break
		}
		t.request(frame)
		t.sent = rest
	}
	t.sent = append([]byte(nil), t.sent...) // let go of what was read
}

// down takes bytes that the client reads.
func (t *tap) down(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.quiet || len(b) == 0 {
		return
	}
	t.heard = append(t.heard, b...)
	for {
		frame, rest, ok := nextFrame(t.heard)
		if !ok {
			break
		}
		t.response(frame)
		t.heard = rest
	}
	t.heard = append([]byte(nil), t.heard...)
}

// nextFrame takes a frame, whose length stands in front, off b.
func nextFrame(b []byte) (frame, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, b, false
	}
	n := int(binary.BigEndian.Uint32(b))
	if n > len(b)-4 {
		return nil, b, false
	}
	return b[4 : 4+n], b[4+n:], true
}

// delimited takes a message, whose length stands in front, off b.
func delimited(b []byte, m proto.Message) (rest []byte, ok bool) {
	raw, n := protowire.ConsumeBytes(b)
	if n < 0 || proto.Unmarshal(raw, m) != nil {
		return nil, false
	}
	return b[n:], true
}

func (t *tap) request(frame []byte) {
	var h pb.RequestHeader
	rest, ok := delimited(frame, &h)
	if !ok {
		t.garbled("a request's header")
		return
	}
	var m proto.Message
	switch h.GetMethodName() {
	case "Multi":
		m = &pb.MultiRequest{}
	case "ExecService":
		m = &pb.CoprocessorServiceRequest{}
	case "Get":
		m = &pb.GetRequest{}
	default:
		return
	}
	if _, ok := delimited(rest, m); !ok {
		t.garbled("a request's parameter")
		return
	}
	if a := t.begin(m); a != nil {
		t.calls[h.GetCallId()] = a
	}
}

func (t *tap) response(frame []byte) {
	var h pb.ResponseHeader
	rest, ok := delimited(frame, &h)
	if !ok {
		t.garbled("an answer's header")
		return
	}
	a := t.calls[h.GetCallId()]
	if a == nil {
		return
	}
	delete(t.calls, h.GetCallId()) // a doubled answer counts once
	if h.Exception != nil {
		return // it may yet have been done, or be done by a frame that was doubled
	}
	body, n := protowire.ConsumeBytes(rest)
	if n < 0 {
		t.garbled("an answer's body")
		return
	}
	a(&h, body, rest[n:])
}

// garbled is a fault of the tap, or of the wire.
func (t *tap) garbled(what string) {
	t.quiet = true
	t.w.fail(ran, "%s of connector %d can't be read", what, t.p.id)
}
