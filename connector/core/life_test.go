package core

import (
	"errors"
	"slices"
	"testing"
	"time"

	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
)

// rig drives a core by hand, one event at a time.
type rig struct {
	t    *testing.T
	core *Core
	now  Now
	acts []Action
}

var rigTP = kafka.TopicPartition{Topic: "t"}

func newRig(t *testing.T, change func(*Config)) *rig {
	cfg := Config{
		Sink: "s", Owner: Owner{1}, MarkFamily: []byte("_k"), Lease: 30 * time.Second, CheckpointEvery: time.Second,
		CeilingStep: 1000, BatchRows: 10, BatchBytes: 1 << 20, FlightBytes: 1 << 20, FetchBytes: 1 << 20, WindowBytes: 1 << 20,
		RowMemory: 10, Mapping: []byte("m"), MappingHash: "m",
	}
	if change != nil {
		change(&cfg)
	}
	return &rig{t: t, core: New(cfg), now: Now{Mono: time.Hour, Wall: 1_000_000_000}}
}

func (r *rig) step(ev Event) { r.acts = append(r.acts, r.core.Step(r.now, ev)...) }

func (r *rig) pass(d time.Duration) {
	r.now.Mono += d
	r.now.Wall += d.Milliseconds()
	r.step(Tick{})
}

// want takes the oldest action of a kind.
func want[A Action](r *rig) A {
	r.t.Helper()
	for i, a := range r.acts {
		if got, ok := a.(A); ok {
			r.acts = slices.Delete(r.acts, i, i+1)
			return got
		}
	}
	var none A
	r.t.Fatalf("no %T among %+v", none, r.acts)
	return none
}

func (r *rig) reported(kind ReportKind) *Report {
	for _, a := range r.acts {
		if rep, ok := a.(Report); ok && rep.Kind == kind {
			return &rep
		}
	}
	return nil
}

func (r *rig) swap(res hbase.WriteResult) Checkpoint {
	r.t.Helper()
	a := want[SwapCheckpoint](r)
	r.step(Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: res})
	return a.Put
}

// log tells of a log without epochs.
func (r *rig) log(info LogInfo) {
	r.t.Helper()
	info.EpochEnd, info.DeleteRetention = -1, -1
	r.told(info)
}

// lookAt takes the partition at a checkpoint, up to the look at the log.
func (r *rig) lookAt(tp kafka.TopicPartition, ck Checkpoint) {
	r.t.Helper()
	r.step(Assigned{TopicPartition: tp})
	a := want[ReadCheckpoint](r)
	r.step(CheckpointRead{TopicPartition: tp, Inst: a.Inst, Row: &ck})
	r.swap(applied)
}

func (r *rig) told(info LogInfo) {
	r.t.Helper()
	a := want[ReadLog](r)
	r.step(LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: info})
}

var applied = hbase.WriteResult{Outcome: hbase.Applied}

// start takes the partition at a checkpoint, whose witnesses stand.
func (r *rig) start(ck Checkpoint, info LogInfo) {
	r.t.Helper()
	if ck.MappingHash == "" {
		ck.Mapping, ck.MappingHash = []byte("m"), "m"
	}
	r.lookAt(rigTP, ck)
	r.log(info)
	for range ck.Witness {
		a := want[*CheckWitness](r)
		r.step(Witnessed{Check: a, Mark: a.Mark})
	}
	r.swap(applied) // the ceiling
}

func (r *rig) fetched(next, end int64, recs ...Mapped) {
	r.t.Helper()
	a := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: next, End: end, LeaderEpoch: -1, Records: recs})
	if s := r.core.sources[rigTP]; s.newestLow {
		r.swap(applied) // the checkpoint allows the records' time first
	}
}

func put(offset int64, row string) Mapped {
	return Mapped{Offset: offset, Bytes: 100, Result: mapping.Result{Rows: []mapping.RowOps{{
		Table: "tab", Row: []byte(row), Time: 1000 + offset, LogOrder: true,
		Cells: []mapping.CellOp{{Kind: mapping.CellPut, ColumnName: &mapping.ColumnName{Family: []byte("d"), Qualifier: []byte("q")}, Value: []byte("v")}},
	}}}}
}

