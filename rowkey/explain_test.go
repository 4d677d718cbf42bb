package rowkey

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestExplainGivesTheValuesBack: whatever Append makes is split where it was put together.
func TestExplainGivesTheValuesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, used := keySpecs(t)
		k := compileIt(t, spec)
		key, values, err := drawKey(t, k, used, "a")
		if err != nil {
			return
		}
		parts, err := k.Explain(key)
		if err != nil {
			t.Fatalf("%x of %+v: %v", key, spec, err)
		}
		var all []byte
		i := 0
		for n, p := range parts {
			all = append(all, p.Bytes...)
			if spec[n].Field == "" {
				continue
			}
			got, want := used[i].plain(p.Text), values[i]
			if used[i].shown != nil {
				want = used[i].shown(want)
			}
			if got != want {
				t.Fatalf("%s of %+v: got %q, want %q", p.Name, spec, got, want)
			}
			i++
		}
		if !bytes.Equal(all, key) || len(parts) != len(spec) {
			t.Fatalf("%x is split into %x", key, all)
		}
	})
}

// TestExplainTakesAnyBytes: no key panics, and what is explained is split without a gap. Cut and changed keys too.
func TestExplainTakesAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, used := keySpecs(t)
		k := compileIt(t, spec)
		key, _, err := drawKey(t, k, used, "a")
		if err != nil || rapid.Bool().Draw(t, "any") {
			key = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "key")
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range random.IntN(3) {
			if len(key) > 0 {
				key[random.IntN(len(key))] = byte(random.Uint32())
			}
		}
		key = key[:len(key)-random.IntN(len(key)+1)/4]
		parts, err := k.Explain(key)
		var all []byte
		for _, p := range parts {
			all = append(all, p.Bytes...)
		}
		if !bytes.HasPrefix(key, all) || err == nil && len(all) < len(key) {
			t.Fatalf("%x of %+v is split into %x, %v", key, spec, all, err)
		}
	})
}

