package core

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"rowmark/hbase"
)

var (
	busy      = &hbase.Error{Fault: hbase.FaultBusy, Class: "RegionTooBusyException", Err: errors.New("too busy")}
	throttled = &hbase.Error{Fault: hbase.FaultBusy, Wait: 3 * time.Second, Err: errors.New("wait 3sec")}
)

// flightRig has one partition that takes any number of records of about 1 kB, each for a row of its own.
type flightRig struct {
	*rig
	next int64
}

func newFlightRig(t *testing.T, flight int) *flightRig {
	r := &flightRig{rig: newRig(t, func(c *Config) {
		c.FlightBytes, c.WindowBytes, c.BatchBytes, c.BatchRows, c.CeilingStep = flight, 1<<30, 256<<10, 10000, 1<<40
		c.Tables = map[string]TableInfo{"tab": {Counters: true}} // no floor to wait for
	})}
	r.start(Checkpoint{}, LogInfo{LogEnd: 1 << 40, End: 1 << 40})
	return r
}

// read lets n records in.
func (r *flightRig) read(n int) {
	r.t.Helper()
	var recs []Mapped
	for range n {
		m := put(r.next, fmt.Sprintf("row %d", r.next))
		m.Result.Rows[0].Cells[0].Value, m.Bytes = make([]byte, 1000), 1000
		recs = append(recs, m)
		r.next++
	}
	a := want[Fetch](r.rig)
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: r.next, End: 1 << 40, LeaderEpoch: -1, Records: recs})
}

// writes takes the writes that were asked for, lets the checkpoints land and answers for the witnesses.
func (r *flightRig) writes() []Write {
	var out []Write
	var rest []Action
	for len(r.acts) > 0 {
		a := r.acts[0]
		r.acts = r.acts[1:]
		switch a := a.(type) {
		case Write:
			out = append(out, a)
		case SwapCheckpoint:
			r.step(Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: applied})
		case *CheckWitness:
			r.step(Witnessed{Check: a, Mark: a.Mark})
		default:
			rest = append(rest, a)
		}
	}
	r.acts = rest
	return out
}

func (r *flightRig) answer(ws []Write, res hbase.WriteResult) {
	for _, w := range ws {
		all := make([]hbase.WriteResult, len(w.Groups))
		for i := range all {
			all[i] = res
		}
		r.step(Written{Groups: w.Groups, Results: all})
	}
}

func (r *flightRig) table() TableStatus { return r.core.TableStatuses()[0] }

// Each kind of overload halves what is allowed when it befalls all that is in flight; what is no overload leaves it.
func TestOverloadHalvesTheFlight(t *testing.T) {
	fault := func(f hbase.Fault) error { return &hbase.Error{Fault: f, Err: errors.New("x")} }
	for name, tc := range map[string]struct {
		res   hbase.WriteResult
		halve bool
	}{
		"busy":        {hbase.WriteResult{Outcome: hbase.Refused, Err: busy}, true},
		"throttled":   {hbase.WriteResult{Outcome: hbase.Refused, Err: throttled}, true},
		"no answer":   {hbase.WriteResult{Outcome: hbase.Unknown, Err: fault(hbase.FaultAmbiguous)}, true},
		"moved":       {hbase.WriteResult{Outcome: hbase.Refused, Err: fault(hbase.FaultRelocate)}, false},
		"unreachable": {hbase.WriteResult{Outcome: hbase.Refused, Err: fault(hbase.FaultConnect)}, false},
		"condition":   {hbase.WriteResult{Outcome: hbase.Refused}, false},
		"applied":     {applied, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newFlightRig(t, 1<<20)
			r.read(4000)
			was := r.table()
			if was.InFlight < 1<<20 || was.InFlight > 3<<19 || was.Allowed != 1<<20 {
				t.Fatalf("%d bytes in flight of %d", was.InFlight, was.Allowed)
			}
			r.answer(r.writes(), tc.res)
			is := r.table().Allowed
			if tc.halve && (is < was.Allowed*2/10 || is > was.Allowed*6/10) || !tc.halve && is != was.Allowed {
				t.Errorf("%d bytes are allowed, of %d", is, was.Allowed)
			}
		})
	}
}

