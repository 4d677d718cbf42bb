package core

import (
	"fmt"
	"testing"
	"time"

	"rowmark/kafka"
)

// A table that seems older than the checkpoint may be a stale read of it: the partition is tried again before it stops.
func TestOlderTableIsDoubted(t *testing.T) {
	for _, older := range []int{1, doubts, doubts + 1} {
		t.Run(fmt.Sprint(older), func(t *testing.T) {
			r := newRig(t, nil)
			ck := Checkpoint{
				Position: Position{Offset: 5, Ceiling: 5}, Mapping: []byte("m"), MappingHash: "m",
				Witness: []Witness{{Table: "t", Row: []byte("a"), Name: "s/t/0", Mark: 5}},
			}
			r.step(Assigned{TopicPartition: rigTP})
			for i := range older + 1 {
				a := want[ReadCheckpoint](r)
				row := ck
				r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &row})
				r.swap(applied)
				r.log(LogInfo{LogEnd: 9, End: 9})
				check := want[*CheckWitness](r)
				if i == older {
					r.step(Witnessed{Check: check, Mark: 5})
					want[Fetch](r)
					return
				}
				r.acts = nil
				r.step(Witnessed{Check: check, Mark: 3})
				ck = r.swap(applied)
				rep := r.reported(ReportFailed)
				if rep == nil || rep.Retry != (i < doubts) || r.failed() != CauseTableOlder {
					t.Fatalf("the %d-th stale read was reported as %+v", i+1, rep)
				}
				if !rep.Retry {
					return
				}
				r.pass(time.Minute)
			}
		})
	}
}

// A broker that led the partition before a pause tells of the log as it was: nothing is concluded from one such answer.
func TestLogThatChangedIsDoubted(t *testing.T) {
	id := kafka.TopicID{2}
	right := LogInfo{TopicID: id, LogEnd: 20, End: 20, EpochEnd: 20, EndedEpoch: 3, DeleteRetention: -1}
	for name, change := range map[string]func(*LogInfo){
		"another topic": func(i *LogInfo) { i.TopicID = kafka.TopicID{1} },
		"cut":           func(i *LogInfo) { i.EpochEnd, i.EndedEpoch = 4, 2 },
		"shorter":       func(i *LogInfo) { i.LogEnd, i.End, i.EpochEnd, i.EndedEpoch = 6, 6, -1, -1 },
	} {
		for _, policy := range []LogPolicy{LogFail, LogIncarnation} {
			t.Run(fmt.Sprint(name, policy), func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.LogChanged = policy })
				r.lookAt(rigTP, Checkpoint{
					Position: Position{Offset: 10, Ceiling: 10}, TopicID: id, LeaderEpoch: 3, EpochOffset: 10, Mapping: []byte("m"), MappingHash: "m",
				})
				wrong := right
				change(&wrong)
				for range doubts {
					r.told(wrong)
					if r.reported(ReportFailed) != nil || r.reported(ReportSegment) != nil {
						t.Fatalf("one answer was enough: %+v", r.acts)
					}
					r.pass(4 * time.Second)
				}
				r.told(right)
				r.swap(applied)
				if f := want[Fetch](r); f.At.Offset != 10 {
					t.Errorf("reads on at %d, want 10", f.At.Offset)
				}
			})
		}
	}
}

// A leader that has the records below the checkpoint, but does not know yet that they are committed, is waited for.
func TestHighWatermarkThatLags(t *testing.T) {
	r := newRig(t, func(c *Config) { c.LogChanged = LogIncarnation })
	r.lookAt(rigTP, Checkpoint{Position: Position{Offset: 10, Ceiling: 10}, LeaderEpoch: 3, EpochOffset: 10, Mapping: []byte("m"), MappingHash: "m"})
	for range 3 * doubts {
		r.told(LogInfo{LogEnd: 7, End: 7, EpochEnd: 10, EndedEpoch: 3, DeleteRetention: -1})
		r.pass(time.Second)
	}
	r.told(LogInfo{LogEnd: 10, End: 10, EpochEnd: 10, EndedEpoch: 3, DeleteRetention: -1})
	r.swap(applied)
	if f := want[Fetch](r); f.At.Offset != 10 || r.reported(ReportSegment) != nil {
		t.Errorf("reads on at %d, want 10 and no new incarnation", f.At.Offset)
	}
}

// What the owner before may have sent ends at the log's end only where that is sure: the stored mapping must reach as far,
// and a ceiling must not be lowered below it.
func TestEndOfTheLogIsMadeSure(t *testing.T) {
	held := Checkpoint{Position: Position{Offset: 3, Ceiling: 100}, Mapping: []byte("old"), MappingHash: "old", LeaderEpoch: -1}
	t.Run("mapping", func(t *testing.T) {
		r := newRig(t, nil)
		r.lookAt(rigTP, held)
		r.log(LogInfo{LogEnd: 5, End: 5})
		r.pass(doubtSpan)
		r.log(LogInfo{LogEnd: 8, End: 8})
		if f := want[Fetch](r); f.Until != 8 || string(f.Stored) != "old" {
			t.Errorf("the stored mapping ends at %d, want 8", f.Until)
		}
	})
	for _, waited := range []bool{false, true} {
		t.Run(fmt.Sprint("ceiling ", waited), func(t *testing.T) {
			r := newRig(t, nil)
			ck := held
			ck.Mapping, ck.MappingHash = []byte("m"), "m"
			r.lookAt(rigTP, ck)
			r.log(LogInfo{LogEnd: 5, End: 5})
			if waited {
				r.pass(doubtSpan)
			}
			f := want[Fetch](r)
			r.step(Fetched{TopicPartition: rigTP, Inst: f.Inst, Ask: f.Ask, From: f.At.Offset, Next: 8, End: 8, LeaderEpoch: -1})
			r.step(Stop{})
			ceiling := int64(100)
			if waited {
				ceiling = 8
			}
			for r.reported(ReportReleased) == nil {
				if put := r.swap(applied); put.Owner == (Owner{}) && (put.Offset != 8 || put.Ceiling != ceiling) {
					t.Errorf("released at %d with the ceiling %d, want 8 and %d", put.Offset, put.Ceiling, ceiling)
				}
			}
		})
	}
}
