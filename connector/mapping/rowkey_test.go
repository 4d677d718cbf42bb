package mapping

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

func keyed(parts ...rowkey.Part) Spec {
	return edit(func(s *Spec) { s.RowKey, s.OnTombstone = parts, "ignore" })
}

// TestBinaryKeysAreTheirBytes: whatever a raw key or value holds is the row and the cell, byte for byte.
func TestBinaryKeysAreTheirBytes(t *testing.T) {
	set := compile(t, edit(func(s *Spec) {
		s.Key.Format, s.Value.Format = "raw", "raw"
		s.Columns = []Column{{Field: "key", To: "d:k"}, {Field: "value", To: "d:v"}, {Field: "header.h", To: "d:h"}}
	}))
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "bytes")
		rec := record("")
		rec.Key, rec.Value = b, b
		rec.Headers = []decode.Header{{Key: "h", Value: b}}
		res := set.Map(rec)
		if res.Err != nil || !bytes.Equal(res.Rows[0].Row, b) || len(res.Rows[0].Cells) != 3 {
			t.Fatalf("%x: %s", b, show(res))
		}
		for _, c := range res.Rows[0].Cells {
			if !bytes.Equal(c.Value, b) {
				t.Errorf("%x: %s", b, show(res))
			}
		}
	})
}

// TestNumbersAsTextAndAsNumbers: 1 and "1" are the same number, and the mapping alone says what bytes it has.
func TestNumbersAsTextAndAsNumbers(t *testing.T) {
	for as, want := range map[string]string{
		"string": "31", "int8": "81", "int16": "8001", "int32": "80000001", "int64": "8000000000000001",
		"bytes_int8": "01", "bytes_int16": "0001", "bytes_int32": "00000001", "bytes_int64": "0000000000000001",
		"float32": "bf800000", "float64": "bff0000000000000", "bytes_float32": "3f800000", "bytes_float64": "3ff0000000000000",
		"decimal": "1802", "phoenix_integer": "80000001", "phoenix_unsigned_int": "00000001", "phoenix_decimal": "c102",
		"phoenix_double": "bff0000000000001", "phoenix_varchar": "31", "phoenix_timestamp": "800000000000000100000000",
	} {
		set := compile(t, keyed(rowkey.Part{Field: "value.a", As: as}))
		number, text := set.Map(record(`{"a":1}`)), set.Map(record(`{"a":"1"}`))
		if number.Err != nil || text.Err != nil {
			t.Errorf("%s: %v, %v", as, number.Err, text.Err)
			continue
		}
		if got := hex.EncodeToString(number.Rows[0].Row); got != want || !bytes.Equal(number.Rows[0].Row, text.Rows[0].Row) {
			t.Errorf("%s: %s and %x, want %s", as, got, text.Rows[0].Row, want)
		}
	}
}

// TestSeparatorsInValues: refused, or escaped, or let through as the mapping says; the reason never shows the value.
func TestSeparatorsInValues(t *testing.T) {
	for _, c := range []struct {
		part rowkey.Part
		want string // empty: refused
	}{
		{rowkey.Part{}, ""},
		{rowkey.Part{Escape: true}, `secret\|x|b`},
		{rowkey.Part{AllowSeparator: true}, `secret|x|b`},
	} {
		c.part.Field = "value.a"
		set := compile(t, keyed(c.part, rowkey.Part{Literal: "|"}, rowkey.Part{Field: "value.b"}))
		res := set.Map(record(`{"a":"secret|x","b":"b"}`))
		switch {
		case c.want == "" && (res.Err == nil || !strings.Contains(res.Err.Error(), "(value.a)") || strings.Contains(res.Err.Error(), "secret")):
			t.Errorf("%+v: %s", c.part, show(res))
		case c.want != "" && (res.Err != nil || string(res.Rows[0].Row) != c.want):
			t.Errorf("%+v: %s, want %s", c.part, show(res), c.want)
		}
	}
}
