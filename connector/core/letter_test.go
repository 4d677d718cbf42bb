package core

import (
	"errors"
	"slices"
	"testing"
	"time"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// stubLetter is a letter whose row says which rows were refused.
type stubLetter struct{ refused []string }

func (l *stubLetter) Refused(rows []mapping.RefusedRow) mapping.RowOps {
	l.refused = nil
	for _, r := range rows {
		l.refused = append(l.refused, string(r.Row)+" "+r.Why.Error())
	}
	slices.Sort(l.refused)
	return letterOps()
}

func letterOps() mapping.RowOps {
	return mapping.RowOps{Table: "letters", Row: []byte("L"), Cells: []mapping.CellOp{
		{ColumnName: &mapping.ColumnName{Family: []byte("d"), Qualifier: []byte("reason")}, Value: []byte("x")},
	}}
}

// lettering gives a record the policy of dead letters.
func lettering(m Mapped) (Mapped, *stubLetter) {
	l := &stubLetter{}
	m.Result.OnError, m.Result.Letter = mapping.OnErrorDeadLetter, &mapping.Letter{Refused: l.Refused}
	return m, l
}

var tooLarge = hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultRow, Err: errors.New("too large")}}

// markIn is the mark that a group's write carries.
func markIn(t *testing.T, g *Group) Mark {
	t.Helper()
	for _, m := range g.Write.Mutations {
		for _, c := range m.Cells {
			if string(c.Family) == "_k" {
				mark, err := DecodeMark(c.Value)
				if err != nil {
					t.Fatal(err)
				}
				return mark
			}
		}
	}
	t.Fatal("a write without a mark")
	return Mark{}
}

// next answers the next write, which must be of these rows.
func (r *rig) next(res hbase.WriteResult, rows ...string) []*Group {
	r.t.Helper()
	w := want[Write](r)
	var got []string
	results := make([]hbase.WriteResult, len(w.Groups))
	for i, g := range w.Groups {
		got = append(got, string(g.Write.Row))
		results[i] = res
	}
	if !slices.Equal(got, rows) {
		r.t.Fatalf("rows %q are written, want %q", got, rows)
	}
	r.step(Written{Groups: w.Groups, Results: results})
	return w.Groups
}

// A record that HBase refuses for good: the bar, then the letter, then the row's next record, and the checkpoint last.
func TestRefusedRecordBecomesALetter(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{LogEnd: 2, End: 2})
	bad, letter := lettering(put(0, "a"))
	good, _ := lettering(put(1, "a"))
	r.fetched(2, 2, bad, good)
	r.next(tooLarge, "a") // both in one write
	r.next(tooLarge, "a") // the first by itself
	bar := r.next(applied, "a")[0]
	if m := markIn(t, bar); m.Next != 1 || m.Barred != "too large" || len(bar.Write.Mutations) != 1 {
		t.Fatalf("the bar has %d mutations and the mark %+v", len(bar.Write.Mutations), m)
	}
	r.pass(11 * time.Second)
	if ck := r.swap(applied); ck.Offset != 0 {
		t.Fatalf("the checkpoint passes to %d before the letter stands", ck.Offset)
	}
	letterWrite := want[Write](r)
	r.unwritten("the letter of the row's record does not stand yet")
	r.acts = append(r.acts, letterWrite)
	if g := r.next(applied, "L")[0]; g.Table != "letters" || markIn(t, g).Barred != "" || g.Write.Condition == nil {
		t.Fatalf("the letter is written to %s as %+v", g.Table, g.Write)
	}
	if !slices.Equal(letter.refused, []string{"a too large"}) {
		t.Fatalf("the letter names %q", letter.refused)
	}
	check := want[*CheckWitness](r) // the table was left alone meanwhile
	r.step(Witnessed{Check: check, Mark: check.Witness.Mark})
	if g := r.next(applied, "a")[0]; g.First != 1 || markIn(t, g).Barred != "" {
		t.Fatalf("the row goes on at %d", g.First)
	}
	r.pass(2 * time.Second)
	if ck := r.swap(applied); ck.Offset != 2 {
		t.Fatalf("the checkpoint stands at %d", ck.Offset)
	}
	if s := r.core.Stats(); s.Letters != 1 || s.Skipped != 0 || r.reported(ReportLetter) == nil {
		t.Fatalf("told of %d letters and %d skips", s.Letters, s.Skipped)
	}
}

