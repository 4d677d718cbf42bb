package mapping

import (
	"runtime"
	"strings"
	"testing"
	"weak"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// The rows of one record, still in use, must not keep the values of the records before it.
func TestARecordKeepsLittleOfOthers(t *testing.T) {
	const size = 1 << 20
	text := strings.Repeat("x", size)
	for _, c := range []struct {
		name  string
		value Format
		field string
		data  string
	}{
		{"raw", Format{}, "value", text},
		{"json", Format{Format: "json"}, "value.v", `{"v":"` + text + `"}`},
		{"csv", Format{Format: "csv", Columns: []string{"v"}}, "value.v", text},
		{"connect", Format{Format: "connect"}, "value.v", `{"schema":{"type":"struct","fields":[]},"payload":{"v":"` + text + `"}}`},
		{"compressed", Format{Compression: "auto"}, "value", text},
		{"debezium", Format{Format: "json", Events: "debezium"}, "before.v", `{"op":"u","before":{"v":"` + text + `"},"after":{"v":1}}`},
		{"canal", Format{Format: "json", Events: "canal"}, "before.v", `{"type":"UPDATE","data":[{"v":"1"},{"v":"2"}],"old":[{"v":"` + text + `"},{}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := compile(t, Spec{
				Topics: []string{"t"}, Table: "x", Value: c.value, RowKey: rowkey.Spec{{Field: "key"}}, OnTombstone: "ignore",
				Columns: []Column{{Field: c.field, To: "d:v"}},
			})
			var gone []weak.Pointer[byte]
			var last Result
			for range 50 {
				value := []byte(c.data)
				gone = append(gone, weak.Make(&value[0]))
				last = set.Map(decode.Record{Topic: "t", Key: []byte("k"), Value: value})
				if last.Err != nil {
					t.Fatal(last.Err)
				}
			}
			runtime.GC()
			kept := 0
			for _, p := range gone {
				if p.Value() != nil {
					kept++
				}
			}
			// One for the last, and one for a stale place in each worker's room.
			if most := 1 + runtime.GOMAXPROCS(0); kept > most {
				t.Errorf("of 50 values of 1 MiB one record is in use, and %d are kept, want at most %d", kept, most)
			}
			runtime.KeepAlive(last)
		})
	}
}
