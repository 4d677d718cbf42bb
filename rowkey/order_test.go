package rowkey

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestByteOrderIsValueOrder holds for every order-preserving form, alone or with parts behind it, and turned round
// for its reverse.
func TestByteOrderIsValueOrder(t *testing.T) {
	for _, f := range fieldForms() {
		if f.ordered == nil {
			continue
		}
		t.Run(f.part.As, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := f.part
				p.Field, p.Reverse = "value.a", rapid.Bool().Draw(t, "reverse")
				spec := Spec{p}
				if rapid.Bool().Draw(t, "more") {
					spec = append(spec, Part{Field: "value.b", As: "phoenix_varchar", Default: ptr("")}, Part{Field: "value.c", Default: ptr("")})
				}
				k, problems := Compile(spec)
				if problems != nil {
					t.Fatal(problems)
				}
				behind := rapid.SampledFrom([]string{"", "\x01", "a", "ÿ"})
				draw := func(label string) (string, []byte) {
					s := f.draw.Draw(t, label)
					key, err := k.Append(nil, fields{"value.a": text(s), "value.b": text(behind.Draw(t, "b")), "value.c": text(behind.Draw(t, "c"))})
					if err != nil {
						t.Fatalf("%s: %v", s, err)
					}
					return s, key
				}
				a, x := draw("a")
				b, y := draw("b")
				want := f.ordered(a, b)
				if want == 0 && len(spec) > 1 {
					return
				}
				if p.Reverse {
					want = -want
				}
				if got := bytes.Compare(x, y); got != want {
					t.Fatalf("%s and %s: %x and %x", a, b, x, y)
				}
			})
		})
	}
}