// The next owner finds the bar: the letter is written, and the record is not.
func TestBarThatIsMetAgainAsksForItsLetter(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 10}}, LogInfo{LogEnd: 1, End: 1})
	bad, letter := lettering(put(0, "a"))
	r.fetched(1, 1, bad)
	r.next(hbase.WriteResult{Outcome: hbase.Refused}, "a")
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 1, Floor: 1000, LeaderEpoch: -1, Barred: "denied"}}, Errs: make([]error, 1)})
	r.next(applied, "L")
	if !slices.Equal(letter.refused, []string{"a denied"}) {
		t.Fatalf("the letter names %q", letter.refused)
	}
	if s := r.core.Stats(); s.Letters != 1 || s.Replayed != 0 {
		t.Fatalf("%+v", s)
	}
}

// A bar that a mapping with on_error: skip meets is told, too.
func TestBarThatIsMetAgainIsNotPassedInSilence(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 10}}, LogInfo{LogEnd: 1, End: 1})
	bad := put(0, "a")
	bad.Result.OnError = mapping.OnErrorSkip
	r.fetched(1, 1, bad)
	r.next(hbase.WriteResult{Outcome: hbase.Refused}, "a")
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 1, LeaderEpoch: -1, Barred: "denied"}}, Errs: make([]error, 1)})
	if r.reported(ReportSkipped) == nil || r.core.Stats().Skipped != 1 {
		t.Fatalf("%+v", r.core.Stats())
	}
}

// A late attempt that landed before the bar: the record is applied, and has no letter.
func TestLateAttemptBeforeTheBarLeavesNoLetter(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{LogEnd: 1, End: 1})
	bad, _ := lettering(put(0, "a"))
	r.fetched(1, 1, bad)
	r.next(tooLarge, "a")
	r.next(hbase.WriteResult{Outcome: hbase.Refused}, "a")
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 1, Floor: 1000, LeaderEpoch: -1}}, Errs: make([]error, 1)})
	r.unwritten("the record is applied")
	if s := r.core.Stats(); s.Letters != 0 || s.Replayed != 1 {
		t.Fatalf("%+v", s)
	}
}

// One letter for all refused rows of a record, whether they are refused now or were barred before, once its other rows
// are done.
func TestLetterNamesAllRefusedRows(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 10}}, LogInfo{LogEnd: 2, End: 2})
	early, _ := lettering(Mapped{Offset: 0, Bytes: 10, Result: mapping.Result{Rows: []mapping.RowOps{put(0, "a").Result.Rows[0], put(0, "b").Result.Rows[0]}}})
	bad, letter := lettering(Mapped{Offset: 1, Bytes: 10})
	for _, row := range []string{"a", "b", "c"} {
		bad.Result.Rows = append(bad.Result.Rows, put(1, row).Result.Rows[0])
	}
	r.fetched(1, 2, early)
	r.next(hbase.WriteResult{Outcome: hbase.Refused}, "a", "b")
	l := want[Look](r)
	bar := Mark{Next: 2, Floor: 1001, LeaderEpoch: -1, Barred: "denied"}
	r.step(Looked{Rows: l.Rows, Marks: []Mark{bar, bar}, Errs: make([]error, 2)})
	r.fetched(2, 2, bad)
	r.next(applied, "c")
	r.next(applied, "L")
	if !slices.Equal(letter.refused, []string{"a denied", "b denied"}) {
		t.Fatalf("the letter names %q", letter.refused)
	}
}

