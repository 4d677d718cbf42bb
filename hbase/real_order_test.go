package hbase

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// orderCase is a history of writes on one row and what its column then shows, in a standard family and in one with
// NEW_VERSION_BEHAVIOR: what the connector's folding and its order of cells rest on.
type orderCase struct {
	name     string
	writes   [][]Mutation
	std, nvb string // "": nothing; counters in decimal
}

func orderCases() []orderCase {
	now := time.Now().UnixMilli()
	past, future := now-3600_000, now+3600_000
	const latest, last = LatestTimestamp, LatestTimestamp - 1
	num := func(n int64, ts int64) Mutation {
		return putCell("q", ts, string(binary.BigEndian.AppendUint64(nil, uint64(n))))
	}
	inc := func(n int64) Mutation { return increment("q", n) }
	app := func(s string) Mutation { return appendTo("q", s) }
	put := func(s string, ts int64) Mutation { return putCell("q", ts, s) }
	del := deleteFamily
	delColumn := func(ts int64) Mutation {
		return Mutation{Kind: KindDelete, Cells: []MutationCell{{Column: &Column{Family: []byte("d"), Qualifier: []byte("q")}, Timestamp: ts, Type: CellDeleteColumn}}}
	}
	one := func(m ...Mutation) []Mutation { return m }
	return []orderCase{
		{"[put, inc] fresh", [][]Mutation{one(num(100, past), inc(1))}, "1", "1"},
		{"[inc, put] fresh", [][]Mutation{one(inc(1), num(100, past))}, "1", "1"},
		{"inc; [put, inc]", [][]Mutation{one(inc(5)), one(num(100, past), inc(1))}, "6", "6"},
		{"[put latest, inc] fresh", [][]Mutation{one(num(100, latest), inc(1))}, "1", "1"},
		{"inc; put", [][]Mutation{one(inc(5)), one(num(100, past))}, "5", "5"},
		{"put; inc", [][]Mutation{one(num(100, past)), one(inc(1))}, "101", "101"},
		{"inc; [delete past, inc]", [][]Mutation{one(inc(5)), one(del(past), inc(1))}, "6", "6"},
		{"inc; [inc, delete past]", [][]Mutation{one(inc(5)), one(inc(1), del(past))}, "6", "6"},
		{"inc; [delete latest, inc]", [][]Mutation{one(inc(5)), one(del(latest), inc(1))}, "", ""},
		{"inc; [delete latest, inc]; inc", [][]Mutation{one(inc(5)), one(del(latest), inc(1)), one(inc(1))}, "1", "1"},
		{"inc; [inc, delete latest]; inc", [][]Mutation{one(inc(5)), one(inc(1), del(latest)), one(inc(1))}, "1", "1"},
		{"inc; delete past", [][]Mutation{one(inc(5)), one(del(past))}, "5", "5"},
		{"inc; delete last; inc", [][]Mutation{one(inc(5)), one(del(last)), one(inc(1))}, "", "1"},
		{"inc; delete future; inc", [][]Mutation{one(inc(5)), one(del(future)), one(inc(1))}, "", "1"},
		{"inc; delete future; inc; inc", [][]Mutation{one(inc(5)), one(del(future)), one(inc(1)), one(inc(1))}, "", "2"},
		{"inc; delete column future; inc; inc", [][]Mutation{one(inc(5)), one(delColumn(future)), one(inc(1)), one(inc(1))}, "", "2"},
		{"put future; inc; inc", [][]Mutation{one(num(100, future)), one(inc(1)), one(inc(1))}, "102", "102"},
		{"inc; [inc, inc]", [][]Mutation{one(inc(5)), one(inc(1), inc(2))}, "7", "7"},
		{"append; [append, append]", [][]Mutation{one(app("x")), one(app("a"), app("b"))}, "xb", "xb"},
		{"[append, append] fresh", [][]Mutation{one(app("a"), app("b"))}, "b", "b"},
		{"put; [put, append]", [][]Mutation{one(put("p", past)), one(put("q", past+1), app("a"))}, "pa", "pa"},
		{"append; [delete past, append]", [][]Mutation{one(app("x")), one(del(past), app("a"))}, "xa", "xa"},
		{"put; [delete, put a millisecond later]", [][]Mutation{one(put("a", past)), one(del(past), put("b", past+1))}, "b", "b"},
		{"put; [put a millisecond later, delete]", [][]Mutation{one(put("a", past)), one(put("b", past+1), del(past))}, "b", "b"},
		{"[delete, put later]; delete of that time", [][]Mutation{one(del(past), put("a", past+1)), one(del(past + 1))}, "", ""},
		{"[delete, put] of one time", [][]Mutation{one(del(past), put("p", past))}, "", ""},
		{"[put, delete] of one time", [][]Mutation{one(put("p", past), del(past))}, "", ""},
		{"put; delete; put of one time", [][]Mutation{one(put("old", past)), one(del(past)), one(put("new", past))}, "", "new"},
		{"late put", [][]Mutation{one(put("a", past+5)), one(put("b", past))}, "a", "a"},
		{"late delete", [][]Mutation{one(put("a", past+5)), one(del(past))}, "a", "a"},
	}
}

