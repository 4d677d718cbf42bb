package decode

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"runtime"
	"strconv"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// built makes a value by a Builder, and what encoding/json reads of its JSON.
func built(t *rapid.T, b *Builder, depth int) any {
	kind := rapid.IntRange(0, 8).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 6)
	}
	switch kind {
	case 0:
		b.Null()
		return nil
	case 1:
		yes := rapid.Bool().Draw(t, "bool")
		b.Bool(yes)
		return yes
	case 2:
		n := rapid.Int64().Draw(t, "int")
		b.Int(n)
		return json.Number(strconv.FormatInt(n, 10))
	case 3:
		s := rapid.String().Filter(utf8.ValidString).Draw(t, "string")
		b.String([]byte(s))
		return s
	case 4:
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		b.Bytes(data)
		return base64.StdEncoding.EncodeToString(data)
	case 5:
		n := rapid.Uint64().Draw(t, "uint")
		b.Uint(n)
		return json.Number(strconv.FormatUint(n, 10))
	case 6:
		b.Number([]byte("12.50"))
		return json.Number("12.50")
	case 7:
		out := []any{}
		b.Array()
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			out = append(out, built(t, b, depth-1))
		}
		b.End()
		return out
	}
	out := map[string]any{}
	b.Object()
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		name := rapid.SampledFrom([]string{"", "a", "b.c", "ü\"", "1"}).Draw(t, "name")
		b.Name([]byte(name))
		out[name] = built(t, b, depth-1)
	}
	b.End()
	return out
}

// What is built is what its JSON says, and what its paths lead to; a tree can be built again, and parsed into after.
func TestWhatIsBuiltIsItsJSON(t *testing.T) {
	var tree Tree
	rapid.Check(t, func(t *rapid.T) {
		b := tree.Build()
		want := built(t, b, 4)
		got := b.Value()
		text := got.AppendJSON(nil)
		again, err := JSONArrays.Decode(new(Tree), text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if w := again.any(); !reflect.DeepEqual(w, want) {
			t.Fatalf("%s is %v, want %v", text, w, want)
		}
		same(t, got, again)
		if v, err := JSON.Decode(&tree, []byte(`{"a":[1]}`)); err != nil || string(v.At1("a").Text) != "[1]" {
			t.Fatalf("parsed after: %v, %v", v, err)
		}
	})
}

// At1 is At, of a value that is no variable.
func (v Value) At1(path ...string) Value { return v.At(path) }

// same compares a built value with its JSON parsed, in which bytes are text.
func same(t *rapid.T, a, b Value) {
	if a.Kind == Bytes {
		return
	}
	if a.Kind != b.Kind || a.True != b.True || a.Kind > Bool && a.Kind < Object && string(a.Text) != string(b.Text) {
		t.Fatalf("%v %q is %v %q parsed", a.Kind, a.Text, b.Kind, b.Text)
	}
	n := 0
	_ = a.Elements(func(e Value) error {
		same(t, e, b.At1(strconv.Itoa(n)))
		same(t, a.At1(strconv.Itoa(n)), b.At1(strconv.Itoa(n)))
		n++
		return nil
	})
	if v := a.At1(strconv.Itoa(n)); a.Kind == Array && v.Kind != Missing {
		t.Fatalf("element %d of %d is %v", n, n, v.Kind)
	}
	_ = a.Members(func(key []byte, m Value) error {
		same(t, m, b.At1(string(key)))
		return nil
	})
}

func TestFloatsKeepTheirDigits(t *testing.T) {
	var tree Tree
	for _, c := range []struct {
		f    float64
		bits int
		kind Kind
		want string
	}{
		{0.1, 64, Number, "0.1"},
		{float64(float32(0.1)), 32, Number, "0.1"},
		{1e300, 64, Number, "1e+300"},
		{123456789, 64, Number, "123456789"},
		{-0.000001, 64, Number, "-0.000001"},
		{5e-324, 64, Number, "5e-324"},
		{math.NaN(), 64, String, "NaN"},
		{math.Inf(-1), 32, String, "-Inf"},
	} {
		b := tree.Build()
		b.Float(c.f, c.bits)
		if v := b.Value(); v.Kind != c.kind || string(v.Text) != c.want {
			t.Errorf("%v of %d bits is %v %q, want %v %q", c.f, c.bits, v.Kind, v.Text, c.kind, c.want)
		}
	}
}

// Arrays are left out of a tree unless they are wanted: a path into one leads nowhere.
func TestArraysAreKeptOnRequest(t *testing.T) {
	data := []byte(`{"a":[{"b":1},{"b":[2,3]}]}`)
	for _, c := range []struct {
		format Format
		path   []string
		want   string
	}{
		{JSON, []string{"a"}, `[{"b":1},{"b":[2,3]}]`},
		{JSON, []string{"a", "0", "b"}, ""},
		{JSONArrays, []string{"a", "0", "b"}, "1"},
		{JSONArrays, []string{"a", "1", "b", "1"}, "3"},
		{JSONArrays, []string{"a", "2", "b"}, ""},
		{JSONArrays, []string{"a", "-1"}, ""},
		{JSONArrays, []string{"a", "x"}, ""},
	} {
		v, err := c.format.Decode(new(Tree), data)
		if got := v.At(c.path); err != nil || string(got.Text) != c.want {
			t.Errorf("%v: %q, %v; want %q", c.path, got.Text, err, c.want)
		}
	}
}

// A scale or a length that comes with the record may name any size: it is refused before memory is taken for it.
func TestBuilderTakesNoRoomForADecimalItRefuses(t *testing.T) {
	const kept = 64 << 10
	for _, d := range []struct {
		bytes, scale int
	}{{1, maxScale + 1}, {1, math.MaxInt32}, {1, math.MinInt32}, {0, math.MaxInt32}, {maxDecimal + 1, 0}, {16 << 20, 2}} {
		unscaled := bytes.Repeat([]byte{1}, d.bytes)
		var tree Tree
		b := tree.Build()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := b.Decimal(unscaled, d.scale)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%d bytes with scale %d are taken", d.bytes, d.scale)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > kept {
			t.Errorf("%d bytes with scale %d took %d bytes of memory", d.bytes, d.scale, took)
		}
	}
}

// Decimals are what math/big makes of them, with digits missing before the point or not.
func TestDecimalsAreThoseOfBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "digits"))
		data := append([]byte{0}, n.Bytes()...)
		if rapid.Bool().Draw(t, "negative") {
			n.Neg(n)
			data = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data)))).FillBytes(make([]byte, len(data)+1))[1:]
		}
		scale := rapid.OneOf(rapid.IntRange(1, 60), rapid.IntRange(1, maxScale)).Draw(t, "scale")
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
		want := "x" + new(big.Rat).SetFrac(n, power).FloatString(scale)
		if got, err := AppendDecimal([]byte("x"), data, scale); err != nil || string(got) != want {
			t.Fatalf("%x with scale %d is %s, %v, want %s", data, scale, got, err, want)
		}
	})
}
