package contract

import (
	"fmt"
	"testing"

	"rowmark/hbase"
)

func writeOf(row string, muts ...hbase.Mutation) hbase.RowWrite {
	return hbase.RowWrite{Row: []byte(row), Mutations: muts}
}

// wantOutcomes checks each row's outcome, and the fault of its reason.
func wantOutcomes(t *testing.T, rows []hbase.RowWrite, res []hbase.WriteResult, want func(row string) (hbase.Outcome, hbase.Fault)) {
	t.Helper()
	for i, r := range res {
		if o, f := want(string(rows[i].Row)); r.Outcome != o || hbase.FaultOf(r.Err) != f {
			t.Errorf("row %s: outcome %d, %v; want %d and fault %d", rows[i].Row, r.Outcome, r.Err, o, f)
		}
	}
}

// One Write of rows that share a RegionAction and of such that can't, over three regions: each row stands alone.
func batchOfAllSorts(t *testing.T, e *Env) {
	table := e.Table(t, "g", "p")
	var rows []hbase.RowWrite
	for _, at := range []string{"a", "h", "q"} {
		e.Must(t, table, hbase.ModeBatch, writeOf(at+"5gone", putOf("s", "q", 3, "old")), Batch(at+"6refused", 0, 5), Batch(at+"7next", 0, 5))
		rows = append(rows,
			writeOf(at+"1put", putOf("s", "q", 5, "v"), putOf("n", "q", 5, "w")),
			writeOf(at+"2put", putOf("s", "q", 5, "v")),
			writeOf(at+"3count", hbase.Mutation{Kind: hbase.KindIncrement, Cells: []hbase.MutationCell{
				{Column: &hbase.Column{Family: []byte("s"), Qualifier: []byte("q")}, Timestamp: hbase.LatestTimestamp, Value: long(7)},
			}}),
			writeOf(at+"4put", putOf("s", "q", 5, "v")),
			writeOf(at+"5gone", hbase.Mutation{Kind: hbase.KindDelete, Cells: []hbase.MutationCell{
				{Column: &hbase.Column{Family: []byte("s"), Qualifier: []byte("q")}, Timestamp: 4, Type: hbase.CellDeleteColumn},
			}}),
			Batch(at+"6refused", 3, 8), Batch(at+"7next", 5, 8),
		)
	}
	res := e.Write(table, hbase.ModeBatch, rows...)
	wantOutcomes(t, rows, res, func(row string) (hbase.Outcome, hbase.Fault) {
		if row[1:] == "6refused" {
			return hbase.Refused, hbase.FaultNone
		}
		return hbase.Applied, hbase.FaultNone
	})
	held := e.Rows(t, table)
	for _, at := range []string{"a", "h", "q"} {
		for row, want := range map[string]string{"1put": "76", "2put": "76", "3count": hexed(long(7)), "4put": "76"} {
			if cells := held[at+row]; len(cells) == 0 || hexed(cells[len(cells)-1].Value) != want {
				t.Errorf("row %s%s holds %v, want %s", at, row, cells, want)
			}
		}
		if cells := held[at+"5gone"]; len(cells) != 0 {
			t.Errorf("row %s5gone holds %v after its delete", at, cells)
		}
		for row, want := range map[string]int64{"6refused": 5, "7next": 8} {
			if sum, _ := e.Counter(t, table, at+row); sum != hexed(long(want)) {
				t.Errorf("row %s%s holds %s, want %d", at, row, sum, want)
			}
		}
	}
}

// A row that names an unknown family fails alone, in a RegionAction of its own and in a shared one.
func batchWithABadRow(t *testing.T, e *Env) {
	table := e.Table(t, "row50")
	var rows []hbase.RowWrite
	for i := range 100 {
		w := writeOf(fmt.Sprintf("row%02d", i), putOf("s", "q", 5, "v"))
		switch i {
		case 10, 60:
			w.Mutations[0] = putOf("nofamily", "q", 5, "v")
		case 11, 61:
			w.Mutations = append(w.Mutations, putOf("nofamily", "q", 5, "v"))
		case 12, 62:
			w.Mutations = append(w.Mutations, putOf("n", "q", 5, "v"))
		}
		rows = append(rows, w)
	}
	bad := map[string]bool{"row10": true, "row60": true, "row11": true, "row61": true}
	wantOutcomes(t, rows, e.Write(table, hbase.ModeBatch, rows...), func(row string) (hbase.Outcome, hbase.Fault) {
		if bad[row] {
			return hbase.Refused, hbase.FaultSchema
		}
		return hbase.Applied, hbase.FaultNone
	})
	held := e.Rows(t, table)
	for _, w := range rows {
		if row := string(w.Row); (len(held[row]) > 0) == bad[row] {
			t.Errorf("row %s holds %v", row, held[row])
		}
	}
}

