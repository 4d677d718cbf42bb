package protobuf

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/registry/registrytest"

	protolib "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

func TestWhatIsNotOnTheWire(t *testing.T) {
	f := New(shop(t))
	for _, c := range []struct {
		id   byte
		data string
		want string
	}{
		{1, "", `{"id":0,"b":false,"i32":0,"s32":0,"u32":0,"f32":0,"sf32":0,"s64":0,"u64":0,"f64":0,"sf64":0,"fl":0,"db":0,"text":"","data":"","size":"UNSET",` +
			`"maybe":null,"maybe_text":null,"numbers":[],"loose":[],"texts":[],"sizes":[],"lines":[],"counts":{},"by_number":{},"by_bool":{},"by_big":{},` +
			`"card":null,"cash":null,"barter":null,"parent":null,"created":null,"took":null,"w_long":null,"w_text":null,"w_bytes":null,"w_bool":null,"w_double":null,` +
			`"tree":null,"any_value":null,"list":null,"times":[]}`},
		{2, "", `{"must":null,"plain":null,"seven":7,"word":"w","low":-9,"raw":null,"list":[]}`},
		{2, "\x10\x00\x18\x00", `{"must":null,"plain":0,"seven":0,"word":"w","low":-9,"raw":null,"list":[]}`},
		// Of a oneof the last member counts.
		{1, "\xda\x01\x01c\xe0\x01\x05", `"card":null,"cash":5,"barter":null`},
		{1, "\xe0\x01\x05\xda\x01\x01c", `"card":"c","cash":null,"barter":null`},
		// An entry of a map has a key and a value, whatever is there.
		{1, "\xc2\x01\x00", `"by_number":{"0":{"sku":"","count":0,"deep":null}}`},
		{1, "\xba\x01\x00\xca\x01\x00", `"counts":{"":0},"by_number":{},"by_bool":{"false":""}`},
	} {
		v, err := f.Decode(new(decode.Tree), framed(c.id, []byte(c.data)))
		if got := string(v.AppendJSON(nil)); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%q: %s, %v\nwant %s", c.data, got, err, c.want)
		}
	}
}

