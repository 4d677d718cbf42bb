package mapping

import (
	"runtime"
	"testing"
	"weak"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// The rows of one record, still in use, must not keep the values of the records before it.
func TestARecordKeepsLittleOfOthers(t *testing.T) {
	set, err := Compile([]Spec{{
		Topics: []string{"t"}, Table: "x", RowKey: rowkey.Spec{{Field: "key"}}, OnTombstone: "ignore",
		Columns: []Column{{Field: "value", To: "d:v"}},
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const size = 1 << 20
	var gone []weak.Pointer[byte]
	var last Result
	for range 50 {
		value := make([]byte, size)
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
}