func TestRealOrderOfOperations(t *testing.T) {
	ctx, c, table := realTable(t)
	if err := c.Admin().AddFamily(ctx, table, FamilySchema{Name: "n", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true"}}); err != nil {
		t.Fatal(err)
	}
	type check struct{ name, row, family, want string }
	var checks []check
	bothModes(t, func(t *testing.T, mode Mode) {
		for _, family := range []string{"d", "n"} {
			for i, oc := range orderCases() {
				row := fmt.Sprintf("%d%s%02d", mode, family, i)
				for n, muts := range oc.writes {
					w := marked(row, int64(n)+1, int64(n)+1, inFamily(family, muts)...)
					wantOutcome(t, writeAll(ctx, t, c, table, mode, []RowWrite{w})[0], Applied)
					time.Sleep(2 * time.Millisecond) // what shares a millisecond is another matter
				}
				want := oc.std
				if family == "n" {
					want = oc.nvb
				}
				checks = append(checks, check{oc.name, row, family, want})
			}
		}
	})
	look := func(when string) {
		for _, k := range checks {
			if got := orderValue(ctx, t, c, table, k.row, k.family); got != k.want {
				t.Errorf("%s, row %s, %s: shows %q, want %q", k.name, k.row, when, got, k.want)
			}
		}
	}
	look("at once")
	if err := c.Admin().FlushTable(ctx, table); err != nil {
		t.Fatal(err)
	}
	look("after a flush")
	if err := c.Admin().CompactTable(ctx, table, true); err != nil {
		t.Fatal(err)
	}
	look("after a major compaction")
}

func inFamily(family string, muts []Mutation) []Mutation {
	out := slices.Clone(muts)
	for i := range out {
		out[i].Cells = slices.Clone(out[i].Cells)
		for j := range out[i].Cells {
			out[i].Cells[j].Family = []byte(family)
		}
	}
	return out
}

func orderValue(ctx context.Context, t *testing.T, c *Client, table, row, family string) string {
	t.Helper()
	r, err := c.Get(ctx, table, Get{Row: []byte(row), Columns: []Column{{Family: []byte(family), Qualifier: []byte("q")}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) == 0 {
		return ""
	}
	if v := r.Cells[0].Value; len(v) == 8 {
		return fmt.Sprint(int64(binary.BigEndian.Uint64(v)))
	}
	return string(r.Cells[0].Value)
}

func TestRealIncrementIgnoresItsTimestamp(t *testing.T) {
	ctx, c, table := realTable(t)
	bothModes(t, func(t *testing.T, mode Mode) {
		row := fmt.Sprint("row", mode)
		for n := range int64(2) {
			m := increment("q", 1)
			m.Cells[0].Timestamp = 500
			wantOutcome(t, writeAll(ctx, t, c, table, mode, []RowWrite{marked(row, n+1, n+1, m)})[0], Applied)
		}
		r, err := c.Get(ctx, table, Get{Row: []byte(row), Columns: []Column{{Family: []byte("d")}}})
		if err != nil || len(r.Cells) != 1 || r.Cells[0].Timestamp < 1_000_000_000_000 {
			t.Errorf("cells are %v (%v), want one of the server's time", r.Cells, err)
		}
	})
}

// A foreign delete of the whole row takes data and mark alike. Then a replay fills the row again, once; marks
// written after the delete are seen, although their timestamps lie below the delete's, and refuse duplicates. A TTL
// set later does not take marks away either.
func TestRealMarkFamilyOutlivesForeigners(t *testing.T) {
	ctx, c, table := realTable(t)
	java := cluster.SharedJavaClient(t)
	bothModes(t, func(t *testing.T, mode Mode) {
		row := fmt.Sprint("row", mode)
		write := func(from, next int64, want Outcome) {
			t.Helper()
			wantOutcome(t, writeAll(ctx, t, c, table, mode, []RowWrite{marked(row, from, next, putCell("q", 1, "v"))})[0], want)
		}
		deleteAll := func() {
			t.Helper()
			if _, err := java.Do("deleteall", table, cluster.Hex(row)); err != nil {
				t.Fatal(err)
			}
			if r, err := c.Get(ctx, table, Get{Row: []byte(row)}); err != nil || len(r.Cells) != 0 {
				t.Fatalf("after the delete the row has %v (%v)", r.Cells, err)
			}
		}
		write(101, 110, Applied)
		deleteAll()
		write(101, 110, Applied)
		write(101, 110, Refused)
		deleteAll()
		write(111, 120, Applied)
		write(101, 110, Refused)
		write(111, 120, Refused)
	})
	if err := c.Admin().SetFamilyAttributes(ctx, table, "k", map[string]string{"TTL": "1"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Admin().FlushTable(ctx, table); err != nil {
		t.Fatal(err)
	}
	if err := c.Admin().CompactTable(ctx, table, true); err != nil {
		t.Fatal(err)
	}
	bothModes(t, func(t *testing.T, mode Mode) {
		w := marked(fmt.Sprint("row", mode), 101, 110, putCell("q", 1, "v"))
		wantOutcome(t, writeAll(ctx, t, c, table, mode, []RowWrite{w})[0], Refused)
	})
}
