package decode

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"
)

// Connect reads what Kafka Connect's JsonConverter writes with schemas.enable: an object of schema and payload, and
// gives the payload with the types of the schema: bytes are Bytes, and decimals (Connect's Decimal, Debezium's
// VariableScaleDecimal) exact Numbers. All else is as JSON has it: dates, times and timestamps are numbers or text,
// counted as their schema's name says, and a null is null, whatever default the schema has. Without a schema (null)
// the payload is taken as it is. A payload of null is Absent: a tombstone.
//
// A new one has its own memory of schemas, since each record repeats its own.
func Connect() Format { return &connectFormat{} }

type connectFormat struct {
	known  atomic.Pointer[[]*connectHead] // the latest first; never changed in place
	adding sync.Mutex
}

// connectHead is how records of one schema begin: their bytes up to the end of the schema, and what it says.
type connectHead struct {
	text   []byte
	schema *connectSchema
}

// Schemas remembered: as many as one topic's tables, say, at most so large.
const (
	connectHeads   = 32
	connectLargest = 1 << 20
)

var (
	errConnect = errors.New("it is no object of schema and payload: is schemas.enable of the converter set, or is it plain json?")
	errSchema  = errors.New("its schema is none of Connect's")
)

// noSchema is that of payloads without one.
var noSchema = &connectSchema{plain: true}

func (*connectFormat) HasFields() bool { return true }
func (*connectFormat) String() string  { return "connect" }

func (f *connectFormat) Decode(t *Tree, data []byte) (Value, error) {
	t.arrays = true
	if head := f.find(data); head != nil {
		if done, err := t.parseFrom(data, len(head.text)); done {
			return t.apply(head.schema, 0, err)
		}
	}
	if err := t.parse(data); err != nil {
		return Value{}, err
	}
	schema, payload := int32(-1), int32(-1)
	if t.nodes[0].kind == Object {
		schema, payload = t.member(0, "schema"), t.member(0, "payload")
	}
	if schema < 0 || payload < 0 {
		return Value{}, errConnect
	}
	if t.nodes[schema].kind == Null {
		return t.apply(noSchema, payload, nil)
	}
	made, err := t.schemaOf(schema)
	if err != nil {
		return Value{}, err
	}
	if schema == 1 {
		f.remember(data[:t.nodes[schema].text.to], made)
	}
	return t.apply(made, payload, nil)
}

// parseFrom reads the payload of a record whose schema ends at from. Not done: the record goes on in another way.
func (t *Tree) parseFrom(data []byte, from int) (done bool, err error) {
	p, err := t.begin(data)
	if err != nil {
		return true, err
	}
	p.pos = from
	if done, err := p.next('}'); done || err != nil {
		return false, nil
	}
	if p.peek() != '"' {
		return false, nil
	}
	key, err := p.str()
	if p.space(); err != nil || string(t.bytes(key)) != "payload" || p.peek() != ':' {
		return false, nil
	}
	p.pos++
	p.space()
	if err := p.value(span{}, 1); err != nil {
		return true, err
	}
	if end, err := p.next('}'); !end || err != nil {
		return false, nil
	}
	return true, p.finish()
}

// apply gives the payload at a node with the types of its schema.
func (t *Tree) apply(s *connectSchema, payload int32, err error) (Value, error) {
	if err == nil {
		_, err = t.retype(s, payload)
	}
	switch {
	case err != nil:
		return Value{}, err
	case t.nodes[payload].kind == Null:
		return Value{Kind: Absent}, nil
	}
	return t.value(payload), nil
}

func (f *connectFormat) find(data []byte) *connectHead {
	known := f.known.Load()
	if known == nil {
		return nil
	}
	for _, head := range *known {
		if bytes.HasPrefix(data, head.text) {
			return head
		}
	}
	return nil
}

func (f *connectFormat) remember(text []byte, schema *connectSchema) {
	if len(text) > connectLargest {
		return
	}
	f.adding.Lock()
	defer f.adding.Unlock()
	known := []*connectHead{{bytes.Clone(text), schema}}
	if old := f.known.Load(); old != nil {
		known = append(known, (*old)[:min(len(*old), connectHeads-1)]...)
	}
	f.known.Store(&known)
}
