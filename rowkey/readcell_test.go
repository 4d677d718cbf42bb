package rowkey

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

// The bytes are those of HBase's Bytes.toBytes, which for a BigDecimal are its scale and its unscaled value.
func TestTextOfACell(t *testing.T) {
	for _, c := range []struct {
		enc  Encoding
		hex  string
		want string
	}{
		{String, "70616964", "paid"},
		{String, "", ""},
		{String, "ff00", "0xff00"},
		{Hex, "6666", "ff"},
		{Base64, "ff00", "/wA="},
		{Base64URL, "ff00", "_wA="},
		{BytesInt8, "ff", "-1"},
		{BytesInt32, "0000000c", "12"},
		{BytesInt64, "fffffffffffffffe", "-2"},
		{BytesFloat32, "3fc00000", "1.5"},
		{BytesFloat64, "4029000000000000", "12.5"},
		{BytesBool, "ff", "true"},
		{BytesBool, "00", "false"},
		{BytesDecimal, "0000000204e2", "12.5"},  // BigDecimal 12.50
		{BytesDecimal, "00000002fb1e", "-12.5"}, // BigDecimal -12.50
		{BytesDecimal, "fffffffe0c", "1200"},    // BigDecimal 12E+2
		{BytesDecimal, "0000000300", "0"},       // BigDecimal 0.000
		{BytesDecimal, "000000640c", "1.2e-99"}, // BigDecimal 12E-100
		{BytesDecimal, "80000000" + "01", "1e2147483648"},
		{UUID, "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-426614174000"},
		{PhoenixVarchar, "6162", "ab"},
		{PhoenixBoolean, "01", "true"},
		{Int32, "8000000c", "12"},
	} {
		b, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.enc.Text(b); err != nil || got != c.want {
			t.Errorf("%s of %s: got %q, %v, want %q", c.hex, c.enc, got, err, c.want)
		}
	}
	for _, c := range []struct {
		enc Encoding
		hex string
	}{{BytesInt64, "00"}, {BytesInt64, ""}, {BytesBool, "02"}, {BytesDecimal, "00000002"}, {Decimal, "ff"}, {Decimal, "180300"}, {UUID, "12"}} {
		b, _ := hex.DecodeString(c.hex)
		if got, err := c.enc.Text(b); err == nil {
			t.Errorf("%s of %s is taken for %s", c.hex, c.enc, got)
		}
	}
}

// What was appended is read back as it was, and no bytes are too strange to be refused.
func TestTextTakesAnyBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for e := range encodings {
		enc := Encoding(e)
		for range 2000 {
			b := make([]byte, random.IntN(20))
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			text, err := enc.Text(b)
			if enc.turns() || enc == PhoenixVarchar || enc == PhoenixChar || err != nil {
				continue
			}
			v := Value{Kind: Number, Text: []byte(text)}
			if text == "true" || text == "false" || enc == UUID {
				v.Kind = Text
			}
			again, err := enc.Append(nil, v)
			if err != nil {
				continue // such as NaN, or a number that is shown rounded
			}
			if back, err := enc.Text(again); err != nil || back != text {
				t.Fatalf("%x of %s is %q, and that is %x, %q, %v", b, enc, text, again, back, err)
			}
		}
	}
}
