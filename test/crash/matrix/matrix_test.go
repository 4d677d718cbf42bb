package matrix

import (
	"strings"
	"testing"
)

func TestCounts(t *testing.T) {
	var m Matrix
	m.Column("one", "two")
	m.Case("Write/row", "landed", "two", "a", "case", nil)
	m.Case("Write/row", "landed", "two", "a", "case", []string{"lost"})
	m.Case("Look/floor", "before", "one", "b", "case", nil)
	if p, c, v := m.Totals(); p != 2 || c != 3 || v != 1 {
		t.Errorf("%d points, %d cases, %d violations", p, c, v)
	}
	if r := m.Reached(); !r["Look/floor"] || r["Look/unknown"] {
		t.Errorf("reached %v", r)
	}
	var out strings.Builder
	m.Print(&out, "effect")
	for _, want := range []string{"2!1", "violation: case: lost"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
