package core

import (
	"fmt"
	"strings"
	"testing"

	"rowmark/connector/mapping"

	"pgregory.net/rapid"
)

// join makes the operations of one record of several: the delete of the first, the cells of all.
func join(texts []string, at int64) mapping.RowOps {
	o := op(texts[0], at)
	for _, text := range texts[1:] {
		o.Cells = append(o.Cells, op(text, at).Cells...)
	}
	return o
}

func settled(recs []mapping.RowOps, floor int64) (out []mapping.RowOps, after int64) {
	for i := range recs {
		out, floor = Settle(out, &recs[i], floor)
	}
	return out, floor
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name  string
		floor int64
		rec   mapping.RowOps
		want  string // table, row and order left out
		after int64
	}{
		{"a put keeps its time", 3, op("put q a", 5), "cells 1@5", 5},
		{"a late put is lifted", 9, op("put q a", 5), "cells 1@9", 9},
		{"a delete lifts what follows", 0, op("del", 5), "delete@5", 6},
		{"a delete before cells goes first", 0, op("replace q a", 5), "delete@4, cells 1@5", 5},
		{"it may not go below the floor", 5, op("replace q a", 5), "delete@5, cells 1@6", 6},
		{"a column's delete lifts what follows", 0, op("delcol q", 5), "cells 1@5", 6},
		{"a put of a column that the record deletes", 0, join([]string{"put p a", "delcol q", "put q b", "put r c"}, 5), "cells 2@5, cells 2@6", 6},
	} {
		out, after := Settle(nil, &c.rec, c.floor)
		var got []string
		for _, o := range out {
			if o.LogOrder || o.Table != c.rec.Table || string(o.Row) != string(c.rec.Row) {
				t.Errorf("%s: %+v", c.name, o)
			}
			if o.Delete != nil {
				got = append(got, fmt.Sprintf("delete@%d", o.Time))
			}
			if len(o.Cells) > 0 {
				got = append(got, fmt.Sprintf("cells %d@%d", len(o.Cells), o.Time))
			}
		}
		if text := strings.Join(got, ", "); text != c.want || after != c.after {
			t.Errorf("%s: %s and floor %d, want %s and %d", c.name, text, after, c.want, c.after)
		}
	}
}

// What was settled beforehand is the write that the folder makes of the log, and neither lower nor higher floors of the row
// change it.
func TestSettledFoldsAsTheLogDoes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var recs []mapping.RowOps
		for range rapid.IntRange(1, 6).Draw(r, "records") {
			texts := []string{rapid.SampledFrom([]string{"put q a", "put p b", "del", "replace q c", "delcol q"}).Draw(r, "first")}
			for range rapid.IntRange(0, 3).Draw(r, "more") {
				texts = append(texts, rapid.SampledFrom([]string{"put q d", "put p e", "delcol q", "delcol p"}).Draw(r, "cell"))
			}
			recs = append(recs, join(texts, rapid.Int64Range(1, 6).Draw(r, "time")))
		}
		floor := rapid.Int64Range(0, 8).Draw(r, "floor")
		var log, exact folder
		log.reset(floor)
		for i := range recs {
			if err := log.add(recs[i : i+1]); err != nil {
				r.Fatal(err)
			}
		}
		out, after := settled(recs, floor)
		exact.reset(rapid.Int64Range(0, 20).Draw(r, "another floor"))
		if err := exact.add(out); err != nil {
			r.Fatal(err)
		}
		if want, got := show(log.mutations()), show(exact.mutations()); want != got || after != log.floor {
			r.Fatalf("settled to %s and floor %d, the log gives %s and %d", got, after, want, log.floor)
		}
	})
}