// One region of many that is busy takes its share only.
func TestABusyRegionTakesItsShare(t *testing.T) {
	r := newFlightRig(t, 1<<20)
	r.read(4000)
	for _, w := range r.writes() {
		res := make([]hbase.WriteResult, len(w.Groups))
		for i := range res {
			if res[i] = applied; i%64 == 0 {
				res[i] = hbase.WriteResult{Outcome: hbase.Refused, Err: busy}
			}
		}
		r.step(Written{Groups: w.Groups, Results: res})
	}
	if is := r.table().Allowed; is < 1<<20*9/10 {
		t.Errorf("%d bytes are allowed, of %d", is, 1<<20)
	}
}

// However busy the servers are, something is always tried; what is allowed grows back when they take it, slowly, and not
// past the bound.
func TestTheFlightGrowsBack(t *testing.T) {
	const bound = 1 << 20
	r := newFlightRig(t, bound)
	r.read(8000)
	for range 40 {
		r.answer(r.writes(), hbase.WriteResult{Outcome: hbase.Refused, Err: busy})
		r.pass(10 * time.Second)
	}
	low := r.table()
	if low.Allowed != leastFlight || low.InFlight == 0 || low.InFlight > 2*leastFlight {
		t.Fatalf("%d bytes are in flight and %d allowed, at the least %d", low.InFlight, low.Allowed, leastFlight)
	}
	flights, was := 0, low.Allowed
	for r.table().Allowed < bound {
		if flights++; flights > 2000 {
			t.Fatalf("%d bytes are allowed after %d flights", r.table().Allowed, flights)
		}
		r.answer(r.writes(), applied)
		if is := r.table().Allowed; is < was || is > was+was/10 {
			t.Fatalf("from %d bytes to %d in a flight", was, is)
		}
		was = r.table().Allowed
		if s := r.core.sources[rigTP]; !s.fetching || len(s.win.recs) < 4000 {
			r.read(4000)
		}
		r.pass(time.Millisecond)
	}
	if flights < 40 {
		t.Errorf("back after %d flights", flights)
	}
	r.answer(r.writes(), applied)
	if is := r.table().Allowed; is != bound {
		t.Errorf("%d bytes are allowed past the bound", is)
	}
}

// A server that names a wait gets it, for all rows of the table, and not for ever.
func TestAThrottledTableRests(t *testing.T) {
	hour := *throttled
	hour.Wait = time.Hour
	for _, tc := range []struct {
		err  *hbase.Error
		wait time.Duration
	}{{throttled, 3 * time.Second}, {&hour, throttleMost}} {
		r := newFlightRig(t, 1<<20)
		r.read(10)
		ws := r.writes()
		r.read(1000)
		r.pass(time.Second) // a batch that waited for company goes
		ws = append(ws, r.writes()...)
		r.answer(ws, hbase.WriteResult{Outcome: hbase.Refused, Err: tc.err})
		if !r.table().Rests {
			t.Fatal("the table does not rest")
		}
		r.read(100)
		until := r.now.Mono + tc.wait
		for r.now.Mono < until-10*time.Millisecond {
			r.pass(min(time.Second, until-10*time.Millisecond-r.now.Mono))
			if ws := r.writes(); len(ws) > 0 {
				t.Fatalf("%d rows went %s before the wait of %s was over", len(ws[0].Groups), until-r.now.Mono, tc.wait)
			}
		}
		if wake := r.core.Wake(); wake > until {
			t.Fatalf("it wants to wake %s after the wait", wake-until)
		}
		r.pass(10 * time.Millisecond)
		if len(r.writes()) == 0 || r.table().Rests {
			t.Fatal("nothing went when the wait was over")
		}
	}
}
