package main

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
)

// check compares every row with the fold of the log: what the real end state has to be, from the records alone.
func (w *world) check() {
	if len(w.errs) > 0 {
		return
	}
	sums := map[string]int64{} // by table, row and column
	for sink := range int(w.plan.set.sinks) {
		for _, l := range w.logs {
			w.checkSource(srcKey{sink, l.part}, l, sums)
		}
	}
	if w.plan.set.atLeastOnce == 0 {
		w.checkSums(sums)
	}
	for _, name := range tableNames {
		for _, row := range foreignRows {
			if c := w.hbase.tables[name].rows[row].visible(foreignFamily, foreignFamily, w.wall()); c == nil || c.at != 7 {
				w.fail("I13", "a cell of another writer in row %s of %s was touched", row, name)
			}
		}
	}
}

func (w *world) checkSource(key srcKey, l *modelLog, sums map[string]int64) {
	s := &w.plan.set
	applied := map[int]bool{} // in the table mixed
	byKey := map[string][]*record{}
	var keys []string
	for _, rec := range l.all {
		if rec.bad || key.sink == 1 && rec.delete {
			continue
		}
		if byKey[rec.key] == nil {
			keys = append(keys, rec.key)
		}
		byKey[rec.key] = append(byKey[rec.key], rec)
	}
	for _, k := range keys {
		recs := byKey[k]
		mixed := w.hbase.tables[tableMixed].rows[k]
		f := rowCheck{w: w, key: key, l: l, recs: recs, table: tableMixed, name: k}
		f.lists(sums, mixed)
		maps.Copy(applied, f.applied)
		family, part := dataFamily, strconv.Itoa(int(l.part))
		if key.sink == 1 {
			family = sideFamily
		}
		f.value(mixed, family, "p"+part, func(r *record) bool { return true })
		if key.sink == 1 {
			continue
		}
		f.value(mixed, family, "x"+part, func(r *record) bool { return r.extra != 0 || r.delete })
		if s.counts > 0 {
			f := rowCheck{w: w, key: key, l: l, recs: recs, table: tableCounts, name: k}
			f.lists(sums, w.hbase.tables[tableCounts].rows["total-"+k], w.hbase.tables[tableCounts].rows["other-"+k])
		}
		if s.timed > 0 {
			timed := w.hbase.tables[tableTimed].rows[k]
			f := rowCheck{w: w, key: key, l: l, recs: recs, table: tableTimed, name: k}
			f.lists(sums, timed)
			f.value(timed, family, "p"+part, func(r *record) bool { return true })
		}
	}
	w.checkLetters(key, l, func(r *record) bool { return applied[r.id] })
}

// checkSums compares every counter with what its row lists (I2): weights are random 64-bit, so that a loss and a
// duplicate can't cancel.
func (w *world) checkSums(sums map[string]int64) {
	for _, name := range tableNames {
		t := w.hbase.tables[name]
		for _, row := range t.keys() {
			for _, q := range [...]string{"w", "n", "rw", "rn"} {
				if got, want := number(t.rows[row], q), sums[name+" "+row+" "+q]; got != want && !(q == "n" && name != tableCounts) {
					w.fail("I2", "counter %s of row %s of %s is %d, want %d", q, row, name, got, want)
				}
			}
		}
	}
}

func number(r *modelRow, qualifier string) int64 {
	c := r.visible(countFam, []byte(qualifier), 1<<62)
	if c == nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(c.value))
}

// rowCheck is one key's records of one source, and the rows of one table where they went.
type rowCheck struct {
	w           *world
	key         srcKey
	l           *modelLog
	recs        []*record
	table, name string
	applied     map[int]bool
}

// lists checks that each record went once into one of the rows: none lost (I1), none twice (I2), in log order (I3).
func (f *rowCheck) lists(sums map[string]int64, rows ...*modelRow) {
	w := f.w
	f.applied = map[int]bool{}
	if w.plan.set.atLeastOnce > 0 {
		for _, rec := range f.recs {
			f.applied[rec.id] = true
		}
		return
	}
	spared := w.watch.forced[f.key] || w.watch.given[f.key]
	for i, r := range rows {
		name := f.name
		if f.table == tableCounts {
			name = [...]string{"total-", "other-"}[i] + f.name
		}
		var c *column
		if r != nil {
			c = r.find(listFam, listName(f.key))
		}
		before := -1
		for _, id := range listed(nil, c) {
			at := slices.IndexFunc(f.recs, func(r *record) bool { return r.id == id })
			switch {
			case at < 0:
				w.fail("I8", "row %s of %s lists record %d of partition %d, which is not one of its", name, f.table, id, f.l.part)
				continue
			case f.applied[id] && !spared:
				w.fail("I2", "doubled: record %d (offset %d) of partition %d in row %s of %s", id, f.recs[at].offset, f.l.part, name, f.table)
			case id < before && f.recs[at].may[f.key.sink] > 0:
				// The late write of a dead owner: the record is gone from the log, or was passed by.
			case id < before && !spared && !w.watch.late[lateRow{f.table, name, f.l.part, f.key.sink}]:
				w.fail("I3", "order: record %d after %d of partition %d in row %s of %s", id, before, f.l.part, name, f.table)
			}
			before = id
			f.applied[id] = true
			prefix := ""
			if f.key.sink == 1 {
				prefix = "r"
			}
			sums[f.table+" "+name+" "+prefix+"w"] += f.recs[at].weight
			sums[f.table+" "+name+" "+prefix+"n"]++
		}
	}
	f.losses()
}

// losses is I1. Of the records that may have been passed over for one reason, the first ones of a row are applied.
func (f *rowCheck) losses() {
	w := f.w
	ended := map[int]int{}
	for _, rec := range f.recs {
		region := rec.may[f.key.sink]
		light := rec.heavy && f.table != tableCounts // refused, unless folded away under a later put
		switch {
		case rec.delete || light:
		case region == anyMay:
		case region > 0 && f.applied[rec.id]:
			if gap, ok := ended[region]; ok {
				w.fail("I3", "gap: record %d of partition %d in row %s of %s is applied, and %d before it is not", rec.id, f.l.part, f.name, f.table, gap)
			}
		case region > 0:
			if _, ok := ended[region]; !ok {
				ended[region] = rec.id
			}
		case !f.applied[rec.id] && !w.watch.given[f.key]:
			w.fail("I1", "lost: record %d (offset %d) of partition %d of sink %s in row %s of %s", rec.id, rec.offset, f.l.part, sinkNames[f.key.sink], f.name, f.table)
		}
	}
}
