package pure

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

// content is tables as a reader sees them: by row, by family:qualifier.
type content map[rowID]map[string]string

// read gives all visible cells but the marks.
func (s *store) read() content {
	out := content{}
	for id, row := range s.rows {
		cells := map[string]string{}
		for i := range row {
			v := &row[i]
			name := string(v.Family) + ":" + string(v.Qualifier)
			if _, ok := cells[name]; ok || string(v.Family) == famMark {
				continue
			}
			if best := visible(row, v.Family, v.Qualifier, 0); best != nil {
				cells[name] = show(string(v.Family), string(best.Value))
			}
		}
		if len(cells) > 0 {
			out[id] = cells
		}
	}
	return out
}

func show(family, value string) string {
	if family == famCount && len(value) == 8 {
		return itoa(int64(binary.BigEndian.Uint64([]byte(value))))
	}
	return value
}

// sums are counters by row and family:qualifier.
type sums map[rowID]map[string]int64

// fold applies a record to the content, as its operations mean it and one after another.
func (c content) fold(r *record, version byte, shared sums, applies func(o *rowOp) bool) {
	ops := r.written()
	for i := range ops {
		o := &ops[i]
		if o.heavy || applies != nil && !applies(o) {
			continue
		}
		id := rowID{o.table, o.row}
		cells := c[id]
		if cells == nil {
			cells = map[string]string{}
			c[id] = cells
		}
		if o.deletes {
			for name := range cells {
				if strings.HasPrefix(name, famData+":") {
					delete(cells, name)
				}
			}
		}
		for k := range o.cells {
			op := &o.cells[k]
			name := op.family + ":" + op.column(version)
			switch {
			case op.kind == mapping.CellIncrement:
				if shared[id] == nil {
					shared[id] = map[string]int64{}
				}
				shared[id][name] += op.delta
			case op.kind == mapping.CellAppend:
				cells[name] += op.value
			case op.kind == mapping.CellDeleteColumn:
				delete(cells, name)
			default:
				cells[name] = op.value
			}
		}
	}
}

// want is the fold of all logs, where each partition changed its mapping at an offset. It is not to be changed.
func (w *world) want(changes []int64) content {
	if w.s.Special == Recreated || w.s.Special == Hole {
		return w.folded(changes) // it depends on how far the first process came
	}
	key := fmt.Sprint(changes)
	if c, ok := w.s.wants.Load(key); ok {
		return c.(content)
	}
	c := w.folded(changes)
	w.s.wants.Store(key, c)
	return c
}

func (w *world) folded(changes []int64) content {
	out, counters := content{}, sums{}
	fold := func(logs []*logFile, changes []int64, applies func(p int, r *record, o *rowOp) bool) {
		for p, l := range logs {
			for i := range l.records {
				r := &l.records[i]
				version := byte('1')
				if r.offset >= changes[p] {
					version = '2'
				}
				var ok func(o *rowOp) bool
				if applies != nil {
					ok = func(o *rowOp) bool { return applies(p, r, o) }
				}
				out.fold(r, version, counters, ok)
			}
		}
	}
	marked := func(p int, r *record, o *rowOp) bool {
		return w.frozen[markID{rowID{o.table, o.row}, core.SourceName("s", "t", int32(p), 0)}] > r.offset
	}
	switch w.s.Special {
	case Recreated:
		// What was read of the old log is told by its marks: if the topic was made anew before it was ever seen, none.
		w.frozen = map[markID]int64{}
		for id, n := range w.marks() {
			if id.source == core.SourceName("s", "t", partitionOf(id.source), 0) && id.source != w.source(partitionOf(id.source)) {
				w.frozen[id] = n
			}
		}
		never := slices.Repeat([]int64{always}, len(changes))
		fold(w.s.logs, never, func(p int, r *record, o *rowOp) bool { return !w.changed || marked(p, r, o) })
		if w.changed {
			fold(w.s.anew, changes, nil)
		}
	case Hole:
		fold(w.logs, changes, func(p int, r *record, o *rowOp) bool { return r.offset >= w.start[p] || marked(p, r, o) })
	default:
		fold(w.logs, changes, nil)
	}
	for id, m := range counters {
		for name, n := range m {
			out[id][name] = itoa(n)
		}
	}
	return out
}

// diff says where two contents differ, of the columns of one partition, or of the shared ones for -1.
func diff(got, want content, p int) string {
	tag := fmt.Sprintf("p%d", p)
	ours := func(name string) bool {
		_, q, _ := strings.Cut(name, ":")
		if p < 0 {
			return !strings.HasPrefix(q, "p")
		}
		return strings.HasPrefix(q, tag+".") || strings.HasPrefix(q, tag+"#")
	}
	for id, cells := range want {
		for name, value := range cells {
			if have, ok := got[id][name]; ours(name) && (!ok || have != value) {
				return fmt.Sprintf("column %s of row %s of %s holds %q, want %q", name, id.row, id.table, have, value)
			}
		}
	}
	for id, cells := range got {
		for name, value := range cells {
			if _, ok := want[id][name]; ours(name) && !ok {
				return fmt.Sprintf("column %s of row %s of %s holds %q, want none", name, id.row, id.table, value)
			}
		}
	}
	return ""
}
