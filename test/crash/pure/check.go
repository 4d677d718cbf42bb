package pure

import (
	"rowmark/connector/core"
)

// checkSwap holds an accepted checkpoint against those before it, and against the rows: it never goes back, and every
// record below it is in its rows, by their marks.
func (w *world) checkSwap(p int32, put *core.Checkpoint) {
	logs := w.logs
	if w.s.Special == Recreated && put.Incarnation() == 0 {
		logs = w.s.logs // it speaks of the log of before
	}
	old := w.checked[p]
	seen := old.seen && old.incarnation == put.Incarnation()
	w.checked[p] = checked{put.Position, put.Incarnation(), true}
	if old.seen && put.Epoch < old.Epoch || seen && put.Offset < old.Offset {
		w.fail("checkpoint of partition %d went back: offset %d to %d, epoch %d to %d", p, old.Offset, put.Offset, old.Epoch, put.Epoch)
	}
	if old.seen && old.Owner != put.Owner && put.Owner != (core.Owner{}) && put.Epoch <= old.Epoch {
		w.fail("unfenced: partition %d changed its owner and not its epoch, %d", p, put.Epoch)
	}
	if w.atLeastOnce {
		return
	}
	name := core.SourceName("s", "t", p, put.Incarnation())
	for i := range logs[p].records {
		r := &logs[p].records[i]
		if r.offset >= put.Offset {
			continue
		}
		if seen && r.offset < old.Offset || r.offset < w.start[p] {
			continue // looked at before, or lost by retention
		}
		ops := r.written()
		for k := range ops {
			o := &ops[k]
			if m, _ := w.store.mark(o.table, []byte(o.row), name); m.Next <= r.offset && !w.store.away[o.table] {
				w.fail("ahead: checkpoint %d of partition %d, but offset %d is not in row %s of %s (mark %d)", put.Offset, p, r.offset, o.row, o.table, m.Next)
			}
		}
	}
}

// checked is the last accepted checkpoint of a partition.
type checked struct {
	core.Position
	incarnation int
	seen        bool
}

// check compares everything with the fold of the log, when all is over.
func (w *world) check() {
	if len(w.errs) > 0 {
		return // a run that did not end says nothing about cells
	}
	got := w.store.read()
	changes := make([]int64, len(w.logs))
	for p := range changes {
		changes[p] = always
	}
	want := w.want(changes)
	for p := range w.logs {
		bad := diff(got, want, p)
		if bad != "" && w.s.Remap {
			bad = w.anyChange(got, changes, p, bad)
		}
		if bad != "" {
			w.fail("%s", bad)
		}
	}
	if bad := diff(got, want, -1); bad != "" {
		w.fail("%s", bad)
	}
	if !w.atLeastOnce {
		w.checkMarks()
	}
	w.checkEnd()
}

// anyChange looks for an offset at which the mapping may have changed, so that each record went by one of them.
func (w *world) anyChange(got content, changes []int64, p int, bad string) string {
	for i := range w.logs[p].records {
		changes[p] = w.logs[p].records[i].offset
		if diff(got, w.want(changes), p) == "" {
			return ""
		}
	}
	changes[p] = always
	return "under no change of the mapping do the rows match: " + bad
}

// checkMarks is that each row's mark of each source is that of its last record.
func (w *world) checkMarks() {
	marks := w.marks()
	want := map[markID]int64{}
	for p, l := range w.logs {
		for i := range l.records {
			r := &l.records[i]
			if r.offset < w.start[p] {
				continue
			}
			ops := r.written()
			for k := range ops {
				o := &ops[k]
				want[markID{rowID{o.table, o.row}, w.source(int32(p))}] = r.offset + 1
			}
		}
	}
	for id, n := range want {
		if marks[id] != n {
			w.fail("mark %s of row %s of %s is %d, want %d", id.source, id.row, id.table, marks[id], n)
		}
	}
	for id, n := range marks {
		if _, ok := want[id]; !ok && w.frozen[id] != n {
			w.fail("mark %s of row %s of %s is %d, want none", id.source, id.row, id.table, n)
		}
	}
}

// checkEnd is that every checkpoint stands at the end of its log and is let go.
func (w *world) checkEnd() {
	for p, l := range w.logs {
		c := w.store.checkpoints[int32(p)]
		if c == nil {
			w.fail("partition %d has no checkpoint", p)
			continue
		}
		if c.Offset != l.end || c.Owner != (core.Owner{}) {
			w.fail("the checkpoint of partition %d is %d of owner %s, want %d of none", p, c.Offset, c.Owner, l.end)
		}
	}
}
