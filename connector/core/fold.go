package core

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"rowmark/connector/mapping"
	"rowmark/connector/slab"
	"rowmark/hbase"
)

// column is one column of a group after folding: at most one cell of each kind. Each record walks over them: the small
// fields stand together.
type column struct {
	*mapping.ColumnName
	kind      mapping.CellKind // of the live part
	live      bool
	joined    bool // value is ours to append to
	deleted   bool // a delete-column at deletedAt goes with it
	value     []byte
	delta     int64
	at        int64
	with      *mapping.Attributes // of the live part
	deletedAt int64
	deletedOf string // the visibility of what it deletes
}

type familyDelete struct {
	family []byte
	at     int64
	of     string // the visibility of what it deletes
}

// folder folds the records of one row into one cell per column, since the server applies every operation of a
// write to the row as it was before (FACTS-ORDER): two increments of one write would not add up.
type folder struct {
	columns  []column
	index    map[string]int // only for wide rows
	next     int            // the column after the one found last: records of one mapping name them in one order
	families []familyDelete
	floor    int64
	bytes    int
	withs    []*mapping.Attributes // that the group's cells have
	labels   []string              // that its deletes have

	// What leaves with the group is cut from these.
	muts  slab.Slab[hbase.Mutation]
	cells slab.Slab[hbase.MutationCell]
	sums  slab.Slab[byte]
}

// wide is the number of columns from which an index beats a walk.
const wide = 24

func (f *folder) reset(floor int64) {
	f.columns, f.families, f.index, f.next = f.columns[:0], f.families[:0], nil, 0
	f.floor, f.bytes = floor, 0
}

func (f *folder) find(col *mapping.ColumnName) int {
	if f.next < len(f.columns) && f.columns[f.next].is(col) {
		f.next++
		return f.next - 1
	}
	i := f.search(col)
	f.next = i + 1
	return i
}

// is compares by name: two mappings may name one column, and a wildcard names each of its columns anew.
func (c *column) is(col *mapping.ColumnName) bool {
	return c.ColumnName == col || bytes.Equal(c.Qualifier, col.Qualifier) && bytes.Equal(c.Family, col.Family)
}

func (f *folder) search(col *mapping.ColumnName) int {
	if f.index == nil && len(f.columns) >= wide {
		f.index = make(map[string]int, 2*wide)
		for i := range f.columns {
			f.index[columnKey(f.columns[i].ColumnName)] = i
		}
	}
	if f.index != nil {
		if i, ok := f.index[columnKey(col)]; ok {
			return i
		}
		return -1
	}
	for i := range f.columns {
		if f.columns[i].is(col) {
			return i
		}
	}
	return -1
}

func columnKey(c *mapping.ColumnName) string {
	return string(rune(len(c.Family))) + string(c.Family) + string(c.Qualifier)
}

func (f *folder) column(col *mapping.ColumnName) *column {
	if i := f.find(col); i >= 0 {
		return &f.columns[i]
	}
	f.columns = append(f.columns, column{ColumnName: col})
	if f.index != nil {
		f.index[columnKey(col)] = len(f.columns) - 1
	}
	return &f.columns[len(f.columns)-1]
}

func counts(k mapping.CellKind) bool {
	return k == mapping.CellIncrement || k == mapping.CellAppend
}

// fits says whether a record may join the group: an increment or append meets a put or delete of its column
// only over a border of writes.
func (f *folder) fits(ops []mapping.RowOps) bool {
	for i := range ops {
		if d := ops[i].Delete; d != nil && f.countsIn(d.Families) {
			return false
		}
		for j := range ops[i].Cells {
			op := &ops[i].Cells[j]
			if counts(op.Kind) {
				for _, d := range f.families {
					if bytes.Equal(d.family, op.Family) {
						return false
					}
				}
			}
			k := f.find(op.ColumnName)
			if k < 0 {
				continue
			}
			c := &f.columns[k]
			if c.live && (counts(c.kind) || counts(op.Kind)) && c.kind != op.Kind || c.deleted && counts(op.Kind) {
				return false
			}
		}
	}
	return true
}

// countsIn says whether the group counts in one of the families.
func (f *folder) countsIn(families [][]byte) bool {
	for _, family := range families {
		for i := range f.columns {
			if c := &f.columns[i]; c.live && counts(c.kind) && bytes.Equal(c.Family, family) {
				return true
			}
		}
	}
	return false
}

// add joins one record to the group. An error means that the record by itself can't be one write.
func (f *folder) add(ops []mapping.RowOps) error {
	for i := range ops {
		if len(ops) > 1 && i > 0 && !f.fits(ops[i:i+1]) {
			return fmt.Errorf("two mappings of the record count and set one column of row %x in table %s", ops[i].Row, ops[i].Table)
		}
		f.addOps(&ops[i])
	}
	return nil
}

