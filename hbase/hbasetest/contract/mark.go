package contract

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"rowmark/hbase"
)

var markQualifier = []byte("sink/topic/0")

// Batch is the write of the records [first, next) of one row: it adds their number to a counter, so that a duplicate
// shows, and sets the mark, if no mark at first+1 or later is there.
func Batch(row string, first, next int64) hbase.RowWrite { return batchIn("_k", row, first, next) }

func batchIn(family, row string, first, next int64) hbase.RowWrite {
	return hbase.RowWrite{
		Row: []byte(row),
		Mutations: []hbase.Mutation{
			{Kind: hbase.KindIncrement, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("s"), Qualifier: []byte("n")}, Timestamp: hbase.LatestTimestamp, Value: long(next - first)}}},
			{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte(family), Qualifier: markQualifier}, Timestamp: next, Value: append([]byte{1}, long(next)...)}}},
		},
		Condition: &hbase.Condition{Family: []byte(family), Qualifier: markQualifier, Op: hbase.CompareEqual, From: first + 1},
	}
}

// Refused checks that the condition refused the write.
func (e *Env) Refused(t *testing.T, table string, mode hbase.Mode, why string, w hbase.RowWrite) {
	t.Helper()
	if r := e.Settled(t, table, mode, w); r.Outcome != hbase.Refused || r.Err != nil {
		t.Errorf("%s: outcome %d, %v; want refused by the condition", why, r.Outcome, r.Err)
	}
}

// Counter reads the sum of a row's batches and its mark.
func (e *Env) Counter(t *testing.T, table, row string) (sum string, mark int64) {
	t.Helper()
	for _, c := range e.Rows(t, table)[row] {
		if c.Family == "s" && c.Qualifier == "n" && sum == "" {
			sum = hexed(c.Value)
		}
		if c.Family == "_k" && mark == 0 {
			mark = c.Timestamp
		}
	}
	return sum, mark
}

// Protocol runs the cases of the condition, with a disturbance between them.
func (e *Env) Protocol(t *testing.T, table string, mode hbase.Mode, row string, disturb func()) {
	t.Helper()
	e.Must(t, table, mode, Batch(row, 0, 10)) // a fresh row
	disturb()
	e.Refused(t, table, mode, "the same again", Batch(row, 0, 10))
	e.Refused(t, table, mode, "the first records alone", Batch(row, 0, 4))
	e.Refused(t, table, mode, "the last record alone", Batch(row, 9, 10))
	e.Refused(t, table, mode, "an overlap", Batch(row, 5, 15))
	e.Must(t, table, mode, Batch(row, 10, 12)) // the next
	disturb()
	e.Refused(t, table, mode, "the batch before the last", Batch(row, 0, 10))
	e.Refused(t, table, mode, "the last batch again", Batch(row, 10, 12))
	e.Refused(t, table, mode, "an overlap", Batch(row, 11, 20))
	e.Must(t, table, mode, Batch(row, 12, 13))
	disturb()
	e.Must(t, table, mode, Batch(row, 1000, 1001)) // other rows had the records between
	e.Refused(t, table, mode, "records below the mark", Batch(row, 13, 14))
	if sum, mark := e.Counter(t, table, row); sum != hexed(long(14)) || mark != 1001 {
		t.Errorf("the row holds the sum %s and the mark %d, want 14 records and 1001", sum, mark)
	}
}

func markCondition(t *testing.T, e *Env) {
	table := e.Table(t)
	flush := func() { e.Do(t, "flush", table) }
	disturbances := map[string]func(){
		"nothing": func() {},
		"flush":   flush,
		"major_compaction": func() {
			flush()
			e.Do(t, "majorcompact", table)
		},
		"reopening": func() {
			for _, r := range e.regions(t, table) {
				e.Do(t, "reopen", r.EncodedName())
			}
		},
	}
	for _, name := range slices.Sorted(maps.Keys(disturbances)) {
		for mode, m := range Modes {
			t.Run(name+"/"+mode, func(t *testing.T) { e.Protocol(t, table, m, name+"-"+mode, disturbances[name]) })
		}
	}
}

func markConditionOverSplits(t *testing.T, e *Env) {
	for mode, m := range Modes {
		t.Run(mode, func(t *testing.T) {
			table := e.Table(t)
			at := []string{"z", "a", "m"} // the row is m itself at last: the first of its region
			e.Protocol(t, table, m, "m", func() {
				e.Do(t, "split", table, hexed(at[0]))
				at = at[1:]
				// A daughter refers to its parent's files until it is compacted, and can't be split before.
				e.Do(t, "majorcompact", table)
			})
			if n := len(e.regions(t, table)); n != 4 {
				t.Errorf("%d regions after three splits, want 4", n)
			}
		})
	}
}

// Both modes at once on one row: each sees the other's marks.
func markConditionAcrossModes(t *testing.T, e *Env) {
	table := e.Table(t)
	e.Must(t, table, hbase.ModeRow, Batch("r", 0, 3))
	e.Refused(t, table, hbase.ModeRegion, "applied in row mode", Batch("r", 0, 3))
	e.Must(t, table, hbase.ModeRegion, Batch("r", 3, 5))
	e.Refused(t, table, hbase.ModeRow, "applied in region mode", Batch("r", 3, 5))
	e.Must(t, table, hbase.ModeRow, Batch("r", 5, 6))
	if sum, mark := e.Counter(t, table, "r"); sum != hexed(long(6)) || mark != 6 {
		t.Errorf("sum %s, mark %d; want 6 and 6", sum, mark)
	}
}

