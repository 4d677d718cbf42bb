package core

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"rowmark/connector/mapping"
	"rowmark/hbase"

	"pgregory.net/rapid"
)

// op reads "put q v", "inc q 3", "app q v", "delcol q", "del" or "replace q v" into one record's operations.
func op(text string, at int64) mapping.RowOps {
	f := strings.Fields(text)
	o := mapping.RowOps{Table: "t", Row: []byte("r"), Time: at, LogOrder: true}
	if f[0] == "del" || f[0] == "replace" {
		o.Delete = &mapping.RowDelete{Families: [][]byte{[]byte("d")}}
	}
	if f[0] == "del" {
		return o
	}
	c := mapping.CellOp{ColumnName: &mapping.ColumnName{Family: []byte("d"), Qualifier: []byte(f[1])}}
	switch f[0] {
	case "put", "replace":
		c.Value = []byte(f[2])
	case "inc":
		c.Kind = mapping.CellIncrement
		_, _ = fmt.Sscan(f[2], &c.Delta)
	case "app":
		c.Kind, c.Value = mapping.CellAppend, []byte(f[2])
	case "delcol":
		c.Kind = mapping.CellDeleteColumn
	}
	o.Cells = []mapping.CellOp{c}
	return o
}

// show writes a group's mutations as text.
func show(muts []hbase.Mutation) string {
	var out []string
	for _, m := range muts {
		for _, c := range m.Cells {
			switch {
			case m.Kind == hbase.KindIncrement:
				out = append(out, fmt.Sprintf("inc %s %d", c.Qualifier, int64(binary.BigEndian.Uint64(c.Value))))
			case m.Kind == hbase.KindAppend:
				out = append(out, fmt.Sprintf("app %s %s", c.Qualifier, c.Value))
			case c.Type == hbase.CellDeleteFamily:
				out = append(out, fmt.Sprintf("delfam %s@%d", c.Family, c.Timestamp))
			case c.Type == hbase.CellDeleteColumn:
				out = append(out, fmt.Sprintf("delcol %s@%d", c.Qualifier, c.Timestamp))
			default:
				out = append(out, fmt.Sprintf("put %s %s@%d", c.Qualifier, c.Value, c.Timestamp))
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		name  string
		floor int64
		recs  []string // operation@time
		want  string
		took  int
		after int64
	}{
		{"increments add up", 0, []string{"inc n 1@5", "inc n 2@6"}, "inc n 3", 2, 6},
		{"appends join", 0, []string{"app l a@5", "app l b@5"}, "app l ab", 2, 5},
		{"the last put stays", 0, []string{"put q a@5", "put q b@7"}, "put q b@7", 2, 7},
		{"a late put is lifted to the floor", 0, []string{"put q a@9", "put q b@3"}, "put q b@9", 2, 9},
		{"a late put on a known row", 100, []string{"put q a@9"}, "put q a@100", 1, 100},
		{"put after delete of its millisecond", 0, []string{"put q a@5", "del@5", "put q b@5"}, "delfam d@5, put q b@6", 3, 6},
		{"delete hides what was before", 0, []string{"put q a@5", "put r a@5", "del@7"}, "delfam d@7", 3, 8},
		{"update, delete, update (O2)", 0, []string{"put q a@1", "del@2", "put r c@3"}, "delfam d@2, put r c@3", 3, 3},
		{"delete-column, then put", 0, []string{"put q a@5", "delcol q@5", "put q b@5"}, "delcol q@5, put q b@6", 3, 6},
		{"a row replaced keeps its time", 0, []string{"replace q a@5"}, "delfam d@4, put q a@5", 1, 5},
		{"a row replaced at the beginning of time", 0, []string{"replace q a@0"}, "delfam d@0, put q a@1", 1, 1},
		{"a row replaced drops what the record lacks", 0, []string{"put q a@5", "put r a@5", "replace q b@7"}, "delfam d@6, put q b@7", 3, 7},
		{"a row replaced in the millisecond of its cells", 0, []string{"put r a@5", "replace q b@5"}, "delfam d@5, put q b@6", 2, 6},
		{"a row replaced twice in a millisecond", 0, []string{"replace r a@5", "replace q b@5"}, "delfam d@5, put q b@6", 2, 6},
		{"a row replaced late", 100, []string{"replace q b@5"}, "delfam d@100, put q b@101", 1, 101},
		{"a row replaced after a delete of its millisecond", 0, []string{"del@5", "replace q b@6", "put r c@6"}, "delfam d@6, put q b@7, put r c@7", 3, 7},
		{"cut where a replacing record follows an increment", 0, []string{"inc q 1@6", "replace r a@7"}, "inc q 1", 1, 6},
		{"two columns of one batch (B3)", 0, []string{"put q a@5", "put r b@5"}, "put q a@5, put r b@5", 2, 5},
		{"cut where an increment follows a put", 0, []string{"put q 100@5", "inc q 1@6"}, "put q 100@5", 1, 5},
		{"cut where an increment follows a delete", 0, []string{"del@5", "inc q 1@6"}, "delfam d@5", 1, 6},
		{"cut where a delete follows an increment", 0, []string{"inc q 1@6", "del@7"}, "inc q 1", 1, 6},
		{"cut where a put follows an append", 0, []string{"app q a@6", "put q b@7"}, "app q a", 1, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f folder
			f.reset(c.floor)
			took := 0
			for i, r := range c.recs {
				text, at, _ := strings.Cut(r, "@")
				var ms int64
				_, _ = fmt.Sscan(at, &ms)
				ops := []mapping.RowOps{op(text, ms)}
				if i > 0 && !f.fits(ops) {
					break
				}
				if err := f.add(ops); err != nil {
					t.Fatal(err)
				}
				took++
			}
			if got := show(f.mutations()); got != c.want || took != c.took || f.floor != c.after {
				t.Errorf("got %q, %d records, floor %d; want %q, %d, %d", got, took, f.floor, c.want, c.took, c.after)
			}
		})
	}
}

func TestFoldByTimeKeepsTheNewest(t *testing.T) {
	var f folder
	f.reset(0)
	for _, o := range []mapping.RowOps{op("put q new", 9), op("put q old", 4), op("put r x", 3), op("del", 5)} {
		o.LogOrder = false
		if err := f.add([]mapping.RowOps{o}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := show(f.mutations()), "delfam d@5, put q new@9"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOneRecordThatCountsAndSetsAColumnIsRefused(t *testing.T) {
	var f folder
	f.reset(0)
	if err := f.add([]mapping.RowOps{op("put q 1", 5), op("inc q 1", 5)}); err == nil {
		t.Fatal("a put and an increment of one column went into one write")
	}
}

// However the records of a row are cut into groups, the row ends the same: a wide fold and single writes agree.
func TestFoldIsTheSameHoweverCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"put a 1", "put a 2", "put b 3", "inc n 1", "inc n 5", "app l x", "app l y", "delcol a", "del2", "replace a 4", "replace b 5",
		}), 1, 30).Draw(t, "ops")
		cuts := rapid.SliceOfN(rapid.Bool(), len(texts), len(texts)).Draw(t, "cuts")
		times := rapid.SliceOfN(rapid.Int64Range(1, 20), len(texts), len(texts)).Draw(t, "times")
		recs := make([]mapping.RowOps, len(texts))
		for i, s := range texts {
			recs[i] = recordOf(s, times[i])
		}
		whole, single := applyAll(recs, nil), applyAll(recs, cuts)
		if whole != single {
			t.Fatalf("folded: %s; cut by %v: %s", whole, cuts, single)
		}
	})
}