func (r *rig) wrote(res hbase.WriteResult) {
	r.t.Helper()
	w := want[Write](r)
	r.step(Written{Groups: w.Groups, Results: slices.Repeat([]hbase.WriteResult{res}, len(w.Groups))})
}

// A stop between the opening of a new incarnation and its first record must release where that one begins, not where
// the old log had been read to.
func TestStopWhileNewIncarnationOpens(t *testing.T) {
	first, second := kafka.TopicID{1}, kafka.TopicID{2}
	r := newRig(t, func(c *Config) { c.LogChanged = LogIncarnation })
	r.start(Checkpoint{Position: Position{Offset: 500, Ceiling: 500}, EpochOffset: 500, TopicID: first}, LogInfo{TopicID: first, LogEnd: 500, End: 500})
	a := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, Ask: a.Ask, From: 500, Next: 500, Err: &kafka.TopicChangedError{TopicPartition: rigTP, Was: first, Is: second}})
	r.pass(time.Second)
	for range doubts {
		r.log(LogInfo{TopicID: second, LogEnd: 600, End: 600})
		r.pass(time.Minute)
	}
	r.log(LogInfo{TopicID: second, LogEnd: 600, End: 600})
	if got := r.swap(applied); got.Offset != 0 || got.Incarnation() != 1 {
		t.Fatalf("the new incarnation opens as %+v", got)
	}
	r.step(Stop{})
	r.log(LogInfo{TopicID: second, LogEnd: 600, End: 600})
	if got := r.swap(applied); got.Offset != 0 || got.Owner != (Owner{}) {
		t.Fatalf("released at offset %d by owner %s, but nothing of the new log was read", got.Offset, got.Owner)
	}
}

// A partition that is assigned and revoked again while it still drains must not come back.
func TestRevokedAgainWhileDraining(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{})
	r.step(Revoked{rigTP})
	r.step(Assigned{TopicPartition: rigTP})
	r.step(Revoked{rigTP})
	r.swap(applied)
	if r.core.Live() != 0 || r.reported(ReportReleased) == nil {
		t.Fatalf("the partition lives on: %+v", r.core.Statuses())
	}
	// Revoking what has ended is answered too: the group waits for it.
	r.acts = nil
	r.step(Revoked{rigTP})
	if r.reported(ReportReleased) == nil {
		t.Fatal("revoking a partition that had been released was not answered")
	}
}

// With marks.ttl, the witness of a table that was long left alone is gone rightly.
func TestExpiredWitnessIsNoOlderTable(t *testing.T) {
	const ttl = time.Hour
	r := newRig(t, func(c *Config) { c.MarksTTL = ttl })
	r.start(Checkpoint{}, LogInfo{LogEnd: 10, End: 10})
	r.fetched(10, 10, put(5, "a"))
	r.wrote(applied)
	r.pass(2 * time.Second)
	ck := r.swap(applied)
	if len(ck.Witness) != 1 || ck.Witness[0].Until == 0 {
		t.Fatalf("witness %+v", ck.Witness)
	}
	// The next owner begins two TTLs later, while the owner before stayed at the end of the log.
	for _, late := range []struct {
		by    time.Duration
		check bool
	}{{ttl / 4, true}, {2 * ttl, false}} {
		next := newRig(t, func(c *Config) { c.MarksTTL = ttl })
		next.now = r.now
		next.now.Wall += late.by.Milliseconds()
		held := ck
		held.Owner, held.AdvancedAt = Owner{}, next.now.Wall
		held.Mapping = []byte("m")
		next.step(Assigned{TopicPartition: rigTP})
		a := want[ReadCheckpoint](next)
		next.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &held})
		next.swap(applied)
		next.log(LogInfo{LogEnd: 10, End: 10})
		checked := false
		for _, a := range next.acts {
			_, is := a.(*CheckWitness)
			checked = checked || is
		}
		if checked != late.check {
			t.Errorf("%s later: witness checked: %v, want %v", late.by, checked, late.check)
		}
	}
	// In the running connector, a witness that has expired is not asked for, and a row's lost mark is no old table.
	r.now.Mono += 2 * ttl
	r.now.Wall += 2 * ttl.Milliseconds()
	r.step(Tick{})
	r.swap(applied)
	r.fetched(11, 11, put(10, "a"))
	r.wrote(hbase.WriteResult{Outcome: hbase.Unknown})
	r.pass(time.Second)
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: make([]Mark, 1), Errs: make([]error, 1)})
	if rep := r.reported(ReportFailed); rep != nil || r.core.Statuses()[0].State != "running" {
		t.Fatalf("stopped: %+v", r.core.Statuses())
	}
}

