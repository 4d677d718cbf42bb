package connector_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// store is a table and a checkpoint row in HBase, as small as the histories need: cells with all versions, delete
// markers that are never dropped, conditions, and the server's habit of reading a row's state once per write.
type store struct {
	rows map[string][]hbase.Cell // in order of arrival
	ck   *core.Checkpoint
}

func isColumn(c *hbase.Cell, family, qualifier []byte) bool {
	return bytes.Equal(c.Family, family) && bytes.Equal(c.Qualifier, qualifier)
}

// read gives the column's newest cell that no delete hides, nil for none.
func read(cells []hbase.Cell, family, qualifier []byte) *hbase.Cell {
	var newest *hbase.Cell
	hidden := int64(-1)
	for i := range cells {
		c := &cells[i]
		switch {
		case c.Type == hbase.CellDeleteFamily && bytes.Equal(c.Family, family),
			c.Type == hbase.CellDeleteColumn && isColumn(c, family, qualifier):
			hidden = max(hidden, c.Timestamp)
		case c.Type == hbase.CellPut && isColumn(c, family, qualifier):
			if newest == nil || c.Timestamp >= newest.Timestamp {
				newest = c
			}
		}
	}
	if newest == nil || newest.Timestamp <= hidden {
		return nil
	}
	return newest
}

// mark gives a row's mark for a source; Next 0 is none.
func (s *store) mark(row, name string) (core.Mark, error) {
	c := read(s.rows[row], markFamily, []byte(name))
	if c == nil {
		return core.Mark{}, nil
	}
	return core.DecodeMark(c.Value)
}

// barred gives the cell that a write's condition meets, nil if the condition holds.
func (s *store) barred(w *hbase.RowWrite) *hbase.Cell {
	c := w.Condition
	if c == nil {
		return nil
	}
	seen := slices.DeleteFunc(slices.Clone(s.rows[string(w.Row)]), func(cell hbase.Cell) bool {
		return cell.Timestamp < c.From || c.To > 0 && cell.Timestamp >= c.To
	})
	return read(seen, c.Family, c.Qualifier)
}

// apply lands a write whose condition holds. wall is the server's clock.
func (s *store) apply(w *hbase.RowWrite, wall int64) {
	before := s.rows[string(w.Row)]
	after := slices.Clone(before)
	for _, m := range w.Mutations {
		for _, c := range m.Cells {
			if m.Kind == hbase.KindIncrement || m.Kind == hbase.KindAppend {
				was := read(before, c.Family, c.Qualifier)
				c.Timestamp = wall
				if was != nil {
					c.Timestamp = max(wall, was.Timestamp+1)
					c.Value = joined(m.Kind, was.Value, c.Value)
				}
			}
			after = append(after, c.In(nil))
		}
	}
	s.rows[string(w.Row)] = after
}

func joined(kind hbase.Kind, was, more []byte) []byte {
	if kind == hbase.KindAppend {
		return append(bytes.Clone(was), more...)
	}
	return binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(was)+binary.BigEndian.Uint64(more))
}

// swap lands a checkpoint write if its condition holds.
func (s *store) swap(expect []byte, put core.Checkpoint) bool {
	var stands []byte
	if s.ck != nil {
		stands = s.ck.Encode()
	}
	if !bytes.Equal(stands, expect) {
		return false
	}
	if put.Mapping == nil && s.ck != nil {
		put.Mapping = s.ck.Mapping
	}
	s.ck = &put
	return true
}

// row tells what a reader of the row sees: data cells, then marks.
func (s *store) row(key string) string {
	var data, marks []string
	cells := s.rows[key]
	for i := range cells {
		c := &cells[i]
		if c.Type != hbase.CellPut || read(cells, c.Family, c.Qualifier) != c {
			continue
		}
		if bytes.Equal(c.Family, markFamily) {
			marks = append(marks, fmt.Sprintf("%s %s", c.Qualifier, showMark(c)))
		} else {
			data = append(data, fmt.Sprintf("%s=%s@%d", columnName(c), value(c.Value), c.Timestamp))
		}
	}
	slices.Sort(data)
	slices.Sort(marks)
	return key + ": " + strings.Join(append(data, marks...), ", ")
}
