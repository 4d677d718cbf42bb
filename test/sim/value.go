package main

import (
	"slices"
	"strconv"
)

// mostUnsure is how many deletes of unknown fate are tried in all ways; a row with more is not compared.
const mostUnsure = 6

// value compares a column with the fold of its records. A delete that may have been passed over leaves no trace of
// its own, so that every outcome is right that some fate of such deletes explains.
func (f *rowCheck) value(r *modelRow, family []byte, qualifier string, touches func(*record) bool) {
	w := f.w
	if w.watch.late[lateRow{f.table, f.name, f.l.part, f.key.sink}] || w.watch.given[f.key] || w.watch.forced[f.key] {
		return
	}
	got := ""
	if c := r.visible(family, []byte(qualifier), w.wall()); c != nil {
		got = string(c.value)
	}
	var unsure []int
	var recs []*record
	for _, rec := range f.recs {
		if !touches(rec) || !rec.delete && !f.applied[rec.id] {
			continue
		}
		if rec.may[f.key.sink] != 0 && (!rec.delete || rec.offset < w.watch.passed[f.key]) {
			return // passed by, and sent all the same by the owner before: it may have landed behind its successor's look
		}
		if rec.delete && rec.may[f.key.sink] != 0 {
			unsure = append(unsure, rec.id)
		}
		recs = append(recs, rec)
	}
	if len(unsure) > mostUnsure {
		return
	}
	var wanted []string
	for mask := range 1 << len(unsure) {
		want := f.fold(recs, qualifier[0], func(id int) bool {
			n := slices.Index(unsure, id)
			return n >= 0 && mask&(1<<n) == 0
		})
		if got == want {
			return
		}
		wanted = append(wanted, want)
	}
	if w.traceOn {
		for _, rec := range f.recs {
			w.logf("  record %d offset %d time %d delete %v heavy %v extra %q may %d applied %v", rec.id, rec.offset, rec.time, rec.delete, rec.heavy, rec.extra, rec.may[f.key.sink], f.applied[rec.id])
		}
		for i := range r.columns {
			c := &r.columns[i]
			w.logf("  cell %s:%s @%d %q has %v deleted @%d", c.family, c.qualifier, c.at, c.value, c.has, c.deleted)
		}
		for _, m := range r.families {
			w.logf("  family %s deleted @%d", m.family, m.deleted)
		}
	}
	w.fail("I3", "column %s:%s of row %s of %s is %q, want %q", family, qualifier, f.name, f.table, got, wanted)
}

// fold gives a column's last value, "" for none: in log order, or by time where the table says so.
func (f *rowCheck) fold(recs []*record, column byte, skipped func(id int) bool) string {
	value, at, gone := "", int64(-1), int64(-1)
	for _, rec := range recs {
		if rec.delete && skipped(rec.id) {
			continue
		}
		deletes := rec.delete || column == 'x' && rec.extra == 'd'
		if f.table != tableTimed {
			value = ""
			if !deletes {
				value = f.text(rec, column)
			}
			continue
		}
		if deletes {
			gone = max(gone, rec.time)
		} else if rec.time >= at {
			value, at = f.text(rec, column), rec.time
		}
	}
	if f.table == tableTimed && at <= gone {
		return ""
	}
	return value
}

func (f *rowCheck) text(rec *record, column byte) string {
	if rec.heavy && f.key.sink == 0 && f.table == tableMixed && column == 'p' {
		return string(heavyValue)
	}
	return strconv.Itoa(rec.id)
}
