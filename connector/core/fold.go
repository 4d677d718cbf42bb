package core

import (
	"bytes"
	"fmt"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// column is one column of a group after folding: at most one cell of each kind.
type column struct {
	family, qualifier []byte
	kind              mapping.CellKind // of the live part
	live              bool
	value             []byte
	delta             int64
	at                int64
	deleted           bool // a delete-column at deletedAt goes with it
	deletedAt         int64
	joined            bool // value is ours to append to
}

type familyDelete struct {
	family []byte
	at     int64
}

// folder folds the records of one row into one cell per column, since the server applies every operation of a
// write to the row as it was before (FACTS-ORDER): two increments of one write would not add up.
type folder struct {
	columns  []column
	index    map[string]int // only for wide rows
	families []familyDelete
	floor    int64
	bytes    int
}

// wide is the number of columns from which an index beats a walk.
const wide = 24

func (f *folder) reset(floor int64) {
	f.columns, f.families, f.index = f.columns[:0], f.families[:0], nil
	f.floor, f.bytes = floor, 0
}

func (f *folder) find(family, qualifier []byte) int {
	if f.index == nil && len(f.columns) >= wide {
		f.index = make(map[string]int, 2*wide)
		for i := range f.columns {
			f.index[columnKey(f.columns[i].family, f.columns[i].qualifier)] = i
		}
	}
	if f.index != nil {
		if i, ok := f.index[columnKey(family, qualifier)]; ok {
			return i
		}
		return -1
	}
	for i := range f.columns {
		if bytes.Equal(f.columns[i].qualifier, qualifier) && bytes.Equal(f.columns[i].family, family) {
			return i
		}
	}
	return -1
}

func columnKey(family, qualifier []byte) string {
	return string(rune(len(family))) + string(family) + string(qualifier)
}

func (f *folder) column(family, qualifier []byte) *column {
	if i := f.find(family, qualifier); i >= 0 {
		return &f.columns[i]
	}
	f.columns = append(f.columns, column{family: family, qualifier: qualifier})
	if f.index != nil {
		f.index[columnKey(family, qualifier)] = len(f.columns) - 1
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
		for _, fam := range ops[i].DeleteFamilies {
			for j := range f.columns {
				if f.columns[j].live && counts(f.columns[j].kind) && bytes.Equal(f.columns[j].family, fam) {
					return false
				}
			}
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
			k := f.find(op.Family, op.Qualifier)
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
	at := o.Time
	if o.LogOrder {
		at = max(at, f.floor)
	}
	if len(o.DeleteFamilies) > 0 {
		for _, fam := range o.DeleteFamilies {
			f.deleteFamily(fam, at, o.LogOrder)
		}
		if o.LogOrder {
			f.floor = at + 1
			at = f.floor
		}
	}
	last := at
	for i := range o.Cells {
		op := &o.Cells[i]
		c := f.column(op.Family, op.Qualifier)
		switch op.Kind {
		case mapping.CellIncrement:
			c.live, c.kind = true, op.Kind
			c.delta += op.Delta
		case mapping.CellAppend:
			c.append(op.Value)
		case mapping.CellDeleteColumn:
			c.remove(at)
			last = at + 1
		default:
			if o.LogOrder && c.deleted && c.deletedAt >= at {
				at = c.deletedAt + 1
				last = max(last, at)
			}
			c.put(op.Value, at)
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
func (c *column) put(value []byte, at int64) {
	if c.live && c.at > at || c.deleted && c.deletedAt >= at {
		return
	}
	c.live, c.kind, c.value, c.at = true, mapping.CellPut, value, at
}

func (c *column) remove(at int64) {
	if c.live && c.at <= at {
		c.live = false
	}
	if !c.deleted || c.deletedAt < at {
		c.deleted, c.deletedAt = true, at
	}
}

func (f *folder) deleteFamily(family []byte, at int64, logOrder bool) {
	for i := range f.columns {
		if c := &f.columns[i]; bytes.Equal(c.family, family) && !counts(c.kind) && c.at <= at {
			c.live = false
		}
	}
	for i := range f.families {
		if bytes.Equal(f.families[i].family, family) {
			f.families[i].at = max(f.families[i].at, at)
			return
		}
	}
	f.families = append(f.families, familyDelete{family, at})
}

// mutations gives the group's mutations, the mark left out: deletes, puts, increments, appends.
func (f *folder) mutations() []hbase.Mutation {
	var out []hbase.Mutation
	var cells []hbase.Cell
	for _, d := range f.families {
		cells = append(cells, hbase.Cell{Family: d.family, Timestamp: d.at, Type: hbase.CellDeleteFamily})
	}
	for i := range f.columns {
		if c := &f.columns[i]; c.deleted {
			cells = append(cells, hbase.Cell{Family: c.family, Qualifier: c.qualifier, Timestamp: c.deletedAt, Type: hbase.CellDeleteColumn})
		}
	}
	if cells != nil {
		out = append(out, hbase.Mutation{Kind: hbase.KindDelete, Cells: cells})
	}
	for _, kind := range [...]mapping.CellKind{mapping.CellPut, mapping.CellIncrement, mapping.CellAppend} {
		if cells = f.live(kind); cells != nil {
			out = append(out, hbase.Mutation{Kind: mutationKind(kind), Cells: cells})
		}
	}
	return out
}

func (f *folder) live(kind mapping.CellKind) []hbase.Cell {
	var cells []hbase.Cell
	for i := range f.columns {
		c := &f.columns[i]
		if !c.live || c.kind != kind {
			continue
		}
		cell := hbase.Cell{Family: c.family, Qualifier: c.qualifier, Type: hbase.CellPut, Value: c.value, Timestamp: c.at}
		if kind != mapping.CellPut {
			cell.Timestamp = hbase.LatestTimestamp
		}
		if kind == mapping.CellIncrement {
			cell.Value = longBytes(c.delta)
		}
		if cells == nil {
			cells = make([]hbase.Cell, 0, len(f.columns)+1)
		}
		cells = append(cells, cell)
	}
	return cells
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
