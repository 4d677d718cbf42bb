package core

import (
	"testing"
	"time"
)

// A position that was read before the partition came here counts from then on, if it has stood still.
func TestLeaseRunsFromTheFirstSight(t *testing.T) {
	held := Position{Offset: 5, Epoch: 2, Owner: Owner{9}, Ceiling: 50, Beat: 7}
	beat := held
	beat.Beat++
	for name, x := range map[string]struct {
		seen  *Position
		ago   time.Duration
		now   Position
		after time.Duration // how much longer it waits
	}{
		"never seen":                      {nil, 0, held, 30 * time.Second},
		"stood still for the whole lease": {&held, 30 * time.Second, held, 0},
		"stood still for some of it":      {&held, 18 * time.Second, held, 12 * time.Second},
		"moved since":                     {&held, time.Hour, beat, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.step(Assigned{TopicPartition: rigTP, Seen: x.seen, SeenAt: r.now.Mono - x.ago})
			look := func() (taken bool) {
				a := want[ReadCheckpoint](r)
				r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &Checkpoint{Position: x.now}})
				for _, a := range r.acts {
					if swap, ok := a.(SwapCheckpoint); ok {
						return swap.Put.Epoch == 3 && swap.Put.Owner == Owner{1}
					}
				}
				return false
			}
			if x.after == 0 {
				if !look() {
					t.Fatal("it waits")
				}
				return
			}
			if look() {
				t.Fatal("it takes at once")
			}
			r.pass(x.after - time.Millisecond)
			if look() {
				t.Fatal("it takes too early")
			}
			r.pass(time.Millisecond)
			if !look() {
				t.Fatal("it goes on waiting")
			}
		})
	}
}

// A position given with a partition that is here already changes nothing.
func TestLeaseOfARunningPartition(t *testing.T) {
	r := newRig(t, nil)
	r.step(Assigned{TopicPartition: rigTP})
	a := want[ReadCheckpoint](r)
	r.step(Assigned{TopicPartition: rigTP, Seen: &Position{}, SeenAt: r.now.Mono})
	row := Checkpoint{Position: Position{Owner: Owner{9}, Beat: 1}}
	r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &row})
	r.step(Assigned{TopicPartition: rigTP, Seen: &row.Position, SeenAt: r.now.Mono - time.Hour})
	r.pass(time.Second)
	a = want[ReadCheckpoint](r)
	r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Row: &row})
	if r.core.Statuses()[0].State != "waiting" {
		t.Error("it does not wait")
	}
}
