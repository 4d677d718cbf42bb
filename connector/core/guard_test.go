package core

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
)

// failed gives the cause of the stop that was reported.
func (r *rig) failed() Cause {
	r.t.Helper()
	rep := r.reported(ReportFailed)
	var stop *StopError
	if rep == nil || !errors.As(rep.Err, &stop) {
		r.t.Fatalf("no stop reported: %+v", r.acts)
	}
	return stop.Cause
}

func (r *rig) unwritten(why string) {
	r.t.Helper()
	for _, a := range r.acts {
		if w, ok := a.(Write); ok {
			r.t.Fatalf("%s, and %d rows were sent", why, len(w.Groups))
		}
	}
}

// A record that can't be mapped: what came before it is written, what comes after it is not.
func TestBadRecordStopsBeforeWhatFollows(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}, Newest: 999}, LogInfo{LogEnd: 3, End: 3})
	bad := Mapped{Offset: 1, Bytes: 10, Result: mapping.Result{Err: errors.New("field missing")}}
	r.fetched(3, 3, put(0, "a"), bad, put(2, "b"))
	w := want[Write](r)
	if len(w.Groups) != 1 || string(w.Groups[0].Write.Row) != "a" {
		t.Fatalf("sent %d rows, the first %q", len(w.Groups), w.Groups[0].Write.Row)
	}
	r.step(Written{Groups: w.Groups, Results: []hbase.WriteResult{applied}})
	if ck := r.swap(applied); ck.Offset != 1 || ck.Owner != (Owner{}) {
		t.Fatalf("released at %+v", ck.Position)
	}
	r.unwritten("the record at 1 can't be mapped")
	if r.failed() != CauseRecord {
		t.Fatalf("stopped for cause %d", r.failed())
	}
}

// Records gone from the log are never passed in silence.
func TestHoleStops(t *testing.T) {
	for _, policy := range []RangePolicy{RangeFail, RangeEarliest} {
		r := newRig(t, func(c *Config) { c.OutOfRange = policy })
		ck := Checkpoint{Position: Position{Offset: 2}, Mapping: []byte("m"), MappingHash: "m"}
		r.lookAt(rigTP, ck)
		r.log(LogInfo{LogStart: 5, LogEnd: 9, End: 9})
		if rep := r.reported(ReportRetry); (policy == RangeEarliest) != (rep != nil && rep.Offset == 5) {
			t.Fatalf("policy %d reported %+v", policy, rep)
		}
		put := r.swap(applied)
		if policy == RangeFail && (put.Offset != 2 || r.failed() != CauseHole) || policy == RangeEarliest && put.Offset != 5 {
			t.Fatalf("policy %d: checkpoint %d", policy, put.Offset)
		}
	}
}

// What may have been sent under the stored mapping is read under it, and nothing past that.
func TestStoredMappingEndsAtItsBound(t *testing.T) {
	r := newRig(t, nil)
	r.lookAt(rigTP, Checkpoint{Position: Position{Offset: 3, Ceiling: 10}, Mapping: []byte("old"), MappingHash: "old"})
	r.log(LogInfo{LogEnd: 20, End: 20})
	f := want[Fetch](r)
	if string(f.Stored) != "old" || f.Until != 10 {
		t.Fatalf("fetch under %q until %d, want old until 10", f.Stored, f.Until)
	}
}

// A look that finds less than this process knows to be written: the table is not the one it wrote to.
func TestLostMarkStops(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 9, End: 9})
	r.fetched(5, 9, put(4, "a"))
	r.wrote(applied)
	r.fetched(9, 9, put(8, "a"))
	r.wrote(hbase.WriteResult{Outcome: hbase.Unknown})
	r.pass(100 * time.Millisecond)
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 2, Floor: 1000, LeaderEpoch: -1}}, Errs: make([]error, 1)})
	r.swap(applied)
	if r.failed() != CauseTableOlder {
		t.Fatalf("stopped for cause %d", r.failed())
	}
}

