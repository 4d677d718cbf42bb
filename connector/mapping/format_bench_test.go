package mapping

import (
	"bytes"
	"compress/gzip"
	"testing"

	"rowmark/rowkey"
)

// benchRow is a row of five columns and its key, in each format.
const (
	benchRow    = `{"order_id":"0f8fad5b-d9cb-469f-a165-70867728950e","customer_id":"customer-000042","created_at":1700000000001,"status":"shipped","total":129.95,"currency":"EUR","items":3}`
	benchText   = `{"order_id":"0f8fad5b-d9cb-469f-a165-70867728950e","customer_id":"customer-000042","created_at":"1700000000001","status":"shipped","total":"129.95","currency":"EUR","items":"3"}`
	benchCSV    = `0f8fad5b-d9cb-469f-a165-70867728950e,customer-000042,1700000000001,shipped,129.95,"EUR",3`
	benchSchema = `{"type":"struct","optional":false,"fields":[{"type":"string","optional":false,"field":"order_id"},{"type":"string","optional":false,"field":"customer_id"},` +
		`{"type":"int64","optional":false,"name":"org.apache.kafka.connect.data.Timestamp","version":1,"field":"created_at"},{"type":"string","optional":true,"field":"status"},` +
		`{"type":"bytes","optional":false,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2"},"field":"total"},{"type":"string","optional":true,"field":"currency"},{"type":"int32","optional":true,"field":"items"}],"name":"orders"}`
	benchConnect = `{"schema":` + benchSchema + `,"payload":{"order_id":"0f8fad5b-d9cb-469f-a165-70867728950e","customer_id":"customer-000042","created_at":1700000000001,"status":"shipped","total":"MsM=","currency":"EUR","items":3}}`
	benchSource  = `"source":{"version":"3.0.0.Final","connector":"mysql","name":"shop","ts_ms":1700000000000,"snapshot":"false","db":"shop","table":"orders","server_id":1,"file":"mysql-bin.000003","pos":484,"row":0}`
)

var benchColumns = []string{"order_id", "customer_id", "created_at", "status", "total", "currency", "items"}

func packed(t testing.TB, text string) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func benchFormats(b testing.TB) []struct {
	name  string
	value Format
	data  string
} {
	return []struct {
		name  string
		value Format
		data  string
	}{
		{"json", Format{Format: "json"}, benchRow},
		{"csv", Format{Format: "csv", Columns: benchColumns}, benchCSV},
		{"tsv", Format{Format: "tsv", Columns: benchColumns}, string(bytes.ReplaceAll([]byte(benchCSV), []byte(","), []byte("\t")))},
		{"connect", Format{Format: "connect"}, benchConnect},
		{"json, gzip", Format{Format: "json", Compression: "gzip"}, string(packed(b, benchRow))},
		{"debezium, insert", Format{Format: "json", Events: "debezium"}, `{"before":null,"after":` + benchRow + `,` + benchSource + `,"op":"c","ts_ms":1700000000123}`},
		{"debezium, update", Format{Format: "json", Events: "debezium"}, `{"before":` + benchRow + `,"after":` + benchRow + `,` + benchSource + `,"op":"u","ts_ms":1700000000123}`},
		{"canal, update", Format{Format: "json", Events: "canal"}, `{"data":[` + benchText + `],"old":[{"status":"paid"}],"database":"shop","table":"orders","es":1700000000000,"ts":1700000000123,"isDdl":false,"type":"UPDATE","pkNames":["order_id"],"sql":""}`},
		{"maxwell, update", Format{Format: "json", Events: "maxwell"}, `{"database":"shop","table":"orders","type":"update","ts":1700000000,"xid":23396,"commit":true,"data":` + benchRow + `,"old":{"status":"paid"}}`},
	}
}

func benchSpec(value Format) Spec {
	return Spec{
		Topics: []string{"t"}, Table: "shop:orders", Value: value, OnTombstone: "ignore",
		RowKey: rowkey.Spec{{Field: "value.order_id"}},
		Columns: []Column{
			{Field: "value.customer_id", To: "d:customer"},
			{Field: "value.created_at", To: "d:created", As: "int64"},
			{Field: "value.status", To: "d:status"},
			{Field: "value.total", To: "d:total", As: "float64"},
			{Field: "value.items", To: "d:items", As: "int32"},
		},
	}
}

// Every format makes the same of one row.
func TestFormatsAgree(t *testing.T) {
	var want string
	for _, f := range benchFormats(t) {
		got := show(compile(t, benchSpec(f.value)).Map(record(f.data)))
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s: got  %q\nwant %q", f.name, got, want)
		}
	}
}

// BenchmarkFormats maps one record to one row of five columns, from each format.
func BenchmarkFormats(b *testing.B) {
	for _, f := range benchFormats(b) {
		b.Run(f.name, func(b *testing.B) {
			set := compile(b, benchSpec(f.value))
			rec := record(f.data)
			b.ReportAllocs()
			for b.Loop() {
				if res := set.Map(rec); res.Err != nil || len(res.Rows) != 1 || len(res.Rows[0].Cells) != 5 {
					b.Fatal(show(res))
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