func (f *folder) addOps(o *mapping.RowOps) {
	gone, at := timesOf(o, f.floor)
	if o.Delete != nil {
		for i, fam := range o.Delete.Families {
			d := familyDelete{family: fam, at: gone}
			if o.Delete.Visibility != nil {
				d.of = o.Delete.Visibility[i]
			}
			f.deleteFamily(d)
		}
		if o.LogOrder {
			f.floor = at
		}
	}
	last := at
	for i := range o.Cells {
		op := &o.Cells[i]
		c := f.column(op.ColumnName)
		switch op.Kind {
		case mapping.CellIncrement:
			c.live, c.kind, c.with = true, op.Kind, op.With
			c.delta += op.Delta
		case mapping.CellAppend:
			c.append(op.Value)
			c.with = op.With
		case mapping.CellDeleteColumn:
			c.remove(at)
			c.deletedOf = visibility(op.With)
			last = at + 1
		default:
			if o.LogOrder && c.deleted && c.deletedAt >= at {
				at = c.deletedAt + 1
				last = max(last, at)
			}
			c.put(op, at)
		}
		f.bytes += len(op.Qualifier) + len(op.Value) + 32
	}
	if o.LogOrder {
		f.floor = max(f.floor, last)
	}
}

func (c *column) append(value []byte) {
	if !c.live {
		c.live, c.kind, c.value = true, mapping.CellAppend, value
		return
	}
	if !c.joined {
		c.value, c.joined = bytes.Clone(c.value), true
	}
	c.value = append(c.value, value...)
}

// put keeps the newer of two puts; at one timestamp the later one, as the server would.
func (c *column) put(op *mapping.CellOp, at int64) {
	if c.live && c.at > at || c.deleted && c.deletedAt >= at {
		return
	}
	c.live, c.kind, c.value, c.at, c.with = true, mapping.CellPut, op.Value, at, op.With
}

func (c *column) remove(at int64) {
	if c.live && c.at <= at {
		c.live = false
	}
	if !c.deleted || c.deletedAt < at {
		c.deleted, c.deletedAt = true, at
	}
}

func (f *folder) deleteFamily(d familyDelete) {
	for i := range f.columns {
		if c := &f.columns[i]; bytes.Equal(c.Family, d.family) && !counts(c.kind) && c.at <= d.at && visibility(c.with) == d.of {
			c.live = false
		}
	}
	for i := range f.families {
		if have := &f.families[i]; bytes.Equal(have.family, d.family) && have.of == d.of {
			have.at = max(have.at, d.at)
			return
		}
	}
	f.families = append(f.families, d)
}

// mutations gives the group's mutations, the mark left out: deletes, puts, increments, appends, and then those with
// attributes.
func (f *folder) mutations() []hbase.Mutation {
	f.attributed()
	out := f.deletes(f.muts.Open(5+3*len(f.withs)+len(f.labels)), "")
	puts := len(out)
	out = f.written(out, nil)
	needsPut := puts == len(out) || out[puts].Kind != hbase.KindPut
	for _, with := range f.withs {
		out = f.written(out, with)
	}
	for _, label := range f.labels {
		out = f.deletes(out, label)
	}
	if needsPut {
		return f.muts.GiveWith(out, 1) // the mark needs one of its own
	}
	return f.muts.Give(out)
}

// live gives the n cells of one kind and the same attributes, with room for the mark.
func (f *folder) live(kind mapping.CellKind, with *mapping.Attributes, n int) []hbase.MutationCell {
	cells := f.cells.Open(n + 1)
	for i := range f.columns {
		c := &f.columns[i]
		if !c.live || c.kind != kind || !c.of(with) {
			continue
		}
		cell := hbase.MutationCell{Column: (*hbase.Column)(c.ColumnName), Type: hbase.CellPut, Value: c.value, Timestamp: c.at}
		if kind != mapping.CellPut {
			cell.Timestamp = hbase.LatestTimestamp
		}
		if kind == mapping.CellIncrement {
			cell.Value = f.sums.Give(binary.BigEndian.AppendUint64(f.sums.Open(8), uint64(c.delta)))
		}
		cells = append(cells, cell)
	}
	return f.cells.GiveWith(cells, 1)
}

func mutationKind(k mapping.CellKind) hbase.Kind {
	switch k {
	case mapping.CellIncrement:
		return hbase.KindIncrement
	case mapping.CellAppend:
		return hbase.KindAppend
	default:
		return hbase.KindPut
	}
}
