package main

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// made gives how many of n records each key has.
func made(n int, number numbering) map[int]int {
	records := map[int]int{}
	for i := range n {
		records[number(i)]++
	}
	return records
}

// TestKeysStayInTheirPartition, whichever the record was meant for.
func TestKeysStayInTheirPartition(t *testing.T) {
	const partitions = 4
	for name, number := range map[string]numbering{"repeated": repeated(partitions, 10), "drawn": drawn(40, 0.1, 0.9)} {
		fill, of := keyed(partitions, number), map[string]int32{}
		for i := range 2000 {
			r := &kgo.Record{Partition: int32(i % partitions)}
			fill(i, r)
			if p, ok := of[string(r.Key)]; ok && p != r.Partition || int(r.Partition) >= partitions {
				t.Fatalf("%s: key %s lies in partition %d and in %d, of %d", name, r.Key, p, r.Partition, partitions)
			}
			of[string(r.Key)] = r.Partition
		}
	}
}

func TestRepeatedKeys(t *testing.T) {
	for _, perRow := range []int{1, 10, 1000} {
		n := 4 * stretch * 1000
		got := made(n, repeated(4, perRow))
		if len(got) != n/perRow {
			t.Errorf("%d records a row: %d rows, want %d", perRow, len(got), n/perRow)
		}
		for key, records := range got {
			if records != perRow {
				t.Fatalf("row %d has %d records, want %d", key, records, perRow)
			}
		}
	}
}

// TestRepeatedKeysComeCloseTogether: within a stretch of rows, each comes once before any comes again.
func TestRepeatedKeysComeCloseTogether(t *testing.T) {
	number := repeated(1, 10)
	last := map[int]int{}
	for i := range 2 * stretch * 10 {
		if before, ok := last[number(i)]; ok && i-before != stretch {
			t.Fatalf("record %d repeats the key of record %d, want %d apart", i, before, stretch)
		}
		last[number(i)] = i
	}
}

func TestHotKeys(t *testing.T) {
	const n, keys = 100_000, 10_000
	share := func(records map[int]int) (hundredth float64) {
		var all []int
		for _, r := range records {
			all = append(all, r)
		}
		slices.Sort(all)
		slices.Reverse(all)
		for _, r := range all[:keys/100] {
			hundredth += float64(r) / n
		}
		return hundredth
	}
	if got := share(made(n, drawn(keys, 0.01, 0.9))); got < 0.89 || got > 0.91 {
		t.Errorf("the hottest hundredth of the keys has %.3f of the records, want 0.9", got)
	}
	if got := share(made(n, drawn(keys, 0, 0))); got > 0.05 {
		t.Errorf("the hottest hundredth of even keys has %.3f of the records", got)
	}
}

func TestSizedValues(t *testing.T) {
	fill := sized(1000)
	for i := range 3 {
		r := &kgo.Record{}
		fill(i, r)
		if len(r.Value) != 1000 || string(r.Key) != string(orderKey(i)) {
			t.Errorf("record %d has key %s and %d bytes", i, r.Key, len(r.Value))
		}
	}
}
