package rowkey

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// fields is a Source of named values.
type fields map[string]Value

func (f fields) Resolve(ref *Ref) Value { return f[ref.String()] }

func text(s string) Value   { return Value{Kind: Text, Text: []byte(s)} }
func number(s string) Value { return Value{Kind: Number, Text: []byte(s)} }

func one(p Part, v Value) ([]byte, error) {
	k, problems := Compile(Spec{p})
	if problems != nil {
		return nil, fmt.Errorf("%v", problems)
	}
	return k.Append(nil, fields{"value": v, p.Field: v})
}

func ptr(s string) *string { return &s }

func TestKeys(t *testing.T) {
	src := fields{
		"value.id": text("c1"), "value.n": number("258"), "value.neg": number("-3"), "value.null": {Kind: Null},
		"value.empty": text(""), "value.bar": text("a|b"), "value.tree": {Kind: Tree, Text: []byte("{}")},
		"value.big": number("9223372036854775808"), "value.frac": number("1.5"), "value.exp": number("1.2e3"),
		"value.uml": text("aßc"), "value.yes": {Kind: Bool, Int: 1}, "key": {Kind: Bytes, Text: []byte{0, 0xff, 'a'}},
		"topic": text("orders"), "partition": {Kind: Int, Int: 3}, "offset": {Kind: Int, Int: 1 << 40},
		"header.trace.id": text("h"), "value.slash": text(`a\b|`), "value.half": text("a|"),
		"value.b64": text("+/8A"), "value.half64": text("YXw="), "value.zero": text("a\x00b"), "value.pico": number("1.0000001"),
		"value.long": number("123456789012345678901234567890123456789"), "value.huge": number("1e124"), "value.huger": number("1e2147483649"),
		"value.tiny": number("1e-131"), "value.first": number("-9223372036854775808.5"), "value.tiniest": number("1e-9223372036854775808"),
		"value.zeros": number("-0.0"),
		"header.b":    {Kind: Bytes, Text: []byte{0xff, 'a'}},
	}
	f := func(name string) Part { return Part{Field: name} }
	bar := Part{Literal: "|"}
	for _, c := range []struct {
		name string
		spec Spec
		want string // hex; or the reason, after !
	}{
		{"text", Spec{f("value.id")}, "6331"},
		{"number as text", Spec{f("value.n")}, "323538"},
		{"boolean as text", Spec{f("value.yes")}, "74727565"},
		{"binary key", Spec{f("key")}, "00ff61"},
		{"binary key as hex", Spec{{Field: "key", As: "hex"}}, "303066663631"},
		{"binary key reversed", Spec{{Field: "key", Reverse: true}}, "61ff00"},
		{"binary key as a number", Spec{{Field: "key", As: "int64"}}, "!raw bytes"},
		{"metadata", Spec{f("topic"), bar, f("partition"), bar, {Field: "offset", As: "int64"}}, "6f72646572737c337c8000010000000000"},
		{"header with dots", Spec{f("header.trace.id")}, "68"},
		{"ordered", Spec{{Field: "value.n", As: "int16"}, {Field: "value.neg", As: "int32"}}, "81027ffffffd"},
		{"raw", Spec{{Field: "value.n", As: "bytes_int16"}, {Field: "value.neg", As: "bytes_int32"}}, "0102fffffffd"},
		{"ordered double", Spec{{Field: "value.frac", As: "float64"}}, "bff8000000000000"},
		{"exponent", Spec{{Field: "value.exp", As: "int64"}}, "80000000000004b0"},
		{"hex of a number", Spec{{Field: "value.n", As: "hex", Width: 6, Pad: "0"}}, "303030313032"},
		{"hex of a negative number", Spec{{Field: "value.neg", As: "hex"}}, "!no hex form"},
		{"padded", Spec{{Field: "value.n", Width: 5, Pad: "0"}}, "3030323538"},
		{"padded on the right", Spec{{Field: "value.id", Width: 4, PadSide: "right"}}, "63312020"},
		{"negative padded", Spec{{Field: "value.neg", Width: 5, Pad: "0"}}, "!sort wrongly"},
		{"wider than the width", Spec{{Field: "value.n", Width: 2}}, "!the width is 2"},
		{"upper", Spec{{Field: "value.id", Upper: true}}, "4331"},
		{"reversed by characters", Spec{{Field: "value.uml", Reverse: true}}, "63c39f61"},
		{"overflow", Spec{{Field: "value.big", As: "int64"}}, "!part 1 (value.big): the number does not fit"},
		{"overflow of a byte", Spec{{Field: "value.n", As: "int8"}}, "!does not fit"},
		{"fraction", Spec{{Field: "value.frac", As: "int64"}}, "!not a whole number"},
		{"text as a number", Spec{{Field: "value.id", As: "int64"}}, "!not a whole number"},
		{"object", Spec{f("value.tree")}, "!object or array"},
		{"missing", Spec{f("value.none")}, "!part 1 (value.none): the field is missing"},
		{"null", Spec{f("value.null")}, "!the field is null"},
		{"empty", Spec{f("value.empty")}, "!the field is empty"},
		{"default", Spec{{Field: "value.none", Default: ptr("0"), As: "int8"}, {Field: "value.null", Default: ptr("x")}}, "8078"},
		{"empty default", Spec{{Field: "value.empty", Default: ptr("")}, bar, f("value.id")}, "7c6331"},
		{"nothing but an empty default", Spec{{Field: "value.empty", Default: ptr("")}}, "!the key is empty"},
		{"separator", Spec{f("value.id"), bar, f("value.n")}, "63317c323538"},
		{"separator within", Spec{f("value.bar"), bar, f("value.n")}, "!(value.bar): the value contains the separator"},
		{"separator across the end", Spec{f("value.half"), {Literal: "||"}, f("value.n")}, "!contains the separator"},
		{"separator made of two literals", Spec{f("value.half"), bar, bar, f("value.n")}, "!contains the separator"},
		{"separator allowed", Spec{{Field: "value.bar", AllowSeparator: true}, bar, f("value.n")}, "617c627c323538"},
		{"separator escaped", Spec{{Field: "value.slash", Escape: true}, bar, f("value.n")}, "615c5c625c7c7c323538"},
		{"separator behind the last part", Spec{f("value.id"), bar, f("value.bar")}, "63317c617c62"},
		{"fixed tail needs no separator", Spec{f("value.id"), {Field: "value.n", As: "int16"}}, "63318102"},
		{"decimal tells its own end", Spec{{Field: "value.frac", As: "decimal"}, f("value.id")}, "1803646331"},
		{"substring", Spec{{Field: "topic", Substring: &Substring{From: 1, Length: 3}}}, "726465"},
		{"substring to the end", Spec{{Field: "topic", Substring: &Substring{From: 4}}}, "7273"},
		{"substring from the end", Spec{{Field: "topic", Substring: &Substring{From: -3, Length: 2}}}, "6572"},
		{"substring of characters", Spec{{Field: "value.uml", Substring: &Substring{From: -2, Length: 1}}}, "c39f"},
		{"substring of bytes", Spec{{Field: "key", Substring: &Substring{From: 1, Length: 1}}}, "ff"},
		{"last byte", Spec{{Field: "key", Substring: &Substring{From: -1}}}, "61"},
		{"substring of what is shorter", Spec{{Field: "topic", Substring: &Substring{From: -9, Length: 20}}}, "6f7264657273"},
		{"substring behind the end", Spec{{Field: "value.id", Substring: &Substring{From: 2}}}, "!too short for the substring, and has no default"},
		{"substring with a default", Spec{{Field: "value.id", Substring: &Substring{From: 2}, Default: ptr("none")}}, "6e6f6e65"},
		{"substring, then the encoding", Spec{{Field: "value.n", Substring: &Substring{From: 1}, As: "int8", Reverse: true}}, "45"},
		{"substring of an integer", Spec{{Field: "offset", Substring: &Substring{From: -4}, As: "int16"}}, "9e60"},
		{"substring of an object", Spec{{Field: "value.tree", Substring: &Substring{From: 1}}}, "!object or array"},
		{"substring of a binary header", Spec{{Field: "header.b", Substring: &Substring{From: 1}}}, "!not valid UTF-8"},
		{"reverse of a substring", Spec{{Field: "topic", Substring: &Substring{Length: 3}, Reverse: true}}, "64726f"},
		{"base64", Spec{{Field: "value.b64", As: "base64"}, bar, f("value.id")}, "fbff007c6331"},
		{"base64 reversed", Spec{{Field: "value.b64", As: "base64", Reverse: true}}, "00fffb"},
		{"base64 with the separator within", Spec{{Field: "value.half64", As: "base64"}, bar, f("value.id")}, "!contains the separator"},
		{"base64 escaped", Spec{{Field: "value.half64", As: "base64", Escape: true}, bar, f("value.id")}, "615c7c7c6331"},
		{"zero byte in a varchar", Spec{{Field: "value.zero", As: "phoenix_varchar"}, f("value.id")}, "!no zero byte"},
		{"zero byte in a reversed varchar", Spec{{Field: "value.zero", As: "phoenix_varchar", Reverse: true}}, "!no zero byte"},
		{"zero byte in a last varchar", Spec{{Field: "value.zero", As: "phoenix_varchar"}}, "610062"},
		{"bytes in a varchar", Spec{{Field: "key", As: "phoenix_varchar"}}, "!not valid UTF-8"},
		{"letters beyond ASCII in a char", Spec{{Field: "value.uml", As: "phoenix_char", Width: 5}}, "!ASCII only"},
		{"long char", Spec{{Field: "topic", As: "phoenix_char", Width: 5}}, "!the width is 5"},
		{"unsigned", Spec{{Field: "value.neg", As: "phoenix_unsigned_int"}}, "!has no sign"},
		{"finer than a nanosecond", Spec{{Field: "value.pico", As: "phoenix_timestamp"}}, "!finer than a nanosecond"},
		{"39 digits", Spec{{Field: "value.long", As: "phoenix_decimal"}}, "!more than the 38 digits"},
		{"beyond Phoenix's exponents", Spec{{Field: "value.huge", As: "phoenix_decimal"}}, "!does not fit"},
		{"beyond Java's exponents", Spec{{Field: "value.huger", As: "decimal"}}, "!does not fit"},
		{"below Phoenix's exponents", Spec{{Field: "value.tiny", As: "phoenix_decimal"}}, "!does not fit"},
		{"first millisecond, and before", Spec{{Field: "value.first", As: "phoenix_timestamp"}}, "!does not fit"},
		{"exponent that overflows", Spec{{Field: "value.tiniest", As: "phoenix_timestamp"}}, "!not a number"},
		{"minus zero", Spec{{Field: "value.zeros", As: "float64"}, {Field: "value.zeros", As: "float32"}}, "800000000000000080000000"},
		{"Phoenix's minus zero", Spec{{Field: "value.zeros", As: "phoenix_double"}, {Field: "value.zeros", As: "phoenix_float"}}, "800000000000000180000001"},
		{"minus zero as a decimal", Spec{{Field: "value.zeros", As: "decimal"}, {Field: "value.zeros", As: "phoenix_decimal"}}, "1580"},
		{"text as a decimal", Spec{{Field: "value.id", As: "decimal"}}, "!not a number"},
		{"bytes as a decimal", Spec{{Field: "key", As: "decimal"}}, "!raw bytes"},
		{"integer as a decimal", Spec{{Field: "partition", As: "decimal"}}, "1806"},
		{"integer as a timestamp", Spec{{Field: "partition", As: "phoenix_timestamp"}}, "800000000000000300000000"},
		{"modulo", Spec{{Hash: "murmur3", Of: []string{"value.id"}, Modulo: 1000}, f("value.id")}, "00bd6331"},
		{"modulo in digits", Spec{{Hash: "murmur3", Of: []string{"value.id"}, Modulo: 1000, As: "string"}, f("value.id")}, "3138396331"},
		{"modulo of a long digest", Spec{{Hash: "md5", Of: []string{"value.id"}, Modulo: 97}, f("value.id")}, "206331"},
		{"salt", Spec{{Salt: 16, Of: []string{"value.id"}}, f("value.id")}, "0d6331"},
		{"wide salt", Spec{{Salt: 1000, Of: []string{"value.id"}}, f("value.id")}, "00bd6331"},
		{"salt of a missing field", Spec{{Salt: 16, Of: []string{"value.none"}}, f("value.id")}, "!value.none: the field is missing"},
		{"hash prefix", Spec{{Hash: "md5", Of: []string{"value.id"}, Hex: 4}, f("value.id")}, "613966376331"},
		{"hash prefix in upper case", Spec{{Hash: "md5", Of: []string{"value.id"}, Hex: 4, Upper: true}, f("value.id")}, "413946376331"},
		{"hash of two", Spec{{Hash: "crc32", Of: []string{"value.id", "value.n"}, Bytes: 2}, f("value.id")}, "0e3f6331"},
		{"hash of two with a zero byte", Spec{{Hash: "crc32", Of: []string{"key", "value.n"}}, f("value.id")}, "!zero byte"},
		{"too long", Spec{{Field: "value.id", Width: 32767}, bar}, "!32768 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, problems := Compile(c.spec)
			if problems != nil {
				t.Fatal(problems)
			}
			got, err := k.Append([]byte("before"), src)
			if reason, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), reason) || !strings.HasPrefix(err.Error(), "building row key: ") {
					t.Errorf("got %x, %v, want %s", got, err, reason)
				}
				if string(got) != "before" {
					t.Errorf("the buffer holds %q after an error", got)
				}
				return
			}
			if err != nil || hex.EncodeToString(got[6:]) != c.want {
				t.Errorf("got %x, %v, want %s", got[6:], err, c.want)
			}
		})
	}
}

