package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// cell is one version in a model row, with the order of its writing.
type cell struct {
	hbase.Cell
	seq int
}

// modelTable keeps every version and marker of its rows, and reads them as HBase does.
type modelTable struct {
	rows     map[string][]cell
	disabled bool
}

// modelHBase is the data tables and the checkpoint table.
type modelHBase struct {
	tables      map[string]*modelTable
	checkpoints map[string]*core.Checkpoint
	seq         int
	restores    int
	before      map[string]int64 // the last checkpoint that was checked
	now         func() int64
	poisoned    func(table string, w *hbase.RowWrite) error
}

func newModelHBase(now func() int64, tables ...string) *modelHBase {
	h := &modelHBase{tables: map[string]*modelTable{}, checkpoints: map[string]*core.Checkpoint{}, before: map[string]int64{}, now: now}
	for _, t := range tables {
		h.tables[t] = &modelTable{rows: map[string][]cell{}}
	}
	return h
}

// visible is the newest put of a column that no marker hides, within [from, to).
func visible(cells []cell, family, qualifier []byte, from, to int64) *cell {
	var best *cell
	hidden := int64(-1)
	for i := range cells {
		c := &cells[i]
		if !bytes.Equal(c.Family, family) {
			continue
		}
		switch c.Type {
		case hbase.CellDeleteFamily:
			hidden = max(hidden, c.Timestamp)
		case hbase.CellDeleteColumn:
			if bytes.Equal(c.Qualifier, qualifier) {
				hidden = max(hidden, c.Timestamp)
			}
		}
	}
	for i := range cells {
		c := &cells[i]
		if c.Type != hbase.CellPut || !bytes.Equal(c.Family, family) || !bytes.Equal(c.Qualifier, qualifier) {
			continue
		}
		if c.Timestamp <= hidden || c.Timestamp < from || c.Timestamp >= to {
			continue
		}
		if best == nil || c.Timestamp > best.Timestamp || c.Timestamp == best.Timestamp && c.seq > best.seq {
			best = c
		}
	}
	return best
}

// holds evaluates a condition; only "absent or empty" is used.
func (t *modelTable) holds(row []byte, cond *hbase.Condition) bool {
	if cond == nil {
		return true
	}
	to := cond.To
	if to == 0 {
		to = 1<<63 - 1
	}
	c := visible(t.rows[string(row)], cond.Family, cond.Qualifier, cond.From, to)
	return c == nil || len(c.Value) == 0
}

// apply writes one row. Increments and appends see the row as it was before the write, as on the real server.
func (h *modelHBase) apply(t *modelTable, w *hbase.RowWrite) {
	before := t.rows[string(w.Row)]
	cells := append([]cell(nil), before...)
	for _, m := range w.Mutations {
		for _, c := range m.Cells {
			h.seq++
			old := visible(before, c.Family, c.Qualifier, 0, 1<<63-1)
			switch m.Kind {
			case hbase.KindIncrement, hbase.KindAppend:
				c.Timestamp = h.now()
				if old != nil {
					c.Timestamp = max(c.Timestamp, old.Timestamp+1)
					c.Value = merge(m.Kind, old.Value, c.Value)
				}
			}
			cells = append(cells, cell{c, h.seq})
		}
	}
	t.rows[string(w.Row)] = cells
}

func merge(kind hbase.Kind, old, delta []byte) []byte {
	if kind == hbase.KindAppend {
		return append(bytes.Clone(old), delta...)
	}
	b := make([]byte, 8)
	binary.BigEndian.PutUint64(b, binary.BigEndian.Uint64(old)+binary.BigEndian.Uint64(delta))
	return b
}

func fault(f hbase.Fault, text string) error {
	return &hbase.Error{Fault: f, Err: fmt.Errorf("%s", text)}
}

// writeCall is one call to one region: all or nothing, or row by row.
func (h *modelHBase) writeCall(table string, mode hbase.Mode, groups []*core.Group) []hbase.WriteResult {
	out := make([]hbase.WriteResult, len(groups))
	t := h.tables[table]
	all := func(r hbase.WriteResult) []hbase.WriteResult {
		for i := range out {
			out[i] = r
		}
		return out
	}
	if t == nil || t.disabled {
		return all(hbase.WriteResult{Outcome: hbase.Refused, Err: fault(hbase.FaultTable, "table is disabled")})
	}
	if mode == hbase.ModeRegion {
		for _, g := range groups {
			if err := h.poisoned(table, &g.Write); err != nil {
				return all(hbase.WriteResult{Outcome: hbase.Refused, Err: err})
			}
		}
		for _, g := range groups {
			if !t.holds(g.Write.Row, g.Write.Condition) {
				return all(hbase.WriteResult{Outcome: hbase.Refused})
			}
		}
		for _, g := range groups {
			h.apply(t, &g.Write)
		}
		return all(hbase.WriteResult{Outcome: hbase.Applied})
	}
	for i, g := range groups {
		err := h.poisoned(table, &g.Write)
		switch {
		case err != nil:
			out[i] = hbase.WriteResult{Outcome: hbase.Refused, Err: err}
		case !t.holds(g.Write.Row, g.Write.Condition):
			out[i] = hbase.WriteResult{Outcome: hbase.Refused}
		default:
			h.apply(t, &g.Write)
			out[i] = hbase.WriteResult{Outcome: hbase.Applied}
		}
	}
	return out
}

// mark reads one row's mark of a source.
func (h *modelHBase) mark(table string, row []byte, name string) (core.Mark, error) {
	t := h.tables[table]
	if t == nil || t.disabled {
		return core.Mark{}, fault(hbase.FaultTable, "table is disabled")
	}
	c := visible(t.rows[string(row)], markFamily, []byte(name), 0, 1<<63-1)
	if c == nil {
		return core.Mark{}, nil
	}
	return core.DecodeMark(c.Value)
}

// swap is the checkpoint's conditional put.
func (h *modelHBase) swap(key string, expect []byte, put core.Checkpoint) bool {
	was := h.checkpoints[key]
	if was == nil != (expect == nil) || was != nil && !bytes.Equal(was.Encode(), expect) {
		return false
	}
	if put.Mapping == nil && was != nil {
		put.Mapping = was.Mapping
	}
	h.checkpoints[key] = &put
	return true
}

func (t *modelTable) clone() *modelTable {
	n := &modelTable{rows: make(map[string][]cell, len(t.rows))}
	for k, v := range t.rows {
		n.rows[k] = append([]cell(nil), v...)
	}
	return n
}

func (t *modelTable) keys() []string {
	out := make([]string, 0, len(t.rows))
	for k := range t.rows {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