// A record that can't be mapped is its letter and nothing else; one whose letter can't be written stops the partition.
func TestUnmappedRecordIsItsLetter(t *testing.T) {
	for _, res := range []hbase.WriteResult{applied, tooLarge} {
		r := newRig(t, nil)
		r.start(Checkpoint{}, LogInfo{LogEnd: 1, End: 1})
		bad, _ := lettering(Mapped{Offset: 0, Bytes: 10, Result: mapping.Result{Err: errors.New("field missing"), Rows: []mapping.RowOps{letterOps()}}})
		r.fetched(1, 1, bad)
		r.next(res, "L")
		if rep := r.reported(ReportLetter); rep == nil || rep.Offset != 0 {
			t.Fatalf("told of %+v", rep)
		}
		if res.Outcome == hbase.Refused {
			if r.swap(applied); r.failed() != CauseRecord {
				t.Fatal("a letter that can't be written does not stop the partition")
			}
			continue
		}
		r.pass(2 * time.Second)
		if ck := r.swap(applied); ck.Offset != 1 {
			t.Fatalf("the checkpoint stands at %d", ck.Offset)
		}
	}
}

// Without marks there are no bars: the letter is written, and the row goes on.
func TestLettersAtLeastOnce(t *testing.T) {
	r := newRig(t, func(cfg *Config) { cfg.AtLeastOnce = true })
	r.start(Checkpoint{}, LogInfo{LogEnd: 2, End: 2})
	bad, _ := lettering(put(0, "a"))
	r.fetched(2, 2, bad)
	r.next(tooLarge, "a")
	if g := r.next(applied, "L")[0]; g.Write.Condition != nil {
		t.Fatal("the letter has a condition")
	}
	r.pass(2 * time.Second)
	if ck := r.swap(applied); ck.Offset != 2 {
		t.Fatalf("the checkpoint stands at %d", ck.Offset)
	}
}

// HBase refuses one row in three: the others are written, and the checkpoint passes those refused only as letters.
func TestOneRowInThreeIsRefused(t *testing.T) {
	for _, policy := range []mapping.ErrorPolicy{mapping.OnErrorFail, mapping.OnErrorDeadLetter} {
		r := newRig(t, func(cfg *Config) { cfg.Tables = map[string]TableInfo{"tab": {Mode: hbase.ModeRegion}} })
		r.start(Checkpoint{}, LogInfo{LogEnd: 9, End: 9})
		var recs []Mapped
		for i := range int64(9) {
			rec, _ := lettering(put(i, string(rune('a'+i))))
			rec.Result.OnError = policy
			rec.Result.Letter = letterIn(string(rune('A' + i)))
			recs = append(recs, rec)
		}
		r.fetched(9, 9, recs...)
		written := map[string]int{}
		refused := func(g *Group) bool {
			return g.Table == "tab" && (g.Write.Row[0]-'a')%3 == 1 && len(g.Write.Mutations[0].Cells) > 1
		}
		for r.writes() {
			w := want[Write](r)
			res := make([]hbase.WriteResult, len(w.Groups))
			bad := slices.ContainsFunc(w.Groups, refused)
			for i, g := range w.Groups {
				res[i] = applied
				if bad && w.Mode == hbase.ModeRegion || refused(g) {
					res[i] = tooLarge
				} else if len(g.Write.Mutations[0].Cells) > 1 {
					written[string(g.Write.Row)]++
				}
			}
			r.step(Written{Groups: w.Groups, Results: res})
		}
		if policy == mapping.OnErrorFail {
			if ck := r.swap(applied); ck.Offset > 1 || r.failed() != CauseRecord {
				t.Errorf("the checkpoint passes the refused record to %d", ck.Offset)
			}
			continue
		}
		for _, row := range []string{"a", "c", "d", "f", "g", "i", "B", "E", "H"} {
			if written[row] != 1 {
				t.Errorf("row %s is written %d times", row, written[row])
			}
		}
		r.pass(2 * time.Second)
		if ck := r.swap(applied); ck.Offset != 9 || len(written) != 9 || r.core.Stats().Letters != 3 {
			t.Errorf("the checkpoint stands at %d, %d rows are written, %d letters", ck.Offset, len(written), r.core.Stats().Letters)
		}
	}
}

// letterIn is a letter in a row of its own.
func letterIn(row string) *mapping.Letter {
	return &mapping.Letter{Refused: func([]mapping.RefusedRow) mapping.RowOps {
		ops := letterOps()
		ops.Row = []byte(row)
		return ops
	}}
}

// writes says whether a write waits for its answer.
func (r *rig) writes() bool {
	return slices.ContainsFunc(r.acts, func(a Action) bool { _, ok := a.(Write); return ok })
}
