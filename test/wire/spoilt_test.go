package main

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/test/linear"
)

// put writes a cell behind the connector's back.
func put(t *testing.T, w *world, table, row, column string, ts int64, value []byte) {
	t.Helper()
	family, qualifier, _ := strings.Cut(column, ":")
	r := w.operator.WriteRow(t.Context(), table, hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{{
		Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte(family), Qualifier: []byte(qualifier)}, Type: hbase.CellPut, Timestamp: ts, Value: value}},
	}}})
	if r.Outcome != hbase.Applied {
		t.Fatalf("spoiling row %s of %s: %v", row, table, r.Err)
	}
}

// full is a row of counts that lists two records or more, and where it stands in the log.
func full(t *testing.T, w *world) (row string, p int, ids []string) {
	t.Helper()
	for row, cells := range w.content("counts") {
		ids := strings.SplitAfter(string(cells["l:list"].Value), ",")
		if len(ids) > 2 && strings.HasPrefix(row, "k") {
			_, p, _ := w.log.byID(ids[0])
			return row, p, ids[:len(ids)-1]
		}
	}
	t.Fatal("no row has two records")
	return "", 0, nil
}

const now = hbase.LatestTimestamp

func setPosition(t *testing.T, w *world, p int, change func(*core.Position)) {
	t.Helper()
	pos, err := core.DecodePosition(w.content("rowmark")[w.source(p)]["c:position"].Value)
	if err != nil {
		t.Fatal(err)
	}
	change(&pos)
	put(t, w, "rowmark", w.source(p), "c:position", now, pos.Encode())
}