func TestMessageIndexes(t *testing.T) {
	f := New(shop(t))
	body := []byte("\x08\x05")
	for _, c := range []struct {
		indexes []byte
		want    string // empty: refused
	}{
		{[]byte{0}, `{"a":5}`},
		{[]byte{2, 0}, `{"a":5}`},
		{[]byte{2, 2}, `{"e":5}`},
		{[]byte{4, 0, 2}, `{"c":5}`},
		{[]byte{6, 0, 2, 0}, `{"n":5}`},
		{[]byte{4, 0, 0}, `{}`},
		{[]byte{2, 4}, ""},
		{[]byte{4, 2, 0}, ""},
		{[]byte{2, 1}, ""},
		{[]byte{1}, ""},
		{[]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, ""},
		{[]byte{8, 0, 2, 0}, ""},
	} {
		v, err := f.Decode(new(decode.Tree), framed(3, body, c.indexes...))
		if got := string(v.AppendJSON(nil)); c.want != "" && (err != nil || got != c.want) || c.want == "" && err == nil {
			t.Errorf("%v: %s, %v; want %s", c.indexes, got, err, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	f := New(shop(t))
	for _, c := range []struct{ data, want string }{
		{"", "shorter than the 5 bytes"},
		{"\x00\x00\x00\x00\x01", "message indexes"},
		{"\x00\x00\x00\x00\x04\x00", "reading schema 4: "},
		{"\x00\x00\x00\x00\x05\x00", "schema 5 is of type AVRO"},
		{"\x00\x00\x00\x00\x06\x00", "message indexes"},
		{"\x00\x00\x00\x00\x09\x00", "not asked yet"},
		{"\x00\x00\x00\x00\x01\x00\xff", errWire.Error()},
		{"\x00\x00\x00\x00\x01\x00\x0c", errWire.Error()},     // a group that ends without a beginning
		{"\x00\x00\x00\x00\x01\x00\x6a\x7f", errWire.Error()}, // text that is cut
		{"\x00\x00\x00\x00\x01\x00\x6a\x01\xff", "at text: " + errUTF8.Error()},
		{"\x00\x00\x00\x00\x01\x00\xb2\x01\x00\xb2\x01\x03\x0a\x01\xff", "at lines[1].sku: " + errUTF8.Error()},
		{"\x00\x00\x00\x00\x01\x00\xc2\x01\x05\x12\x03\x0a\x01\xff", "at by_number[*].sku: " + errUTF8.Error()},
		{"\x00\x00\x00\x00\x01\x00\x92\x01\x02\x01\xff", "at numbers[1]: " + errWire.Error()},
		{"\x00\x00\x00\x00\x01\x00\xfa\x01\x03\x10\xff\xff", "at created: " + errWire.Error()},
		{"\x00\x00\x00\x00\x01\x00\xfa\x01\x06\x10\x80\x94\xeb\xdc\x03", "at created: " + errMoment.Error()}, // a second of nanoseconds
	} {
		_, err := f.Decode(new(decode.Tree), []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.data, err, c.want)
		}
		if later := new(decode.Later); errors.As(err, &later) != (c.want == "not asked yet") {
			t.Errorf("%q: %v is no fault of the record: %v", c.data, err, errors.As(err, &later))
		}
	}
}

func TestGroups(t *testing.T) {
	f := New(shop(t))
	v, err := f.Decode(new(decode.Tree), framed(2, []byte("\x3b\x08\x05\x3c\x43\x44\x43\x08\x06\x44"), 2, 2))
	if got := string(v.AppendJSON(nil)); err != nil || got != `{"inside":{"n":5},"many":[{"n":null},{"n":6}]}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestDecimalsAreExact(t *testing.T) {
	f := New(shop(t))
	for body, want := range map[string]string{
		"\x0a\x06\x0a\x02\x04\xd2\x18\x02": "12.34",
		"\x0a\x05\x0a\x01\xff\x18\x03":     "-0.001",
		"\x0a\x03\x0a\x01\x07":             "7",
	} {
		v, err := f.Decode(new(decode.Tree), framed(1, []byte(body), 2, 2))
		if p := v.At([]string{"price"}); err != nil || p.Kind != decode.Number || string(p.Text) != want {
			t.Errorf("%x: %s, %v; want %s", body, p.Text, err, want)
		}
	}
	if _, err := f.Decode(new(decode.Tree), framed(1, []byte("\x0a\x00"), 2, 2)); err == nil {
		t.Error("a decimal without bytes is a number")
	}
}

// Two bytes are a message with all its defaults.
func TestDefaultsAreBounded(t *testing.T) {
	f := New(shop(t))
	body := []byte(strings.Repeat("\xf2\x01\x00", 1<<16)) // one message in many parts
	if _, err := f.Decode(new(decode.Tree), framed(1, body)); err != nil {
		t.Error(err)
	}
	wide := "syntax = \"proto3\"; message A { repeated A list = 1; "
	for i := range 1000 {
		wide += fmt.Sprintf("int32 f%d = %d; ", i, i+2)
	}
	f = New(registrytest.Shelf{1: {Kind: decode.ProtobufSchema, Text: wide + "}"}})
	if _, err := f.Decode(new(decode.Tree), framed(1, []byte(strings.Repeat("\x0a\x00", 500)))); err != nil {
		t.Error(err)
	}
	if _, err := f.Decode(new(decode.Tree), framed(1, []byte(strings.Repeat("\x0a\x00", 1<<16)))); err == nil || !strings.Contains(err.Error(), "far more values") {
		t.Errorf("%.80v", err)
	}
}

func TestNestingIsBounded(t *testing.T) {
	f := New(shop(t))
	nest := func(n int) []byte {
		var data []byte
		for range n {
			var front []byte
			front = append(front, 0xf2, 0x01)
			for size := len(data); ; size >>= 7 {
				if size < 0x80 {
					front = append(front, byte(size))
					break
				}
				front = append(front, byte(size)|0x80)
			}
			data = append(front, data...)
		}
		return framed(1, data)
	}
	if _, err := f.Decode(new(decode.Tree), nest(90)); err != nil {
		t.Errorf("90 messages: %v", err)
	}
	if _, err := f.Decode(new(decode.Tree), nest(2000)); err == nil || !strings.Contains(err.Error(), errDepth.Error()) {
		t.Errorf("2,000 messages: %.80v", err)
	}
}

func TestAnyBytesAreReadOrRefused(t *testing.T) {
	f := New(shop(t))
	md := descriptor(t, "shop.proto", "Order")
	r := rand.New(rand.NewPCG(7, 8))
	var tree decode.Tree
	for i := range 3000 {
		m := dynamicpb.NewMessage(md)
		fill(r, m, 2)
		data, err := protolib.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		data = framed(1, data)
		for range 1 + r.IntN(4) {
			data[r.IntN(len(data)-5)+5] = byte(r.Uint32())
		}
		if i%3 == 0 {
			data = data[:r.IntN(len(data))]
		}
		if v, err := f.Decode(&tree, data); err == nil {
			v.AppendJSON(nil)
		}
	}
}