// Two sources on one row must not take the other's marks for their own.
func markConditionIsPerSource(t *testing.T, e *Env) {
	table := e.Table(t)
	other := Batch("r", 0, 5)
	other.Mutations[1].Cells[0].Qualifier = []byte("sink2/topic/0")
	other.Condition.Qualifier = []byte("sink2/topic/0")
	for _, m := range Modes {
		w, o := Batch("r", 0, 5), other
		if m == hbase.ModeRow {
			e.Must(t, table, m, w, o)
			continue
		}
		w.Row, o.Row = []byte("r2"), []byte("r2")
		e.Must(t, table, m, w, o)
	}
	for _, row := range []string{"r", "r2"} {
		if sum, _ := e.Counter(t, table, row); sum != hexed(long(10)) {
			t.Errorf("row %s holds %s, want both sources' 5", row, sum)
		}
	}
}

// A foreign deleteall takes the marks that are there, with the data they stand for: a replay then fills the row again,
// once. What the settings of the mark family add is that marks written after it hold. In a family without them the
// delete marker lies in the present, hides also later marks, whose timestamps are offsets, and lets every duplicate
// pass until a major compaction drops it.
func foreignDeleteAll(t *testing.T, e *Env) {
	for mode, m := range Modes {
		for _, after := range []string{"", "flush", "majorcompact"} {
			t.Run(mode+"/"+after, func(t *testing.T) {
				table := e.Table(t)
				for family, row := range map[string]string{"_k": "safe", "_p": "bare"} {
					e.Must(t, table, m, batchIn(family, row, 0, 10))
					e.Do(t, "deleteall", table, hexed(row))
					e.Must(t, table, m, batchIn(family, row, 10, 11)) // the next batch
				}
				if after != "" {
					e.Do(t, "flush", table)
					e.Do(t, after, table)
				}
				e.Refused(t, table, m, "a duplicate of before the deleteall", Batch("safe", 0, 10))
				e.Refused(t, table, m, "a duplicate of after the deleteall", Batch("safe", 10, 11))
				e.Must(t, table, m, Batch("safe", 11, 12))
				// The major compaction drops the hidden mark with the marker that hides it.
				e.Must(t, table, m, batchIn("_p", "bare", 10, 11))
			})
		}
	}
}

func foreignDeleteAllThenReplay(t *testing.T, e *Env) {
	for mode, m := range Modes {
		t.Run(mode, func(t *testing.T) {
			table := e.Table(t)
			e.Must(t, table, m, Batch("r", 0, 10))
			e.Do(t, "deleteall", table, hexed("r"))
			if left := e.Rows(t, table)["r"]; len(left) != 0 {
				t.Errorf("after deleteall the row holds %v", left)
			}
			e.Must(t, table, m, Batch("r", 0, 10))
			e.Refused(t, table, m, "the replay again", Batch("r", 0, 10))
		})
	}
}

func foreignTTL(t *testing.T, e *Env) {
	for mode, m := range Modes {
		t.Run(mode, func(t *testing.T) {
			table := e.Table(t)
			e.Must(t, table, m, Batch("safe", 0, 10), batchIn("_p", "bare", 0, 10))
			for _, f := range []string{"_k", "_p"} {
				if err := e.Admin.SetFamilyAttributes(e.Ctx, table, f, map[string]string{"TTL": "3600"}); err != nil {
					t.Fatal(err)
				}
			}
			// A mark's timestamp is an offset: to a TTL it was written in 1970.
			for _, step := range []string{"", "flush", "majorcompact"} {
				if step != "" {
					e.Do(t, step, table)
				}
				e.Refused(t, table, m, "a duplicate under a TTL "+step, Batch("safe", 0, 10))
			}
			e.Must(t, table, m, Batch("safe", 10, 11))
			e.Must(t, table, m, batchIn("_p", "bare", 0, 10)) // here the duplicate passes: the settings are needed
		})
	}
}

// A cell TTL of now + wanted - offset on the mark's put ends the mark at now + wanted, also where that is negative.
func markCellTTL(t *testing.T, e *Env) {
	table := e.Table(t)
	now := time.Now().UnixMilli()
	for mode, m := range Modes {
		for _, offset := range []int64{10, now + 1_000_000_000} {
			for _, wanted := range []int64{3_600_000, -3_600_000} {
				row := fmt.Sprintf("%s-%d-%d", mode, offset, wanted)
				w := Batch(row, 0, offset)
				w.Mutations[1].HasTTL, w.Mutations[1].TTL = true, now+wanted-offset
				e.Must(t, table, m, w)
				w.Mutations[1].HasTTL = false
				if wanted > 0 {
					e.Refused(t, table, m, "a duplicate before the mark's end, row "+row, w)
				} else {
					e.Must(t, table, m, w)
				}
			}
		}
	}
}