// After any records, however late and however cut, a row holds what the last of them in the log say.
func TestAReplacedRowHoldsNothingOfBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var recs []mapping.RowOps
		want := map[string]string{}
		n := rapid.IntRange(1, 20).Draw(t, "records")
		for i := range n {
			text := rapid.SampledFrom([]string{"put a", "put b", "replace a", "replace b", "del"}).Draw(t, "op")
			recs = append(recs, op(fmt.Sprint(text, " ", i), rapid.Int64Range(1, 5).Draw(t, "time")))
			verb, column, _ := strings.Cut(text, " ")
			if verb != "put" {
				clear(want)
			}
			if column != "" {
				want[column] = fmt.Sprint(i)
			}
		}
		cuts := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "cuts")
		got, _, _ := strings.Cut(applyAll(recs, cuts), " floor ")
		var row []string
		for _, column := range slices.Sorted(maps.Keys(want)) {
			row = append(row, "d:"+column+"="+want[column])
		}
		if got != strings.Join(row, " ") {
			t.Fatalf("the row holds %q, want %q", got, row)
		}
	})
}

// recordOf keeps counters in a family that no delete reaches, as the mapping demands.
func recordOf(s string, at int64) mapping.RowOps {
	if s == "del2" {
		return op("del", at)
	}
	o := op(s, at)
	if k := o.Cells[0].Kind; k == mapping.CellIncrement || k == mapping.CellAppend {
		o.Cells[0].Family = []byte("c")
	}
	return o
}