// The lease runs from when its swap was sent: HBase may have had it since then, and a rival counts from there. Behind it
// nothing is sent.
func TestNothingIsSentBehindTheLease(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Tables = map[string]TableInfo{"tab": {Counters: true}} }) // no floor to wait for
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 9, End: 9})
	f := want[Fetch](r)
	r.pass(12 * time.Second)
	beat := want[SwapCheckpoint](r)
	r.pass(25 * time.Second)
	r.step(Swapped{TopicPartition: rigTP, Inst: beat.Inst, Result: applied}) // 25 s of 30 are over
	r.now.Mono += 6 * time.Second
	r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: f.At.Offset, Next: 9, End: 9, LeaderEpoch: -1, Records: []Mapped{put(0, "a")}})
	r.unwritten("the lease is over since a second")
	r.swap(applied)
	want[Write](r)
}

// An answer to an earlier life of a partition is not one to this life.
func TestAnswersToAnEarlierLifeAreDropped(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}, Newest: 999}, LogInfo{LogEnd: 9, End: 9})
	old := want[Fetch](r)
	r.step(Revoked{rigTP})
	r.swap(applied)
	r.acts = nil
	r.start(Checkpoint{Position: Position{Offset: 5, Epoch: 7, Ceiling: 100}, EpochOffset: 5, Newest: 999}, LogInfo{LogEnd: 9, End: 9})
	r.step(Fetched{TopicPartition: rigTP, Inst: old.Inst, Ask: old.Ask, From: 5, Next: 9, End: 9, LeaderEpoch: -1, Records: []Mapped{put(5, "a")}})
	r.unwritten("the answer was to an earlier life")
	if s := r.core.Statuses()[0]; s.State != "running" || s.Next != 5 {
		t.Fatalf("it is %s and read up to %d", s.State, s.Next)
	}
}

// An answer that waited while the process was paused says nothing of now: the table may have been restored meanwhile.
func TestOldAnswerDoesNotVouch(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 9, End: 9})
	r.fetched(5, 9, put(4, "a"))
	r.wrote(applied)
	r.pass(5 * time.Second)
	r.swap(applied)
	r.fetched(9, 9, put(8, "a"))
	check := want[*CheckWitness](r)
	r.pass(8 * time.Second) // no tick came for so long
	r.step(Witnessed{Check: check, Mark: check.Mark})
	r.unwritten("the answer is from before the pause")
	again := want[*CheckWitness](r)
	r.step(Witnessed{Check: again, Mark: again.Mark})
	want[Write](r)
}

// A late answer makes a witness of a row while a check of older ones is under way: a table restored between the two holds
// the older ones, and not that row. The check must not vouch for it.
func TestCheckOfOlderWitnessesDoesNotVouch(t *testing.T) {
	r := newRig(t, func(c *Config) { c.BatchRows = 1 })
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 9, End: 9})
	r.fetched(3, 9, put(1, "a"), put(2, "b"))
	first, late := want[Write](r), want[Write](r)
	r.step(Written{Groups: first.Groups, Results: []hbase.WriteResult{applied}})
	r.pass(400 * time.Millisecond)
	r.fetched(9, 9, put(8, "c"))
	check := want[*CheckWitness](r)
	r.step(Written{Groups: late.Groups, Results: []hbase.WriteResult{applied}})
	r.step(Witnessed{Check: check, Mark: check.Mark})
	r.unwritten("the row of the late answer was not looked at")
	again := want[*CheckWitness](r)
	if string(again.Row) != "b" {
		t.Fatalf("looked at row %q", again.Row)
	}
	r.step(Witnessed{Check: again, Mark: again.Mark})
	want[Write](r)
}

// Nothing at or past the ceiling is sent: whoever comes next finishes below it what was sent under our mapping.
func TestNothingIsSentPastTheCeiling(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Tables = map[string]TableInfo{"tab": {Counters: true}} })
	r.start(Checkpoint{}, LogInfo{LogEnd: 3000, End: 3000})
	r.fetched(3000, 3000, put(999, "a"), put(1000, "b"))
	w := want[Write](r)
	if len(w.Groups) != 1 || w.Groups[0].First != 999 {
		t.Fatalf("sent %d rows, the first from offset %d; the ceiling is 1000", len(w.Groups), w.Groups[0].First)
	}
	r.unwritten("the ceiling is 1000")
	r.swap(applied)
	r.pass(time.Second)
	if w := want[Write](r); w.Groups[0].First != 1000 {
		t.Fatalf("sent from offset %d", w.Groups[0].First)
	}
}

