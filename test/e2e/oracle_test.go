package e2e

import (
	"encoding/binary"
	"strings"
	"testing"

	"rowmark/test/cluster"
)

// TestOracle shows that the comparison sees what it is there for.
func TestOracle(t *testing.T) {
	want := map[string]*row{"r": {
		puts: map[string]string{"d:s": "v"}, counters: map[string]int64{"c:n": 2},
		appends: map[string][]string{"a:t": {"0:1,", "1:7,", "0:2,"}}, marks: map[string]int64{"s/t/0": 9},
	}}
	cell := func(family, qualifier string, ts int64, value string) cluster.Cell {
		return cluster.Cell{Row: "r", Family: family, Qualifier: qualifier, Timestamp: ts, Value: []byte(value)}
	}
	two := string(binary.BigEndian.AppendUint64(nil, 2))
	good := []cluster.Cell{cell("_k", "s/t/0", 9, "m"), cell("a", "t", 1, "0:1,0:2,1:7,"), cell("c", "n", 1, two), cell("d", "s", 1, "v")}
	if bad := compare("t", want, good); len(bad) > 0 {
		t.Fatal(bad)
	}
	for _, c := range []struct {
		name, says string
		at         int
		cell       *cluster.Cell
	}{
		{"an older mark", "a mark of 8, want 9", 0, &cluster.Cell{Row: "r", Family: "_k", Qualifier: "s/t/0", Timestamp: 8}},
		{"a token lost", "lost 0:2", 1, ptr(cell("a", "t", 1, "0:1,1:7,"))},
		{"a token twice", "doubled 1:7: 2 times", 1, ptr(cell("a", "t", 1, "0:1,1:7,1:7,0:2,"))},
		{"tokens out of order", "out of order", 1, ptr(cell("a", "t", 1, "0:2,0:1,1:7,"))},
		{"a count too high", "want 2", 2, ptr(cell("c", "n", 1, string(binary.BigEndian.AppendUint64(nil, 3))))},
		{"an old value", `"u", want "v"`, 3, ptr(cell("d", "s", 1, "u"))},
		{"a cell lost", "lost", 3, nil},
		{"a second version", "a second version", 4, ptr(cell("d", "s", 0, "v"))},
		{"a strange cell", "the cell should not be", 4, ptr(cell("d", "x", 1, "v"))},
		{"a strange row", "the row should not be", 4, &cluster.Cell{Row: "q", Family: "d", Qualifier: "s"}},
	} {
		got := append([]cluster.Cell(nil), good[:min(c.at, len(good))]...)
		if c.cell != nil {
			got = append(got, *c.cell)
		}
		if c.at < len(good) {
			got = append(got, good[c.at+1:]...)
		}
		if bad := strings.Join(compare("t", want, got), "\n"); !strings.Contains(bad, c.says) {
			t.Errorf("%s: got %q, want %q", c.name, bad, c.says)
		}
	}
}

func ptr[T any](v T) *T { return &v }
