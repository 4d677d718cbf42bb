package contract

import (
	"fmt"
	"testing"

	"rowmark/hbase"
)

// One refused row of a region transaction leaves all others unwritten.
func transactionIsAllOrNothing(t *testing.T, e *Env) {
	table := e.Table(t)
	e.Must(t, table, hbase.ModeRegion, Batch("b", 0, 10))
	rows := []hbase.RowWrite{Batch("a", 5, 6), Batch("b", 5, 6), Batch("c", 5, 6)}
	for i, r := range e.Write(table, hbase.ModeRegion, rows...) {
		if r.Outcome != hbase.Refused || r.Err != nil {
			t.Errorf("row %s: outcome %d, %v; want refused by the condition", rows[i].Row, r.Outcome, r.Err)
		}
	}
	if left := e.Rows(t, table); len(left) != 1 || len(left["b"]) == 0 {
		t.Errorf("the table holds %v, want b alone", left)
	}
	// In row mode each stands alone.
	for i, r := range e.Write(table, hbase.ModeRow, rows...) {
		want := hbase.Applied
		if string(rows[i].Row) == "b" {
			want = hbase.Refused
		}
		if r.Outcome != want || r.Err != nil {
			t.Errorf("row %s in row mode: outcome %d, %v; want %d", rows[i].Row, r.Outcome, r.Err, want)
		}
	}
}

// Every kind of failure in one of many rows leaves no partial effect.
func transactionFailsWhole(t *testing.T, e *Env) {
	bad := map[string]hbase.RowWrite{
		"a_family_that_is_not_there": {Row: []byte("m"), Mutations: []hbase.Mutation{
			{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("nofamily"), Qualifier: []byte("q")}, Timestamp: 1, Value: []byte("v")}}},
		}},
		"an_increment_of_three_bytes": {Row: []byte("short"), Mutations: []hbase.Mutation{
			{Kind: hbase.KindIncrement, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("s"), Qualifier: []byte("q")}, Timestamp: hbase.LatestTimestamp, Value: long(1)}}},
		}},
	}
	for name, w := range bad {
		t.Run(name, func(t *testing.T) {
			table := e.Table(t)
			e.Must(t, table, hbase.ModeRegion, hbase.RowWrite{Row: []byte("short"), Mutations: []hbase.Mutation{
				{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("s"), Qualifier: []byte("q")}, Timestamp: 1, Value: []byte("abc")}}},
			}})
			var rows []hbase.RowWrite
			for i := range 300 {
				rows = append(rows, Batch(fmt.Sprintf("row%03d", i), 0, 1))
			}
			rows = append(rows, w)
			for i, r := range e.Write(table, hbase.ModeRegion, rows...) {
				if r.Outcome != hbase.Refused || r.Err == nil {
					t.Fatalf("row %d: outcome %d, %v; want refused with the reason", i, r.Outcome, r.Err)
				}
			}
			if left := e.Rows(t, table); len(left) != 1 || string(left["short"][0].Value) != "abc" {
				t.Errorf("%d rows are in the table, want the old one alone", len(left))
			}
		})
	}
}

// A region transaction of some thousand rows is one: with its last row refused nothing of it is seen.
func transactionOfManyRows(t *testing.T, e *Env) {
	table := e.Table(t)
	const n = 2000
	var rows []hbase.RowWrite
	for i := range n {
		rows = append(rows, Batch(fmt.Sprintf("row%05d", i), 0, 1))
	}
	last := fmt.Sprintf("row%05d", n-1)
	e.Must(t, table, hbase.ModeRegion, Batch(last, 0, 1))
	for i, r := range e.Write(table, hbase.ModeRegion, rows...) {
		if r.Outcome != hbase.Refused {
			t.Fatalf("row %d: outcome %d, %v; want refused", i, r.Outcome, r.Err)
		}
	}
	if left := e.Rows(t, table); len(left) != 1 {
		t.Errorf("%d rows are in the table, want the one of before", len(left))
	}
	for i, r := range e.Write(table, hbase.ModeRegion, rows[:n-1]...) {
		if r.Outcome != hbase.Applied {
			t.Fatalf("row %d: outcome %d, %v; want applied", i, r.Outcome, r.Err)
		}
	}
	if out := e.Do(t, "count", table); out != fmt.Sprintf("%d %d", n, 2*n) {
		t.Errorf("rows and cells = %s, want %d with a counter and a mark each", out, n)
	}
}

// Rows of several regions go as one transaction per region: a refusal in one does not touch the other.
func transactionEndsAtTheRegion(t *testing.T, e *Env) {
	table := e.Table(t, "m")
	e.Must(t, table, hbase.ModeRegion, Batch("a", 0, 10))
	rows := []hbase.RowWrite{Batch("a", 0, 10), Batch("b", 0, 1), Batch("x", 0, 1), Batch("y", 0, 1)}
	res := e.Write(table, hbase.ModeRegion, rows...)
	for i, want := range []hbase.Outcome{hbase.Refused, hbase.Refused, hbase.Applied, hbase.Applied} {
		if res[i].Outcome != want {
			t.Errorf("row %s: outcome %d, %v; want %d", rows[i].Row, res[i].Outcome, res[i].Err, want)
		}
	}
	if sum, _ := e.Counter(t, table, "x"); sum != hexed(long(1)) {
		t.Errorf("row x holds %s, want 1", sum)
	}
}
