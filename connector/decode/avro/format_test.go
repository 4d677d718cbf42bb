package avro

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/registry/registrytest"
)

func avroSchema(text string, refs ...decode.Reference) *decode.Schema {
	return &decode.Schema{Kind: decode.AvroSchema, Text: text, References: refs}
}

func TestConfluentWireFormat(t *testing.T) {
	status := decode.Reference{Name: "shop.Status", Schema: avroSchema(`{"type":"enum","name":"Status","namespace":"shop","symbols":["NEW","PAID"]}`)}
	line := decode.Reference{Name: "shop.Line", Schema: avroSchema(`{"type":"record","name":"shop.Line","fields":[{"name":"s","type":"shop.Status"}]}`, status)}
	s := registrytest.Shelf{
		1:       avroSchema(`"string"`),
		1 << 31: avroSchema(`{"type":"record","name":"shop.Order","fields":[{"name":"status","type":"Status"},{"name":"line","type":"shop.Line"}]}`, status, line),
		3:       avroSchema(`{"type":"record","name":"Odd-Name","fields":[{"name":"a b","type":["null","int"],"default":7}]}`),
		4:       avroSchema(`{"type":"record"`),
		5:       {Kind: decode.ProtobufSchema, Text: `syntax = "proto3";`},
		6:       avroSchema(`{"type":"record","name":"A","fields":[{"name":"b","type":"Nowhere"}]}`),
	}
	f := NewConfluent(s)
	for _, c := range []struct{ data, want, err string }{
		{"\x00\x00\x00\x00\x01\x02x", `"x"`, ""},
		{"\x00\x80\x00\x00\x00\x02\x00", `{"status":"PAID","line":{"s":"NEW"}}`, ""},
		{"\x00\x00\x00\x00\x03\x02\x02", `{"a b":1}`, ""}, // names and defaults that Avro forbids, and writers let pass
		{"\x00\x00\x00\x00\x04\x02", "", "reading schema 4: it is no JSON"},
		{"\x00\x00\x00\x00\x05\x02", "", "schema 5 is of type PROTOBUF, and not AVRO"},
		{"\x00\x00\x00\x00\x06\x02", "", "reading schema 6"},
		{"\x00\x00\x00\x00\x07\x02", "", "not asked yet"},
		{"\x00\x00\x00\x00", "", "shorter than the 5 bytes"},
		{"", "", "shorter than the 5 bytes"},
		{"\x01\x00\x00\x00\x01\x02x", "", "first byte is not 0"},
	} {
		v, err := f.Decode(new(decode.Tree), []byte(c.data))
		switch {
		case c.err == "" && (err != nil || string(v.AppendJSON(nil)) != c.want):
			t.Errorf("%x: %s, %v; want %s", c.data, v.AppendJSON(nil), err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%x: %v, want %s", c.data, err, c.err)
		}
		if later := new(decode.Later); errors.As(err, &later) != (c.err == "not asked yet") {
			t.Errorf("%x: %v is no fault of the record: %v", c.data, err, errors.As(err, &later))
		}
	}
	s[7] = avroSchema(`"int"`)
	if v, err := f.Decode(new(decode.Tree), []byte("\x00\x00\x00\x00\x07\x02")); err != nil || string(v.Text) != "1" {
		t.Errorf("a schema that came later: %s, %v", v.Text, err)
	}
}

// Schemas that refer to two that refer to one, again and again, are each read once.
func TestSharedReferences(t *testing.T) {
	s := avroSchema(`{"type":"enum","name":"E0","symbols":["A"]}`)
	for i := range 60 {
		refs := []decode.Reference{{Name: "a", Schema: s}, {Name: "b", Schema: s}}
		s = avroSchema(fmt.Sprintf(`{"type":"record","name":"E%d","fields":[{"name":"f","type":"E%d"}]}`, i+1, i), refs...)
	}
	v, err := NewConfluent(registrytest.Shelf{1: s}).Decode(new(decode.Tree), []byte("\x00\x00\x00\x00\x01\x00"))
	if err != nil || v.Kind != decode.Object {
		t.Errorf("%v", err)
	}
}

func TestSingleObjectWantsItsSchema(t *testing.T) {
	f := fixedOf(t, `"int"`, SingleObject)
	for data, want := range map[string]error{
		"\xc3\x01\xb7\x1d\xf4\x93\x44\xe1\x54\xd0\x02": errFingerprint, // of "long"
		"\xc3\x02\x8f\x5c\x39\x3f\x1a\xd5\x75\x72\x02": errFront,
		"\xc3": errFront,
		"":     errFront,
	} {
		if _, err := f.Decode(new(decode.Tree), []byte(data)); err != want {
			t.Errorf("%x: %v, want %v", data, err, want)
		}
	}
	if _, err := NewFixed(`"int"`, Confluent); err == nil {
		t.Error("one schema reads what names others")
	}
	if _, err := NewFixed(`{"type":"nothing"}`, None); err == nil {
		t.Error("a schema of an unknown type is taken")
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	for _, g := range goldens(t) {
		if g.name != "record" && g.name != "union" {
			continue
		}
		f, tree, data := fixedOf(t, g.schema, None), new(decode.Tree), []byte(g.data)
		read := func() {
			if _, err := f.Decode(tree, data); err != nil {
				t.Fatal(err)
			}
		}
		read()
		if n := testing.AllocsPerRun(1000, read); n > 0 {
			t.Errorf("%s: %v allocations", g.name, n)
		}
	}
}
