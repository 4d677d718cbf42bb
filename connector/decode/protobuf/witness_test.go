package protobuf

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"rowmark/connector/decode"

	"google.golang.org/protobuf/encoding/protojson"
	protolib "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// fill sets fields at random.
func fill(r *rand.Rand, m protoreflect.Message, depth int) {
	switch name := m.Descriptor().FullName(); name {
	case "google.protobuf.Timestamp", "google.protobuf.Duration":
		fields := m.Descriptor().Fields()
		seconds, nanos := r.Int64N(4e9)-2e9, r.Int64N(1000)*[]int64{1, 1000, 1000000}[r.IntN(3)]
		if name == "google.protobuf.Duration" && seconds < 0 {
			nanos = -nanos
		}
		m.Set(fields.Get(0), protoreflect.ValueOfInt64(seconds))
		m.Set(fields.Get(1), protoreflect.ValueOfInt32(int32(nanos)))
		return
	case "google.protobuf.Value":
		fields := m.Descriptor().Fields()
		fd := fields.Get(r.IntN(4)) // null, number, text, truth
		if depth < 3 {
			fd = fields.Get(r.IntN(fields.Len()))
		}
		set(r, m, fd, depth)
		return
	}
	for i := range m.Descriptor().Fields().Len() {
		fd := m.Descriptor().Fields().Get(i)
		if r.IntN(2) == 0 || depth > 3 && fd.Message() != nil {
			continue
		}
		set(r, m, fd, depth)
	}
}

func set(r *rand.Rand, m protoreflect.Message, fd protoreflect.FieldDescriptor, depth int) {
	switch {
	case fd.IsMap():
		for range r.IntN(3) {
			key := single(r, fd.MapKey(), nil, depth).MapKey()
			m.Mutable(fd).Map().Set(key, single(r, fd.MapValue(), m.Mutable(fd).Map().NewValue, depth))
		}
	case fd.IsList():
		list := m.Mutable(fd).List()
		for range r.IntN(4) {
			list.Append(single(r, fd, list.NewElement, depth))
		}
	default:
		m.Set(fd, single(r, fd, func() protoreflect.Value { return m.NewField(fd) }, depth))
	}
}

func single(r *rand.Rand, fd protoreflect.FieldDescriptor, empty func() protoreflect.Value, depth int) protoreflect.Value {
	n := int64(r.Uint64()) >> r.IntN(64)
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		v := empty()
		fill(r, v.Message(), depth+1)
		return v
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n&1 == 0)
	case protoreflect.EnumKind:
		values := fd.Enum().Values()
		if fd.Enum().FullName() != "google.protobuf.NullValue" && r.IntN(5) == 0 {
			return protoreflect.ValueOfEnum(77) // of no name
		}
		return protoreflect.ValueOfEnum(values.Get(r.IntN(values.Len())).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(n)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(r.NormFloat64()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.NormFloat64() * math.Pow10(r.IntN(40)-20))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(strconv.FormatInt(n, 36)))
	}
	return protoreflect.ValueOfString([]string{"", "ü", "a b", "long \" text"}[r.IntN(4)])
}

// alike makes JSON comparable: Protobuf's own has whole numbers of 64 bits as text, and leaves out where we have null.
func alike(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if e != nil {
				out[k] = alike(e)
			}
		}
		return out
	case []any:
		for i := range v {
			v[i] = alike(v[i])
		}
		return v
	case json.Number:
		v = json.Number(strings.TrimSuffix(string(v), ".0")) // as Java writes a whole double
		if strings.ContainsAny(string(v), ".e") {
			f, _ := v.Float64()
			return f
		}
		return string(v)
	case float64:
		return v
	}
	return v
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return alike(v)
}

// compare reads bytes by us and by Protobuf's library.
func compare(t *testing.T, f decode.Format, id byte, md protoreflect.MessageDescriptor, data []byte) {
	t.Helper()
	m := dynamicpb.NewMessage(md)
	if err := protolib.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	want, err := protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Decode(new(decode.Tree), framed(id, data))
	if err != nil {
		t.Fatalf("%s: %v", want, err)
	}
	got := v.AppendJSON(nil)
	if a, b := parsed(t, got), parsed(t, want); !reflect.DeepEqual(a, b) {
		t.Fatalf("%x\nis   %s\nwant %s", data, got, want)
	}
}

func TestReadsWhatProtobufReads(t *testing.T) {
	f := New(shop(t))
	md := descriptor(t, "shop.proto", "Order")
	r := rand.New(rand.NewPCG(3, 4))
	var last []byte
	for range 300 {
		m := dynamicpb.NewMessage(md)
		fill(r, m, 0)
		data, err := protolib.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, f, 1, md, data)
		// Two messages in a row are one: single values are the later ones, lists are joined, messages merged.
		compare(t, f, 1, md, append(last, data...))
		last = data
	}
}

func TestReadsProto2(t *testing.T) {
	f := New(shop(t))
	md := descriptor(t, "old.proto", "Old")
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		m := dynamicpb.NewMessage(md)
		fill(r, m, 0)
		// What is not set has its default here, where a default is declared, and null otherwise.
		for _, name := range []protoreflect.Name{"must", "seven", "word", "low"} {
			if fd := md.Fields().ByName(name); !m.Has(fd) {
				m.Set(fd, single(r, fd, nil, 0))
			}
		}
		data, err := protolib.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, f, 2, md, data)
	}
}
