package main

import (
	"bytes"
	"strconv"

	"rowmark/connector/core"
)

// watch sees every change as it happens, and holds it against the invariants that hold at every instant: I4 to I9.
type watch struct {
	w       *world
	lives   map[srcKey][]int  // for each incarnation of a source, the life of the log that it reads
	checked map[srcKey]int    // records of that life that were seen in their rows
	older   map[string]bool   // names of marks of incarnations that ended
	late    map[lateRow]bool  // rows that such a mark's write reached after its end
	given   map[srcKey]bool   // given up by the operator: marks may be gone
	forced  map[srcKey]bool   // went on by --force until marks may have been gone
	passed  map[srcKey]int64  // the operator moved the offset forward to here
	names   map[srcKey]string // of the current incarnation's marks
	regions int
	blind   bool // tables are restored, and offsets not yet moved back
	ids     []int
}

type lateRow struct {
	table, row string
	part       int32
	sink       int
}

func newWatch(w *world) *watch {
	return &watch{
		w: w, lives: map[srcKey][]int{}, checked: map[srcKey]int{}, older: map[string]bool{}, late: map[lateRow]bool{},
		given: map[srcKey]bool{}, forced: map[srcKey]bool{}, passed: map[srcKey]int64{}, names: map[srcKey]string{},
	}
}

// life is the life of the log that a source's checkpoint speaks of, -1 without one.
func (v *watch) life(key srcKey) int {
	if n := len(v.lives[key]); n > 0 {
		return v.lives[key][n-1]
	}
	return -1
}

func (v *watch) name(key srcKey, incarnation int) string {
	return core.SourceName(sinkNames[key.sink], "t", key.part, incarnation)
}

// accepted looks at a checkpoint that landed. saw is the life of the log that its sender knew as it sent it.
func (v *watch) accepted(p *process, a core.SwapCheckpoint, was *core.Checkpoint, saw int) {
	w, key, put := v.w, p.key(a.TopicPartition), &a.Put
	l := w.logs[key.part]
	switch {
	case was == nil:
		v.lives[key] = []int{saw}
		v.names[key] = v.name(key, 0)
		v.checked[key] = l.indexIn(saw, put.Offset)
	case put.Incarnation() > was.Incarnation():
		if p.logFails() {
			w.fail("I9", "p%d opened incarnation %d of %s, and was told to stop", p.id, put.Incarnation(), a.TopicPartition)
		}
		if saw <= v.life(key) {
			w.fail("I9", "p%d opened incarnation %d of %s, whose log did not change", p.id, put.Incarnation(), a.TopicPartition)
		}
		v.older[v.names[key]] = true
		v.lives[key] = append(v.lives[key], saw)
		v.names[key] = v.name(key, put.Incarnation())
		v.checked[key] = l.indexIn(saw, put.Offset)
	case put.Offset < was.Offset || put.Incarnation() < was.Incarnation():
		w.fail("I5", "p%d moved the checkpoint of %s back from %d to %d", p.id, a.TopicPartition, was.Offset, put.Offset)
	}
	if was != nil && (put.Epoch < was.Epoch || put.Epoch == was.Epoch && was.Owner != p.owner()) {
		w.fail("I7", "p%d wrote a checkpoint of %s with epoch %d, which it does not own", p.id, a.TopicPartition, put.Epoch)
	}
	if v.life(key) == l.life() && put.Offset > l.stable {
		w.fail("I8", "p%d moved the checkpoint of %s to %d, past the last stable offset %d", p.id, a.TopicPartition, put.Offset, l.stable)
	}
	v.ahead(p, key, put)
}

func (p *process) owner() core.Owner { return core.Owner{1, byte(p.id), byte(p.id >> 8)} }

// ahead is I4: below an accepted checkpoint every record is in its rows. And I9: what is not, because the log does
// not have it any more, was told.
func (v *watch) ahead(p *process, key srcKey, put *core.Checkpoint) {
	w := v.w
	if v.blind || w.plan.set.atLeastOnce > 0 {
		return
	}
	recs := w.logs[key.part].lives[v.life(key)]
	n := v.checked[key]
	for ; n < len(recs) && recs[n].offset < put.Offset; n++ {
		rec := recs[n]
		if refused := rec.bad || rec.heavy; refused && w.plan.set.letters == 0 || refused && v.settled(key, rec) || !refused && v.reached(key, rec) {
			continue
		}
		hole := w.logs[key.part].start
		switch {
		case rec.may[key.sink] == 0:
			w.fail("I4", "p%d moved the checkpoint of partition %d of sink %s to %d, but offset %d is not in its rows (%s)", p.id, key.part, sinkNames[key.sink], put.Offset, rec.offset, rec.key)
		case rec.offset < hole && rec.offset >= v.passed[key] && p.told[key.part] <= rec.offset && !w.recreated():
			w.fail("I9", "p%d passed offset %d of partition %d, which retention deleted, without a word", p.id, rec.offset, key.part)
		}
	}
	v.checked[key] = n
}

