package core

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// paceRig reads logs without end: the brokers answer after a moment, with chunks of a number of records, and HBase takes
// everything at once.
type paceRig struct {
	*rig
	chunk   int
	answer  time.Duration
	asked   map[int32]Fetch
	due     map[int32]time.Duration
	ends    map[int32]int64 // of the logs, where they have one
	fetches int
	last    Checkpoint // written
}

func newPaceRig(t *testing.T, parts, chunk int, change func(*Config)) *paceRig {
	r := &paceRig{
		chunk: chunk, answer: 5 * time.Millisecond, asked: map[int32]Fetch{}, due: map[int32]time.Duration{}, ends: map[int32]int64{},
	}
	r.rig = newRig(t, func(c *Config) {
		c.WindowBytes, c.CeilingStep = 1<<30, 1<<40
		c.Tables = map[string]TableInfo{"tab": {Counters: true}}
		change(c)
	})
	for p := range int32(parts) {
		tp := kafka.TopicPartition{Topic: "t", Partition: p}
		r.step(Assigned{TopicPartition: tp})
	}
	r.play()
	return r
}

// play answers what was asked for.
func (r *paceRig) play() {
	for len(r.acts) > 0 {
		a := r.acts[0]
		r.acts = r.acts[1:]
		switch a := a.(type) {
		case Fetch:
			r.fetches++
			r.asked[a.Partition], r.due[a.Partition] = a, r.now.Mono+r.answer
		case CancelFetch:
			delete(r.due, a.Partition)
		case SwapCheckpoint:
			r.last = a.Put
			r.step(Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: applied})
		case *CheckWitness:
			r.step(Witnessed{Check: a, Mark: a.Mark})
		case ReadLog:
			r.step(LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: LogInfo{LogEnd: 1 << 40, End: 1 << 40, EpochEnd: -1, DeleteRetention: -1}})
		case ReadCheckpoint:
			r.step(CheckpointRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Row: &Checkpoint{Mapping: []byte("m"), MappingHash: "m"}})
		case Report:
		case Write:
			res := slices.Repeat([]hbase.WriteResult{applied}, len(a.Groups))
			r.step(Written{Groups: a.Groups, Results: res})
		}
	}
}

// run lets time pass as the runtime does: a tick when one is wanted, answers when they are due.
func (r *paceRig) run(d time.Duration) {
	end := r.now.Mono + d
	for r.now.Mono < end {
		next := min(end, max(r.core.Wake(), r.now.Mono+100*time.Microsecond))
		for _, at := range r.due {
			next = min(next, at)
		}
		passed := next - r.now.Mono
		r.now.Mono += passed
		r.now.Wall += passed.Milliseconds()
		for p, at := range r.due {
			if at <= r.now.Mono {
				delete(r.due, p)
				r.deliver(r.asked[p])
			}
		}
		r.step(Tick{})
		r.play()
	}
}

func (r *paceRig) deliver(a Fetch) {
	n := r.chunk
	if end, has := r.ends[a.Partition]; has {
		n = int(min(int64(n), end-a.At.Offset))
	}
	if n == 0 {
		r.asked[a.Partition], r.due[a.Partition] = a, r.now.Mono+100*time.Millisecond
		return
	}
	var recs []Mapped
	for i := range int64(n) {
		recs = append(recs, put(a.At.Offset+i, fmt.Sprintf("row %d %d", a.Partition, (a.At.Offset+i)%50)))
	}
	r.step(Fetched{TopicPartition: a.TopicPartition, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: a.At.Offset + int64(n), End: 1 << 40, LeaderEpoch: -1, Records: recs})
	r.play()
}

// in is how many records were let in so far, by partition and in all.
func (r *paceRig) in(parts ...int32) int64 {
	var n int64
	for _, p := range parts {
		n += r.core.sources[kafka.TopicPartition{Topic: "t", Partition: p}].win.next
	}
	return n
}

var pacedParts = []int32{0, 1, 2}

// The rates are kept to within a few in a hundred over a minute, and smoothly: whatever the brokers send at once, no tenth
// of a second has much more than its part.
func TestRatesAreKept(t *testing.T) {
	for _, tc := range []struct {
		name       string
		total, own int64
		chunk      int
		want       [3]int64 // records a second of each partition
	}{
		{"total", 3000, 0, 500, [3]int64{1000, 1000, 1000}},
		{"own", 0, 700, 500, [3]int64{700, 700, 700}},
		{"both, own binds", 9000, 700, 500, [3]int64{700, 700, 700}},
		{"both, total binds", 900, 700, 500, [3]int64{300, 300, 300}},
		{"few", 3, 0, 500, [3]int64{1, 1, 1}},
		{"chunks of minutes", 30, 0, 20000, [3]int64{10, 10, 10}},
		{"chunks of one", 300, 0, 1, [3]int64{100, 100, 100}},
		{"many", 6000, 0, 4000, [3]int64{2000, 2000, 2000}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newPaceRig(t, 3, tc.chunk, func(c *Config) { c.TotalRate, c.PartitionRate = tc.total, tc.own })
			r.run(5 * time.Second)
			var began [3]int64
			var sum int64
			for p := range began {
				began[p] = r.in(int32(p))
				sum += tc.want[p]
			}
			const tenths = 600
			for range tenths {
				was := r.in(pacedParts...)
				r.run(100 * time.Millisecond)
				if n := r.in(pacedParts...) - was; n > sum/10+sum/20+3 {
					t.Fatalf("%d records in a tenth of a second, at a rate of %d", n, sum)
				}
			}
			for p, want := range tc.want {
				got := r.in(int32(p)) - began[p]
				if off := got - want*60; off > want*60*3/100+1 || off < -want*60*3/100-1 {
					t.Errorf("partition %d: %d records in a minute, at a rate of %d", p, got, want)
				}
			}
		})
	}
}