func TestLongestKey(t *testing.T) {
	k, problems := Compile(Spec{{Field: "value", Width: MaxLength}})
	if problems != nil {
		t.Fatal(problems)
	}
	if got, err := k.Append(nil, fields{"value": text("x")}); err != nil || len(got) != MaxLength {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestCompileRefuses(t *testing.T) {
	of := []string{"value.a"}
	for _, c := range []struct {
		spec         Spec
		path, reason string
	}{
		{nil, "", "at least one part"},
		{Spec{{}}, "[0]", "exactly one of"},
		{Spec{{Field: "key", Literal: "x"}}, "[0]", "exactly one of"},
		{Spec{{Field: "nothing.x"}}, "[0].field", "value.nothing"},
		{Spec{{Field: "header"}}, "[0].field", "header.name"},
		{Spec{{Field: "value..a"}}, "[0].field", "empty steps"},
		{Spec{{Field: "offset.a"}}, "[0].field", "offset has no fields"},
		{Spec{{Field: `value.a\b`}}, "[0].field", "backslash"},
		{Spec{{Field: "key", As: "int"}}, "[0].as", "known encodings"},
		{Spec{{Field: "key", As: "int64", Width: 3}}, "[0].width", "takes no width"},
		{Spec{{Field: "key", As: "int64", Upper: true}}, "[0].upper", "takes no upper"},
		{Spec{{Field: "key", As: "bytes_bool", Reverse: true}}, "[0].reverse", "takes no reverse"},
		{Spec{{Field: "key", Upper: true, Lower: true}}, "[0].lower", "not both"},
		{Spec{{Field: "key", Pad: "0"}}, "[0].width", "padding needs a width"},
		{Spec{{Field: "key", Width: 3, Pad: "00"}}, "[0].pad", "one ASCII"},
		{Spec{{Field: "key", Width: 3, PadSide: "up"}}, "[0].pad_side", "left or right"},
		{Spec{{Field: "key", Width: -1}}, "[0].width", "1 to 32767"},
		{Spec{{Field: "key", As: "bytes_decimal"}}, "[0].as", "takes decimal"},
		{Spec{{Field: "key", As: "uuid", Upper: true}}, "[0].upper", "takes no upper"},
		{Spec{{Field: "key", As: "base64", Width: 3}}, "[0].width", "takes no width"},
		{Spec{{Field: "key", As: "decimal", Escape: true}, {Literal: "|"}}, "[0].escape", "takes no escape"},
		{Spec{{Field: "key", As: "phoenix_varchar", AllowSeparator: true}}, "[0].allow_separator", "takes no allow_separator"},
		{Spec{{Field: "key", As: "phoenix_char"}}, "[0].width", "needs its width"},
		{Spec{{Field: "key", As: "phoenix_char", Width: 3, Pad: "0"}}, "[0].pad", "takes no pad"},
		{Spec{{Field: "key", As: "phoenix_bigint", Default: ptr("")}}, "[0].default", "can't be left out"},
		{Spec{{Field: "key", As: "decimal", Default: ptr("")}}, "[0].default", "can't be left out"},
		{Spec{{Field: "key"}, {Field: "value", As: "decimal"}}, "[0].field", "literal between"},
		{Spec{{Field: "key"}, {Field: "value", As: "phoenix_varchar"}}, "[0].field", "literal between"},
		{Spec{{Field: "key", As: "base64"}, {Field: "value", As: "base64"}}, "[0].field", "literal between"},
		{Spec{{Field: "key", Substring: &Substring{}}}, "[0].substring", "from, length, or both"},
		{Spec{{Field: "key", Substring: &Substring{Length: -1}}}, "[0].substring.length", "1 or more"},
		{Spec{{Salt: 4, Of: of, Substring: &Substring{From: 1}}}, "[0].substring", "a salt takes no substring"},
		{Spec{{Hash: "md5", Of: of, Modulo: 1}}, "[0].modulo", "2 to 65536"},
		{Spec{{Hash: "md5", Of: of, Modulo: 1<<16 + 1}}, "[0].modulo", "2 to 65536"},
		{Spec{{Hash: "md5", Of: of, Modulo: 4, Hex: 2}}, "[0].modulo", "only one of them"},
		{Spec{{Hash: "md5", Of: of, Modulo: 4, As: "int8"}}, "[0].as", "decimal digits"},
		{Spec{{Hash: "md5", Of: of, As: "string"}}, "[0].as", "a hash takes no as"},
		{Spec{{Hash: "md5", Of: of, Modulo: 4, Presplit: 5}}, "[0].presplit", "from 2 to 4"},
		{Spec{{Hash: "md5", Of: of, Modulo: 4}}, "", "the same few keys"},
		{Spec{{Field: "key", As: "uuid", Presplit: 4}}, "[0].presplit", "only as hex"},
		{Spec{{Literal: "x", As: "int8"}}, "[0].as", "a literal takes no as"},
		{Spec{{Salt: 1, Of: of}}, "[0].salt", "2 to 65536"},
		{Spec{{Salt: 1 << 17, Of: of}}, "[0].salt", "2 to 65536"},
		{Spec{{Salt: 4}}, "[0].of", "needs the fields"},
		{Spec{{Salt: 4, Of: []string{"x"}}}, "[0].of[0]", "starts with"},
		{Spec{{Hash: "md6", Of: of}}, "[0].hash", "known hashes"},
		{Spec{{Hash: "md5", Of: of, Bytes: 17}}, "[0].bytes", "1 to 16"},
		{Spec{{Hash: "crc32", Of: of, Hex: 9}}, "[0].hex", "1 to 8"},
		{Spec{{Hash: "md5", Of: of, Hex: 4, Bytes: 2}}, "[0].hex", "not both"},
		{Spec{{Hash: "md5", Of: of, Upper: true}}, "[0].upper", "takes no upper"},
		{Spec{{Field: "key", Presplit: 4}}, "[0].presplit", "only as hex"},
		{Spec{{Literal: "x"}, {Hash: "md5", Of: of, Presplit: 4}}, "[1].presplit", "only the first part"},
		{Spec{{Hash: "md5", Of: of, Hex: 1, Presplit: 17}}, "[0].presplit", "from 2 to 16"},
		{Spec{{Field: "key"}, {Field: "value"}}, "[0].field", "literal between"},
		{Spec{{Field: "key"}, {Field: "value", As: "int8"}, {Field: "topic"}}, "[0].field", "literal between"},
		{Spec{{Field: "key", Escape: true}}, "[0].escape", "followed by a literal"},
		{Spec{{Field: "key", Escape: true}, {Literal: `\x`}}, "[0].escape", "backslash"},
		{Spec{{Field: "key", As: "int8", Default: ptr("300")}}, "[0].default", "does not fit"},
		{Spec{{Field: "key", As: "int8", Default: ptr("")}}, "[0].default", "fixed length"},
		{Spec{{Field: "key", Width: 3, Default: ptr("")}}, "[0].default", "fixed length"},
		{Spec{{Literal: "x"}}, "", "the same few keys"},
		{Spec{{Salt: 4, Of: of}}, "", "the same few keys"},
		{Spec{{Hash: "crc32", Of: of}}, "", "by chance"},
		{Spec{{Hash: "md5", Of: of, Hex: 30}}, "", "15 bytes"},
		{Spec{{Field: "key", Default: ptr("a|")}, {Literal: "|"}}, "[0].default", "separator"},
	} {
		_, problems := Compile(c.spec)
		found := false
		for _, p := range problems {
			found = found || p.Path == c.path && strings.Contains(p.Text, c.reason)
		}
		if !found {
			t.Errorf("%+v: got %v, want %s: …%s", c.spec, problems, c.path, c.reason)
		}
	}
}

func TestWholeDigestIsAKey(t *testing.T) {
	if _, problems := Compile(Spec{{Hash: "md5", Of: []string{"key"}}}); problems != nil {
		t.Error(problems)
	}
}

func TestPathsWithDots(t *testing.T) {
	r, err := ParseRef(`value.a\.b.c\\d`)
	if err != nil || fmt.Sprintf("%q", r.Path) != `["a.b" "c\\d"]` {
		t.Errorf("%q, %v", r.Path, err)
	}
}

func TestSplits(t *testing.T) {
	of := []string{"key"}
	for _, c := range []struct {
		part Part
		want string
	}{
		{Part{Salt: 4, Of: of}, "01 02 03"},
		{Part{Salt: 257, Of: of}, "0001 0002 … 0100"},
		{Part{Salt: 256, Of: of}, "01 02 … ff"},
		{Part{Hash: "md5", Of: of, Hex: 2, Presplit: 4}, "3430 3830 6330"},
		{Part{Hash: "md5", Of: of, Hex: 8, Presplit: 3, Upper: true}, "35353535 41414141"},
		{Part{Hash: "sha1", Of: of, Presplit: 4}, "4000 8000 c000"},
		{Part{Hash: "crc32", Of: of, Bytes: 1, Presplit: 2}, "80"},
		{Part{Hash: "murmur3", Of: of, Modulo: 100, As: "string", Presplit: 4}, "3235 3530 3735"},
		{Part{Hash: "murmur3", Of: of, Modulo: 1000, Presplit: 2}, "01f4"},
		{Part{Hash: "murmur3", Of: of, Modulo: 8}, ""},
		{Part{Field: "key", As: "hex", Presplit: 2}, "38303030"},
		{Part{Hash: "md5", Of: of}, ""},
		{Part{Field: "key"}, ""},
	} {
		k, problems := Compile(Spec{c.part, {Field: "value", As: "int8"}})
		if problems != nil {
			t.Fatal(problems)
		}
		var got []string
		for _, s := range k.Splits() {
			got = append(got, hex.EncodeToString(s))
		}
		if len(got) > 4 {
			got = append(got[:2:2], "…", got[len(got)-1])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, want %s", c.part, got, c.want)
		}
	}
}