// taken takes a partition at a checkpoint and gives the brokers' answer as it is.
func (r *rig) taken(tp kafka.TopicPartition, ck Checkpoint, info LogInfo) {
	r.t.Helper()
	r.lookAt(tp, ck)
	info.DeleteRetention = -1
	r.told(info)
}

// swaps accepts all swaps that wait.
func (r *rig) swaps() {
	for slices.ContainsFunc(r.acts, func(a Action) bool { _, ok := a.(SwapCheckpoint); return ok }) {
		r.swap(applied)
	}
}

// Reading again from where the log parted, below the checkpoint: when the brokers say that the log changed once more, it
// is looked at, though the checkpoint is not reached yet.
func TestLogIsLookedAtBelowTheCheckpoint(t *testing.T) {
	r := newRig(t, nil)
	r.taken(rigTP, Checkpoint{
		Position: Position{Offset: 50, Ceiling: 100}, LeaderEpoch: 3, EpochOffset: 30, Mapping: []byte("m"), MappingHash: "m",
	}, LogInfo{LogEnd: 90, End: 90, EpochEnd: 40, EndedEpoch: 3})
	r.swaps()
	f := want[Fetch](r)
	if f.At.Offset != 30 || f.At.LeaderEpoch != 3 {
		t.Fatalf("read on at %+v, epoch 3 was seen up to 30", f.At)
	}
	r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: 30, Next: 30, End: 90, LeaderEpoch: -1, Err: &kafka.OutOfRangeError{}})
	r.pass(time.Second)
	r.swaps()
	want[ReadLog](r)
}

// An answer that is cut at its bound names no epoch. Its records do: that of an earlier one must not be written down, or
// what had effects behind it would be read again, and under a new incarnation applied again.
func TestEpochOfABoundedAnswer(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Once = true })
	r.start(Checkpoint{Position: Position{Offset: 1, Ceiling: 100}, LeaderEpoch: 3, EpochOffset: 1, Newest: 999}, LogInfo{LogEnd: 6, End: 6})
	one, two, filtered := put(1, "a"), put(3, "b"), Mapped{Offset: 4, LeaderEpoch: 5}
	one.LeaderEpoch, two.LeaderEpoch = 3, 4
	r.fetched(6, 9, one, two, filtered)
	w := want[Write](r)
	r.step(Written{Groups: w.Groups, Results: []hbase.WriteResult{applied, applied}})
	if ck := r.swap(applied); ck.Offset != 6 || ck.LeaderEpoch != 5 || ck.EpochOffset != 5 {
		t.Fatalf("checkpoint at %d says epoch %d at %d", ck.Offset, ck.LeaderEpoch, ck.EpochOffset)
	}
}

// What the stored mapping passed stays passed: where no epochs are known, records below the offset at which the current
// mapping was adopted are not read again under it.
func TestAdoptedMappingBeginsAtItsOffset(t *testing.T) {
	ck := Checkpoint{Position: Position{Offset: 50, Ceiling: 50}, LeaderEpoch: -1, EpochOffset: 10, Mapping: []byte("old"), MappingHash: "old"}
	r := newRig(t, nil)
	r.taken(rigTP, ck, LogInfo{LogEnd: 60, End: 60, EpochEnd: -1})
	f := want[Fetch](r)
	if f.At.Offset != 10 || string(f.Stored) != "old" || f.Until != 50 {
		t.Fatalf("fetch from %d until %d under %q", f.At.Offset, f.Until, f.Stored)
	}
	r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: 10, Next: 50, End: 60, LeaderEpoch: -1, Records: []Mapped{{Offset: 20, LeaderEpoch: -1}}})
	for ck.MappingHash != "m" {
		ck = r.swap(applied)
	}
	next := newRig(t, nil)
	next.taken(rigTP, ck, LogInfo{LogEnd: 60, End: 60, EpochEnd: -1})
	next.swaps()
	if f := want[Fetch](next); f.Stored == nil && f.At.Offset < 50 {
		t.Fatalf("offset %d is read under the new mapping, which begins at 50", f.At.Offset)
	}
}

