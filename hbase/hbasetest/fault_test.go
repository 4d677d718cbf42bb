package hbasetest_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// Under each kind of fault an outcome is true: what was told applied is written, what was told refused is not, and
// nothing is sent twice. The writes are unconditional increments of rows of their own, so that a second one shows.
func TestOutcomesAreTrueUnderEachFault(t *testing.T) {
	for _, kind := range hbasetest.FaultKinds() {
		for name, mode := range map[string]hbase.Mode{"row": hbase.ModeRow, "region": hbase.ModeRegion, "batch": hbase.ModeBatch} {
			if mode == hbase.ModeRegion && (kind == hbasetest.Partial || kind == hbasetest.Abort || kind == hbasetest.MoveInside) {
				continue // these are of Multi
			}
			t.Run(kind.String()+"/"+name, func(t *testing.T) {
				t.Parallel()
				outcomesAreTrue(t, kind, mode)
			})
		}
	}
}

func outcomesAreTrue(t *testing.T, kind hbasetest.FaultKind, mode hbase.Mode) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	plan := &hbasetest.Plan{
		Seed: seed, Rates: map[hbasetest.FaultKind]float64{kind: 0.4}, Delay: 160 * time.Millisecond,
		Only: func(f hbasetest.FrameInfo) bool { return f.Write },
	}
	ctx, cl, c := open(t, hbasetest.Options{Servers: 2, Faults: plan.Fault}, func(cfg *hbase.Config) {
		cfg.RPCTimeout = 100 * time.Millisecond
	}, "row1", "row2")
	told := map[string]hbase.Outcome{}
	count := map[hbase.Outcome]int{}
	for round := range 8 {
		var rows []hbase.RowWrite
		for i := range 9 {
			w := marked(fmt.Sprintf("row%d-%d-%d", i%3, round, i), 0)
			w.Condition = nil
			if mode == hbase.ModeBatch && i%4 > 0 {
				w.Mutations = w.Mutations[:1] // shares a RegionAction; a second one does not show
				w.Mutations[0].Kind = hbase.KindPut
			}
			rows = append(rows, w)
		}
		for i, r := range write(ctx, t, c, mode, rows...) {
			told[string(rows[i].Row)] = r.Outcome
			count[r.Outcome]++
			if r.Outcome != hbase.Applied && r.Err == nil {
				t.Errorf("row %s: outcome %d of an unconditional write without a reason", rows[i].Row, r.Outcome)
			}
		}
	}
	plan.Heal()
	time.Sleep(plan.Delay) // what is late has landed
	got := counters(t, cl)
	for row, outcome := range told {
		n := got[row]
		most := int64(1)
		if kind == hbasetest.Double {
			most = 2 // the wire doubled it, not the client
		}
		switch {
		case n > most:
			t.Errorf("row %s was written %d times", row, n)
		case outcome == hbase.Applied && n == 0:
			t.Errorf("row %s was told applied and is not written", row)
		case outcome == hbase.Refused && n != 0:
			t.Errorf("row %s was told refused and is written", row)
		}
	}
	if cl.Bites()[kind] == 0 {
		t.Error("no fault came into effect")
	}
	t.Logf("applied %d, refused %d, unknown %d, faults %v", count[hbase.Applied], count[hbase.Refused], count[hbase.Unknown], cl.Bites())
	if count[hbase.Applied] == 0 {
		t.Error("nothing was applied")
	}
}

// Marked counters under all faults at once, over deaths and moves of servers: each unknown write is sent again
// under its condition, and each row ends at the number of its writes.
func TestMarkedCountersUnderAllFaults(t *testing.T) {
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			plan := &hbasetest.Plan{Seed: seed, Rates: hbasetest.Even(0.4), Delay: 150 * time.Millisecond}
			ctx, cl, c := open(t, hbasetest.Options{Servers: 3, Faults: plan.Fault, Recovery: 30 * time.Millisecond}, func(cfg *hbase.Config) {
				cfg.RPCTimeout = 150 * time.Millisecond
				cfg.LocateTimeout = 300 * time.Millisecond
			}, "row3", "row6")
			const each = 12
			r := rand.New(rand.NewPCG(seed, 2))
			next := map[string]int64{}
			for i := range 9 {
				next[fmt.Sprint("row", i)] = 0
			}
			for round := 0; len(next) > 0; round++ {
				if ctx.Err() != nil {
					t.Fatalf("these rows are not done: %v", next)
				}
				var rows []hbase.RowWrite
				for row, at := range next {
					rows = append(rows, marked(row, at))
				}
				for i, res := range write(ctx, t, c, mode, rows...) {
					row := string(rows[i].Row)
					if res.Outcome == hbase.Applied {
						next[row]++
					}
					if res.Outcome == hbase.Refused && res.Err == nil {
						got, err := c.Get(ctx, "t", hbase.Get{Row: rows[i].Row, Columns: []hbase.Column{{Family: []byte("k")}}})
						if err != nil {
							t.Fatal(err)
						}
						// A region transaction refuses the row for its neighbours' sake too.
						if len(got.Cells) == 1 {
							next[row] = max(next[row], got.Cells[0].Timestamp)
						}
					}
					if next[row] >= each {
						delete(next, row)
					}
				}
				disturb(t, cl, r, round)
			}
			plan.Heal()
			time.Sleep(plan.Delay)
			for row, n := range counters(t, cl) {
				if n != each {
					t.Errorf("row %s holds %d, want %d", row, n, each)
				}
			}
			t.Logf("%d frames, faults %v", cl.Frames(), cl.Bites())
		})
	}
}

// disturb moves, splits, merges, or kills and restarts.
func disturb(t *testing.T, cl *hbasetest.Cluster, r *rand.Rand, round int) {
	t.Helper()
	key := fmt.Append(nil, "row", r.IntN(9))
	n := r.IntN(3)
	switch round % 5 {
	case 0:
		_ = cl.Move("t", key, n) // the region or the server may be away just now
	case 1:
		_ = cl.Split("t", append(key, '5')) // its first key already, the second time
	case 2:
		_ = cl.Merge("t", key) // the last has no neighbour
	case 3:
		if cl.Up(n) && cl.Up((n+1)%3) && cl.Up((n+2)%3) {
			if err := cl.Kill(n); err != nil {
				t.Error(err)
			}
		}
	case 4:
		for i := range 3 {
			if !cl.Up(i) {
				if err := cl.Restart(i); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
