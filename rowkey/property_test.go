package rowkey

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

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
		"9007199254740993": "9007199254740993", "-0": "0", "0e999999999999999999": "0", "1e999999999": "!", "20000000000000000000E-1": "2000000000000000000", "-92233720368547758080.0e-1": "-9223372036854775808", "1e-1": "!", "10e-1": "1",
		"": "!", "-": "!", " 1": "!", "+1": "!", "1.": "!", ".5": "!", "0x10": "!", "1_0": "!", "1e": "!", "NaN": "!", "--1": "!",
	} {
		got, err := Integer(text(s))
		if want == "!" && err == nil || want != "!" && (err != nil || strconv.FormatInt(got, 10) != want) {
			t.Errorf("%q: %d, %v, want %s", s, got, err, want)
		}
	}
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