// A check that can't fail checks nothing: what is spoilt behind the connector's back is found, and called by its name.
func TestTheCheckFindsWhatIsSpoilt(t *testing.T) {
	for name, c := range map[string]struct {
		of     invariant
		online bool // the auditor finds it; it has looked before
		spoil  func(*testing.T, *world)
	}{
		"a row lost": {I1, false, func(t *testing.T, w *world) {
			row, _, _ := full(t, w)
			for _, table := range []string{"rows", "counts"} {
				if err := w.hbase.DeleteRow(table, []byte(row)); err != nil {
					t.Fatal(err)
				}
			}
		}},
		"a record lost from a list": {I1, false, func(t *testing.T, w *world) {
			row, _, ids := full(t, w)
			put(t, w, "counts", row, "l:list", now, []byte(strings.Join(ids[1:], "")))
		}},
		"a record listed twice": {I2, false, func(t *testing.T, w *world) {
			row, _, ids := full(t, w)
			put(t, w, "counts", row, "l:list", now, []byte(ids[0]+strings.Join(ids, "")))
		}},
		"a weight counted twice": {I2, false, func(t *testing.T, w *world) {
			row, _, ids := full(t, w)
			e, _, _ := w.log.byID(ids[0])
			sum := number(w.content("counts")[row]["c:w"])
			put(t, w, "counts", row, "c:w", now, binary.BigEndian.AppendUint64(nil, uint64(sum+e.weight)))
		}},
		"order changed": {I3, false, func(t *testing.T, w *world) {
			row, _, ids := full(t, w)
			ids[0], ids[1] = ids[1], ids[0]
			put(t, w, "counts", row, "l:list", now, []byte(strings.Join(ids, "")))
		}},
		"a row behind the checkpoint": {I4, true, func(t *testing.T, w *world) {
			if err := w.hbase.Disable("counts"); err != nil {
				t.Fatal(err)
			}
			if err := w.hbase.Restore(w.empty); err != nil {
				t.Fatal(err)
			}
		}},
		"a checkpoint gone back": {I5, true, func(t *testing.T, w *world) {
			_, p, _ := full(t, w)
			setPosition(t, w, p, func(pos *core.Position) { pos.Offset-- })
		}},
		"an epoch gone back": {I5, true, func(t *testing.T, w *world) {
			_, p, _ := full(t, w)
			setPosition(t, w, p, func(pos *core.Position) { pos.Epoch-- })
		}},
		"marks gone back": {I5, true, func(t *testing.T, w *world) {
			row, _, _ := full(t, w)
			a := newAuditor(w)
			a.marks["counts "+row] = 1 << 40 // as if it had been seen
			a.look()
		}},
		"a mark without its record": {I6, false, func(t *testing.T, w *world) {
			row, p, _ := full(t, w)
			next := w.log.end(p) + 10
			put(t, w, "counts", row, "_k:"+w.source(p), next, core.Mark{Next: next}.Encode())
		}},
		"a mark whose value and timestamp differ": {I6, false, func(t *testing.T, w *world) {
			row, p, _ := full(t, w)
			next := w.log.end(p) + 10
			put(t, w, "counts", row, "_k:"+w.source(p), next, core.Mark{Next: next - 10}.Encode())
		}},
		"an aborted record applied": {I8, false, func(t *testing.T, w *world) {
			_, p, ids := full(t, w)
			w.log.mu.Lock()
			defer w.log.mu.Unlock()
			for i := range w.log.logs[p] {
				if w.log.logs[p][i].id == ids[0] {
					w.log.logs[p][i].fate = aborted
				}
			}
		}},
		"an open transaction passed": {I8, true, func(_ *testing.T, w *world) {
			w.log.mu.Lock()
			defer w.log.mu.Unlock()
			for p := range w.log.logs {
				for i := range w.log.logs[p] {
					w.log.logs[p][i].fate = open
				}
			}
		}},
		"a checkpoint short of the end": {I11, false, func(t *testing.T, w *world) {
			setPosition(t, w, 0, func(pos *core.Position) { pos.Offset-- })
		}},
		"a checkpoint not released": {I11, false, func(t *testing.T, w *world) {
			setPosition(t, w, 0, func(pos *core.Position) { pos.Owner[0] = 1 })
		}},
		"a foreign cell changed": {I13, false, func(t *testing.T, w *world) {
			put(t, w, "counts", "k0", foreignCell, 8, []byte("x"))
		}},
		"a row from nowhere": {I13, false, func(t *testing.T, w *world) {
			put(t, w, "rows", "stray", "d:last", now, []byte("x"))
		}},
		"a swap that was not done": {lin, false, func(_ *testing.T, w *world) {
			w.registers.Swap(1, w.source(0), []byte("from nowhere"), []byte("x")).Ended(linear.Applied)
		}},
		"a write that was not done": {lin, false, func(_ *testing.T, w *world) {
			w.rows.Write(1, "k0", 1<<40, 1<<40+1, []byte("x"), false).Ended(linear.Applied)
			w.rows.Read(1, "k0").Got(3, []byte("y"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, w := quiet(t)
			a := newAuditor(w)
			a.look()
			c.spoil(t, w)
			if c.online {
				a.look()
			} else {
				w.check()
				w.checkLinear()
			}
			if !found(w, c.of) {
				t.Errorf("seed %d: found %v, want a violation of %s", w.seed, w.violations, c.of)
			}
		})
	}
}

// A connector that was told of its fence may not write on for long (I7).
func TestAFencedConnectorMustStop(t *testing.T) {
	mine := core.Position{Epoch: 3, Owner: core.Owner{1}}
	other := core.Position{Epoch: 4, Owner: core.Owner{2}}
	const source = "s/t/0"
	var f fences
	f.swap(source, mine.Encode())
	f.swapped(source, mine.Encode(), linear.Applied)
	f.read(source, mine.Encode())
	if late := f.write(source); late != 0 {
		t.Errorf("the owner itself wrote late: %s", late)
	}
	f.read(source, other.Encode())
	f.sources[source].lost = time.Now().Add(-time.Hour)
	if late := f.write(source + "#2"); late == 0 {
		t.Error("a write an hour after the fence is not late")
	}
	again := core.Position{Epoch: 5, Owner: core.Owner{1}}
	f.swap(source, again.Encode())
	f.swapped(source, again.Encode(), linear.Applied)
	if late := f.write(source); late != 0 {
		t.Errorf("after another taking it wrote late: %s", late)
	}
}

// What grows with the number of histories is seen (I12).
func TestGrowthIsSeen(t *testing.T) {
	from := use()
	stop := make(chan struct{})
	defer close(stop)
	for range spare + 5000 { // others may end meanwhile
		go func() { <-stop }()
	}
	if settled(from, 10*time.Millisecond).grown(from) == "" {
		t.Error("goroutines have grown and it is not seen")
	}
}

func TestViolationsEndTheProgramWithOne(t *testing.T) {
	good, bad := newWorld(1, false), newWorld(2, false)
	bad.fail(I1, "for the test")
	for _, c := range []struct {
		w    *world
		want int
	}{{good, 0}, {bad, 1}} {
		sum := &tally{}
		sum.add(c.w)
		if code := sum.print(time.Second, usage{}, usage{}); code != c.want {
			t.Errorf("the exit code is %d, want %d", code, c.want)
		}
	}
	if code := new(tally).print(time.Second, usage{}, usage{}); code != 1 {
		t.Errorf("the exit code of no histories is %d, want 1", code)
	}
}
