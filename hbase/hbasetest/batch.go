package hbasetest

import (
	"encoding/binary"
	"slices"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// batch is mutations that land together, with the cells they come to.
type batch struct {
	t     *table
	r     *region
	now   int64 // for what increments and deletes stamp
	stamp int64 // for puts without a time of their own: not below the cell that a condition read
	cells []rowCell
}

type rowCell struct {
	row    []byte
	family string
	cell
}

// prepare reckons the cells of mutations. Each sees the state before the batch, never another of it. It throws
// without having changed anything.
func (b *batch) prepare(muts []mutation) ([][]hbase.Cell, *exception) {
	results := make([][]hbase.Cell, len(muts))
	for i := range muts {
		m := &muts[i]
		if m.failure != nil {
			return nil, m.failure
		}
		if x := b.checkFamilies(m); x != nil {
			return nil, x
		}
		var cells []rowCell
		var x *exception
		switch m.kind {
		case pb.MutationProto_PUT:
			cells = b.puts(m)
		case pb.MutationProto_DELETE:
			cells = b.deletes(m)
		default:
			cells, x = b.deltas(m)
		}
		if x != nil {
			return nil, x
		}
		if m.results && (m.kind == pb.MutationProto_INCREMENT || m.kind == pb.MutationProto_APPEND) {
			for _, c := range cells {
				results[i] = append(results[i], c.wire(c.row, c.family))
			}
		}
		b.cells = append(b.cells, cells...)
	}
	return results, nil
}

// apply writes what prepare reckoned under one sequence number.
func (b *batch) apply(seq uint64) {
	for _, c := range b.cells {
		c.seq = seq
		s := b.t.row(c.row).store(c.family)
		s.insert(c.cell)
		s.settle(b.t.families[c.family], b.now)
	}
}

func (b *batch) checkFamilies(m *mutation) *exception {
	for i := range m.cells {
		if b.t.families[string(m.cells[i].Family)] == nil {
			return b.t.noFamily(b.r, m.cells[i].Family)
		}
	}
	return nil
}

func (t *table) noFamily(r *region, name []byte) *exception {
	return throwFinal("regionserver.NoSuchColumnFamilyException", "Column family %s does not exist in region %s in table %s", name, r.name, t.schema.Name)
}

func (m *mutation) stored(c *hbase.Cell) rowCell {
	return rowCell{row: m.row, family: string(c.Family), cell: cell{
		qualifier: string(c.Qualifier), ts: c.Timestamp, typ: c.Type, value: slices.Clone(c.Value),
		ttl: m.ttl, hasTTL: m.hasTTL, unlogged: m.unlogged,
	}}
}

func (b *batch) puts(m *mutation) []rowCell {
	var out []rowCell
	for i := range m.cells {
		c := m.stored(&m.cells[i])
		if c.ts == hbase.LatestTimestamp {
			c.ts = b.stamp
		}
		out = append(out, c)
	}
	return out
}

// deletes stamps markers. The delete of one version without a time takes that of the version it finds; several of
// one column take one each.
func (b *batch) deletes(m *mutation) []rowCell {
	cells := m.cells
	if len(cells) == 0 {
		for _, name := range b.t.familyNames() {
			cells = append(cells, hbase.Cell{Row: m.row, Family: []byte(name), Timestamp: m.ts, Type: hbase.CellDeleteFamily})
		}
	}
	var out []rowCell
	asked := map[string]int{}
	for i := range cells {
		c := m.stored(&cells[i])
		c.hasTTL = false
		if c.ts == hbase.LatestTimestamp {
			c.ts = b.now
			if c.typ == hbase.CellDelete {
				key := c.family + ":" + c.qualifier
				asked[key]++
				if found := b.read(m.row, c.family, c.qualifier, asked[key], 0, endOfTime); len(found) == asked[key] {
					c.ts = found[len(found)-1].ts
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// deltas reckons increments and appends from the newest visible cell.
func (b *batch) deltas(m *mutation) ([]rowCell, *exception) {
	cells := slices.Clone(m.cells)
	slices.SortStableFunc(cells, func(a, b hbase.Cell) int {
		x, y := m.stored(&a), m.stored(&b)
		if x.family != y.family {
			return slices.Compare([]byte(x.family), []byte(y.family))
		}
		return compareCells(&x.cell, &y.cell)
	})
	var out []rowCell
	for i := range cells {
		c := m.stored(&cells[i])
		c.typ = hbase.CellPut
		var old *cell
		if found := b.read(m.row, c.family, c.qualifier, 1, m.from, m.to); len(found) > 0 {
			old = &found[0]
		}
		if m.kind == pb.MutationProto_INCREMENT {
			sum, x := b.add(old, c.value)
			if x != nil {
				return nil, x
			}
			c.value = sum
		} else if old != nil {
			c.value = append(slices.Clone(old.value), c.value...)
			if n := kvSize(m.row, []byte(c.family), []byte(c.qualifier), c.value); n > maxCell {
				return nil, throwFinal("DoNotRetryIOException", "Cell with size %d exceeds limit of %d bytes in region %s", n, maxCell, b.r.encoded)
			}
		}
		switch {
		case old != nil:
			c.ts = max(b.now, old.ts+1)
			if !m.hasTTL {
				c.ttl, c.hasTTL = old.ttl, old.hasTTL
			}
		case c.ts == hbase.LatestTimestamp:
			c.ts = b.now
		}
		out = append(out, c)
	}
	return out, nil
}

func (b *batch) add(old *cell, delta []byte) ([]byte, *exception) {
	values := [][]byte{delta}
	if old != nil {
		values = append(values, old.value)
	}
	var sum uint64
	for _, v := range values {
		if len(v) != 8 {
			return nil, throwFinal("DoNotRetryIOException", "Field is not a long, it's %d bytes wide", len(v))
		}
		sum += binary.BigEndian.Uint64(v)
	}
	return binary.BigEndian.AppendUint64(nil, sum), nil
}

// read gives the visible versions of one column.
func (b *batch) read(key []byte, family, qualifier string, versions int, from, to int64) []cell {
	s := b.t.rows[string(key)][family]
	if s == nil {
		return nil
	}
	return b.t.families[family].read(s.cells, view{from: from, to: to, versions: versions, now: b.now, qualifiers: map[string]bool{qualifier: true}})
}

func (c *cell) wire(row []byte, family string) hbase.Cell {
	return hbase.Cell{Row: row, Family: []byte(family), Qualifier: []byte(c.qualifier), Timestamp: c.ts, Type: c.typ, Value: c.value}
}
