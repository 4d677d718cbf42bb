package hbase

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// rowAnswer is what a RegionActionResult says of a written row.
type rowAnswer struct {
	exception *pb.NameBytesPair // of the RegionAction, else the first of the row's mutations
	whole     bool              // it is of the RegionAction
	shared    bool              // the RegionAction is not the row's alone
	results   int               // of its mutations
	processed processed
}

// processed is the optional field of that name, which servers before 2.4 don't know.
type processed uint8

const (
	processedAbsent processed = iota
	processedNo
	processedYes
)

// readMulti reads the MultiResponse to a call by hand, for as messages it is several objects a row: an answer for
// each row, in order. Results of mutations are counted and not looked at: writes ask for none.
func readMulti(b []byte, call []piece) ([]rowAnswer, error) {
	n := 0
	for _, p := range call {
		n += len(p.idx)
	}
	answers := make([]rowAnswer, 0, n)
	actions := actionCursor{call: call}
	r := fieldReader{rest: b}
	for r.next() {
		if !r.is(1, protowire.BytesType) {
			continue
		}
		rows, shared := actions.next()
		if rows == 0 {
			return nil, badAnswer(methodMulti, fmt.Errorf("more results than the call has parts; it has %d rows", n))
		}
		from := len(answers)
		answers = answers[:from+rows]
		if err := readAction(answers[from:], shared, r.bytes); err != nil {
			return nil, badAnswer(methodMulti, err)
		}
	}
	if r.err != nil {
		return nil, badAnswer(methodMulti, r.err)
	}
	return answers, nil
}

// actionCursor goes through the RegionActions of a call.
type actionCursor struct {
	call []piece
	at   int // row of the first piece
}

// next gives how many rows the next RegionAction holds, 0 at the end.
func (c *actionCursor) next() (rows int, shared bool) {
	for len(c.call) > 0 && c.at == len(c.call[0].idx) {
		c.call, c.at = c.call[1:], 0
	}
	if len(c.call) == 0 {
		return 0, false
	}
	if n := c.call[0].shared; c.at < n {
		c.at = n
		return n, true
	}
	c.at++
	return 1, false
}

// readPair reads a pair; one that comes in two parts is put together, as protobuf has it.
func readPair(p **pb.NameBytesPair, b []byte) error {
	if *p == nil {
		*p = &pb.NameBytesPair{}
	}
	if err := (proto.UnmarshalOptions{Merge: true}).Unmarshal(b, *p); err != nil {
		return fmt.Errorf("reading an exception: %w", err)
	}
	return nil
}

// fieldReader goes through the fields of a message. What it gives shares the message's memory.
type fieldReader struct {
	rest   []byte
	num    protowire.Number
	typ    protowire.Type
	bytes  []byte
	varint uint64
	err    error
}

// next reads one field, and is false at the end or at an error.
func (r *fieldReader) next() bool {
	if len(r.rest) == 0 || r.err != nil {
		return false
	}
	num, typ, n := protowire.ConsumeTag(r.rest)
	m := n
	if n >= 0 {
		switch typ {
		case protowire.BytesType:
			r.bytes, m = protowire.ConsumeBytes(r.rest[n:])
		case protowire.VarintType:
			r.varint, m = protowire.ConsumeVarint(r.rest[n:])
		default:
			m = protowire.ConsumeFieldValue(num, typ, r.rest[n:])
		}
	}
	if m < 0 {
		r.err = protowire.ParseError(m)
		return false
	}
	r.num, r.typ, r.rest = num, typ, r.rest[n+m:]
	return true
}

func (r *fieldReader) is(num protowire.Number, typ protowire.Type) bool {
	return r.num == num && r.typ == typ
}
