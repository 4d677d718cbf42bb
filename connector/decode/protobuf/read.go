package protobuf

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"rowmark/connector/decode"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var errUTF8 = errors.New("a string is not valid UTF-8")

// message adds the value of a message.
func (r *reader) message(m *message, data []byte, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	if err := r.budget.Spend(1 + len(m.fields)); err != nil {
		return err
	}
	entries := len(r.entries)
	spans, err := r.scan(m, data)
	if err == nil {
		err = r.fields(m, spans, depth)
	}
	r.entries, r.spans = r.entries[:entries], r.spans[:spans]
	return err
}

func (r *reader) fields(m *message, spans, depth int) error {
	switch m.form {
	case inner:
		return r.field(&m.fields[0], r.spans[spans], depth)
	case oneMember:
		for i := range m.fields {
			if s := r.spans[spans+i]; s.first >= 0 && m.fields[i].enum == nil {
				return r.field(&m.fields[i], s, depth)
			}
		}
		r.to.Null()
		return nil
	case timestamp, duration:
		return r.moment(m, spans)
	case decimal:
		var unscaled, scale protoval
		if s := r.spans[spans]; s.first >= 0 {
			unscaled = r.entries[s.first].protoval
		}
		if s := r.spans[spans+2]; s.first >= 0 {
			scale = r.entries[s.first].protoval
		}
		return r.to.Decimal(unscaled.data, int(int32(scale.number)))
	}
	r.to.Object()
	for i := range m.fields {
		f := &m.fields[i]
		r.to.Name(f.name)
		if err := r.field(f, r.spans[spans+i], depth); err != nil {
			return decode.Below(string(f.name), err)
		}
	}
	r.to.End()
	return nil
}

func (r *reader) field(f *field, s span, depth int) error {
	switch {
	case f.mapped:
		r.to.Object()
		for i := s.first; i >= 0; i = r.entries[i].next {
			if err := r.pair(f.message, r.entries[i].data, depth); err != nil {
				return decode.Below("[*]", err)
			}
		}
		r.to.End()
		return nil
	case f.repeated:
		r.to.Array()
		err := r.list(f, s, depth)
		r.to.End()
		return err
	case s.first >= 0 && f.message != nil:
		return r.message(f.message, r.whole(s), depth+1)
	case s.first >= 0:
		return r.scalar(f, r.entries[s.first].protoval)
	case f.initial == nil:
		r.to.Null()
		return nil
	case f.message != nil:
		return r.message(f.message, nil, depth+1)
	}
	return r.scalar(f, *f.initial)
}

func (r *reader) list(f *field, s span, depth int) error {
	at := 0
	for i := s.first; i >= 0; i = r.entries[i].next {
		e := r.entries[i]
		var err error
		switch {
		case e.packed:
			at, err = r.packed(f, e.data, at)
		case f.message != nil:
			err = r.message(f.message, e.data, depth+1)
			at++
		default:
			err = r.scalar(f, e.protoval)
			at++
		}
		if err != nil {
			return decode.Below("["+strconv.Itoa(at-1)+"]", err)
		}
	}
	return nil
}

// packed adds numbers that lie together, and counts on.
func (r *reader) packed(f *field, data []byte, at int) (int, error) {
	typ := f.wire()
	for len(data) > 0 {
		at++
		e, n := value(0, typ, data)
		if n < 0 {
			return at, errWire
		}
		data = data[n:]
		if err := r.scalar(f, e.protoval); err != nil {
			return at, err
		}
	}
	return at, nil
}

// pair adds an entry of a map: its key is a member's name.
func (r *reader) pair(m *message, data []byte, depth int) error {
	entries := len(r.entries)
	spans, err := r.scan(m, data)
	if err == nil {
		key, k := *m.fields[0].initial, r.spans[spans]
		if k.first >= 0 {
			key = r.entries[k.first].protoval
		}
		if err = r.name(m.fields[0].kind, key); err == nil {
			err = r.field(&m.fields[1], r.spans[spans+1], depth)
		}
	}
	r.entries, r.spans = r.entries[:entries], r.spans[:spans]
	return err
}

func (r *reader) name(k protoreflect.Kind, key protoval) error {
	if k == protoreflect.StringKind {
		if !utf8.Valid(key.data) {
			return errUTF8
		}
		r.to.Name(key.data)
		return nil
	}
	text := r.to.Room(20)
	switch n := key.number; k {
	case protoreflect.BoolKind:
		text = strconv.AppendBool(text, n != 0)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		text = strconv.AppendUint(text, uint64(uint32(n)), 10)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		text = strconv.AppendUint(text, n, 10)
	default:
		text = strconv.AppendInt(text, signed(k, n), 10)
	}
	r.to.Name(r.to.Keep(text))
	return nil
}

func signed(k protoreflect.Kind, n uint64) int64 {
	switch k {
	case protoreflect.Sint32Kind:
		return int64(int32(protowire.DecodeZigZag(n & math.MaxUint32)))
	case protoreflect.Sint64Kind:
		return protowire.DecodeZigZag(n)
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		return int64(n)
	}
	return int64(int32(n))
}

func (r *reader) scalar(f *field, v protoval) error {
	switch f.kind {
	case protoreflect.BoolKind:
		r.to.Bool(v.number != 0)
	case protoreflect.EnumKind:
		if name, ok := f.enum[int32(v.number)]; ok {
			r.to.String(name)
		} else {
			r.to.Int(int64(int32(v.number)))
		}
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		r.to.Uint(uint64(uint32(v.number)))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		r.to.Uint(v.number)
	case protoreflect.FloatKind:
		r.to.Float(float64(math.Float32frombits(uint32(v.number))), 32)
	case protoreflect.DoubleKind:
		r.to.Float(math.Float64frombits(v.number), 64)
	case protoreflect.StringKind:
		if !utf8.Valid(v.data) {
			return errUTF8
		}
		r.to.String(v.data)
	case protoreflect.BytesKind:
		r.to.Bytes(v.data)
	default:
		r.to.Int(signed(f.kind, v.number))
	}
	return nil
}
