package decode_test

import (
	"encoding/binary"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/decode/avro"
	"rowmark/connector/decode/protobuf"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

// The same order in each format.
const (
	orderJSON = `{"order_id":"0f8fad5b-d9cb-469f-a165-70867728950e","customer_id":"customer-000042","created_at":1700000000001,"status":"shipped","total":129.95,"currency":"EUR","items":3,"address":{"street":"Long Street 12","city":"Delft","zip":"2611"},"tags":["gift","express"],"note":null,"internal":{"trace":"ab12"}}`

	orderAvro = `{"type":"record","name":"Order","fields":[{"name":"order_id","type":"string"},{"name":"customer_id","type":"string"},
		{"name":"created_at","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"status","type":"string"},
		{"name":"total","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},{"name":"currency","type":"string"},{"name":"items","type":"int"},
		{"name":"address","type":{"type":"record","name":"Address","fields":[{"name":"street","type":"string"},{"name":"city","type":"string"},{"name":"zip","type":"string"}]}},
		{"name":"tags","type":{"type":"array","items":"string"}},{"name":"note","type":["null","string"]},
		{"name":"internal","type":{"type":"record","name":"Internal","fields":[{"name":"trace","type":"string"}]}}]}`

	orderProto = `syntax = "proto3"; message Order {
		message Address { string street = 1; string city = 2; string zip = 3; } message Internal { string trace = 1; }
		string order_id = 1; string customer_id = 2; int64 created_at = 3; string status = 4; double total = 5; string currency = 6; int32 items = 7;
		Address address = 8; repeated string tags = 9; optional string note = 10; Internal internal = 11; }`
)

// front is that of Confluent's serializers for the schema 1.
var front = []byte{0, 0, 0, 0, 1}

func avroOrder() []byte {
	out := append([]byte{}, front...)
	text := func(list ...string) {
		for _, s := range list {
			out = append(binary.AppendVarint(out, int64(len(s))), s...)
		}
	}
	text("0f8fad5b-d9cb-469f-a165-70867728950e", "customer-000042")
	out = binary.AppendVarint(out, 1700000000001)
	text("shipped", "\x32\xc3", "EUR")
	out = binary.AppendVarint(out, 3)
	text("Long Street 12", "Delft", "2611")
	out = binary.AppendVarint(out, 2)
	text("gift", "express")
	out = append(out, 0, 0)
	text("ab12")
	return out
}

func protoOrder(tb testing.TB) []byte {
	c := protocompile.Compiler{Resolver: &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{"a.proto": orderProto})}}
	files, err := c.Compile(tb.Context(), "a.proto")
	if err != nil {
		tb.Fatal(err)
	}
	m := dynamicpb.NewMessage(files[0].Messages().Get(0))
	if err := protojson.Unmarshal([]byte(orderJSON), m); err != nil {
		tb.Fatal(err)
	}
	data, err := proto.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return append(append(append([]byte{}, front...), 0), data...)
}

// one is a registry of one schema.
type one decode.Schema

func (o *one) Schema(uint32) (*decode.Schema, error) { return (*decode.Schema)(o), nil }

func orders(tb testing.TB) map[string]sample {
	return map[string]sample{
		"json":        {decode.JSON, []byte(orderJSON)},
		"json-schema": {decode.JSONSchema, append(append([]byte{}, front...), orderJSON...)},
		"avro":        {avro.NewConfluent(&one{Kind: decode.AvroSchema, Text: orderAvro}), avroOrder()},
		"protobuf":    {protobuf.New(&one{Kind: decode.ProtobufSchema, Text: orderProto}), protoOrder(tb)},
	}
}

type sample struct {
	format decode.Format
	data   []byte
}

// countable says that allocations are those of an ordinary build.
var countable = true

// What no format needs to do for each record is allocate.
func TestFormatsAllocateNothing(t *testing.T) {
	for name, s := range orders(t) {
		var f decode.Fields
		rec := &decode.Record{Value: s.data}
		read := func() {
			if err := f.Decode(rec, decode.Raw, s.format); err != nil {
				t.Fatal(err)
			}
			f.Drop()
		}
		read()
		if got := f.Value.Kind; got != decode.Missing {
			t.Errorf("%s: kind %d is left", name, got)
		}
		if n := testing.AllocsPerRun(500, read); n > 0 && countable {
			t.Errorf("%s: %v allocations a record", name, n)
		}
		if err := f.Decode(rec, decode.Raw, s.format); err != nil {
			t.Fatal(err)
		}
		total, city := f.Value.At([]string{"total"}), f.Value.At([]string{"address", "city"})
		if string(total.Text) != "129.95" || string(city.Text) != "Delft" {
			t.Errorf("%s: total %s, city %s", name, total.Text, city.Text)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, s := range orders(b) {
		b.Run(name, func(b *testing.B) {
			var f decode.Fields
			rec := &decode.Record{Value: s.data}
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Decode(rec, decode.Raw, s.format); err != nil {
					b.Fatal(err)
				}
				f.Drop()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