// Rows whose region was split meanwhile are refused, and those beside them in the call are applied.
func batchOverASplit(t *testing.T, e *Env) {
	table := e.Table(t, "m")
	var rows []hbase.RowWrite
	for _, at := range "bdfhnprt" {
		rows = append(rows, writeOf(string(at), putOf("s", "q", 5, "v")))
	}
	e.Must(t, table, hbase.ModeBatch, rows...) // learns the places
	e.Do(t, "split", table, hexed("f"))
	for i := range rows {
		rows[i].Mutations = []hbase.Mutation{putOf("s", "q", 6, "w")}
	}
	wantOutcomes(t, rows, e.Write(table, hbase.ModeBatch, rows...), func(row string) (hbase.Outcome, hbase.Fault) {
		if row < "m" {
			return hbase.Refused, hbase.FaultRelocate
		}
		return hbase.Applied, hbase.FaultNone
	})
	for row, cells := range e.Rows(t, table) {
		if want := map[bool]string{true: "v", false: "w"}[row < "m"]; string(cells[0].Value) != want {
			t.Errorf("row %s holds %s, want %s", row, cells[0].Value, want)
		}
	}
	e.Must(t, table, hbase.ModeBatch, rows...)
}

// A cell that is too large for the server fails the rows beside it in the RegionAction, whose cells may be unread then.
// What comes after it in the call finds its own cells.
func batchWithACellTooLarge(t *testing.T, e *Env) {
	large := connect(t, e.target, func(cfg *hbase.Config) {
		cfg.MaxCellBytes = 1 << 30
		cfg.MaxCallBytes = 64 << 20
	})
	table := e.Table(t, "g", "p")
	for _, r := range e.regions(t, table) { // all in one call
		if to := e.regions(t, table)[0]; r.Addr != to.Addr {
			if err := e.Admin.MoveRegion(e.Ctx, r, to.Server); err != nil {
				t.Fatal(err)
			}
		}
		large.Must(t, table, hbase.ModeBatch, writeOf(string(r.Start)+"0", putOf("s", "q", 5, "learns the place")))
	}
	rows := []hbase.RowWrite{
		writeOf("a1", putOf("s", "q", 5, "v")), writeOf("a2", putOf("s", "q", 5, string(make([]byte, 10<<20)))), writeOf("a3", putOf("s", "q", 5, "v")),
		writeOf("h1", putOf("s", "q", 5, "v")), writeOf("h2", putOf("s", "q", 5, "v")),
		writeOf("h3", putOf("s", "q", 5, string(make([]byte, 10<<20))), putOf("s", "r", 5, "v")), writeOf("h4", putOf("s", "q", 5, "v"), putOf("s", "r", 5, "v")),
		writeOf("q1", putOf("s", "q", 5, "v"), putOf("s", "r", 5, "v")), Batch("q2", 0, 3),
	}
	res := large.Write(table, hbase.ModeBatch, rows...)
	wantOutcomes(t, rows, res, func(row string) (hbase.Outcome, hbase.Fault) {
		if row[0] == 'a' || row == "h3" {
			return hbase.Refused, hbase.FaultRow
		}
		return hbase.Applied, hbase.FaultNone
	})
	held := e.Rows(t, table)
	for row, cells := range map[string]int{"0": 1, "g0": 1, "h1": 1, "h2": 1, "h4": 2, "p0": 1, "q1": 2, "q2": 2} {
		if len(held[row]) != cells {
			t.Errorf("row %s holds %v, want %d cells", row, held[row], cells)
		}
		delete(held, row)
	}
	if len(held) > 0 {
		t.Errorf("the table holds %d rows besides", len(held))
	}
}
