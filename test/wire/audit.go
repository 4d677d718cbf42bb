package main

import (
	"context"
	"time"

	"rowmark/connector/core"
)

// audit looks while the connectors run: no checkpoint is ahead of its rows (I4), nothing goes back (I5), each row
// agrees with its mark (I2, I3, I6), and holds nothing that is not committed (I8).
func (w *world) audit(ctx context.Context) {
	a := newAuditor(w)
	for ctx.Err() == nil {
		time.Sleep(40 * time.Millisecond)
		a.look()
	}
}

type auditor struct {
	w     *world
	state int // of w.back, when what follows was seen
	last  map[int]core.Position
	marks map[string]int64 // by table, row
}

func newAuditor(w *world) *auditor {
	return &auditor{w: w, last: map[int]core.Position{}, marks: map[string]int64{}}
}

// look takes one look. While tables are set back only what holds for each row by itself is asked.
func (a *auditor) look() {
	w := a.w
	before, on := w.back.now()
	checkpoints := w.content("rowmark") // first these, then the rows
	counts, rows := w.content("counts"), w.content("rows")
	letters := w.letters() // a record that its row refused has got its letter before the row's next one came
	after, _ := w.back.now()
	back := on || before != after
	if back || before != a.state {
		clear(a.marks)
	}
	for p := range w.partitions {
		cell, ok := checkpoints[w.source(p)]["c:position"]
		if !ok {
			continue
		}
		pos, err := core.DecodePosition(cell.Value)
		if err != nil {
			w.fail(I5, "%v", err)
			continue
		}
		old := a.last[p]
		a.last[p] = pos
		if pos.Epoch < old.Epoch || !back && before == a.state && pos.Offset < old.Offset {
			w.fail(I5, "checkpoint of partition %d went back: offset %d to %d, epoch %d to %d", p, old.Offset, pos.Offset, old.Epoch, pos.Epoch)
		}
		if !back {
			w.resolved(counts, rows, letters, p, w.log.of(p), pos.Offset, I4, "while it ran")
		}
	}
	if !back {
		a.monotone(counts, "counts")
		a.monotone(rows, "rows")
	}
	a.state = before // not after: what was read may be of before a change that came during the look
	w.checkRows(counts, rows, letters, "while it ran")
}

func (a *auditor) monotone(t content, table string) {
	for p := range a.w.partitions {
		for row, cells := range t {
			if _, ok := cells["_k:"+a.w.source(p)]; !ok {
				continue
			}
			name := table + " " + row
			m := a.w.markIn(table, row, cells, a.w.source(p), "while it ran")
			if m < a.marks[name] {
				a.w.fail(I5, "the mark of row %s of %s went back from %d to %d", row, table, a.marks[name], m)
			}
			a.marks[name] = m
		}
	}
}
