package main

import (
	"bytes"
	"encoding/binary"

	"rowmark/hbase"
)

// modelRow is a row as HBase shows it. Of each column only the put with the highest timestamp is kept: nothing but
// a major compaction brings back what lies below it or below a delete marker.
type modelRow struct {
	columns  []column
	families []familyMark
	pasts    []*past
	newest   int64 // the highest timestamp of any data, compaction or not
}

type column struct {
	family, qualifier []byte
	has               bool
	value             []byte
	at                int64
	expires           int64 // wall clock of a cell TTL; 0: never
	deleted           int64 // a delete-column marker; 0: none
}

type familyMark struct {
	family  []byte
	deleted int64
}

func (r *modelRow) find(family, qualifier []byte) *column {
	for i := range r.columns {
		c := &r.columns[i]
		if bytes.Equal(c.qualifier, qualifier) && bytes.Equal(c.family, family) {
			return c
		}
	}
	return nil
}

func (r *modelRow) hidden(c *column) bool {
	if c.at <= c.deleted {
		return true
	}
	for i := range r.families {
		if c.at <= r.families[i].deleted && bytes.Equal(r.families[i].family, c.family) {
			return true
		}
	}
	return false
}

// visible is what a Get at a wall clock time shows of a column; nil: nothing.
func (r *modelRow) visible(family, qualifier []byte, wall int64) *column {
	if r == nil {
		return nil
	}
	c := r.find(family, qualifier)
	if c == nil || !c.has || c.expires != 0 && c.expires < wall || r.hidden(c) {
		return nil
	}
	return c
}

// holds evaluates a condition; only "absent or empty, in [From, To)" is used.
func (r *modelRow) holds(cond *hbase.Condition, wall int64) bool {
	if cond == nil {
		return true
	}
	c := r.visible(cond.Family, cond.Qualifier, wall)
	return c == nil || len(c.value) == 0 || c.at < cond.From || cond.To != 0 && c.at >= cond.To
}

// prepared is a cell as it will stand in the row: increments and appends have seen the row as it was.
type prepared struct {
	cell    hbase.Cell
	expires int64
}

// prepare computes what a write puts into the row, from the state before the whole call (measured: in one call the
// server reads a row's state only once, so that of two increments of one column the first is lost).
func (r *modelRow) prepare(w *hbase.RowWrite, wall int64, out []prepared) []prepared {
	for i := range w.Mutations {
		m := &w.Mutations[i]
		for j := range m.Cells {
			p := prepared{cell: m.Cells[j].In(w.Row)}
			c := &p.cell
			switch m.Kind {
			case hbase.KindIncrement, hbase.KindAppend:
				c.Timestamp = wall
				if old := r.visible(c.Family, c.Qualifier, wall); old != nil {
					c.Timestamp = max(wall, old.at+1)
					c.Value = merge(m.Kind, old.value, c.Value)
				}
			}
			if m.HasTTL {
				p.expires = c.Timestamp + m.TTL
			}
			out = append(out, p)
		}
	}
	return out
}

func merge(kind hbase.Kind, old, delta []byte) []byte {
	if kind == hbase.KindAppend {
		return append(bytes.Clone(old), delta...)
	}
	b := make([]byte, 8)
	binary.BigEndian.PutUint64(b, binary.BigEndian.Uint64(old)+binary.BigEndian.Uint64(delta))
	return b
}

// install writes a prepared cell.
func (r *modelRow) install(p *prepared) {
	c := &p.cell
	if !bytes.Equal(c.Family, markFamily) {
		r.newest = max(r.newest, c.Timestamp)
	}
	if c.Type == hbase.CellDeleteFamily {
		for i := range r.families {
			if f := &r.families[i]; bytes.Equal(f.family, c.Family) {
				f.deleted = max(f.deleted, c.Timestamp)
				return
			}
		}
		r.families = append(r.families, familyMark{c.Family, c.Timestamp})
		return
	}
	old := r.find(c.Family, c.Qualifier)
	if old == nil {
		r.columns = append(r.columns, column{family: c.Family, qualifier: c.Qualifier})
		old = &r.columns[len(r.columns)-1]
	}
	if c.Type == hbase.CellDeleteColumn {
		old.deleted = max(old.deleted, c.Timestamp)
		return
	}
	// At one timestamp the later put is shown.
	if !old.has || c.Timestamp >= old.at {
		old.has, old.value, old.at, old.expires = true, c.Value, c.Timestamp, p.expires
	}
}

// compact drops delete markers and what they hide, as a major compaction does: a put below such a marker that comes
// later is seen.
func (r *modelRow) compact() {
	for i := range r.columns {
		c := &r.columns[i]
		c.has = c.has && !r.hidden(c)
	}
	for i := range r.columns {
		r.columns[i].deleted = 0
	}
	r.families = r.families[:0]
}

func (r *modelRow) clone() *modelRow {
	return &modelRow{columns: append([]column(nil), r.columns...), families: append([]familyMark(nil), r.families...), newest: r.newest}
}
