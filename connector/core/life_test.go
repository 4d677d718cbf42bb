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

func (r *rig) log(info LogInfo) {
	r.t.Helper()
	a := want[ReadLog](r)
	info.EpochEnd, info.DeleteRetention = -1, -1
	r.step(LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: info})
}

var applied = hbase.WriteResult{Outcome: hbase.Applied}

// start takes the partition at a checkpoint, whose witnesses stand.
func (r *rig) start(ck Checkpoint, info LogInfo) {
	r.t.Helper()
	if ck.MappingHash == "" {
		ck.Mapping, ck.MappingHash = []byte("m"), "m"
	}
	r.step(Assigned{rigTP})
	a := want[ReadCheckpoint](r)
	r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &ck})
	r.swap(applied)
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
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, From: a.At.Offset, Next: next, End: end, LeaderEpoch: -1, Records: recs})
}

func put(offset int64, row string) Mapped {
	return Mapped{Offset: offset, Bytes: 100, Result: mapping.Result{Rows: []mapping.RowOps{{
		Table: "tab", Row: []byte(row), Time: 1000 + offset, LogOrder: true,
		Cells: []mapping.CellOp{{Kind: mapping.CellPut, Family: []byte("d"), Qualifier: []byte("q"), Value: []byte("v")}},
	}}}}
}

func (r *rig) wrote(res hbase.WriteResult) {
	r.t.Helper()
	w := want[Write](r)
	r.step(Written{Groups: w.Groups, Results: []hbase.WriteResult{res}})
}

// A stop between the opening of a new incarnation and its first record must release where that one begins, not where
// the old log had been read to.
func TestStopWhileNewIncarnationOpens(t *testing.T) {
	first, second := kafka.TopicID{1}, kafka.TopicID{2}
	r := newRig(t, func(c *Config) { c.LogChanged = LogIncarnation })
	r.start(Checkpoint{Position: Position{Offset: 500, Ceiling: 500}, TopicID: first}, LogInfo{TopicID: first, LogEnd: 500, End: 500})
	a := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, From: 500, Next: 500, Err: &kafka.TopicChangedError{TopicPartition: rigTP, Was: first, Is: second}})
	r.pass(time.Second)
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
	r.step(Assigned{rigTP})
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
		next.step(Assigned{rigTP})
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
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 1, Floor: 1000}}, Errs: make([]error, 1)})
	if r.reported(ReportSkipped) == nil || r.core.Stats().Skipped != 1 {
		t.Fatalf("the record was passed in silence: %+v", r.core.Stats())
	}
}
