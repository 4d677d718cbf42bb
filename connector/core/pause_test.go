package core

import (
	"fmt"
	"testing"
	"time"

	"rowmark/kafka"
)

func has[A Action](r *rig) bool {
	for _, a := range r.acts {
		if _, ok := a.(A); ok {
			return true
		}
	}
	return false
}

// A name covers what is narrower, now and later; what is said last holds.
func TestWhichPartitionsArePaused(t *testing.T) {
	all, a, b0 := kafka.TopicPartition{Partition: AllPartitions}, kafka.TopicPartition{Topic: "a", Partition: AllPartitions}, kafka.TopicPartition{Topic: "b"}
	a0, a1 := kafka.TopicPartition{Topic: "a"}, kafka.TopicPartition{Topic: "a", Partition: 1}
	for i, tc := range []struct {
		said []Event
		want []kafka.TopicPartition
	}{
		{[]Event{Pause{a0}}, []kafka.TopicPartition{a0}},
		{[]Event{Pause{a}}, []kafka.TopicPartition{a0, a1}},
		{[]Event{Pause{all}}, []kafka.TopicPartition{a0, a1, b0}},
		{[]Event{Pause{a}, Resume{a1}}, []kafka.TopicPartition{a0}},
		{[]Event{Pause{all}, Resume{a}}, []kafka.TopicPartition{b0}},
		{[]Event{Pause{all}, Resume{a}, Pause{a1}}, []kafka.TopicPartition{a1, b0}},
		{[]Event{Pause{all}, Resume{a1}, Pause{a}}, []kafka.TopicPartition{a0, a1, b0}},
		{[]Event{Pause{all}, Resume{a}, Pause{a1}, Resume{all}}, nil},
		{[]Event{Pause{a0}, Pause{b0}, Resume{a}}, []kafka.TopicPartition{b0}},
		{[]Event{Pause{a0}, Resume{a1}, Resume{b0}}, []kafka.TopicPartition{a0}},
		{[]Event{Resume{all}, Pause{b0}, Pause{b0}}, []kafka.TopicPartition{b0}},
	} {
		for _, late := range []bool{false, true} {
			r := newRig(t, nil)
			begin := func() {
				for _, tp := range []kafka.TopicPartition{a0, a1, b0} {
					r.step(Assigned{TopicPartition: tp})
				}
			}
			if !late {
				begin()
			}
			for _, ev := range tc.said {
				r.step(ev)
			}
			if late {
				begin()
			}
			var got []kafka.TopicPartition
			for _, s := range r.core.Statuses() {
				if s.Paused {
					got = append(got, s.TopicPartition)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("%d, late %v: paused are %v, want %v", i, late, got, tc.want)
			}
		}
	}
}

// A paused partition reads nothing, writes what it has, keeps its lease, and goes on where it stood.
func TestPausedKeepsItsLease(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Lease = 3 * time.Second })
	r.start(Checkpoint{Position: Position{Ceiling: 100}, Newest: 999}, LogInfo{LogEnd: 90, End: 90})
	r.fetched(10, 90, put(4, "a"))
	late := want[Fetch](r)
	r.step(Pause{rigTP})
	want[CancelFetch](r)
	if r.reported(ReportPaused) == nil {
		t.Error("the pause was not reported")
	}
	// The answer was on its way.
	r.step(Fetched{TopicPartition: rigTP, Inst: late.Inst, Ask: late.Ask, From: 10, Next: 20, End: 90, LeaderEpoch: -1, Records: []Mapped{put(12, "b")}})
	r.wrote(applied)
	r.unwritten("the partition is paused")
	for range 20 {
		r.pass(time.Second)
		if has[SwapCheckpoint](r) {
			r.swap(applied)
		}
		if has[Fetch](r) || !r.core.leased(r.core.sources[rigTP]) {
			t.Fatalf("it reads, or lost its lease: %+v", r.acts)
		}
	}
	if s := r.core.Statuses()[0]; s.State != "running" || s.Checkpoint != 10 || !s.Paused {
		t.Fatalf("its status is %+v", s)
	}
	r.step(Resume{rigTP})
	r.log(LogInfo{LogEnd: 90, End: 90})
	w := want[*CheckWitness](r)
	r.step(Witnessed{Check: w, Mark: w.Mark})
	if f := want[Fetch](r); f.At.Offset != 5 { // what had no effects is read again, as at a start
		t.Errorf("reads on at %d, want 5", f.At.Offset)
	}
	if r.reported(ReportResumed) == nil {
		t.Error("the resumption was not reported")
	}
}

