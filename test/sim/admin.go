package main

import (
	"time"

	"rowmark/connector/core"
)

var tableNames = [...]string{tableMixed, tableCounts, tableTimed, tableLetters}

// away says whether any table can't be used now.
func (w *world) away() bool {
	for _, n := range tableNames {
		if w.hbase.tables[n].away != nil {
			return true
		}
	}
	return w.restoring
}

// spell takes a table away for a while, and brings it back as it was.
func (w *world) spell(a act) {
	if w.away() {
		return
	}
	name := tableNames[int(a.n)%(len(tableNames)-1+int(w.plan.set.letters))]
	w.faults++
	t := w.hbase.tables[name]
	t.away = [...]error{errDisabled, errFamily, errMoved}[int(a.m)%3]
	w.logf("table %s is away: %v", name, t.away)
	w.after(time.Duration(100+a.m%2000)*time.Millisecond, func() {
		w.logf("table %s is back", name)
		t.away = nil
	})
}

// compact drops delete markers. Not of the table in order of time, where a late put below a marker would show, as in
// any table of HBase; nor where puts go out without marks, and a doubled old one would.
func (w *world) compact(a act) {
	if w.plan.set.atLeastOnce > 0 {
		return
	}
	name := tableNames[int(a.n)%2]
	w.faults++
	w.logf("table %s is compacted", name)
	for _, r := range w.hbase.tables[name].rows {
		r.compact()
	}
}

// restore copies the tables, or takes them empty, and later puts the copy in place under the running connectors. The
// operator then stops them and moves the offsets back to where the snapshot began.
func (w *world) restore(a act) {
	if w.away() {
		return
	}
	w.restoring = true
	offsets := map[srcKey]int64{}
	copies := map[string]*modelTable{}
	for name, t := range w.hbase.tables {
		copies[name] = &modelTable{rows: map[string]*modelRow{}}
		if a.n%3 > 0 {
			copies[name] = t.clone()
		}
	}
	if a.n%3 > 0 {
		for k := range w.hbase.checkpoints {
			if c := w.hbase.checkpoint(k); c != nil {
				offsets[k] = c.Offset
			}
		}
	}
	w.foreign(copies)
	w.logf("snapshot at %v", offsets)
	wait := time.Duration(500+a.m%4000) * time.Millisecond
	if a.m%2 == 0 {
		// Nobody writes while the table is away: only its witness can tell.
		w.after(wait/2, func() { w.quiet = true })
		w.after(wait+1600*time.Millisecond, func() { w.quiet = false })
	}
	w.after(wait, func() {
		w.faults++
		w.logf("tables disabled and restored")
		for name := range w.hbase.tables {
			w.hbase.tables[name] = copies[name]
			copies[name].away = errDisabled
		}
		w.hbase.restores++
		w.watch.blind = true
		w.after(1500*time.Millisecond, func() {
			w.logf("tables enabled")
			w.hbase.restores++ // a call on its way since before is not modelled to outlive the spell
			for _, t := range copies {
				t.away = nil
			}
		})
		w.after(time.Duration(2000+a.m/4%3000)*time.Millisecond, func() { w.rewind(offsets) })
	})
}

func (w *world) rewind(offsets map[srcKey]int64) {
	w.logf("operator moves offsets back to %v", offsets)
	for _, p := range w.procs {
		p.kill()
		p.replaced = true
	}
	for key := range w.hbase.checkpoints {
		c := w.hbase.checkpoint(key)
		if c == nil {
			continue
		}
		n := *c
		n.Offset, n.Epoch, n.Owner, n.Witness = offsets[key], c.Epoch+1, core.Owner{}, nil
		w.hbase.store(key, &n)
		w.watch.rewound(key, n.Offset)
	}
	w.watch.blind, w.restoring = false, false
	if w.final {
		return
	}
	for sink := range int(w.plan.set.sinks) {
		w.spawn(sink, w.allParts(), nil)
	}
}

// foreign puts cells into the tables that no connector may touch (I13).
func (w *world) foreign(tables map[string]*modelTable) {
	for _, name := range tableNames {
		for _, row := range foreignRows {
			r := tables[name].rows[row]
			if r == nil {
				r = &modelRow{}
				tables[name].rows[row] = r
			}
			if r.find(foreignFamily, foreignFamily) == nil {
				r.columns = append(r.columns, column{family: foreignFamily, qualifier: foreignFamily, has: true, value: foreignFamily, at: 7})
			}
		}
	}
}

var (
	foreignRows   = [...]string{"p0-0", "shared-0", "total-p0-0", "nobody"}
	foreignFamily = []byte("z")
)
