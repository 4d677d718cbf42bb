package protobuf

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// message is a message's type, ready for reading.
type message struct {
	form   form
	fields []field
	low    []int16                    // by number, as far as numbers are low: the field's index + 1
	high   map[protowire.Number]int16 // the others
	oneofs [][]int16                  // members
	nested []*message                 // declared in it, as message indexes count them
}

// form says that a message is read as something other than its fields.
type form uint8

const (
	plain     form = iota
	inner          // what its only field holds
	oneMember      // what that field holds that is set, or null
	timestamp
	duration
	decimal
)

type field struct {
	name     []byte
	kind     protoreflect.Kind
	repeated bool
	mapped   bool      // a map, whose entries are of type message
	presence bool      // it is null where it is not set
	oneof    int16     // index + 1
	initial  *protoval // what it is where it is not set; nil: nothing, or null
	enum     map[int32][]byte
	message  *message
}

// protoval is a value as the wire has it: a number, or bytes.
type protoval struct {
	number uint64
	data   []byte
}

// forms are the well-known messages, with how many fields they have.
var forms = map[protoreflect.FullName]struct {
	form   form
	fields int
}{
	"google.protobuf.DoubleValue": {inner, 1}, "google.protobuf.FloatValue": {inner, 1}, "google.protobuf.Int64Value": {inner, 1},
	"google.protobuf.UInt64Value": {inner, 1}, "google.protobuf.Int32Value": {inner, 1}, "google.protobuf.UInt32Value": {inner, 1},
	"google.protobuf.BoolValue": {inner, 1}, "google.protobuf.StringValue": {inner, 1}, "google.protobuf.BytesValue": {inner, 1},
	"google.protobuf.Struct": {inner, 1}, "google.protobuf.ListValue": {inner, 1}, "google.protobuf.Value": {oneMember, 6},
	"google.protobuf.Timestamp": {timestamp, 2}, "google.protobuf.Duration": {duration, 2}, "confluent.type.Decimal": {decimal, 3},
}

// lowNumbers are the field numbers that are found without a map.
const lowNumbers = 256

// planner makes each type once, as types may hold themselves.
type planner map[protoreflect.FullName]*message

// all gives the plans of messages in the order of their declaration, with those declared in them.
func (p planner) all(list protoreflect.MessageDescriptors) []*message {
	var out []*message
	for i := range list.Len() {
		d := list.Get(i)
		m := p.message(d)
		m.nested = p.all(d.Messages())
		out = append(out, m)
	}
	return out
}

func (p planner) message(d protoreflect.MessageDescriptor) *message {
	if m, ok := p[d.FullName()]; ok {
		return m
	}
	m := &message{oneofs: make([][]int16, d.Oneofs().Len()), low: make([]int16, 1), high: map[protowire.Number]int16{}}
	p[d.FullName()] = m
	if f, ok := forms[d.FullName()]; ok && d.Fields().Len() == f.fields {
		m.form = f.form
	}
	for i := range d.Fields().Len() {
		fd := d.Fields().Get(i)
		at := int16(i + 1)
		if n := fd.Number(); n < lowNumbers {
			for len(m.low) <= int(n) {
				m.low = append(m.low, 0)
			}
			m.low[n] = at
		} else {
			m.high[n] = at
		}
		f := p.field(fd)
		if o := fd.ContainingOneof(); o != nil {
			f.oneof = int16(o.Index() + 1)
			m.oneofs[o.Index()] = append(m.oneofs[o.Index()], int16(i))
		}
		m.fields = append(m.fields, f)
	}
	return m
}

func (p planner) field(d protoreflect.FieldDescriptor) field {
	f := field{name: []byte(d.Name()), kind: d.Kind(), repeated: d.IsList(), mapped: d.IsMap(), presence: d.HasPresence()}
	switch {
	case d.Message() != nil:
		f.message = p.message(d.Message())
	case d.Enum() != nil:
		f.enum = map[int32][]byte{}
		values := d.Enum().Values()
		for i := values.Len() - 1; i >= 0; i-- { // of several names of a number the first one counts
			f.enum[int32(values.Get(i).Number())] = []byte(values.Get(i).Name())
		}
	}
	if f.message == nil && !f.repeated && (!f.presence || d.HasDefault()) {
		f.initial = wireOf(d.Kind(), d.Default())
	}
	if d.ContainingMessage().IsMapEntry() {
		f.presence = false // an entry has a key and a value, also where they are not on the wire
		if f.message != nil {
			f.initial = &protoval{}
		}
	}
	return f
}

// wireOf gives a default as the wire would have it.
func wireOf(k protoreflect.Kind, v protoreflect.Value) *protoval {
	switch k {
	case protoreflect.BoolKind:
		return &protoval{number: protowire.EncodeBool(v.Bool())}
	case protoreflect.EnumKind:
		return &protoval{number: uint64(v.Enum())}
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return &protoval{number: protowire.EncodeZigZag(v.Int())}
	case protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		return &protoval{number: uint64(v.Int())}
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind:
		return &protoval{number: v.Uint()}
	case protoreflect.FloatKind:
		return &protoval{number: uint64(math.Float32bits(float32(v.Float())))}
	case protoreflect.DoubleKind:
		return &protoval{number: math.Float64bits(v.Float())}
	case protoreflect.StringKind:
		return &protoval{data: []byte(v.String())}
	}
	return &protoval{data: v.Bytes()}
}

// field finds a field by its number; none is -1.
func (m *message) field(n protowire.Number) int {
	if n < lowNumbers {
		if int(n) < len(m.low) {
			return int(m.low[n]) - 1
		}
		return -1
	}
	return int(m.high[n]) - 1
}

// wire is how a field's single values lie on the wire.
func (f *field) wire() protowire.Type {
	switch f.kind {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return protowire.VarintType
}