// An operator restores a table, and rewinds, while the partition is being retried. What this process wrote before speaks
// of the old table, and must not stop the partition when it comes back.
func TestRewoundWhileRetrying(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{LogEnd: 10, End: 10})
	r.fetched(10, 10, put(5, "a"))
	r.wrote(applied)
	r.fetched(11, 11, put(10, "a"))
	r.wrote(hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultTable, Err: errors.New("disabled")}})
	r.swap(applied)
	if rep := r.reported(ReportFailed); rep == nil || !rep.Retry {
		t.Fatalf("not retried: %+v", r.acts)
	}
	r.acts = nil
	r.pass(5 * time.Second)
	a := want[ReadCheckpoint](r)
	rewound := Checkpoint{Position: Position{Epoch: 9, Ceiling: 11}, Mapping: []byte("m"), MappingHash: "m"}
	r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &rewound})
	r.swap(applied)
	r.log(LogInfo{LogEnd: 11, End: 11})
	r.swap(applied)
	r.fetched(10, 11, put(5, "a"))
	r.wrote(applied)
}

// The bar of a skipped record may land without its answer: the skip is told all the same.
func TestSkipIsToldWhenTheBarsAnswerIsLost(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{LogEnd: 1, End: 1})
	rec := put(0, "a")
	rec.Result.OnError = mapping.OnErrorSkip
	r.fetched(1, 1, rec)
	r.wrote(hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultRow, Err: errors.New("too large")}})
	r.wrote(hbase.WriteResult{Outcome: hbase.Unknown})
	r.pass(time.Second)
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 1, Floor: 1000, Barred: "too large"}}, Errs: make([]error, 1)})
	if r.reported(ReportSkipped) == nil || r.core.Stats().Skipped != 1 {
		t.Fatalf("the record was passed in silence: %+v", r.core.Stats())
	}
}

// What was read and may have been written lies in time below what the checkpoint says, before it is written: whoever
// passes those records by unread still knows how new the rows' cells can be.
func TestNoRowIsNewerThanTheCheckpointSays(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{LogEnd: 3, End: 3})
	a := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, Ask: a.Ask, Next: 3, End: 3, LeaderEpoch: -1, Records: []Mapped{put(0, "a"), put(1, "a"), put(2, "b")}})
	for _, a := range r.acts {
		if w, ok := a.(Write); ok {
			t.Fatalf("sent before the checkpoint allowed it: %+v", w)
		}
	}
	ck := r.swap(applied)
	if ck.Newest < 1002 {
		t.Fatalf("the checkpoint allows %d, the records reach 1002", ck.Newest)
	}
	if w := want[Write](r); len(w.Groups) != 2 {
		t.Fatalf("%d groups", len(w.Groups))
	}
}

