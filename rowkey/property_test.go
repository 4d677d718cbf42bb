package rowkey

import (
	"bytes"
	"math"
	"math/big"
	"slices"
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

// TestKeysFallIntoTheirRegions: each key lies in the region of its bucket, or of the digits that it begins with.
func TestKeysFallIntoTheirRegions(t *testing.T) {
	of := []string{"value"}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]Part{
			{Salt: 2, Of: of},
			{Salt: 3, Of: of},
			{Salt: 16, Of: of},
			{Salt: 255, Of: of},
			{Salt: 256, Of: of},
			{Salt: 257, Of: of},
			{Salt: 1000, Of: of},
			{Salt: 65536, Of: of},
			{Hash: "murmur3", Of: of, Modulo: 100, Presplit: 100},
			{Hash: "murmur3", Of: of, Modulo: 1000, As: "string", Presplit: 7},
			{Hash: "murmur3", Of: of, Presplit: 16},
			{Hash: "murmur3", Of: of, Hex: 8, Presplit: 12},
			{Hash: "murmur3", Of: of, Hex: 3, Upper: true, Presplit: 12},
		}).Draw(t, "part")
		s := rapid.StringN(1, 10, -1).Draw(t, "s")
		k := compileIt(t, Spec{p, {Field: "value"}})
		key, err := k.Append(nil, fields{"value": text(s)})
		if err != nil {
			t.Fatal(err)
		}
		splits := k.Splits()
		space, regions := uint64(1)<<16, uint64(p.Presplit)
		switch {
		case p.Salt > 0:
			space, regions = uint64(p.Salt), uint64(p.Salt)
		case p.Modulo > 0:
			space = uint64(p.Modulo)
		case p.Hex > 0:
			space = 1 << (4 * min(p.Hex, 4))
		}
		if uint64(len(splits)) != regions-1 || !slices.IsSortedFunc(splits, bytes.Compare) {
			t.Fatalf("%d splits for %d regions: %x", len(splits), regions, splits)
		}
		region := uint64(0)
		for region < uint64(len(splits)) && bytes.Compare(splits[region], key) <= 0 {
			region++
		}
		value := uint64(Murmur3([]byte(s)))
		if p.Salt > 0 || p.Modulo > 0 {
			value %= space
		} else {
			value = value * space >> 32
		}
		// Region r holds the values from r*space/regions on.
		if value < region*space/regions || value >= (region+1)*space/regions {
			t.Fatalf("key %x, value %d of %d, lies in region %d of %d", key, value, space, region, regions)
		}
	})
}
