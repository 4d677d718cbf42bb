package contract

import (
	"fmt"
	"strings"
	"testing"

	"rowmark/hbase"
)

// comparisons is the truth table of conditions. With a value expected, that one stands on the left of the stored one,
// and an absent cell satisfies nothing. With none expected, absent and empty are one; region transactions then look
// at no comparison at all.
func comparisons(t *testing.T, e *Env) {
	table := e.Table(t)
	ops := []hbase.CompareOp{hbase.CompareLess, hbase.CompareLessOrEqual, hbase.CompareEqual, hbase.CompareNotEqual, hbase.CompareGreaterOrEqual, hbase.CompareGreater}
	const all, none, notEqualOnly, butNotEqual = "111111", "000000", "000100", "111011"
	cases := []struct {
		stored, expected string // "-" is an absent cell
		row, region      string // by operation: holds or not
	}{
		{"-", "", butNotEqual, all},
		{"", "", butNotEqual, all},
		{"b", "", notEqualOnly, none},
		{"-", "b", none, none},
		{"", "b", "000111", "000111"},
		{"b", "a", "110100", "110100"},
		{"b", "b", "011010", "011010"},
		{"b", "c", "000111", "000111"},
	}
	for mode, m := range Modes {
		for i, c := range cases {
			want := c.row
			if m == hbase.ModeRegion {
				want = c.region
			}
			got := ""
			for n, op := range ops {
				row := fmt.Sprintf("%s-%d-%d", mode, i, n)
				if c.stored != "-" {
					e.Must(t, table, m, hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{putOf("s", "q", 5, c.stored)}})
				}
				r := e.Settled(t, table, m, hbase.RowWrite{
					Row: []byte(row), Mutations: []hbase.Mutation{putOf("s", "done", 5, "x")},
					Condition: &hbase.Condition{Family: []byte("s"), Qualifier: []byte("q"), Op: op, Value: []byte(c.expected)},
				})
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				got += map[bool]string{true: "1", false: "0"}[r.Outcome == hbase.Applied]
			}
			if got != want {
				t.Errorf("%s mode, stored %q, expected %q: the comparisons give %s, want %s", mode, c.stored, c.expected, got, want)
			}
		}
	}
}

// emptyQualifier pins a fault of HBase: with NEW_VERSION_BEHAVIOR a delete of the family leaves the column without a
// name, before and after a major compaction. Who deletes rows there must not use that column.
func emptyQualifier(t *testing.T, e *Env) {
	table := e.Table(t)
	for mode, m := range AllModes {
		for _, family := range []string{"s", "n"} {
			row := mode + family
			e.Must(t, table, m, hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{putOf(family, "", 5, "nameless"), putOf(family, "q", 5, "named")}})
			e.Must(t, table, m, hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{{
				Kind: hbase.KindDelete, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte(family)}, Timestamp: 9, Type: hbase.CellDeleteFamily}},
			}}})
		}
	}
	for _, step := range []string{"", "flush", "majorcompact"} {
		if step != "" {
			e.Do(t, step, table)
		}
		rows := e.Rows(t, table)
		for mode := range AllModes {
			if cells := rows[mode+"s"]; len(cells) != 0 {
				t.Errorf("%s mode, standard family, %s: the row holds %v, want nothing", mode, step, cells)
			}
			if cells := rows[mode+"n"]; len(cells) != 1 || string(cells[0].Value) != "nameless" {
				t.Errorf("%s mode, NEW_VERSION_BEHAVIOR, %s: the row holds %v, want the column without a name", mode, step, cells)
			}
		}
	}
}

func putOf(family, qualifier string, ts int64, value string) hbase.Mutation {
	return hbase.Mutation{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{
		Column: &hbase.Column{Family: []byte(family), Qualifier: []byte(qualifier)}, Timestamp: ts, Value: []byte(value),
	}}}
}

// refusals are the ways in which a server says no, and that nothing is written then.
func refusals(t *testing.T, e *Env) {
	table := e.Table(t)
	for mode, m := range AllModes {
		row := []byte(mode)
		unknown := hbase.RowWrite{Row: row, Mutations: []hbase.Mutation{putOf("s", "q", 1, "v"), putOf("nofamily", "q", 1, "v")}}
		inCondition := batchIn("nofamily", mode, 0, 1)
		inCondition.Mutations = inCondition.Mutations[:1]
		for what, w := range map[string]hbase.RowWrite{"a mutation": unknown, "a condition": inCondition} {
			r := e.Settled(t, table, m, w)
			if r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultSchema || !strings.Contains(r.Err.Error(), "NoSuchColumnFamily") {
				t.Errorf("%s mode, %s on a family that is not there: outcome %d, %v", mode, what, r.Outcome, r.Err)
			}
		}
	}
	if err := e.Admin.SetTableAttributes(e.Ctx, table, map[string]string{"READONLY": "true"}); err != nil {
		t.Fatal(err)
	}
	for mode, m := range AllModes {
		r := e.Settled(t, table, m, Batch(mode, 0, 1))
		if r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultSchema {
			t.Errorf("%s mode, a read-only table: outcome %d, %v", mode, r.Outcome, r.Err)
		}
	}
	if rows := e.Rows(t, table); len(rows) != 0 {
		t.Errorf("the table holds %v, want nothing", rows)
	}
	plain := e.bareTable(t)
	r := e.Settled(t, plain, hbase.ModeRegion, hbase.RowWrite{Row: []byte("r"), Mutations: []hbase.Mutation{putOf("s", "q", 1, "v")}})
	if r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultUnsupported {
		t.Errorf("without the coprocessor: outcome %d, %v", r.Outcome, r.Err)
	}
	if _, err := e.C.Get(e.Ctx, table, hbase.Get{Row: []byte("r"), Columns: []hbase.Column{{Family: []byte("nofamily")}}}); hbase.FaultOf(err) != hbase.FaultSchema {
		t.Errorf("reading a family that is not there: %v", err)
	}
	if _, err := e.C.Get(e.Ctx, "no_such_table", hbase.Get{Row: []byte("r")}); hbase.FaultOf(err) != hbase.FaultTable {
		t.Errorf("reading a table that is not there: %v", err)
	}
	e.Do(t, "disable", plain)
	if r := e.Settled(t, plain, hbase.ModeRow, hbase.RowWrite{Row: []byte("r"), Mutations: []hbase.Mutation{putOf("s", "q", 1, "v")}}); r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultTable {
		t.Errorf("a disabled table: outcome %d, %v", r.Outcome, r.Err)
	}
}