// An unclean election cut the log below what a row holds, and new records took the offsets. The mark must not swallow
// them in silence.
func TestRecordsThatTookOthersOffsets(t *testing.T) {
	for _, c := range []struct {
		name         string
		record, mark int32
		force, stops bool
		skipped      int64
	}{
		{"the same log", 3, 3, false, false, 0},
		{"a clean election since", 3, 4, false, false, 0},
		{"cut", 4, 3, false, true, 0},
		{"cut, and forced", 4, 3, true, false, 2},
		{"epochs not known", -1, 3, false, false, 0},
		{"marked without one", 4, -1, false, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, func(cfg *Config) { cfg.Force = c.force })
			r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 2, End: 2})
			first, second := put(0, "a"), put(1, "a")
			first.LeaderEpoch, second.LeaderEpoch = c.record, c.record
			r.fetched(2, 2, first, second)
			r.wrote(hbase.WriteResult{Outcome: hbase.Refused})
			l := want[Look](r)
			r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 2, Floor: 1000, LeaderEpoch: c.mark}}, Errs: make([]error, 1)})
			var stop *StopError
			switch rep := r.core.Statuses()[0]; {
			case c.stops && (rep.State != "releasing" || r.core.sources[rigTP].poison == nil):
				t.Fatalf("not stopped: %+v", rep)
			case c.stops && (!errors.As(r.core.sources[rigTP].poison.err, &stop) || stop.Cause != CauseLogChanged):
				t.Fatalf("stopped for %v", r.core.sources[rigTP].poison.err)
			case !c.stops && rep.State != "running":
				t.Fatalf("stopped: %+v", rep)
			}
			if got := r.core.Stats().Skipped; got != c.skipped {
				t.Fatalf("%d skipped, want %d", got, c.skipped)
			}
		})
	}
}

// A mark that can't be read stops the partition at once: reading it again would not help.
func TestForeignMarkStops(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 1, End: 1})
	r.fetched(1, 1, put(0, "a"))
	r.wrote(hbase.WriteResult{Outcome: hbase.Refused})
	l := want[Look](r)
	_, err := DecodeMark([]byte{9})
	r.step(Looked{Rows: l.Rows, Marks: make([]Mark, 1), Errs: []error{err}})
	r.swap(applied)
	if rep := r.reported(ReportFailed); rep == nil || rep.Retry {
		t.Fatalf("not stopped for good: %+v", r.acts)
	}
}

// A checkpoint in the middle of what was read, behind a change of leaders: the epoch that goes with a fetch is that of the
// batch right before its offset, or none. With an older one, the broker says rightly that it ended before.
func TestFetchAfterAChangeOfLeaders(t *testing.T) {
	for _, c := range []struct {
		at   int64 // EpochOffset of the checkpoint at offset 10
		from int64
		want int32
	}{{10, 10, 3}, {7, 7, 3}, {12, 10, -1}} { // the last as after offsets set back
		r := newRig(t, nil)
		r.start(Checkpoint{Position: Position{Offset: 10, Ceiling: 100}, LeaderEpoch: 3, EpochOffset: c.at}, LogInfo{LogEnd: 13, End: 13})
		a := want[Fetch](r)
		if a.At.Offset != c.from || a.At.LeaderEpoch != c.want {
			t.Fatalf("epoch 3 up to %d: fetch at %+v, want %d and epoch %d", c.at, a.At, c.from, c.want)
		}
		older, newer := put(10, "a"), put(12, "b")
		older.LeaderEpoch, newer.LeaderEpoch = 4, 5
		r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, Ask: a.Ask, From: c.from, Next: 13, End: 13, LeaderEpoch: 5, Records: []Mapped{older, newer}})
		r.swap(applied)
		if a := want[Fetch](r); a.At.Offset != 13 || a.At.LeaderEpoch != 5 {
			t.Fatalf("read on at %+v", a.At)
		}
		// The first record is resolved, the second is not: the checkpoint names the epoch of the first.
		w := want[Write](r)
		r.step(Written{Groups: w.Groups[:1], Results: []hbase.WriteResult{applied}})
		r.pass(2 * time.Second)
		if ck := r.swap(applied); ck.Offset != 12 || ck.LeaderEpoch != 4 || ck.EpochOffset != 11 {
			t.Fatalf("checkpoint %d says epoch %d up to %d, want 12, 4 and 11", ck.Offset, ck.LeaderEpoch, ck.EpochOffset)
		}
	}
}

