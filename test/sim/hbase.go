package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// modelTable is a table, all regions of it.
type modelTable struct {
	rows map[string]*modelRow
	away error // why it can't be used for now; nil: it can
}

// srcKey names one partition as one sink reads it.
type srcKey struct {
	sink int
	part int32
}

// modelHBase is the data tables and the checkpoint table.
type modelHBase struct {
	w           *world
	tables      map[string]*modelTable
	checkpoints map[srcKey]*checkpointPast
	restores    int // calls of before one never land
	scratch     []prepared
	from        *process // whose call it is
	writes      int
}

func newModelHBase(w *world) *modelHBase {
	h := &modelHBase{w: w, tables: map[string]*modelTable{}, checkpoints: map[srcKey]*checkpointPast{}}
	for _, t := range tableNames {
		h.tables[t] = &modelTable{rows: map[string]*modelRow{}}
	}
	return h
}

func fault(f hbase.Fault, text string) error {
	return &hbase.Error{Fault: f, Err: fmt.Errorf("%s", text)}
}

var (
	errBusy     = fault(hbase.FaultBusy, "busy")
	errMoved    = fault(hbase.FaultRelocate, "moved")
	errTimeout  = fault(hbase.FaultAmbiguous, "timeout")
	errUnsorted = fault(hbase.FaultAmbiguous, "refused for an unknown reason")
	errHeavy    = fault(hbase.FaultRow, "too heavy")
	errDisabled = fault(hbase.FaultTable, "table is disabled")
	errFamily   = fault(hbase.FaultSchema, "no such family")
)

// poisoned refuses for good what carries the heavy value.
func poisoned(w *hbase.RowWrite) error {
	for i := range w.Mutations {
		for j := range w.Mutations[i].Cells {
			if bytes.Equal(w.Mutations[i].Cells[j].Value, heavyValue) {
				return errHeavy
			}
		}
	}
	return nil
}

// shares says whether a row goes into a batch with others; one that is too large fails them all.
func shares(w *hbase.RowWrite) bool {
	return w.Condition == nil && len(w.Mutations) == 1 && (w.Mutations[0].Kind == hbase.KindPut || w.Mutations[0].Kind == hbase.KindDelete)
}

// write is one call to one region: all or nothing, or row by row.
func (h *modelHBase) write(table string, mode hbase.Mode, groups []*core.Group) []hbase.WriteResult {
	out := make([]hbase.WriteResult, len(groups))
	all := func(r hbase.WriteResult) []hbase.WriteResult {
		for i := range out {
			out[i] = r
		}
		return out
	}
	t := h.tables[table]
	if t.away != nil {
		return all(hbase.WriteResult{Outcome: hbase.Refused, Err: t.away})
	}
	if mode == hbase.ModeRegion {
		for _, g := range groups {
			if err := poisoned(&g.Write); err != nil {
				return all(hbase.WriteResult{Outcome: hbase.Refused, Err: err})
			}
		}
		for _, g := range groups {
			if !t.rows[string(g.Write.Row)].holds(g.Write.Condition, h.w.wall()) {
				return all(hbase.WriteResult{Outcome: hbase.Refused})
			}
		}
		h.apply(t, table, groups)
		return all(hbase.WriteResult{Outcome: hbase.Applied})
	}
	var spoiled error // of the rows that share a batch
	for _, g := range groups {
		if err := poisoned(&g.Write); mode == hbase.ModeBatch && shares(&g.Write) && err != nil {
			spoiled = err
		}
	}
	for i, g := range groups {
		err := poisoned(&g.Write)
		if err == nil && shares(&g.Write) {
			err = spoiled
		}
		switch {
		case err != nil:
			out[i] = hbase.WriteResult{Outcome: hbase.Refused, Err: err}
		case !t.rows[string(g.Write.Row)].holds(g.Write.Condition, h.w.wall()):
			out[i] = hbase.WriteResult{Outcome: hbase.Refused}
		default:
			h.apply(t, table, groups[i:i+1])
			out[i] = hbase.WriteResult{Outcome: hbase.Applied}
		}
	}
	return out
}

// apply computes what all groups write, and then writes it.
func (h *modelHBase) apply(t *modelTable, table string, groups []*core.Group) {
	all := h.scratch[:0]
	var ends [64]int
	cuts := ends[:0]
	for _, g := range groups {
		all = t.rows[string(g.Write.Row)].prepare(&g.Write, h.w.serverClock(), all)
		cuts = append(cuts, len(all))
	}
	h.scratch = all
	from := 0
	for i, g := range groups {
		r := t.rows[string(g.Write.Row)]
		if r == nil {
			r = &modelRow{}
			t.rows[string(g.Write.Row)] = r
		}
		h.w.watch.landing(h.from, table, r, g)
		for j := from; j < cuts[i]; j++ {
			r.install(&all[j])
			if c := &all[j].cell; bytes.Equal(c.Family, markFamily) {
				r.remember(c.Qualifier, c.Value, h.from)
			}
		}
		from = cuts[i]
	}
	if h.writes++; h.writes%auditEvery == 0 {
		h.w.watch.audit(table, groups[0].Write.Row)
	}
}

// auditEvery is how many writes pass between two audits of a row.
const auditEvery = 8

// mark reads one row's mark.
func (h *modelHBase) mark(table string, row []byte, name string) (core.Mark, error) {
	t := h.tables[table]
	if t.away != nil {
		return core.Mark{}, t.away
	}
	c := t.rows[string(row)].visible(markFamily, []byte(name), h.w.wall())
	if c == nil {
		return core.Mark{}, nil
	}
	return core.DecodeMark(c.value)
}

// swap is the checkpoint's conditional put.
func (h *modelHBase) swap(key srcKey, expect []byte, put core.Checkpoint) bool {
	was := h.checkpoint(key)
	if was == nil != (expect == nil) || was != nil && !bytes.Equal(was.Encode(), expect) {
		return false
	}
	if put.Mapping == nil && was != nil {
		put.Mapping = was.Mapping
	}
	h.store(key, &put)
	return true
}

func (t *modelTable) clone() *modelTable {
	n := &modelTable{rows: make(map[string]*modelRow, len(t.rows))}
	for k, v := range t.rows {
		n.rows[k] = v.clone()
	}
	return n
}

func (t *modelTable) keys() []string { return slices.Sorted(maps.Keys(t.rows)) }