// A source that is read again finds a witness with each look. Another source of the table is not held up by that.
func TestLooksDoNotHoldUpOtherSources(t *testing.T) {
	r := newRig(t, nil)
	live := kafka.TopicPartition{Topic: "u"}
	ck := Checkpoint{Position: Position{Ceiling: 100_000}, Mapping: []byte("m"), MappingHash: "m", Newest: 1 << 40}
	r.taken(rigTP, ck, LogInfo{LogEnd: 90_000, End: 90_000, EpochEnd: -1})
	again := func() {
		at := slices.IndexFunc(r.acts, func(a Action) bool { f, ok := a.(Fetch); return ok && f.TopicPartition == rigTP })
		if at < 0 {
			return
		}
		f := r.acts[at].(Fetch)
		r.acts = slices.Delete(r.acts, at, at+1)
		from := f.At.Offset
		r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: from, Next: from + 1, End: 90_000, LeaderEpoch: -1, Records: []Mapped{put(from, fmt.Sprint(from))}})
	}
	looked := func() {
		if slices.ContainsFunc(r.acts, func(a Action) bool { _, ok := a.(Look); return ok }) {
			l := want[Look](r)
			marks := slices.Repeat([]Mark{{Next: 80_000, Floor: 1 << 40, LeaderEpoch: -1}}, len(l.Rows))
			r.step(Looked{Rows: l.Rows, Marks: marks, Errs: make([]error, len(l.Rows))})
		}
	}
	again()
	looked()
	r.pass(400 * time.Millisecond)
	again() // its look is under way when the other source's first record asks for a check
	ck.Newest = 999
	r.taken(live, ck, LogInfo{LogEnd: 9, End: 9, EpochEnd: -1})
	r.swaps()
	at := slices.IndexFunc(r.acts, func(a Action) bool { f, ok := a.(Fetch); return ok && f.TopicPartition == live })
	f := r.acts[at].(Fetch)
	r.acts = slices.Delete(r.acts, at, at+1)
	r.step(Fetched{TopicPartition: live, Inst: f.Inst, Ask: f.Ask, Next: 9, End: 9, LeaderEpoch: -1, Records: []Mapped{put(1, "live")}})
	for range 20 {
		r.swaps()
		if slices.ContainsFunc(r.acts, func(a Action) bool { _, ok := a.(Write); return ok }) {
			return
		}
		r.pass(10 * time.Millisecond)
		// What is under way now is answered: a look first, and another goes off before the checks are answered.
		var checks []*CheckWitness
		for slices.ContainsFunc(r.acts, func(a Action) bool { _, ok := a.(*CheckWitness); return ok }) {
			checks = append(checks, want[*CheckWitness](r))
		}
		looked()
		again()
		for _, check := range checks {
			r.step(Witnessed{Check: check, Mark: check.Mark})
		}
	}
	t.Fatal("the other source's row was not sent in 20 round trips")
}

// With marks.ttl, a mark that a look finds is a witness only if this life wrote it: how long another stands is not known.
func TestFoundMarkStandsNoLongerThanItsLife(t *testing.T) {
	const ttl = time.Hour
	r := newRig(t, func(c *Config) { c.MarksTTL, c.Force = ttl, true })
	r.start(Checkpoint{Position: Position{Ceiling: 3}, AdvancedAt: r.now.Wall - 1000, Newest: 9000}, LogInfo{LogEnd: 6, End: 6})
	born := r.now.Wall
	found := func(next int64, rec Mapped) []Witness {
		r.fetched(next, 6, rec)
		l := want[Look](r)
		r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: rec.Offset + 1, Floor: 1000, LeaderEpoch: -1}}, Errs: make([]error, 1)})
		r.pass(20 * time.Minute)
		return r.swap(applied).Witness
	}
	if got := found(3, put(2, "a")); len(got) != 0 {
		t.Fatalf("a mark that an owner before may have written is witness: %+v", got)
	}
	got := found(6, put(5, "b"))
	if limit := born + ttl.Milliseconds()/2; len(got) != 1 || got[0].Until != limit {
		t.Fatalf("witness %+v, want row b, surely only until %d", got, limit)
	}
}

