package rowkey

import (
	"strings"
	"testing"
)

// TestEncodingsDoNotAllocate holds for what a record passes through.
func TestEncodingsDoNotAllocate(t *testing.T) {
	room := make([]byte, 0, 256)
	for name := range strings.SplitSeq(EncodingNames, ", ") {
		v := number("-123456.75")
		switch {
		case strings.Contains(name, "int8") || strings.Contains(name, "tiny"):
			v = number("12")
		case strings.Contains(name, "int") || strings.Contains(name, "unsigned") || strings.Contains(name, "date") || name == "phoenix_time":
			v = number("123.0e1")
		case strings.Contains(name, "bool"):
			v = text("true")
		case strings.HasPrefix(name, "base64"):
			v = text("Zm9v")
		case name == "uuid":
			v = text("123e4567-e89b-12d3-a456-426614174000")
		case name == "hex":
			v = text("abc")
		}
		e, _ := ParseEncoding(name)
		if _, err := e.Append(room, v); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = e.Append(room, v) }); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestKeysDoNotAllocate(t *testing.T) {
	of := []string{"value.id"}
	k, problems := Compile(Spec{
		{Hash: "md5", Of: of, Modulo: 10000, As: "string"},
		{Salt: 300, Of: of},
		{Hash: "sha256", Of: of, Hex: 8},
		{Field: "offset", Substring: &Substring{From: -4}, As: "int16"},
		{Field: "value.id", As: "phoenix_varchar", Reverse: true},
		{Field: "value.id", Substring: &Substring{From: 1, Length: 2}},
		{Literal: "|"},
		{Field: "value.n", As: "decimal", Reverse: true},
	})
	if problems != nil {
		t.Fatal(problems)
	}
	var src Source = fields{"value.id": text("größe"), "value.n": number("-12.50"), "offset": {Kind: Int, Int: 1 << 40}}
	room := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := k.Append(room, src); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("a key allocates %v times", n)
	}
}
