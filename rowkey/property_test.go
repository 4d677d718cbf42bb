package rowkey

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestByteOrderIsValueOrder holds for every order-preserving form, and turned round for its reverse.
func TestByteOrderIsValueOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		as := rapid.SampledFrom([]string{"int8", "int16", "int32", "int64"}).Draw(t, "as")
		enc, _ := ParseEncoding(as)
		bits := 8 * enc.Width()
		lo, hi := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
		a, b := rapid.Int64Range(lo, hi).Draw(t, "a"), rapid.Int64Range(lo, hi).Draw(t, "b")
		for _, reverse := range []bool{false, true} {
			p := Part{Field: "value", As: as, Reverse: reverse}
			x, y := must(t, p, Value{Kind: Int, Int: a}), must(t, p, number(strconv.FormatInt(b, 10)))
			want := cmp.Compare(a, b)
			if reverse {
				want = -want
			}
			if got := bytes.Compare(x, y); got != want || len(x) != bits/8 {
				t.Fatalf("%d and %d as %s (reverse %v): %x and %x", a, b, as, reverse, x, y)
			}
		}
	})
}

func TestByteOrderIsValueOrderOfFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		bits := 64
		as := "float64"
		if rapid.Bool().Draw(t, "narrow") {
			as, bits = "float32", 32
			a, b = float64(rapid.Float32().Draw(t, "a32")), float64(rapid.Float32().Draw(t, "b32"))
		}
		p := Part{Field: "value", As: as, Reverse: rapid.Bool().Draw(t, "reverse")}
		x := must(t, p, number(strconv.FormatFloat(a, 'g', -1, bits)))
		y := must(t, p, number(strconv.FormatFloat(b, 'g', -1, bits)))
		want := cmp.Compare(a, b)
		if p.Reverse {
			want = -want
		}
		if got := bytes.Compare(x, y); got != want {
			t.Fatalf("%g and %g as %s: %x and %x", a, b, as, x, y)
		}
	})
}

func must(t *rapid.T, p Part, v Value) []byte {
	out, err := one(p, v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestIntegersAreExact compares with big.Rat, the slow and sure way.
func TestIntegersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`-?(0|[1-9][0-9]{0,21})(\.[0-9]{1,4}0{0,4})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("big.Rat refuses %s", s)
		}
		got, err := Integer(number(s))
		fits := r.IsInt() && r.Num().IsInt64()
		if fits != (err == nil) || fits && got != r.Num().Int64() {
			t.Fatalf("%s: %d, %v, want %v", s, got, err, r)
		}
		large := new(big.Rat).Abs(r).Cmp(new(big.Rat).SetInt64(math.MaxInt64)) > 0
		if err == errTooLarge && !large || err == errWhole && r.IsInt() {
			t.Fatalf("%s: wrong reason %v", s, err)
		}
	})
}

func TestIntegerEdges(t *testing.T) {
	for s, want := range map[string]string{
		"9223372036854775807": "9223372036854775807", "-9223372036854775808": "-9223372036854775808",
		"9223372036854775808": "!", "-9223372036854775809": "!", "18446744073709551616": "!", "99999999999999999999999": "!",
		"9007199254740993": "9007199254740993", "-0": "0", "0e999999999999999999": "0", "1e999999999": "!", "1e-1": "!", "10e-1": "1",
		"": "!", "-": "!", " 1": "!", "+1": "!", "1.": "!", ".5": "!", "0x10": "!", "1_0": "!", "1e": "!", "NaN": "!", "--1": "!",
	} {
		got, err := Integer(text(s))
		if want == "!" && err == nil || want != "!" && (err != nil || strconv.FormatInt(got, 10) != want) {
			t.Errorf("%q: %d, %v, want %s", s, got, err, want)
		}
	}
}

// TestKeysAreNeverAmbiguous: whatever the values, two lists of them that differ give keys that differ, or an
// error.
func TestKeysAreNeverAmbiguous(t *testing.T) {
	value := rapid.StringMatching(`[ab|\\]{1,5}`)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(t, "fields")
		var spec Spec
		for i := range n {
			p := Part{Field: fmt.Sprintf("value.%d", i)}
			last := i == n-1
			if !last && rapid.Bool().Draw(t, "escape") {
				p.Escape = true
			}
			spec = append(spec, p)
			if !last {
				spec = append(spec, Part{Literal: rapid.SampledFrom([]string{"|", "||", "|a", "ab"}).Draw(t, "sep")})
			}
		}
		k, problems := Compile(spec)
		if problems != nil {
			t.Fatal(problems)
		}
		draw := func(label string) (fields, []string) {
			src, all := fields{}, []string{}
			for i := range n {
				s := value.Draw(t, label)
				src[fmt.Sprintf("value.%d", i)] = text(s)
				all = append(all, s)
			}
			return src, all
		}
		a, av := draw("a")
		b, bv := draw("b")
		x, err1 := k.Append(nil, a)
		y, err2 := k.Append(nil, b)
		if err1 == nil && err2 == nil && bytes.Equal(x, y) && !slices.Equal(av, bv) {
			t.Fatalf("%q and %q both give %q", av, bv, x)
		}
	})
}

// TestReverseTurnsBack: twice reversed is as before.
func TestReverseTurnsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(1, 20, -1).Draw(t, "s")
		once := must(t, Part{Field: "value", Reverse: true}, text(s))
		twice := must(t, Part{Field: "value", Reverse: true}, text(string(once)))
		if string(twice) != s {
			t.Fatalf("%q, then %q, then %q", s, once, twice)
		}
	})
}

// TestSaltsFallIntoTheirRegions: each key lies in the region of its bucket.
func TestSaltsFallIntoTheirRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		buckets := rapid.SampledFrom([]int{2, 3, 16, 255, 256, 257, 1000, 65536}).Draw(t, "buckets")
		s := rapid.StringN(1, 10, -1).Draw(t, "s")
		k, _ := Compile(Spec{{Salt: buckets, Of: []string{"value"}}, {Field: "value"}})
		key, err := k.Append(nil, fields{"value": text(s)})
		if err != nil {
			t.Fatal(err)
		}
		splits := k.Splits()
		if len(splits) != buckets-1 {
			t.Fatalf("%d splits for %d buckets", len(splits), buckets)
		}
		region := 0
		for region < len(splits) && bytes.Compare(splits[region], key) <= 0 {
			region++
		}
		if want := int(Murmur3([]byte(s)) % uint32(buckets)); region != want {
			t.Fatalf("key %s lies in region %d, want %d", hex.EncodeToString(key), region, want)
		}
	})
}
