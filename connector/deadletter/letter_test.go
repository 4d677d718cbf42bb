package deadletter

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"

	"pgregory.net/rapid"
)

// asRead gives a letter's row as HBase shows it.
func asRead(ops mapping.RowOps) hbase.Row {
	row := hbase.Row{Row: ops.Row}
	for i := range ops.Cells {
		c := &ops.Cells[i]
		row.Cells = append(row.Cells, hbase.Cell{Row: ops.Row, Family: c.Family, Qualifier: c.Qualifier, Timestamp: ops.Time, Value: c.Value})
	}
	return row
}

func TestKeysAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Key{
			Sink: rapid.StringMatching(`[A-Za-z0-9._-]{1,20}`).Draw(t, "sink"), Topic: rapid.StringMatching(`[A-Za-z0-9._-]{1,20}`).Draw(t, "topic"),
			Partition: rapid.Int32Min(0).Draw(t, "partition"), Incarnation: rapid.IntRange(0, 20).Draw(t, "incarnation"), Offset: rapid.Int64Min(0).Draw(t, "offset"),
		}
		row := k.Row()
		if got, ok := ParseRow(row); !ok || got != k {
			t.Fatalf("%+v came back as %+v from %q", k, got, row)
		}
		if got, err := ParseKey(k.Sink, k.String()); err != nil || got != k {
			t.Fatalf("%s came back as %+v, %v", k, got, err)
		}
		found := 0
		for _, s := range ranges(k.Sink, k.Topic, k.Partition) {
			if bytes.Compare(row, s.Start) >= 0 && bytes.Compare(row, s.Stop) < 0 {
				found++
			}
		}
		if found == 0 {
			t.Fatalf("no scan of the partition finds %q", row)
		}
		other := k
		other.Partition = int32((int64(k.Partition)*10 + 1) % (1 << 31))
		for _, s := range ranges(k.Sink, k.Topic, k.Partition) {
			if o := other.Row(); other.Partition != k.Partition && bytes.Compare(o, s.Start) >= 0 && bytes.Compare(o, s.Stop) < 0 {
				t.Fatalf("a scan of partition %d finds %q", k.Partition, o)
			}
		}
	})
}

// Row keys are what people look for in a shell, and what a later version must find.
func TestKeyBytes(t *testing.T) {
	k := Key{Sink: "orders", Topic: "shop", Partition: 7, Offset: 1025}
	if got, want := string(k.Row()[2:]), "orders/shop/7/0000000000000001025"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	k.Incarnation = 2
	if got, want := string(k.Row()[2:]), "orders/shop/7#2/0000000000000001025"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, row := range []string{"", "~retry/s", "ab", "abs/t/0", "abs/t/x/1", "abs/t/0/1", "abs/t/0#/0000000000000000001"} {
		if k, ok := ParseRow([]byte(row)); ok {
			t.Errorf("%q was read as %+v", row, k)
		}
	}
	spread := map[string]bool{}
	for i := range int64(64) {
		spread[string(Key{Sink: "s", Topic: "t", Offset: i << bucketShift}.Row()[:2])] = true
	}
	if len(spread) < buckets-1 {
		t.Errorf("the letters of a partition begin with %d prefixes", len(spread))
	}
}

// A record comes back byte by byte, whatever its size; null stays null, and empty stays empty.
func TestRecordsAreReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return b
	}
	const cell = 4096
	for _, size := range []int{0, 1, cell - 300, cell - 1, cell, cell + 1, 3 * cell, 100_000} {
		for _, key := range [][]byte{nil, {}, random(5), random(size)} {
			for _, value := range [][]byte{nil, {}, random(size)} {
				rec := decode.Record{
					Topic: "t", Partition: 3, Offset: 9, Timestamp: 1764400000000, Key: key, Value: value,
					Headers: []decode.Header{{Key: "a", Value: random(size)}, {Key: "a", Value: nil}, {Key: "", Value: []byte{}}},
				}
				raw := Raw{Source: &Source{Table: "l", Key: Key{Sink: "s", Topic: "t", Partition: 3}, Mapping: "h", MaxCell: cell}, Record: rec}
				ops := raw.Unmapped(&mapping.Failure{Table: "ns:t", Err: errors.New("no field a")})
				for i := range ops.Cells {
					if c := &ops.Cells[i]; len(ops.Row)+len(c.Family)+len(c.Qualifier)+len(c.Value)+20 > cell {
						t.Fatalf("cell %s has %d bytes", c.Qualifier, len(c.Value))
					}
				}
				l, ok, err := parse(asRead(ops))
				if err != nil || !ok {
					t.Fatalf("size %d: %v, %v", size, ok, err)
				}
				if !reflect.DeepEqual(l.Record, rec) {
					t.Fatalf("size %d: the record came back otherwise", size)
				}
				if l.Stage != StageDecode || l.Reason != "no field a" || l.Table != "ns:t" || l.Mapping != "h" || l.Timestamp != rec.Timestamp || l.Missing != nil || l.State() != "open" {
					t.Fatalf("got %+v", l)
				}
			}
		}
	}
}

