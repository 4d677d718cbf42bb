package rowkey

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// form is a way to write a field, and what the tests know of it.
type form struct {
	part    Part
	draw    *rapid.Generator[string]
	ordered func(a, b string) int // byte order is this order; nil: none is promised
	ends    bool                  // a part may follow without a literal
	same    func(s string) string // equal for values that are equal; nil: the value itself
	shown   func(s string) string // what Explain tells; nil: what is the same
}

func (f form) plain(s string) string {
	if f.same == nil || s == "" {
		return s
	}
	return f.same(s)
}

func rational(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("big.Rat refuses " + s)
	}
	return r
}

func ratString(s string) string { return rational(s).RatString() }

func byNumber(a, b string) int { return rational(a).Cmp(rational(b)) }

func integers(bits int, negative bool) *rapid.Generator[string] {
	high := int64(1)<<(bits-1) - 1
	low := int64(0)
	if negative {
		low = -high - 1
	}
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
			return strconv.FormatInt(rapid.SampledFrom([]int64{low, low + 1, 0, 1, high - 1, high}).Draw(t, "n"), 10)
		}
		return strconv.FormatInt(rapid.Int64Range(low, high).Draw(t, "n"), 10)
	})
}

func floats(bits int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if bits == 32 {
			return strconv.FormatFloat(float64(rapid.Float32().Draw(t, "f")), 'g', -1, 32)
		}
		return strconv.FormatFloat(rapid.Float64().Draw(t, "f"), 'g', -1, 64)
	})
}

// floatString is the number nearest to s that has the size.
func floatString(bits int) func(string) string {
	return func(s string) string {
		f, err := strconv.ParseFloat(s, bits)
		if err != nil {
			panic(err)
		}
		return ratString(strconv.FormatFloat(f, 'g', -1, bits))
	}
}

// decimals draws near neighbours often, in several notations.
func decimals(digits, exponent int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		n := rapid.SampledFrom([]int{1, 2, 3, digits}).Draw(t, "digits")
		s += rapid.StringMatching(fmt.Sprintf("[019]{1,%d}|[0-9]{1,%d}", n, n)).Draw(t, "number")
		if at := rapid.IntRange(1, len(s)).Draw(t, "point"); at < len(s) && s[at-1] != '-' {
			s = s[:at] + "." + s[at:]
		}
		if rapid.Bool().Draw(t, "scientific") {
			s += "e" + strconv.Itoa(rapid.IntRange(-exponent, exponent).Draw(t, "exponent"))
		}
		return s
	})
}

func fieldForms() []form {
	var out []form
	number := func(as string, draw *rapid.Generator[string], same func(string) string, ordered bool) {
		f := form{part: Part{As: as}, draw: draw, ends: true, same: same}
		if ordered {
			f.ordered = func(a, b string) int { return byNumber(same(a), same(b)) }
		}
		out = append(out, f)
	}
	for bits, names := range map[int]string{
		8: "int8 phoenix_tinyint", 16: "int16 phoenix_smallint", 32: "int32 phoenix_integer",
		64: "int64 phoenix_bigint phoenix_date phoenix_time",
	} {
		for as := range strings.SplitSeq(names, " ") {
			number(as, integers(bits, true), ratString, true)
		}
		number(fmt.Sprintf("bytes_int%d", bits), integers(bits, true), ratString, false)
	}
	for as, bits := range map[string]int{"phoenix_unsigned_tinyint": 8, "phoenix_unsigned_smallint": 16, "phoenix_unsigned_int": 32, "phoenix_unsigned_long": 64} {
		number(as, integers(bits, false), ratString, true)
	}
	for as, bits := range map[string]int{"float32": 32, "float64": 64, "phoenix_float": 32, "phoenix_double": 64} {
		number(as, floats(bits), floatString(bits), true)
	}
	number("decimal", decimals(60, 400), ratString, true)
	number("phoenix_decimal", decimals(38, 40), ratString, true)
	number("phoenix_timestamp", rapid.StringMatching(`-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,6})?`), ratString, true)

	word := rapid.StringMatching(`[a-c|\\ ß]{1,4}`)
	ascii := rapid.StringMatching(`[a-c| ]{0,3}[a-c|]`)
	slices.SortFunc(out, func(a, b form) int { return strings.Compare(a.part.As, b.part.As) }) // rapid replays draws by their order
	return append(out,
		form{
			part: Part{As: "uuid"}, ends: true, same: strings.ToLower,
			draw:    rapid.StringMatching(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0000000[01](-000[01]){3}-00000000000[0-9A-F]`),
			ordered: func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) },
		},
		form{part: Part{As: "phoenix_boolean"}, ends: true, draw: rapid.SampledFrom([]string{"false", "true"}), ordered: strings.Compare},
		form{part: Part{As: "phoenix_varchar"}, ends: true, draw: word, ordered: strings.Compare},
		form{
			part: Part{As: "phoenix_char", Width: 4}, ends: true, draw: ascii,
			ordered: func(a, b string) int { return strings.Compare(fmt.Sprintf("%-4s", a), fmt.Sprintf("%-4s", b)) },
		},
		form{part: Part{As: "string", Width: 9, Pad: "_"}, ends: true, draw: word},
		form{part: Part{As: "string", Width: 9, Pad: "_", PadSide: "right"}, ends: true, draw: word},
		form{part: Part{As: "string"}, draw: word},
		form{part: Part{As: "string", Escape: true}, draw: word},
		form{part: Part{As: "hex"}, draw: word, shown: func(s string) string { return hex.EncodeToString([]byte(s)) }},
		form{
			part: Part{As: "base64"}, same: bare(base64.RawStdEncoding),
			draw: rapid.Map(rapid.SliceOfN(rapid.ByteRange('0', '9'), 1, 5), base64.StdEncoding.EncodeToString),
		},
		form{
			part: Part{As: "base64url"}, same: bare(base64.RawURLEncoding),
			draw: rapid.Map(rapid.SliceOfN(rapid.ByteRange(0xf0, 0xff), 1, 5), base64.RawURLEncoding.EncodeToString),
		},
	)
}

func bare(enc *base64.Encoding) func(string) string {
	return func(s string) string {
		b, err := enc.DecodeString(strings.TrimRight(s, "="))
		if err != nil {
			panic(err)
		}
		return string(b)
	}
}