// What was saved up while nothing came is at most what a second lets through; at the start nothing was.
func TestNoBurstAfterIdleness(t *testing.T) {
	r := newPaceRig(t, 1, 5000, func(c *Config) { c.TotalRate = 1000 })
	r.ends[0] = 100
	r.run(50 * time.Millisecond)
	if n := r.in(0); n > 60 {
		t.Fatalf("%d records in the first 50 ms, at a rate of 1000", n)
	}
	r.run(time.Minute)
	if n := r.in(0); n != 100 {
		t.Fatalf("%d records let in of 100", n)
	}
	r.ends[0] = 1 << 40
	r.run(200 * time.Millisecond)
	if n := r.in(0); n > 100+1000+210 {
		t.Fatalf("%d records in 200 ms after a minute of idleness, at a rate of 1000", n-100)
	}
}

// A partition that has less than its part leaves the rest to the others.
func TestWhatOneLeavesOthersTake(t *testing.T) {
	r := newPaceRig(t, 3, 100, func(c *Config) { c.TotalRate = 3000 })
	r.ends[0], r.ends[1] = 0, 0
	r.run(10 * time.Second)
	if n := r.in(2); n < 29000 || n > 31000 {
		t.Errorf("%d records of the one partition that has some, in 10 s at a rate of 3000", n)
	}
}

// Below the rate nothing waits.
func TestBelowTheRateNothingWaits(t *testing.T) {
	r := newPaceRig(t, 1, 10, func(c *Config) { c.TotalRate, c.PartitionRate = 1000, 1000 })
	r.ends[0] = 0
	for n := int64(10); n < 500; n += 10 {
		r.run(100 * time.Millisecond)
		r.ends[0] = n
		r.due[0] = r.now.Mono
		r.run(time.Microsecond)
		if got := r.in(0); got != n {
			t.Fatalf("%d records let in of %d", got, n)
		}
	}
}

// It fetches about what a second lets through, and nothing while records are held.
func TestFetchesNoMoreThanItLetsIn(t *testing.T) {
	r := newPaceRig(t, 1, 20000, func(c *Config) { c.TotalRate = 2000 })
	was := r.fetches
	r.run(30 * time.Second)
	if n := r.fetches - was; n > 4 {
		t.Errorf("%d fetches of 20000 records in 30 s, at a rate of 2000", n)
	}
	r = newPaceRig(t, 1, 4096, func(c *Config) { c.TotalRate = 1024 })
	r.run(10 * time.Second)
	// 256 KiB were asked for first, which had 64 bytes a record; a second has 64 KiB.
	if a := r.asked[0]; a.At.MaxBytes != minFetch {
		t.Errorf("%d bytes asked for, want %d", a.At.MaxBytes, minFetch)
	}
}

// What is held is not read: a stop does not wait for it, and the checkpoint is released where the window ends.
func TestStopDoesNotWaitForTheRate(t *testing.T) {
	r := newPaceRig(t, 1, 5000, func(c *Config) { c.TotalRate = 10 })
	r.run(3500 * time.Millisecond)
	in := r.in(0)
	r.step(Stop{})
	r.play()
	if in < 20 || in > 45 || r.last.Owner != (Owner{}) || r.last.Offset != in || r.core.Live() > 0 {
		t.Fatalf("released at %d by owner %s, and %d records were let in", r.last.Offset, r.last.Owner, in)
	}
}

// The lease is kept while the rate holds records back for longer than it lasts.
func TestSlowRatesKeepTheLease(t *testing.T) {
	r := newPaceRig(t, 1, 5000, func(c *Config) { c.TotalRate, c.Lease = 1, 3*time.Second })
	for range 100 {
		r.run(100 * time.Millisecond)
		if s := r.core.sources[rigTP]; !r.core.leased(s) {
			t.Fatal("the lease is over")
		}
	}
	if n := r.in(0); n < 9 || n > 11 {
		t.Errorf("%d records in 10 s at a rate of 1", n)
	}
}