// What is larger than a letter may be is left out, and that is said. The letter itself can always be written.
func TestLargestRecord(t *testing.T) {
	raw := Raw{
		Source: &Source{Table: "l", Key: Key{Sink: "s", Topic: "t"}, MaxCell: 10 << 20},
		Record: decode.Record{Topic: "t", Key: []byte("k"), Value: make([]byte, letterMost)},
	}
	l, _, err := parse(asRead(raw.Unmapped(&mapping.Failure{Decoded: true, Err: errors.New("x")})))
	if err != nil {
		t.Fatal(err)
	}
	if l.Stage != StageMap || string(l.Record.Key) != "k" || l.Record.Value != nil || len(l.Missing) != 1 || l.Missing[0].Part != "value" || l.Missing[0].Size != letterMost || len(l.Missing[0].SHA256) != 64 {
		t.Fatalf("got %+v", l)
	}
	raw.Record.Value = make([]byte, 17<<20)
	ops := raw.Unmapped(errors.New("x"))
	if l, _, err = parse(asRead(ops)); err != nil || len(l.Record.Value) != 17<<20 {
		t.Fatalf("a value of 17 MiB came back with %d bytes, %v", len(l.Record.Value), err)
	}
}

// Times that no cell may bear are kept as text.
func TestImplausibleTimes(t *testing.T) {
	for _, at := range []int64{-1, -1 << 63, 1<<63 - 1, lastTime + 1} {
		raw := Raw{Source: &Source{Key: Key{Sink: "s", Topic: "t"}, MaxCell: 1 << 20}, Record: decode.Record{Topic: "t", Timestamp: at}}
		ops := raw.Unmapped(errors.New("x"))
		if l, _, err := parse(asRead(ops)); err != nil || ops.Time != 0 || l.Timestamp != at {
			t.Errorf("time %d: cells at %d, %+v, %v", at, ops.Time, l, err)
		}
	}
}

// A letter of refused rows says of each row whether it is done.
func TestRefusedRows(t *testing.T) {
	row := func(table, key string) mapping.RowOps { return mapping.RowOps{Table: table, Row: []byte(key)} }
	raw := Raw{
		Source: &Source{Key: Key{Sink: "s", Topic: "t"}, MaxCell: 1 << 20}, Record: decode.Record{Topic: "t"},
		Rows: []mapping.RowOps{row("x", "1"), row("x", "1"), row("y", "1"), row("y", "\xff")},
	}
	why := errors.New(strings.Repeat("ä", 5000))
	l, _, err := parse(asRead(raw.Unwritten([]mapping.RefusedRow{{Table: "y", Row: []byte("\xff"), Why: why}})))
	if err != nil {
		t.Fatal(err)
	}
	if l.Stage != StageWrite || l.Table != "y" || len(l.Rows) != 3 || l.Rows[0].Why != "" || l.Rows[1].Why != "" || len(l.Rows[2].Why) > reasonMost+5 || l.Rows[2].Why == "" || string(l.Rows[2].Row) != "\xff" {
		t.Fatalf("got %+v", l)
	}
}

// Of a record with so many rows that the letter can't tell of each, it is said that they are left out: a retry would take
// those that are done for undone.
func TestRowsThatDoNotFitAreMissing(t *testing.T) {
	raw := Raw{Source: &Source{Key: Key{Sink: "s", Topic: "t"}, MaxCell: 10 << 20}, Record: decode.Record{Topic: "t"}}
	why := errors.New(strings.Repeat("x", reasonMost))
	var refused []mapping.RefusedRow
	for i := range letterMost/reasonMost + 1 {
		key := []byte(strconv.Itoa(i))
		raw.Rows = append(raw.Rows, mapping.RowOps{Table: "x", Row: key}, mapping.RowOps{Table: "x", Row: append(key, "done"...)})
		refused = append(refused, mapping.RefusedRow{Table: "x", Row: key, Why: why})
	}
	l, _, err := parse(asRead(raw.Unwritten(refused)))
	if err != nil {
		t.Fatal(err)
	}
	if l.Rows != nil || len(l.Missing) != 1 || l.Missing[0].Part != "rows" || l.Missing[0].Size <= letterMost {
		t.Fatalf("the letter tells of %d rows, and misses %+v", len(l.Rows), l.Missing)
	}
	r := Retry{}
	if rows, bad, err := r.rows(t.Context(), nil, l); rows != nil || bad == nil || err != nil {
		t.Fatalf("a retry takes it up: %v, %v", bad, err)
	}
}

// No bytes make the reader panic.
func TestForeignLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := hbase.Row{Row: Key{Sink: "s", Topic: "t", Offset: 5}.Row()}
		names := []string{colStage, colTimestamp, colRows, colDone, colHeaders, colKey, colValue + ".0000", colValue + endSize, colNumber, colResolved}
		for i := range rapid.IntRange(0, 8).Draw(t, "cells") {
			row.Cells = append(row.Cells, hbase.Cell{
				Family: familyName, Qualifier: []byte(rapid.SampledFrom(names).Draw(t, "name"+strconv.Itoa(i))), Value: rapid.SliceOf(rapid.Byte()).Draw(t, "value"+strconv.Itoa(i)),
			})
		}
		_, _, _ = parse(row)
	})
}
