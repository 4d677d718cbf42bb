package hbasetest

import (
	"cmp"
	"slices"

	"rowmark/hbase"
)

// cell is one stored version or delete marker of a row's family.
type cell struct {
	qualifier string
	ts        int64
	typ       hbase.CellType
	value     []byte
	seq       uint64 // of the batch that wrote it; all cells of a batch share one
	ttl       int64  // milliseconds, by the cell's own TTL; counts if hasTTL
	hasTTL    bool
	unlogged  bool // its batch went past the WAL: it dies with its server unless flushed
}

func (c *cell) put() bool { return c.typ == hbase.CellPut }

// familyMarker tells markers that count for all columns of the family.
func (c *cell) familyMarker() bool {
	return c.typ == hbase.CellDeleteFamily || c.typ == hbase.CellDeleteFamilyVersion
}

// compareCells is HBase's order inside a family: qualifier, newest timestamp, highest type, last written.
func compareCells(a, b *cell) int {
	return cmp.Or(cmp.Compare(a.qualifier, b.qualifier), cmp.Compare(b.ts, a.ts), cmp.Compare(b.typ, a.typ), cmp.Compare(b.seq, a.seq))
}

// store is the cells of one family of one row, in order.
type store struct {
	cells  []cell
	trimAt int // number of cells at which the next flush of this store is due
}

// row is a row's stores by family.
type row map[string]*store

// insert puts a cell in its place. The same coordinates in the same batch replace each other: the last one stays.
func (s *store) insert(c cell) {
	at, found := slices.BinarySearchFunc(s.cells, c, func(a, b cell) int { return compareCells(&a, &b) })
	if found {
		s.cells[at] = c
		return
	}
	s.cells = slices.Insert(s.cells, at, c)
}

// flushCells is how many cells a store gathers before what can't be seen any more is dropped, as a flush does it.
const flushCells = 256

// settle keeps a busy store small.
func (s *store) settle(f *family, now int64) {
	if len(s.cells) < max(s.trimAt, flushCells) {
		return
	}
	s.cells = f.compact(s.cells, false, now)
	s.trimAt = 2 * len(s.cells)
}

func (r row) clone() row {
	out := make(row, len(r))
	for name, s := range r {
		out[name] = &store{cells: slices.Clone(s.cells), trimAt: s.trimAt}
	}
	return out
}
