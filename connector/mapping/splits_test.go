package mapping

import (
	"fmt"
	"testing"

	"rowmark/rowkey"
)

func splits(listed ...string) func(*Spec) { return func(s *Spec) { s.Splits = listed } }

func TestSplits(t *testing.T) {
	salted := func(s *Spec) { s.RowKey = rowkey.Spec{{Salt: 3, Of: []string{"key"}}, {Field: "key"}} }
	for _, c := range []struct {
		name  string
		specs []Spec
		want  string
	}{
		{"none", []Spec{base()}, "[]"},
		{"of a salt", []Spec{edit(salted)}, `["\x01" "\x02"]`},
		{"listed, in any order", []Spec{edit(splits("m", "0x80ff", "a"))}, `["a" "m" "\x80\xff"]`},
		{"in capital digits", []Spec{edit(splits("0xAb"))}, `["\xab"]`},
		{"listed in place of the salt's", []Spec{edit(func(s *Spec) { salted(s); s.Splits = []string{"0x0180"} })}, `["\x01\x80"]`},
		{"of two mappings to one table", []Spec{edit(splits("m", "a")), edit(func(s *Spec) {
			s.Topics, s.Splits = []string{"u"}, []string{"0x6d", "z"}
			s.Columns = []Column{{Field: "value.b", To: "d:b"}}
		})}, `["a" "m" "z"]`},
	} {
		if got := fmt.Sprintf("%q", compile(t, c.specs...).Tables()[0].Splits); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSplitsAreStored: what init did can be told from the checkpoint too.
func TestSplitsAreStored(t *testing.T) {
	set := compile(t, edit(splits("a", "0x80ff")))
	again, err := CompileCanonical(set.Canonical(), nil)
	if err != nil || again.Hash() != set.Hash() || len(again.Tables()[0].Splits) != 2 {
		t.Errorf("%v, %v", again, err)
	}
}