func (w *world) recreated() bool { return w.topics > 0 }

// reached says whether the marks of a record's rows have passed it, in the checkpoint's incarnation.
func (v *watch) reached(key srcKey, rec *record) bool {
	w := v.w
	name := []byte(v.names[key])
	in := func(table, prefix string) bool {
		r := w.hbase.tables[table].rows[prefix+rec.key]
		if r == nil {
			return false
		}
		c := r.find(markFamily, name)
		return c != nil && c.at > rec.offset
	}
	if key.sink == 1 {
		return rec.delete || in(tableMixed, "")
	}
	s := &w.plan.set
	if !in(tableMixed, "") || s.timed > 0 && !in(tableTimed, "") {
		return false
	}
	return rec.delete || s.counts == 0 || in(tableCounts, "total-") || in(tableCounts, "other-")
}

// landing looks at a group of a write just before it goes into its row.
func (v *watch) landing(p *process, table string, r *modelRow, g *core.Group) {
	w := v.w
	if g.Write.Condition == nil {
		return
	}
	name := g.Write.Condition.Qualifier
	if c := r.visible(markFamily, name, w.wall()); c != nil && c.at >= g.Next {
		w.fail("I5", "p%d moves the mark %s of row %s of %s back from %d to %d", p.id, name, g.Write.Row, table, c.at, g.Next)
	}
	if p.force {
		for _, part := range p.parts {
			key := srcKey{p.sink, part}
			if ck := w.hbase.checkpoint(key); ck != nil && w.wall() > ck.AdvancedAt+w.plan.set.ttl {
				v.forced[key] = true
			}
		}
	}
	if len(v.older) > 0 && v.older[string(name)] {
		for key, now := range v.names {
			if base := v.name(key, 0); now == base || bytes.HasPrefix(name, []byte(base)) {
				v.late[lateRow{table, string(g.Write.Row), key.part, key.sink}] = true
			}
		}
	}
}

// audit is I2 and I6, on one row and at one instant: what it lists is what its mark says.
func (v *watch) audit(table string, row []byte) {
	w := v.w
	if table == tableCounts || w.plan.set.atLeastOnce > 0 {
		return
	}
	r := w.hbase.tables[table].rows[string(row)]
	for key, name := range v.names {
		if v.forced[key] || key.sink == 1 && table != tableMixed {
			continue
		}
		mark := r.find(markFamily, []byte(name))
		if mark == nil {
			continue
		}
		v.ids = listed(v.ids[:0], r.find(listFam, listName(key)))
		for _, rec := range w.logs[key.part].lives[v.life(key)] {
			if rec.key != string(row) || rec.delete || rec.bad || rec.heavy || rec.may[key.sink] != 0 {
				continue
			}
			if has := has(v.ids, rec.id); has != (rec.offset < mark.at) {
				w.fail("I6", "row %s of %s holds the mark %d of partition %d, and offset %d is applied: %v", row, table, mark.at, key.part, rec.offset, has)
			}
		}
	}
}

func listName(key srcKey) []byte {
	prefix := "p"
	if key.sink == 1 {
		prefix = "r"
	}
	return strconv.AppendInt([]byte(prefix), int64(key.part), 10)
}

// listed reads a list of ids, each followed by a comma.
func listed(out []int, c *column) []int {
	if c == nil || !c.has {
		return out
	}
	n := 0
	for _, b := range c.value {
		if b == ',' {
			out = append(out, n)
			n = 0
			continue
		}
		n = 10*n + int(b-'0')
	}
	return out
}

func has(ids []int, id int) bool {
	for _, n := range ids {
		if n == id {
			return true
		}
	}
	return false
}

// anyMay is the number of records that may have been passed over, in no order.
const anyMay = -1

// forward notes that the operator moved an offset: what lies between may be passed over.
func (v *watch) forward(key srcKey, from, to int64) {
	l := v.w.logs[key.part]
	if to > from {
		v.w.spare(l, key.sink, from, to)
		v.passed[key] = to
	}
	for _, rec := range l.recs[l.index(to):] {
		if rec.may[key.sink] > 0 {
			rec.may[key.sink] = anyMay // read again, and applied where the row's mark lets it
		}
	}
}

// rewound notes that the marks from an offset on may be gone.
func (v *watch) rewound(key srcKey, to int64) {
	v.checked[key] = v.w.logs[key.part].indexIn(v.life(key), to)
}

// fenced is I7, in the quiet at the end: no process runs a partition that another owns.
func (v *watch) fenced() {
	for _, p := range v.w.procs {
		if p.dead || p.paused {
			continue
		}
		for _, s := range p.core.Statuses() {
			if ck := v.w.hbase.checkpoint(p.key(s.TopicPartition)); s.State == "running" && ck != nil && ck.Epoch > s.Epoch {
				v.w.fail("I7", "p%d still runs %s in epoch %d, the owner's is %d", p.id, s.TopicPartition, s.Epoch, ck.Epoch)
			}
		}
	}
}
