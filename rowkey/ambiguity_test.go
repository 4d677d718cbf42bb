package rowkey

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// keySpecs draws keys of every form of part, with a literal behind those that need one, and the forms of the fields.
func keySpecs(t *rapid.T) (Spec, []form) {
	forms := fieldForms()
	var spec Spec
	var used []form
	if rapid.Bool().Draw(t, "prefixed") {
		of := []string{"value.0"}
		spec = append(spec, rapid.SampledFrom([]Part{
			{Salt: 16, Of: of},
			{Salt: 300, Of: of},
			{Hash: "md5", Of: of, Hex: 5},
			{Hash: "sha1", Of: of, Bytes: 3},
			{Hash: "murmur3", Of: of, Modulo: 300},
			{Hash: "crc32", Of: of, Modulo: 1000, As: "string"},
			{Literal: "x:"},
		}).Draw(t, "prefix"))
	}
	n := rapid.IntRange(1, 4).Draw(t, "fields")
	for i := range n {
		f := rapid.SampledFrom(forms).Draw(t, "form")
		f.part.Field = fmt.Sprintf("value.%d", i)
		f.part.Reverse = f.part.As != "bytes_bool" && rapid.Bool().Draw(t, "reverse")
		if i == n-1 {
			f.part.Escape = false
		}
		// A part that may be left out, or null.
		if enc, _ := ParseEncoding(f.part.As); f.part.Width == 0 && enc.Width() == 0 && enc != Decimal && rapid.Bool().Draw(t, "optional") {
			f.part.Default = ptr("")
			f.draw = rapid.OneOf(rapid.Just(""), f.draw)
		}
		spec = append(spec, f.part)
		used = append(used, f)
		if i < n-1 && !f.ends {
			spec = append(spec, Part{Literal: rapid.SampledFrom([]string{"|", "||", "|a", "ab"}).Draw(t, "separator")})
		}
	}
	return spec, used
}

func compileIt(t *rapid.T, spec Spec) *Key {
	k, problems := Compile(spec)
	if problems != nil {
		t.Fatal(problems)
	}
	return k
}

func drawKey(t *rapid.T, k *Key, used []form, label string) (key []byte, values []string, err error) {
	src := fields{}
	for i, f := range used {
		s := f.draw.Draw(t, label)
		src[fmt.Sprintf("value.%d", i)] = text(s)
		values = append(values, f.plain(s))
	}
	key, err = k.Append(nil, src)
	return key, values, err
}

// TestKeysAreNeverAmbiguous: whatever the values, two lists of them that differ give keys that differ, or an error.
func TestKeysAreNeverAmbiguous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, used := keySpecs(t)
		k := compileIt(t, spec)
		x, av, err1 := drawKey(t, k, used, "a")
		y, bv, err2 := drawKey(t, k, used, "b")
		if err1 == nil && err2 == nil && bytes.Equal(x, y) && !slices.Equal(av, bv) {
			t.Fatalf("%q gives %x, %q gives %x", av, x, bv, y)
		}
	})
}