// The answer to a fetch that a pause cancelled is none to the fetch that came after.
func TestAnswersFromBeforeAPauseAreDropped(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 90, End: 90})
	old := want[Fetch](r)
	r.step(Pause{rigTP})
	r.step(Resume{rigTP})
	r.log(LogInfo{LogEnd: 90, End: 90})
	f := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: old.Inst, Ask: old.Ask, From: 0, Next: 50, End: 90, LeaderEpoch: -1})
	if s := r.core.Statuses()[0]; s.Next != 0 {
		t.Fatalf("read up to %d by the answer to a fetch that was cancelled", s.Next)
	}
	r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: 0, Next: 20, End: 90, LeaderEpoch: -1})
	if s := r.core.Statuses()[0]; s.Next != 20 {
		t.Fatalf("read up to %d, want 20", s.Next)
	}
}

// A stop and a revocation release a paused partition, and it is paused still when it comes back.
func TestPausedIsGivenBack(t *testing.T) {
	for _, ev := range []Event{Stop{}, Revoked{rigTP}} {
		r := newRig(t, nil)
		r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 90, End: 90})
		want[Fetch](r)
		r.step(Pause{rigTP})
		r.step(ev)
		if ck := r.swap(applied); ck.Owner != (Owner{}) || r.reported(ReportReleased) == nil {
			t.Fatalf("%T: released by %s", ev, ck.Owner)
		}
		if _, stopped := ev.(Stop); stopped {
			continue
		}
		r.acts = nil
		r.start(Checkpoint{Position: Position{Ceiling: 100, Epoch: 1}}, LogInfo{LogEnd: 90, End: 90})
		if r.reported(ReportPaused) == nil || has[Fetch](r) {
			t.Errorf("back again, it reads: %+v", r.acts)
		}
	}
}

// A pause is no sign that the end of the log was seen: what compaction and retention did meanwhile must show when it ends.
func TestALongPauseIsNoticed(t *testing.T) {
	hour := time.Hour
	for name, tc := range map[string]struct {
		paused time.Duration
		info   LogInfo
		want   Cause
	}{
		"tombstones gone":  {2 * hour, LogInfo{LogEnd: 90, End: 90, EpochEnd: -1, DeleteRetention: hour.Milliseconds()}, CauseStale},
		"records gone":     {hour, LogInfo{LogStart: 50, LogEnd: 90, End: 90, EpochEnd: -1, DeleteRetention: -1}, CauseHole},
		"nothing happened": {2 * hour, LogInfo{LogEnd: 10, End: 10, EpochEnd: -1, DeleteRetention: hour.Milliseconds()}, CauseOther},
		"a short pause":    {hour / 2, LogInfo{LogEnd: 90, End: 90, EpochEnd: -1, DeleteRetention: hour.Milliseconds()}, CauseOther},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.start(Checkpoint{Position: Position{Offset: 10, Ceiling: 100}, AdvancedAt: r.now.Wall, EpochOffset: 10}, LogInfo{LogEnd: 10, End: 10})
			r.fetched(10, 10)
			r.step(Pause{rigTP})
			for passed := time.Duration(0); passed < tc.paused; passed += 10 * time.Second {
				r.pass(10 * time.Second)
				if has[SwapCheckpoint](r) {
					r.swap(applied)
				}
			}
			r.acts = nil
			r.step(Resume{rigTP})
			r.told(tc.info)
			if tc.want == CauseOther {
				want[Fetch](r)
				return
			}
			r.swap(applied)
			if got := r.failed(); got != tc.want {
				t.Errorf("stopped for cause %d, want %d", got, tc.want)
			}
		})
	}
}

// --once ends where a paused partition has reached its end, and not before it is resumed where it has not.
func TestOnceWithAPausedPartition(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Once = true })
	r.start(Checkpoint{Position: Position{Ceiling: 100}}, LogInfo{LogEnd: 20, End: 20})
	r.step(Pause{rigTP})
	r.pass(time.Second)
	if r.core.Live() != 1 {
		t.Fatal("it ended before its end")
	}
	r.acts = nil
	r.step(Resume{rigTP})
	r.log(LogInfo{LogEnd: 20, End: 20})
	f := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: 0, Next: 20, End: 20, LeaderEpoch: -1, Records: []Mapped{put(4, "a")}})
	r.swap(applied) // allows the record's time
	r.step(Pause{rigTP})
	r.wrote(applied)
	if ck := r.swap(applied); ck.Owner != (Owner{}) || ck.Offset != 20 || r.reported(ReportFinished) == nil {
		t.Fatalf("released at %+v", ck.Position)
	}
}
