package protobuf

import (
	"errors"
	"fmt"
	"slices"

	"rowmark/connector/decode"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxDepth bounds the nesting of messages, as Protobuf's own readers do.
const maxDepth = 100

var (
	errWire  = errors.New("it ends within a value, or is no Protobuf")
	errDepth = fmt.Errorf("it is nested deeper than %d", maxDepth)
)

// entry is a value found on the wire. Those of one field hang together, in the order of the wire.
type entry struct {
	next   int32 // of the same field; -1: none
	packed bool  // data holds many numbers
	protoval
}

// span is the entries of a field: the first and the last one, -1 without any.
type span struct{ first, last int32 }

// reader holds what reading takes, for one message after the other. Both lists grow and shrink with the nesting.
type reader struct {
	to      *decode.Builder
	budget  decode.Budget
	entries []entry
	most    int // entries there were at a time
	spans   []span
}

// scan finds the values of a message's fields. The spans begin at the index it gives. The wire may have fields in any
// order, and a tree is built in that of the schema.
func (r *reader) scan(m *message, data []byte) (spans int, err error) {
	spans = len(r.spans)
	for range m.fields {
		r.spans = append(r.spans, span{-1, -1})
	}
	for len(data) > 0 {
		number, typ, n := protowire.ConsumeTag(data)
		if n < 0 || typ == protowire.EndGroupType {
			return spans, errWire
		}
		data = data[n:]
		e, n := value(number, typ, data)
		if n < 0 {
			return spans, errWire
		}
		data = data[n:]
		at := m.field(number)
		if at < 0 {
			continue
		}
		f := &m.fields[at]
		want := f.wire()
		e.packed = f.repeated && typ == protowire.BytesType && want != typ && want != protowire.StartGroupType
		if typ != want && !e.packed {
			continue // to Protobuf it is an unknown field
		}
		r.link(m, f, spans, at, e)
	}
	return spans, nil
}

// value reads what a tag announces.
func value(number protowire.Number, typ protowire.Type, data []byte) (e entry, n int) {
	e.next = -1
	switch typ {
	case protowire.VarintType:
		e.number, n = protowire.ConsumeVarint(data)
	case protowire.Fixed32Type:
		var v uint32
		v, n = protowire.ConsumeFixed32(data)
		e.number = uint64(v)
	case protowire.Fixed64Type:
		e.number, n = protowire.ConsumeFixed64(data)
	case protowire.BytesType:
		e.data, n = protowire.ConsumeBytes(data)
	case protowire.StartGroupType:
		e.data, n = protowire.ConsumeGroup(number, data)
	default:
		n = -1
	}
	return e, n
}

func (r *reader) link(m *message, f *field, spans, at int, e entry) {
	if f.oneof > 0 { // of a oneof the last member on the wire is set
		for _, other := range m.oneofs[f.oneof-1] {
			if int(other) != at {
				r.spans[spans+int(other)] = span{-1, -1}
			}
		}
	}
	s := &r.spans[spans+at]
	if s.last >= 0 && !f.repeated && f.message == nil {
		r.entries[s.last] = e // the last one counts
		return
	}
	r.entries = append(r.entries, e)
	r.most = max(r.most, len(r.entries))
	last := int32(len(r.entries) - 1)
	if s.first < 0 {
		s.first = last
	} else {
		r.entries[s.last].next = last
	}
	s.last = last
}

// whole gives the bytes of a message that lies in one part or more, which together are one, as Protobuf has it.
func (r *reader) whole(s span) []byte {
	if s.first == s.last {
		return r.entries[s.first].data
	}
	var parts [][]byte
	for i := s.first; i >= 0; i = r.entries[i].next {
		parts = append(parts, r.entries[i].data)
	}
	return slices.Concat(parts...)
}
