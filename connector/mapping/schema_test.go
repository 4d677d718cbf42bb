package mapping

import (
	"errors"
	"strings"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/registry/registrytest"
)

const orderSchema = `{"type":"record","name":"Order","fields":[{"name":"a","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
	{"name":"tags","type":{"type":"array","items":"string"}}]}`

func bySchema(key, value Format) Spec {
	return edit(func(s *Spec) {
		s.Key, s.Value = key, value
		s.Columns = append(s.Columns, Column{Field: "value.tags", To: "d:tags"})
	})
}

// A record by each format of a schema becomes the same row, as does the stored mapping's.
func TestFormatsBySchema(t *testing.T) {
	known := registrytest.Shelf{
		1: {Kind: decode.AvroSchema, Text: orderSchema},
		2: {Kind: decode.AvroSchema, Text: `"string"`},
		3: {Kind: decode.ProtobufSchema, Text: `syntax = "proto3"; message Order { string a = 1; repeated string tags = 2; }`},
	}
	plain := Format{Format: "string"}
	for _, c := range []struct {
		name       string
		spec       Spec
		key, value string
	}{
		{"avro", bySchema(Format{Format: "avro"}, Format{Format: "avro"}), "\x00\x00\x00\x00\x02\x02k", "\x00\x00\x00\x00\x01\x02\x05\x02\x02x\x00"},
		{"avro of a file", bySchema(plain, Format{Format: "avro", Framing: "none", Schema: "order.avsc", SchemaText: orderSchema}), "k", "\x02\x05\x02\x02x\x00"},
		{"protobuf", bySchema(plain, Format{Format: "protobuf"}), "k", "\x00\x00\x00\x00\x03\x00\x0a\x040.05\x12\x01x"},
		{"json-schema", bySchema(plain, Format{Format: "json-schema"}), "k", "\x00\x00\x00\x00\x07" + `{"a":0.05,"tags":["x"]}`},
	} {
		set, problems := Compile([]Spec{c.spec}, Options{Schemas: known})
		if problems != nil {
			t.Fatalf("%s: %v", c.name, problems)
		}
		stored, err := CompileCanonical(set.Canonical(), known)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if strings.Contains(string(set.Canonical()), "order.avsc") || !stored.Continues(set.Canonical()) {
			t.Errorf("%s: stored as %s", c.name, set.Canonical())
		}
		for _, s := range []*Set{set, stored} {
			rec := record(c.value)
			rec.Key = []byte(c.key)
			res := s.Map(rec)
			if res.Err != nil || len(res.Rows) != 1 {
				t.Errorf("%s: %+v", c.name, res)
				continue
			}
			cells := res.Rows[0].Cells
			if string(res.Rows[0].Row) != "k" || string(cells[0].Value) != "0.05" || string(cells[1].Value) != `["x"]` {
				t.Errorf("%s: row %q of %q, %q", c.name, res.Rows[0].Row, cells[0].Value, cells[1].Value)
			}
		}
	}
}

// Change events come in Avro as they do in JSON.
func TestEventsByASchema(t *testing.T) {
	row := `{"type":"record","name":"Row","fields":[{"name":"id","type":"int"},{"name":"a","type":"string"},{"name":"n","type":["null","int"]}]}`
	known := registrytest.Shelf{1: {Kind: decode.AvroSchema, Text: `{"type":"record","name":"Envelope","fields":[
		{"name":"before","type":["null",` + row + `]},{"name":"after","type":["null","Row"]},{"name":"op","type":"string"}]}`}}
	set, problems := Compile([]Spec{following("debezium", func(s *Spec) { s.Value.Format = "avro" })}, Options{Schemas: known})
	if problems != nil {
		t.Fatal(problems)
	}
	const front = "\x00\x00\x00\x00\x01"
	res := set.Map(record(front + "\x00" + "\x02\x02\x02x\x02\x0e" + "\x02c"))
	if res.Err != nil || len(res.Rows) != 1 || string(res.Rows[0].Row) != "1" || len(res.Rows[0].Cells) != 2 || string(res.Rows[0].Cells[1].Value) != "7" {
		t.Errorf("created: %s", show(res))
	}
	res = set.Map(record(front + "\x02\x02\x02x\x00" + "\x00" + "\x02d"))
	if res.Err != nil || len(res.Rows) != 1 || string(res.Rows[0].Row) != "1" || res.Rows[0].Delete == nil {
		t.Errorf("deleted: %s", show(res))
	}
}

// What can't be read yet says so through all that wraps it.
func TestAMissingSchemaIsForLater(t *testing.T) {
	known := registrytest.Shelf{}
	set, problems := Compile([]Spec{bySchema(Format{Format: "string"}, Format{Format: "avro"})}, Options{Schemas: known})
	if problems != nil {
		t.Fatal(problems)
	}
	rec := record("\x00\x00\x00\x00\x01\x02\x05\x00")
	var later *decode.Later
	if res := set.Map(rec); !errors.As(res.Err, &later) {
		t.Errorf("%+v", res)
	}
	known[1] = &decode.Schema{Kind: decode.AvroSchema, Text: orderSchema}
	if res := set.Map(rec); res.Err != nil || len(res.Rows) != 1 {
		t.Errorf("%+v", res)
	}
}

// A stored mapping outlives the registry's section of the configuration, and says what is missing.
func TestAStoredMappingWantsItsRegistry(t *testing.T) {
	set, problems := Compile([]Spec{bySchema(Format{Format: "string"}, Format{Format: "avro"})}, Options{Schemas: registrytest.Shelf{}})
	if problems != nil {
		t.Fatal(problems)
	}
	if _, err := CompileCanonical(set.Canonical(), nil); err == nil || !strings.Contains(err.Error(), "schema_registry.urls") {
		t.Errorf("%v", err)
	}
}
