package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/hbase"
	"rowmark/test/linear"
)

// lettered is a quiet world with letters of every kind.
func lettered(t *testing.T) (context.Context, *world) {
	t.Helper()
	w := newWorld(rand.Uint64()>>16, false)
	w.lettered = true
	return settle(t, w), w
}

// hasAllLetters says whether the log holds committed records of every kind that may fail.
func (w *world) hasAllLetters() bool {
	for kind := sound; kind < poisons; kind++ {
		if _, _, ok := w.failing(kind); !ok {
			return false
		}
	}
	return true
}

// failing is the first committed record of a kind that may fail, and its partition.
func (w *world) failing(kind poison) (e event, p int, ok bool) {
	for p := range w.partitions {
		for _, e := range w.log.of(p) {
			if e.poison == kind && e.mayFail() && e.fate == committed {
				return e, p, true
			}
		}
	}
	return e, 0, false
}

// later is newer than what the server with the fastest clock writes, in milliseconds.
var later = time.Now().Add(time.Hour).UnixMilli()

// loseLetter deletes a letter and its mark, whatever the clock of its server.
func loseLetter(t *testing.T, w *world, row string) {
	t.Helper()
	m := hbase.Mutation{Kind: hbase.KindDelete}
	for _, f := range []string{"d", "_k"} {
		m.Cells = append(m.Cells, hbase.MutationCell{Column: &hbase.Column{Family: []byte(f)}, Timestamp: later, Type: hbase.CellDeleteFamily})
	}
	if r := w.operator.WriteRow(t.Context(), letterTable, hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{m}}); r.Outcome != hbase.Applied {
		t.Fatalf("losing the letter %q: %v", row, r.Err)
	}
}

// A lost letter, one too many, and a wrong one are found, and called by their names.
func TestTheCheckFindsSpoiltLetters(t *testing.T) {
	lose := func(kind poison) func(*testing.T, *world) {
		return func(t *testing.T, w *world) {
			e, p, _ := w.failing(kind)
			loseLetter(t, w, letterRow(p, e.offset))
		}
	}
	type spoilt struct {
		of     invariant
		online bool
		spoil  func(*testing.T, *world)
	}
	cases := map[string]spoilt{
		"a second letter": {I2, false, func(t *testing.T, w *world) {
			e, p, _ := w.failing(noJSON)
			second := deadletter.Key{Sink: "s", Topic: topic, Partition: int32(p), Incarnation: 1, Offset: e.offset}
			put(t, w, letterTable, string(second.Row()), "d:stage", later, []byte("decode"))
		}},
		"a letter written twice": {lin, false, func(_ *testing.T, w *world) {
			e, p, _ := w.failing(tooLarge)
			w.rows.Write(1, "letter "+letterRow(p, e.offset)[2:], e.offset, e.offset+1, nil, false).Ended(linear.Applied)
		}},
		"a letter of what is in its rows": {I2, true, func(t *testing.T, w *world) {
			_, p, ids := full(t, w)
			e, _, _ := w.log.byID(ids[0])
			put(t, w, letterTable, letterRow(p, e.offset), "d:stage", later, []byte("write"))
		}},
		"a row that took a record with a letter": {I2, true, takeOdd},
		"a letter of an aborted record": {I8, true, func(_ *testing.T, w *world) {
			e, p, _ := w.failing(noKey)
			w.log.mu.Lock()
			defer w.log.mu.Unlock()
			for i := range w.log.logs[p] {
				if w.log.logs[p][i].id == e.id {
					w.log.logs[p][i].fate = aborted
				}
			}
		}},
	}
	for kind := sound; kind < poisons; kind++ {
		cases[fmt.Sprintf("a lost letter of kind %d", kind)] = spoilt{I1, false, lose(kind)}
		cases[fmt.Sprintf("a letter of kind %d behind the checkpoint", kind)] = spoilt{I4, true, lose(kind)}
	}
	for column, value := range map[string]string{"d:key": "x", "d:value": "{", "d:stage": "x", "d:value.0000": "x"} {
		cases["a letter with another "+column] = spoilt{I6, true, func(t *testing.T, w *world) {
			e, p, _ := w.failing(noJSON)
			put(t, w, letterTable, letterRow(p, e.offset), column, later, []byte(value))
		}}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, w := lettered(t)
			c.spoil(t, w)
			if c.online {
				newAuditor(w).look()
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

// takeOdd puts a record that has a letter into the row that refused it, as if it had landed late.
func takeOdd(t *testing.T, w *world) {
	e, _, _ := w.failing(sound)
	list := w.content("counts")[oddKey]["l:list"].Value
	put(t, w, "counts", oddKey, "l:list", later, append([]byte(e.id), list...))
}

// After a table was set back a record that has a letter may be in its row, and is asked for no less.
func TestALetterOutlivesItsBarWhereATableWasSetBack(t *testing.T) {
	_, w := lettered(t)
	takeOdd(t, w)
	w.back.begin()
	w.back.end()
	newAuditor(w).look()
	w.check()
	if !w.faultless() {
		t.Errorf("seed %d: found %v, want nothing", w.seed, w.violations)
	}
}

// The letter of a row's last record may be due while the row's mark bars it, and only then.
func TestALetterMayBeDueWhileTheRowsMarkBarsItsRecord(t *testing.T) {
	log := []event{{key: oddKey, id: "0:0,"}, {key: oddKey, id: "0:1,", offset: 1}}
	for _, c := range []struct {
		list string
		mark core.Mark
		want invariant
	}{
		{"0:0,", core.Mark{Next: 2, Barred: "no long"}, ""},
		{"0:0,", core.Mark{Next: 2}, I1},
		{"0:1,", core.Mark{Next: 2, Barred: "no long"}, I1},
		{"", core.Mark{Next: 1, Barred: "no long"}, ""},
	} {
		w := newWorld(1, false)
		w.partitions = 1
		cells := map[string]hbase.Cell{"l:list": {Value: []byte(c.list)}, "_k:" + w.source(0): {Value: c.mark.Encode()}}
		w.inOddRow(cells, nil, 0, log, c.mark.Next, "in the test")
		if got := len(w.violations) > 0; got != (c.want != "") || got && w.violations[0].of != c.want {
			t.Errorf("list %q, mark %+v: found %v, want %q", c.list, c.mark, w.violations, c.want)
		}
	}
}

func TestAMissingTableOfLettersStops(t *testing.T) {
	ctx, w := lettered(t)
	w.producer.bad = nil
	w.end(ctx, noLetters)
	if !w.faultless() || w.bites["ending: "+noLetters.name] != 1 {
		t.Errorf("seed %d: found %v; the ending came about %d times, want once", w.seed, w.violations, w.bites["ending: "+noLetters.name])
	}
}
