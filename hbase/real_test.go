package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// bothModes runs a test in each mode of Write that is made for conditions.
func bothModes(t *testing.T, f func(t *testing.T, mode Mode)) {
	t.Run("row", func(t *testing.T) { f(t, ModeRow) })
	t.Run("region", func(t *testing.T) { f(t, ModeRegion) })
}

// realTable makes a table with a data family d and a mark family k on the package's real HBase.
func realTable(t *testing.T, splits ...[]byte) (context.Context, *Client, string) {
	t.Helper()
	zk := cluster.SharedZooKeeper(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	c, err := Open(ctx, Config{ZooKeeper: zk})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	schema := TableSchema{Name: cluster.UniqueName(t), Families: []FamilySchema{
		{Name: "d"},
		{Name: "k", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true", "MIN_VERSIONS": "1", "VERSIONS": "1"}},
	}}
	schema.AddCoprocessor(CoprocessorMultiRowMutation)
	if err := c.Admin().CreateTable(ctx, schema, splits...); err != nil {
		t.Fatal(err)
	}
	return ctx, c, schema.Name
}

// writeAll collects what Write reports, and checks that each index comes once.
func writeAll(ctx context.Context, t *testing.T, c *Client, table string, mode Mode, rows []RowWrite) []WriteResult {
	t.Helper()
	var mu sync.Mutex
	out, seen := make([]WriteResult, len(rows)), make([]int, len(rows))
	c.Write(ctx, table, mode, rows, func(idx []int, res []WriteResult) {
		mu.Lock()
		defer mu.Unlock()
		for n, i := range idx {
			out[i] = res[n]
			seen[i]++
		}
	})
	for i, n := range seen {
		if n != 1 {
			t.Fatalf("row %d was reported %d times", i, n)
		}
	}
	return out
}

// marked is a write as the connector makes it: cells and the mark of offset next, unless a mark of from or later
// is there.
func marked(row string, from, next int64, muts ...Mutation) RowWrite {
	mark := Mutation{Kind: KindPut, Cells: []MutationCell{{Column: &Column{Family: []byte("k"), Qualifier: []byte("s/t/0")}, Timestamp: next, Value: []byte("m")}}}
	return RowWrite{
		Row: []byte(row), Mutations: append(muts, mark),
		Condition: &Condition{Family: []byte("k"), Qualifier: []byte("s/t/0"), Op: CompareEqual, From: from},
	}
}

func putCell(qualifier string, ts int64, value string) Mutation {
	return Mutation{Kind: KindPut, Cells: []MutationCell{{Column: &Column{Family: []byte("d"), Qualifier: []byte(qualifier)}, Timestamp: ts, Value: []byte(value)}}}
}

func increment(qualifier string, by int64) Mutation {
	return Mutation{Kind: KindIncrement, Cells: []MutationCell{{
		Column: &Column{[]byte("d"), []byte(qualifier)}, Timestamp: LatestTimestamp,
		Value: binary.BigEndian.AppendUint64(nil, uint64(by)),
	}}}
}

func appendTo(qualifier, value string) Mutation {
	m := putCell(qualifier, LatestTimestamp, value)
	m.Kind = KindAppend
	return m
}

func deleteFamily(ts int64) Mutation {
	return Mutation{Kind: KindDelete, Cells: []MutationCell{{Column: &Column{Family: []byte("d")}, Timestamp: ts, Type: CellDeleteFamily}}}
}

func wantOutcome(t *testing.T, got WriteResult, want Outcome) {
	t.Helper()
	if got.Outcome != want || got.Err != nil {
		t.Fatalf("outcome %d (%v), want %d", got.Outcome, got.Err, want)
	}
}

// value reads one cell's value; "" if there is none.
func value(ctx context.Context, t *testing.T, c *Client, table, row, qualifier string) string {
	t.Helper()
	r, err := c.Get(ctx, table, Get{Row: []byte(row), Columns: []Column{{Family: []byte("d"), Qualifier: []byte(qualifier)}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) == 0 {
		return ""
	}
	return string(r.Cells[0].Value)
}

func TestRealMarkCondition(t *testing.T) {
	ctx, c, table := realTable(t)
	bothModes(t, func(t *testing.T, mode Mode) {
		row := fmt.Sprintf("mark%d", mode)
		steps := []struct {
			name       string
			from, next int64
			want       Outcome
		}{
			{"fresh", 101, 110, Applied},
			{"duplicate", 101, 110, Refused},
			{"overlap", 105, 120, Refused},
			{"next", 111, 120, Applied},
			{"late", 101, 110, Refused},
		}
		for _, s := range steps {
			res := writeAll(ctx, t, c, table, mode, []RowWrite{marked(row, s.from, s.next, increment("n", 1))})
			if res[0].Outcome != s.want || res[0].Err != nil {
				t.Fatalf("%s: outcome %d (%v), want %d", s.name, res[0].Outcome, res[0].Err, s.want)
			}
		}
		for _, tidy := range []func(context.Context, string) error{
			c.Admin().FlushTable,
			func(ctx context.Context, table string) error { return c.Admin().CompactTable(ctx, table, true) },
		} {
			if err := tidy(ctx, table); err != nil {
				t.Fatal(err)
			}
			for _, from := range []int64{101, 115, 120} {
				wantOutcome(t, writeAll(ctx, t, c, table, mode, []RowWrite{marked(row, from, 130, increment("n", 1))})[0], Refused)
			}
		}
		if got := value(ctx, t, c, table, row, "n"); got != "\x00\x00\x00\x00\x00\x00\x00\x02" {
			t.Fatalf("counter is %x, want 2", got)
		}
	})
}

func TestRealMutationKinds(t *testing.T) {
	ctx, c, table := realTable(t)
	bothModes(t, func(t *testing.T, mode Mode) {
		row := fmt.Sprintf("kinds%d", mode)
		write := func(w RowWrite) {
			t.Helper()
			wantOutcome(t, writeAll(ctx, t, c, table, mode, []RowWrite{w})[0], Applied)
		}
		write(marked(row, 1, 2, putCell("p", 50, "v1"), putCell("", 50, ""), increment("n", 5), appendTo("a", "x")))
		write(marked(row, 3, 4, putCell("p", 60, "v2"), increment("n", -2), appendTo("a", "y")))
		r, err := c.Get(ctx, table, Get{Row: []byte(row)})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, x := range r.Cells {
			got[string(x.Family)+":"+string(x.Qualifier)] = string(x.Value)
		}
		want := map[string]string{"d:p": "v2", "d:": "", "d:n": "\x00\x00\x00\x00\x00\x00\x00\x03", "d:a": "xy", "k:s/t/0": "m"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("row is %q, want %q", got, want)
		}
		write(marked(row, 5, 6, Mutation{Kind: KindDelete, Cells: []MutationCell{
			{Column: &Column{[]byte("d"), []byte("p")}, Timestamp: 60, Type: CellDelete},
			{Column: &Column{[]byte("d"), []byte("a")}, Timestamp: LatestTimestamp, Type: CellDeleteColumn},
		}}))
		if p, a := value(ctx, t, c, table, row, "p"), value(ctx, t, c, table, row, "a"); p != "" && p != "v1" || a != "" {
			t.Fatalf("after the deletes p is %q and a %q", p, a)
		}
		write(marked(row, 7, 8, deleteFamily(LatestTimestamp)))
		r, err = c.Get(ctx, table, Get{Row: []byte(row)})
		if err != nil || len(r.Cells) != 1 || string(r.Cells[0].Family) != "k" || r.Cells[0].Timestamp != 8 {
			t.Fatalf("after the row delete the row is %v (%v), want the mark of 8 alone", r.Cells, err)
		}
	})
}

func TestRealUnconditionalWrites(t *testing.T) {
	ctx, c, table := realTable(t, []byte("m"))
	allModes(t, func(t *testing.T, mode Mode) {
		var rows []RowWrite
		for i := range 300 {
			rows = append(rows, RowWrite{Row: fmt.Appendf(nil, "%c%d-%03d", "an"[i%2], mode, i), Mutations: []Mutation{putCell("q", 7, "v"), deleteFamily(3), increment("n", 1)}})
			if mode == ModeBatch && i%4 > 1 {
				rows[i].Mutations = rows[i].Mutations[:1]
			}
		}
		for i, r := range writeAll(ctx, t, c, table, mode, rows) {
			if r.Outcome != Applied {
				t.Fatalf("row %d: %v", i, r)
			}
		}
		if got := value(ctx, t, c, table, string(rows[299].Row), "q"); got != "v" {
			t.Fatalf("value is %q", got)
		}
	})
}

func TestRealRegionModeIsAllOrNothing(t *testing.T) {
	ctx, c, table := realTable(t, []byte("m"))
	wantOutcome(t, c.WriteRow(ctx, table, marked("b", 1, 10, putCell("q", 1, "old"))), Applied)
	rows := []RowWrite{
		marked("z", 1, 10, putCell("q", 2, "new")), // another region: on its own
		marked("c", 1, 10, putCell("q", 2, "new")),
		marked("b", 5, 12, putCell("q", 2, "new")), // refuses, and c with it
		marked("a", 1, 10, putCell("q", 2, "new")),
	}
	res := writeAll(ctx, t, c, table, ModeRegion, rows)
	for i, want := range []Outcome{Applied, Refused, Refused, Refused} {
		wantOutcome(t, res[i], want)
	}
	for row, want := range map[string]string{"a": "", "b": "old", "c": "", "z": "new"} {
		if got := value(ctx, t, c, table, row, "q"); got != want {
			t.Errorf("row %s is %q, want %q", row, got, want)
		}
	}
	res = writeAll(ctx, t, c, table, ModeRow, rows)
	for i, want := range []Outcome{Refused, Applied, Refused, Applied} {
		wantOutcome(t, res[i], want)
	}
}

func TestRealBadRowsFailAlone(t *testing.T) {
	ctx, c, table := realTable(t)
	bothModes(t, func(t *testing.T, mode Mode) {
		p := fmt.Sprint(mode)
		huge := make([]byte, 11<<20)
		rows := []RowWrite{
			marked(p+"good", 1, 2, putCell("q", 1, "v")),
			marked(p+"huge", 1, 2, putCell("q", 1, string(huge))),
			marked("", 1, 2, putCell("q", 1, "v")),
			marked(p+"time", 1, 2, putCell("q", -5, "v")),
			marked(p+"good", 1, 2, putCell("q", 1, "twice")),
			{Row: []byte(p + "none")},
			marked(string(bytes.Repeat([]byte{'x'}, 32768)), 1, 2, putCell("q", 1, "v")),
		}
		res := writeAll(ctx, t, c, table, mode, rows)
		wantOutcome(t, res[0], Applied)
		for i, r := range res[1:] {
			if r.Outcome != Refused || FaultOf(r.Err) != FaultRow {
				t.Errorf("row %d: %v, want refused as FaultRow", i+1, r)
			}
		}
		if got := value(ctx, t, c, table, p+"huge", "q"); got != "" {
			t.Errorf("the 11 MB cell was written")
		}
	})
	// What only the server can tell.
	wantOutcome(t, c.WriteRow(ctx, table, marked("short", 1, 2, putCell("n", 1, "abc"))), Applied)
	bothModes(t, func(t *testing.T, mode Mode) {
		res := writeAll(ctx, t, c, table, mode, []RowWrite{marked("short", 3, 4, increment("n", 1))})
		if res[0].Outcome != Refused || FaultOf(res[0].Err) != FaultRow {
			t.Errorf("increment of a 3-byte cell: %v, want FaultRow", res[0])
		}
		bad := marked("family", 1, 2, Mutation{Kind: KindPut, Cells: []MutationCell{{Column: &Column{Family: []byte("nope")}, Timestamp: 1}}})
		res = writeAll(ctx, t, c, table, mode, []RowWrite{bad})
		if res[0].Outcome != Refused || FaultOf(res[0].Err) != FaultSchema {
			t.Errorf("unknown family: %v, want FaultSchema", res[0])
		}
	})
}

func TestRealReads(t *testing.T) {
	ctx, c, table := realTable(t, []byte("r050"), []byte("r100"), []byte("r150"))
	var rows []RowWrite
	for i := range 200 {
		rows = append(rows, RowWrite{Row: fmt.Appendf(nil, "r%03d", i), Mutations: []Mutation{putCell("q", 5, fmt.Sprint(i)), putCell("w", 5, "x")}})
	}
	for _, r := range writeAll(ctx, t, c, table, ModeRegion, rows) {
		wantOutcome(t, r, Applied)
	}
	regions, err := c.Regions(ctx, table)
	if err != nil || len(regions) != 4 || string(regions[2].Start) != "r100" || string(regions[2].End) != "r150" || regions[2].Server == "" || regions[2].SeqNum < 0 {
		t.Fatalf("regions are %+v (%v)", regions, err)
	}
	servers, err := c.Servers(ctx)
	if err != nil || !slices.Contains(servers, regions[0].Server) {
		t.Fatalf("servers are %v (%v), want %s among them", servers, err, regions[0].Server)
	}
	t.Run("get all", func(t *testing.T) {
		var gets []Get
		for i := range 250 {
			gets = append(gets, Get{Row: fmt.Appendf(nil, "r%03d", (i*37)%250), Columns: []Column{{Family: []byte("d"), Qualifier: []byte("q")}}})
		}
		got, errs := c.GetAll(ctx, table, gets)
		for i := range gets {
			n := (i * 37) % 250
			if errs[i] != nil || n < 200 && (len(got[i].Cells) != 1 || string(got[i].Cells[0].Value) != fmt.Sprint(n)) || n >= 200 && len(got[i].Cells) != 0 {
				t.Fatalf("row %s: %v (%v)", gets[i].Row, got[i].Cells, errs[i])
			}
		}
	})
	t.Run("scan", func(t *testing.T) {
		for _, s := range []struct {
			scan        Scan
			first, last int
		}{
			{Scan{}, 0, 199},
			{Scan{BatchRows: 7}, 0, 199},
			{Scan{Start: []byte("r049"), Stop: []byte("r101")}, 49, 100},
			{Scan{Start: []byte("r020"), Stop: []byte("r050")}, 20, 49},
			{Scan{Limit: 60, BatchRows: 11}, 0, 59},
			{Scan{Start: []byte("r199a")}, 200, 199},
		} {
			n := s.first
			err := c.Scan(ctx, table, s.scan, func(r Row) error {
				if want := fmt.Sprintf("r%03d", n); string(r.Row) != want || len(r.Cells) != 2 {
					return fmt.Errorf("row %s with %d cells, want %s with 2", r.Row, len(r.Cells), want)
				}
				n++
				return nil
			})
			if err != nil || n != s.last+1 {
				t.Errorf("scan %+v ended at %d (%v), want %d", s.scan, n-1, err, s.last)
			}
		}
	})
	t.Run("scan stopped by the caller", func(t *testing.T) {
		stop := fmt.Errorf("enough")
		if err := c.Scan(ctx, table, Scan{BatchRows: 3}, func(Row) error { return stop }); err != stop {
			t.Errorf("error is %v", err)
		}
	})
}

func TestRealScanJoinsPartialRows(t *testing.T) {
	ctx, c, table := realTable(t)
	// Rows larger than the size limit of one answer come in parts.
	big := bytes.Repeat([]byte{'v'}, 1<<20)
	for _, row := range []string{"a", "b", "c"} {
		for q := range 5 {
			wantOutcome(t, c.WriteRow(ctx, table, RowWrite{Row: []byte(row), Mutations: []Mutation{putCell(fmt.Sprint(q), 1, string(big))}}), Applied)
		}
	}
	var got []string
	err := c.Scan(ctx, table, Scan{}, func(r Row) error {
		got = append(got, fmt.Sprintf("%s%d", r.Row, len(r.Cells)))
		return nil
	})
	if err != nil || fmt.Sprint(got) != "[a5 b5 c5]" {
		t.Fatalf("rows are %v (%v)", got, err)
	}
}

func TestRealTableStates(t *testing.T) {
	ctx, c, table := realTable(t)
	wantOutcome(t, c.WriteRow(ctx, table, marked("a", 1, 2, putCell("q", 1, "v"))), Applied)
	if err := c.Admin().DisableTable(ctx, table); err != nil {
		t.Fatal(err)
	}
	// The first write may still know a place; by the second the reason is looked up.
	c.WriteRow(ctx, table, marked("a", 3, 4, putCell("q", 1, "v")))
	for _, name := range []string{table, "no_such_table"} {
		res := c.WriteRow(ctx, name, marked("a", 3, 4, putCell("q", 1, "v")))
		if res.Outcome != Refused || FaultOf(res.Err) != FaultTable {
			t.Errorf("writing to %s: %v, want FaultTable", name, res)
		}
		if _, err := c.Get(ctx, name, Get{Row: []byte("a")}); FaultOf(err) != FaultTable {
			t.Errorf("reading %s: %v, want FaultTable", name, err)
		}
	}
	if _, err := c.Regions(ctx, "no_such_table"); FaultOf(err) != FaultTable {
		t.Errorf("listing regions: %v, want FaultTable", err)
	}
	if err := c.Admin().EnableTable(ctx, table); err != nil {
		t.Fatal(err)
	}
	if got := value(ctx, t, c, table, "a", "q"); got != "v" {
		t.Errorf("value is %q", got)
	}
}

func TestRealProbe(t *testing.T) {
	ctx, c, table := realTable(t)
	if s, err := c.ProbeRow(ctx, table, []byte("scratch"), []byte("d")); s != SupportYes || err != nil {
		t.Errorf("row mode: %v (%v)", s, err)
	}
	if s, err := c.ProbeRegion(ctx, table, []byte("scratch"), []byte("d")); s != SupportYes || err != nil {
		t.Errorf("region mode: %v (%v)", s, err)
	}
	r, err := c.Get(ctx, table, Get{Row: []byte("scratch")})
	if err != nil || len(r.Cells) != 0 {
		t.Errorf("the probes left %v (%v)", r.Cells, err)
	}
	plain := TableSchema{Name: cluster.UniqueName(t) + "_plain", Families: []FamilySchema{{Name: "d"}}}
	if err := c.Admin().CreateTable(ctx, plain); err != nil {
		t.Fatal(err)
	}
	if s, err := c.ProbeRegion(ctx, plain.Name, []byte("scratch"), []byte("d")); s != SupportMissing || err != nil {
		t.Errorf("without the coprocessor: %v (%v)", s, err)
	}
}

func TestRealSplitIsFollowed(t *testing.T) {
	bothModes(t, func(t *testing.T, mode Mode) {
		ctx, c, table := realTable(t) // a daughter may not be split at once
		rows := []RowWrite{
			marked(fmt.Sprintf("a%d", mode), 1, 2, putCell("q", 1, "v")),
			marked(fmt.Sprintf("y%d", mode), 1, 2, putCell("q", 1, "v")),
		}
		for _, r := range writeAll(ctx, t, c, table, mode, rows) {
			wantOutcome(t, r, Applied)
		}
		regions, err := c.Regions(ctx, table)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Admin().SplitRegion(ctx, regions[0], []byte("m")); err != nil {
			t.Fatal(err)
		}
		// One attempt each: a definite refusal first, until the new places are known.
		for i := range rows {
			rows[i].Condition.From, rows[i].Mutations[1].Cells[0].Timestamp = 3, 4
			for {
				res := writeAll(ctx, t, c, table, mode, rows[i:i+1])[0]
				if res.Outcome == Applied {
					break
				}
				if res.Outcome != Refused || res.Err == nil || FaultOf(res.Err) != FaultRelocate {
					t.Fatalf("after the split: %v", res)
				}
			}
			if got := value(ctx, t, c, table, string(rows[i].Row), "q"); got != "v" {
				t.Errorf("row %s is %q", rows[i].Row, got)
			}
		}
	})
}

// A place remembered too wide: rows are sent to a region that does not hold them.
func TestRealRowOutOfTheRegion(t *testing.T) {
	ctx, c, table := realTable(t, []byte("m"))
	bothModes(t, func(t *testing.T, mode Mode) {
		a, b, z := fmt.Sprint("a", mode), fmt.Sprint("b", mode), fmt.Sprint("z", mode)
		wide := func() {
			t.Helper()
			regions, err := c.Regions(ctx, table)
			if err != nil {
				t.Fatal(err)
			}
			r := regions[0]
			r.End = nil
			c.cache.put(&r)
		}
		wide()
		rows := []RowWrite{marked(a, 1, 2, putCell("q", 1, "v")), marked(z, 1, 2, putCell("q", 1, "v"))}
		res := writeAll(ctx, t, c, table, mode, rows)
		first := Applied
		if mode == ModeRegion {
			first = Refused // with the other
		}
		if res[0].Outcome != first || res[1].Outcome != Refused || FaultOf(res[1].Err) != FaultRelocate {
			t.Errorf("outcomes are %v, want the row out of the region refused as FaultRelocate", res)
		}
		if got := value(ctx, t, c, table, a, "q"); (got == "v") != (first == Applied) {
			t.Errorf("row %s is %q", a, got)
		}
		wide()
		rows = []RowWrite{marked(z, 1, 2, putCell("q", 1, "v"))}
		if res := writeAll(ctx, t, c, table, mode, rows); res[0].Outcome != Refused || FaultOf(res[0].Err) != FaultRelocate {
			t.Errorf("outcome is %v, want FaultRelocate", res[0])
		}
		rows = []RowWrite{marked(b, 1, 2, putCell("q", 1, "v")), marked(z, 1, 2, putCell("q", 1, "v"))}
		for i, r := range writeAll(ctx, t, c, table, mode, rows) {
			if r.Outcome != Applied {
				t.Errorf("row %d with the place looked up again: %v", i, r)
			}
		}
	})
}
