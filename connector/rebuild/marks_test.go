package rebuild

import (
	"errors"
	"reflect"
	"testing"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// TestScan takes the marks of one sink out of a table that others write, too.
func TestScan(t *testing.T) {
	base, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	client, err := hbase.Open(t.Context(), base.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if err := client.Admin().CreateTable(t.Context(), hbase.TableSchema{Name: "t", Families: []hbase.FamilySchema{{Name: "_k"}, {Name: "d"}}}); err != nil {
		t.Fatal(err)
	}
	put := func(row, family, qualifier string, timestamp int64, value []byte) {
		t.Helper()
		res := client.WriteRow(t.Context(), "t", hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{{
			Kind: hbase.KindPut, Cells: []hbase.MutationCell{{
				Column: &hbase.Column{Family: []byte(family), Qualifier: []byte(qualifier)}, Type: hbase.CellPut, Timestamp: timestamp, Value: value,
			}},
		}}})
		if res.Outcome != hbase.Applied {
			t.Fatalf("%+v", res)
		}
	}
	mark := func(row, name string, next, floor int64) {
		t.Helper()
		put(row, "_k", name, next, core.Mark{Next: next, Floor: floor}.Encode())
	}
	mark("a", "s/t/0", 7, 300)
	mark("a", "s/t/1", 2, 0)
	mark("b", "s/t/0", 4, 500)
	mark("b", "s/t/0#2", 9, 100)
	put("c", "_k", "s/t/0", 12, core.Mark{Next: 12, Barred: "too large"}.Encode())
	for _, name := range []string{"other/t/0", "s!retry~5", "s~fix/t/0", "s/t/x"} {
		mark("a", name, 99, 900)
	}
	put("d", "d", "s/t/0", 99, []byte("a cell of data"))
	found := Found{}
	n, err := found.Scan(t.Context(), client, "t", "_k", "s")
	want := Found{
		here:  {0: {Count: 3, Least: 4, Greatest: 12, Floor: 500}, 2: {Count: 1, Least: 9, Greatest: 9, Floor: 100}},
		there: {0: {Count: 1, Least: 2, Greatest: 2}},
	}
	if err != nil || n != 5 || !reflect.DeepEqual(found, want) {
		t.Errorf("%d marks, %v: %+v", n, err, found)
	}
	var bad *core.MarkError
	put("e", "_k", "s/t/0", 3, core.Mark{Next: 4}.Encode())
	if _, err := (Found{}).Scan(t.Context(), client, "t", "_k", "s"); !errors.As(err, &bad) {
		t.Errorf("a mark that says two offsets: %v", err)
	}
}
