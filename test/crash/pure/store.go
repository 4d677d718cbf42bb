package pure

import (
	"bytes"
	"encoding/binary"
	"errors"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// version is one stored cell of the model, with the order of its writing.
type version struct {
	hbase.Cell
	seq int
}

type rowID struct{ table, row string }

// store is the model HBase: data rows with all their versions and markers, and the checkpoint table.
type store struct {
	rows        map[rowID][]version
	checkpoints map[int32]*core.Checkpoint
	away        map[string]bool
	seq         int
	clock       func() int64
}

// visible is the newest put of a column that no marker hides, at a timestamp of at least from.
func visible(row []version, family, qualifier []byte, from int64) *version {
	var best *version
	hidden := int64(-1)
	for i := range row {
		v := &row[i]
		if !bytes.Equal(v.Family, family) {
			continue
		}
		if v.Type == hbase.CellDeleteFamily || v.Type == hbase.CellDeleteColumn && bytes.Equal(v.Qualifier, qualifier) {
			hidden = max(hidden, v.Timestamp)
		}
	}
	for i := range row {
		v := &row[i]
		if v.Type != hbase.CellPut || v.Timestamp <= hidden || v.Timestamp < from ||
			!bytes.Equal(v.Qualifier, qualifier) || !bytes.Equal(v.Family, family) {
			continue
		}
		if best == nil || v.Timestamp > best.Timestamp || v.Timestamp == best.Timestamp && v.seq > best.seq {
			best = v
		}
	}
	return best
}

// holds evaluates the one condition that the core uses: no such cell, or an empty one.
func (s *store) holds(id rowID, c *hbase.Condition) bool {
	if c == nil {
		return true
	}
	v := visible(s.rows[id], c.Family, c.Qualifier, c.From)
	return v == nil || len(v.Value) == 0
}

// apply writes one row. Increments and appends see it as it was before the write, as on a real server.
func (s *store) apply(table string, w *hbase.RowWrite) {
	id := rowID{table, string(w.Row)}
	before := s.rows[id]
	now := before[:len(before):len(before)]
	for i := range w.Mutations {
		m := &w.Mutations[i]
		for _, c := range m.Cells {
			s.seq++
			if m.Kind == hbase.KindIncrement || m.Kind == hbase.KindAppend {
				c.Timestamp = s.clock()
				if old := visible(before, c.Family, c.Qualifier, 0); old != nil {
					c.Timestamp = max(c.Timestamp, old.Timestamp+1)
					c.Value = merge(m.Kind, old.Value, c.Value)
				}
			}
			now = append(now, version{c.In(nil), s.seq})
		}
	}
	s.rows[id] = now
}

func merge(kind hbase.Kind, old, more []byte) []byte {
	if kind == hbase.KindAppend {
		return append(bytes.Clone(old), more...)
	}
	return binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(old)+binary.BigEndian.Uint64(more))
}

func heavy(w *hbase.RowWrite) bool {
	for i := range w.Mutations {
		for k := range w.Mutations[i].Cells {
			if string(w.Mutations[i].Cells[k].Value) == heavyValue {
				return true
			}
		}
	}
	return false
}

func fault(f hbase.Fault, text string) error { return &hbase.Error{Fault: f, Err: errors.New(text)} }

func refused(f hbase.Fault, text string) hbase.WriteResult {
	return hbase.WriteResult{Outcome: hbase.Refused, Err: fault(f, text)}
}

// call is one call to one region: a transaction, or row by row. half, in row mode, leaves the second half undone.
func (s *store) call(table string, mode hbase.Mode, groups []*core.Group, half bool) []hbase.WriteResult {
	out := make([]hbase.WriteResult, len(groups))
	all := func(r hbase.WriteResult) []hbase.WriteResult {
		for i := range out {
			out[i] = r
		}
		return out
	}
	if s.away[table] {
		return all(refused(hbase.FaultTable, "the table is disabled"))
	}
	if mode == hbase.ModeRegion {
		for _, g := range groups {
			if heavy(&g.Write) {
				return all(refused(hbase.FaultRow, "too heavy"))
			}
		}
		for _, g := range groups {
			if !s.holds(rowID{table, string(g.Write.Row)}, g.Write.Condition) {
				return all(hbase.WriteResult{Outcome: hbase.Refused})
			}
		}
		for _, g := range groups {
			s.apply(table, &g.Write)
		}
		return all(hbase.WriteResult{Outcome: hbase.Applied})
	}
	for i, g := range groups {
		switch {
		case half && i >= (len(groups)+1)/2:
			out[i] = hbase.WriteResult{Outcome: hbase.Unknown}
		case heavy(&g.Write):
			out[i] = refused(hbase.FaultRow, "too heavy")
		case !s.holds(rowID{table, string(g.Write.Row)}, g.Write.Condition):
			out[i] = hbase.WriteResult{Outcome: hbase.Refused}
		default:
			s.apply(table, &g.Write)
			out[i] = hbase.WriteResult{Outcome: hbase.Applied}
		}
	}
	return out
}

// mark reads one row's mark of a source.
func (s *store) mark(table string, row []byte, name string) (core.Mark, error) {
	if s.away[table] {
		return core.Mark{}, fault(hbase.FaultTable, "the table is disabled")
	}
	v := visible(s.rows[rowID{table, string(row)}], []byte(famMark), []byte(name), 0)
	if v == nil {
		return core.Mark{}, nil
	}
	return core.DecodeMark(v.Value)
}

// swap is the checkpoint's conditional put.
func (s *store) swap(p int32, expect []byte, put core.Checkpoint) bool {
	was := s.checkpoints[p]
	if (was == nil) != (expect == nil) || was != nil && !bytes.Equal(was.Encode(), expect) {
		return false
	}
	if put.Mapping == nil && was != nil {
		put.Mapping = was.Mapping
	}
	s.checkpoints[p] = &put
	return true
}