// applyAll folds and applies to a row of newest values, as the server would show them.
func applyAll(recs []mapping.RowOps, cuts []bool) string {
	type cell struct {
		value string
		at    int64
	}
	values, hidden := map[string]cell{}, map[string]int64{}
	var f folder
	floor := int64(0)
	flush := func() {
		for _, m := range f.mutations() {
			for _, c := range m.Cells {
				key := string(c.Family) + ":" + string(c.Qualifier)
				switch {
				case m.Kind == hbase.KindIncrement:
					var n int64
					_, _ = fmt.Sscan(values[key].value, &n)
					values[key] = cell{fmt.Sprint(n + int64(binary.BigEndian.Uint64(c.Value))), 0}
				case m.Kind == hbase.KindAppend:
					values[key] = cell{values[key].value + string(c.Value), 0}
				case c.Type == hbase.CellDeleteFamily:
					hidden["a"], hidden["b"] = max(hidden["a"], c.Timestamp), max(hidden["b"], c.Timestamp)
				case c.Type == hbase.CellDeleteColumn:
					hidden[string(c.Qualifier)] = max(hidden[string(c.Qualifier)], c.Timestamp)
				case c.Timestamp >= values[key].at:
					values[key] = cell{string(c.Value), c.Timestamp}
				}
			}
		}
		floor = f.floor
		f.reset(floor)
	}
	f.reset(0)
	for i := range recs {
		ops := recs[i : i+1]
		if cuts != nil && cuts[i] || !f.fits(ops) {
			flush()
		}
		if err := f.add(ops); err != nil {
			return err.Error()
		}
	}
	flush()
	var out []string
	for k, v := range values {
		if q := strings.TrimPrefix(k, "d:"); strings.HasPrefix(k, "d:") && v.at <= hidden[q] {
			continue
		}
		out = append(out, k+"="+v.value)
	}
	slices.Sort(out)
	return strings.Join(out, " ") + fmt.Sprint(" floor ", floor)
}

// One record may change a row several times: two rows of one message of Canal's, say.
func TestFoldOfOneRecord(t *testing.T) {
	for _, c := range []struct {
		name  string
		floor int64
		ops   []string
		want  string
		after int64
	}{
		{"delete and put (L11)", 0, []string{"del", "put q a"}, "delfam d@5, put q a@6", 6},
		{"put and delete", 0, []string{"put q a", "del"}, "delfam d@5", 6},
		{"put, delete, put (O2)", 0, []string{"put q a", "del", "put r c"}, "delfam d@5, put r c@6", 6},
		{"delete, put, delete", 0, []string{"del", "put q a", "del"}, "delfam d@6", 7},
		{"delete, put, delete, put of a known row", 100, []string{"del", "put q a", "del", "put q b"}, "delfam d@101, put q b@102", 102},
		{"parts of a row (B3)", 0, []string{"put q a", "put r b"}, "put q a@5, put r b@5", 5},
		{"puts of a column", 0, []string{"put q a", "put q b"}, "put q b@5", 5},
		{"null, then a value", 0, []string{"delcol q", "put q b"}, "delcol q@5, put q b@6", 6},
		{"increments", 0, []string{"inc n 1", "inc n 2"}, "inc n 3", 5},
	} {
		var ops []mapping.RowOps
		for _, text := range c.ops {
			ops = append(ops, op(text, 5))
		}
		var f folder
		f.reset(c.floor)
		if err := f.add(ops); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := show(f.mutations()); got != c.want || f.floor != c.after {
			t.Errorf("%s: got %q, floor %d; want %q, %d", c.name, got, f.floor, c.want, c.after)
		}
		// As several records of one time it would end the same.
		var apart folder
		apart.reset(c.floor)
		for i := range ops {
			if err := apart.add(ops[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if got := show(apart.mutations()); got != c.want || apart.floor != c.after {
			t.Errorf("%s, of several records: got %q, floor %d", c.name, got, apart.floor)
		}
	}
}
