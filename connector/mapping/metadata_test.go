package mapping

import (
	"encoding/hex"
	"testing"

	"rowmark/connector/decode"
)

// What is known of a record beside its key and value goes into columns in every encoding that can write it. The
// bytes are those of Bytes.toBytes.
func TestMetadataInEveryEncoding(t *testing.T) {
	numbers := map[string]map[string]string{
		"partition":   {"string": "33", "hex": "33", "int8": "03", "int16": "0003", "int32": "00000003", "int64": "0000000000000003", "float32": "40400000", "float64": "4008000000000000"},
		"offset":      {"string": "323538", "hex": "313032", "int8": "", "int16": "0102", "int32": "00000102", "int64": "0000000000000102", "float32": "43810000", "float64": "4070200000000000"},
		"timestamp":   {"string": "3336303030303030", "hex": "32323535313030", "int8": "", "int16": "", "int32": "02255100", "int64": "0000000002255100", "float32": "4c095440", "float64": "41812a8800000000"},
		"header.five": {"string": "35", "hex": "3335", "int8": "05", "int16": "0005", "int32": "00000005", "int64": "0000000000000005", "float32": "40a00000", "float64": "4014000000000000"},
		"header.yes":  {"string": "74727565", "hex": "3734373237353635", "bool": "ff", "int8": ""},
		"header.raw":  {"string": "ff00", "hex": "66663030", "int8": ""},
		"topic":       {"string": "74", "hex": "3734", "int8": ""},
		"key":         {"string": "6b", "hex": "3662", "int64": ""},
	}
	rec := record(`{}`)
	rec.Partition, rec.Offset = 3, 258
	rec.Headers = []decode.Header{{Key: "five", Value: []byte("4")}, {Key: "five", Value: []byte("5")}, {Key: "yes", Value: []byte("true")}, {Key: "raw", Value: []byte{0xff, 0}}}
	for field, encodings := range numbers {
		for as, want := range encodings {
			res := compile(t, edit(columns(Column{Field: field, To: "d:a", As: as}))).Map(rec)
			got := ""
			if res.Err == nil {
				got = hex.EncodeToString(res.Rows[0].Cells[0].Value)
			}
			if got != want {
				t.Errorf("%s as %s: %s %v, want %s", field, as, got, res.Err, want)
			}
		}
	}
}