// After offsets set the checkpoint names no witness. A replay that finds every row at its mark writes nothing, and must
// leave a witness all the same: else a table emptied later goes unseen.
func TestReplayLeavesAWitness(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}, Newest: 9000}, LogInfo{LogEnd: 1, End: 1})
	r.fetched(1, 1, put(0, "a")) // older than Newest: its floor is looked up
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 1, Floor: 1000}}, Errs: make([]error, 1)})
	r.pass(2 * time.Second)
	ck := r.swap(applied)
	if len(ck.Witness) != 1 || ck.Witness[0].Table != "tab" || string(ck.Witness[0].Row) != "a" || ck.Witness[0].Mark != 1 {
		t.Fatalf("witness %+v", ck.Witness)
	}
}

// --once must not say that all went well while the checkpoint still stands where it stood and names this process.
func TestUnreleasedIsNoSuccess(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Once = true })
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 1, End: 1})
	r.fetched(1, 1, put(0, "a"))
	r.wrote(applied)
	for range 4 {
		r.swap(hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultBusy, Err: errors.New("busy")}})
		r.pass(time.Second)
	}
	var stop *StopError
	rep := r.reported(ReportFailed)
	if rep == nil || !errors.As(rep.Err, &stop) || stop.Cause != CauseRelease || r.reported(ReportFinished) != nil {
		t.Fatalf("reported %+v", r.acts)
	}
}

// A log that was cut where the old one held nothing but what had no effect (an aborted transaction, say): no mark and no
// epoch of a record tells. What lies there now is read.
func TestCutAmongRecordsWithoutEffect(t *testing.T) {
	held := Checkpoint{Position: Position{Offset: 10, Ceiling: 100}, LeaderEpoch: 3, EpochOffset: 5, Mapping: []byte("m"), MappingHash: "m"}
	for _, c := range []struct{ epochEnd, logEnd, from int64 }{
		{10, 12, 5}, // not cut, as far as is known: the fetch that names epoch 3 at 5 will tell
		{7, 12, 5},  // cut at 7, or a clean change of leaders there
		{7, 9, 7},   // cut at 7: the checkpoint lies past the end
	} {
		r := newRig(t, func(c *Config) { c.LogChanged = LogIncarnation })
		r.lookAt(rigTP, held)
		answer := func() {
			r.told(LogInfo{LogEnd: c.logEnd, End: c.logEnd, EpochEnd: c.epochEnd, EndedEpoch: 3, DeleteRetention: -1})
		}
		if c.logEnd < 10 {
			for range doubts {
				answer()
				r.pass(time.Minute)
			}
		}
		answer()
		if c.logEnd < 10 {
			if put := r.swap(applied); put.Offset != c.from || put.LeaderEpoch != 3 || put.EpochOffset != c.from || put.Incarnation() != 1 {
				t.Fatalf("%+v: opened at %+v, epoch %d@%d", c, put.Position, put.LeaderEpoch, put.EpochOffset)
			}
			answer()
		}
		if f := want[Fetch](r); f.At.Offset != c.from {
			t.Fatalf("%+v: reads on at %d", c, f.At.Offset)
		}
	}
}

// A run of a part of the log stops where that ends, and reads nothing past it.
func TestUntilStopsBeforeTheEnd(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Once, c.Until = true, map[kafka.TopicPartition]int64{rigTP: 4} })
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 9, End: 9})
	for _, a := range r.acts {
		if f, ok := a.(Fetch); ok && f.Until != 4 {
			t.Fatalf("reads until %d, want 4", f.Until)
		}
	}
	r.fetched(4, 9)
	if ck := r.swap(applied); ck.Offset != 4 || ck.Owner != (Owner{}) {
		t.Fatalf("released at %+v, want offset 4", ck.Position)
	}
	if r.reported(ReportFinished) == nil {
		t.Fatalf("not finished: %+v", r.acts)
	}
}