// A process that was paused while it waited for nothing but answers must notice, too.
func TestPauseIsNoticedWhileAllIsAsked(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 9, End: 9})
	r.fetched(5, 9, put(4, "a"))
	r.wrote(applied)
	r.pass(11 * time.Second)
	beat := want[SwapCheckpoint](r)
	r.fetched(9, 9, put(8, "a"))
	check := want[*CheckWitness](r)
	want[Fetch](r)
	r.pass(0)
	if at := r.core.Wake(); at > r.now.Mono+2*time.Second {
		t.Fatalf("no tick is wanted within 2 s, but in %s", at-r.now.Mono)
	}
	r.now.Mono += 8 * time.Second
	r.now.Wall += 8000
	r.step(Swapped{TopicPartition: rigTP, Inst: beat.Inst, Result: applied})
	r.step(Witnessed{Check: check, Mark: check.Mark})
	r.unwritten("the answer is from before the pause")
}

// HBase does not fence reads: a floor that a look gave may be stale. The write that builds on it is refused where the row
// has moved on since, though its own records would be new to it.
func TestFloorOfAStaleLook(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}, Newest: 5000}, LogInfo{LogEnd: 9, End: 9})
	r.fetched(9, 9, put(8, "a"))
	l := want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 2, Floor: 1000, LeaderEpoch: -1}}, Errs: make([]error, 1)})
	w := want[Write](r)
	if from := w.Groups[0].Write.Condition.From; from != 3 {
		t.Fatalf("the write is refused by marks from %d on, want 3: all that the look did not show", from)
	}
	r.step(Written{Groups: w.Groups, Results: []hbase.WriteResult{{Outcome: hbase.Refused}}})
	l = want[Look](r)
	r.step(Looked{Rows: l.Rows, Marks: []Mark{{Next: 6, Floor: 4000, LeaderEpoch: -1}}, Errs: make([]error, 1)})
	w = want[Write](r)
	g := w.Groups[0]
	if from := g.Write.Condition.From; from != 7 {
		t.Fatalf("after the second look the write is refused by marks from %d on, want 7", from)
	}
	if at := g.Write.Mutations[0].Cells[0].Timestamp; at != 4000 {
		t.Errorf("the cell carries the time %d, want 4000, the floor", at)
	}
}

// A swap without an answer may not have been done: nothing is sent that only it allows, and the cell is read.
func TestLostSwapIsNotAccepted(t *testing.T) {
	r := newRig(t, nil)
	held := Checkpoint{Position: Position{Offset: 3, Ceiling: 3}, Mapping: []byte("m"), MappingHash: "m", LeaderEpoch: -1, EpochOffset: 3}
	r.lookAt(rigTP, held)
	r.log(LogInfo{LogEnd: 9, End: 9})
	sent := r.swap(hbase.WriteResult{Outcome: hbase.Unknown})
	if sent.Ceiling <= 3 {
		t.Fatalf("the ceiling is %d, want it raised", sent.Ceiling)
	}
	f := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: 3, Next: 5, End: 9, LeaderEpoch: -1, Records: []Mapped{put(3, "a"), put(4, "b")}})
	r.pass(time.Second)
	r.unwritten("the ceiling is not known to be raised")
	a := want[ReadCheckpoint](r)
	stands := held
	stands.Owner, stands.Epoch = sent.Owner, sent.Epoch // as it was taken: the swap was lost on its way
	r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &stands})
	r.unwritten("the ceiling was not raised")
	r.pass(time.Second)
	if sent = r.swap(applied); sent.Ceiling <= 3 {
		t.Fatalf("the ceiling is %d, want it raised again", sent.Ceiling)
	}
	if w := want[Write](r); len(w.Groups) != 2 {
		t.Errorf("%d rows are sent, want 2", len(w.Groups))
	}
}
