package work

import (
	"bytes"
	"slices"
	"testing"

	"rowmark/hbase"
)

// TestRowsArePinned: BenchPeer.java makes the same rows, so a change here needs one there. The run itself compares
// what both have written.
func TestRowsArePinned(t *testing.T) {
	if got := string(Key(123456)); got != "00fdae40-0000123456" {
		t.Error(got)
	}
	if got := string(value(123456, 3)); got != "0000123456-3-abcdefghijklmnopq" {
		t.Error(got)
	}
	r := Row(7, Kind{Mark: true, Condition: true})
	if n := len(r.Mutations[0].Cells); n != Columns+1 || r.Condition.From != 8 || r.Mutations[0].Cells[Columns].Timestamp != 8 {
		t.Errorf("%+v", r)
	}
	c := Row(7, Kind{Counters: true, Mark: true})
	if len(c.Mutations) != 2 || c.Mutations[0].Kind != hbase.KindIncrement || c.Condition != nil {
		t.Errorf("%+v", c)
	}
}

// TestSplitsAreEven: no region may hold much more than its share.
func TestSplitsAreEven(t *testing.T) {
	const rows = 64_000
	for _, n := range []int{1, 4, 64} {
		splits := Splits(n)
		if len(splits) != n-1 || !slices.IsSortedFunc(splits, bytes.Compare) {
			t.Fatalf("%d regions: %q", n, splits)
		}
		counts := make([]int, n)
		for i := range rows {
			key := Key(i)
			at, _ := slices.BinarySearchFunc(splits, key, bytes.Compare)
			counts[at]++
		}
		if least, most := slices.Min(counts), slices.Max(counts); least < rows/n*9/10 || most > rows/n*11/10 {
			t.Errorf("%d regions hold %d to %d of %d rows", n, least, most, rows)
		}
	}
}