func TestExplain(t *testing.T) {
	of := []string{"value.a"}
	f := func(name string) Part { return Part{Field: name} }
	bar := Part{Literal: "|"}
	free := Part{Field: "value.a", AllowSeparator: true}
	varchar := func(name string) Part { return Part{Field: name, As: "phoenix_varchar", Default: ptr("")} }
	for _, c := range []struct {
		name string
		spec Spec
		key  string
		want string // the texts, split by a space; then, after !, the reason
	}{
		{"salt", Spec{{Salt: 16, Of: of}, f("value.a")}, "\x0dc1", "13 c1"},
		{"wide salt", Spec{{Salt: 1000, Of: of}, f("value.a")}, "\x00\xbdc1", "189 c1"},
		{"no such bucket", Spec{{Salt: 16, Of: of}, f("value.a")}, "\x10c1", "!part 1 (salt), from byte 0 on: there is no such bucket"},
		{"hash", Spec{{Hash: "md5", Of: of, Bytes: 2}, f("value.a")}, "\x01\xffc1", "0x01ff c1"},
		{"modulo in digits", Spec{{Hash: "md5", Of: of, Modulo: 100, As: "string"}, f("value.a")}, "07c1", "7 c1"},
		{"modulo of no digits", Spec{{Hash: "md5", Of: of, Modulo: 100, As: "string"}, f("value.a")}, "+7c1", "!no such bucket"},
		{"reversed time", Spec{f("value.a"), bar, {Field: "value.b", As: "int64", Reverse: true}}, "c1|\x7f\xff\xfe\x74\x30\x1a\x97\xfe", "c1 | 1700000000001"},
		{"not text", Spec{f("value.a")}, "\xff\x00", "0xff00"},
		{"not printable", Spec{f("value.a")}, "a\n", "0x610a"},
		{"padded", Spec{{Field: "value.a", Width: 4, Pad: "0"}}, "0000", "0"},
		{"escaped", Spec{{Field: "value.a", Escape: true}, bar, f("value.b")}, `a\|\\|b|c`, `a|\ | b|c`},
		{"the fixed rest tells the end", Spec{free, bar, {Field: "value.b", As: "int8"}}, "a|b|\x81", "a|b | 1"},
		{"one separator can only be the end", Spec{free, bar, f("value.b")}, "a|b", "a | b"},
		{"which of two is the end", Spec{free, bar, f("value.b")}, "a|b|c", "!part 1 (value.a), from byte 0 on: where it ends can't be told"},
		{"overlapping separators", Spec{free, {Literal: "||"}, f("value.b")}, "a|||b", "!can't be told"},
		{"nothing between", Spec{{Salt: 4, Of: of}, free, f("value.b")}, "\x01ab", "1!part 2 (value.a), from byte 1 on: where it ends can't be told"},
		{"no separator", Spec{f("value.a"), bar, f("value.b")}, "ab", "!what ends it is not in the key"},
		{"another literal", Spec{{Field: "value.a", As: "int8"}, bar, f("value.b")}, "\x80:b", "0!another text"},
		{"too short", Spec{{Field: "value.a", As: "int64"}}, "\x80", "!too short"},
		{"too long", Spec{{Field: "value.a", As: "int8"}}, "\x80\x80", "0!1 bytes are left"},
		{"decimal of other bytes", Spec{{Field: "value.a", As: "decimal"}, f("value.b")}, "\x18\x03", "!not the bytes of a decimal"},
		{"decimal that begins with zeros", Spec{{Field: "value.a", As: "decimal"}, f("value.b")}, "\x18\x01\x02b", "!not the bytes of a decimal"},
		{"decimal that ends in zeros", Spec{{Field: "value.a", As: "decimal"}, f("value.b")}, "\x18\x03\x00b", "!not the bytes of a decimal"},
		{"pair beyond 99", Spec{{Field: "value.a", As: "decimal"}, f("value.b")}, "\x18\xc8b", "!not the bytes of a decimal"},
		{"long Phoenix decimal", Spec{{Field: "value.a", As: "phoenix_decimal"}}, "\xc1" + strings.Repeat("\x02", 21), "!not the bytes of a Phoenix decimal"},
		{"nanoseconds beyond a millisecond", Spec{{Field: "value.a", As: "phoenix_timestamp"}}, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x0f\x42\x40", "!not the bytes of a Phoenix timestamp"},
		{"escape is off where separators are allowed", Spec{{Field: "value.a", Escape: true, AllowSeparator: true}, bar, f("value.b")}, `a\\x|b`, `a\\x | b`},
		{"and tells no end there", Spec{{Field: "value.a", Escape: true, AllowSeparator: true}, bar, f("value.b")}, `a\|b|c`, "!can't be told"},
		{"nulls at the end", Spec{varchar("value.a"), varchar("value.b"), varchar("value.c")}, "a", "a  "},
		{"null in the middle", Spec{varchar("value.a"), varchar("value.b"), varchar("value.c")}, "a\x00\x00c", "a  c"},
		{"no byte behind a reversed one", Spec{{Field: "value.a", As: "phoenix_varchar", Reverse: true}}, "\x9e", "!what ends it"},
		{"no boolean", Spec{{Field: "value.a", As: "phoenix_boolean"}}, "\x02", "!not the byte of a boolean"},
	} {
		k, problems := Compile(c.spec)
		if problems != nil {
			t.Fatal(c.name, problems)
		}
		var got []string
		parts, err := k.Explain([]byte(c.key))
		for _, p := range parts {
			got = append(got, p.Text)
		}
		want, reason, bad := strings.Cut(c.want, "!")
		if strings.Join(got, " ") != want || bad != (err != nil) || bad && !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got %q, %v, want %s", c.name, got, err, c.want)
		}
	}
}

// TestExplainReadsPhoenixsKeys takes those that Phoenix made.
func TestExplainReadsPhoenixsKeys(t *testing.T) {
	for _, g := range phoenixGoldens(t) {
		key, _ := hex.DecodeString(g.key)
		k, _ := Compile(g.spec)
		parts, err := k.Explain(key)
		if err != nil || len(parts) != len(g.values) {
			t.Errorf("%s: %d parts, %v", g.name, len(parts), err)
			continue
		}
		for i, want := range g.values {
			got := parts[i].Text
			number := strings.Trim(want, "-0123456789.e") == "" && g.spec[i].As != "phoenix_varchar"
			switch {
			case want == "null" && got == "", got == want:
			case !number || floatString(64)(got) != floatString(64)(want):
				t.Errorf("%s: got %q, want %q", g.name, got, want)
			}
		}
	}
}
