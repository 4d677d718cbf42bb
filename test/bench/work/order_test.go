package work

import (
	"maps"
	"strings"
	"testing"
)

func TestOrderAndAnswer(t *testing.T) {
	o := Order{"write", map[string]string{"rows": "10", "how": "region", "none": ""}}
	got, err := parseOrder(o.String())
	if err != nil || got.What != o.What || !maps.Equal(got.Args, o.Args) {
		t.Errorf("%q is read as %v, %v", o, got, err)
	}
	if n, err := got.number("rows"); n != 10 || err != nil {
		t.Error(n, err)
	}
	for _, name := range []string{"none", "how", "other"} {
		if n, err := got.number(name); err == nil {
			t.Errorf("%s is the number %d", name, n)
		}
	}
	a := Answer{"seconds": 1.25, "bytes": 2e9}
	if back, err := ParseAnswer(a.String()); err != nil || !maps.Equal(back, a) {
		t.Errorf("%q is read as %v, %v", a, back, err)
	}
	if _, err := ParseAnswer("! the table is gone"); err == nil || !strings.Contains(err.Error(), "the table is gone") {
		t.Error(err)
	}
	for _, bad := range []string{"", "seconds=1", "= seconds=x", "= seconds"} {
		if a, err := ParseAnswer(bad); err == nil {
			t.Errorf("%q is read as %v", bad, a)
		}
	}
}
