package reprocess

import (
	"bytes"
	"slices"

	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/hbase"
)

// drafts are the first rows that a run would write, and what it would make of them.
type drafts struct {
	list []*draft
	at   map[string]*draft
	more bool
}

// draft is what a run would write to a row. Cells and deletes bear their times.
type draft struct {
	table   string
	row     []byte
	cells   []hbase.Cell // puts that no later delete of the run hides
	deletes []mapping.RowOps
}

func (d *drafts) add(o *mapping.RowOps) {
	key := o.Table + "\x00" + string(o.Row)
	row := d.at[key]
	if row == nil {
		if len(d.list) == candidates {
			d.more = true
			return
		}
		row = &draft{table: o.Table, row: bytes.Clone(o.Row)}
		d.at[key] = row
		d.list = append(d.list, row)
	}
	row.add(o)
}

func (d *draft) add(o *mapping.RowOps) {
	del := mapping.RowOps{Delete: o.Delete, Time: o.Time}
	for i := range o.Cells {
		c := &o.Cells[i]
		switch c.Kind {
		case mapping.CellDeleteColumn:
			del.Cells = append(del.Cells, mapping.CellOp{ColumnName: cloned(c.ColumnName)})
		case mapping.CellPut:
			d.put(hbase.Cell{Family: bytes.Clone(c.Family), Qualifier: bytes.Clone(c.Qualifier), Timestamp: o.Time, Value: bytes.Clone(c.Value)})
		}
	}
	if del.Delete == nil && len(del.Cells) == 0 {
		return
	}
	d.deletes = append(d.deletes, del)
	d.cells = slices.DeleteFunc(d.cells, func(c hbase.Cell) bool { return hides(&del, &c) })
}

func (d *draft) put(c hbase.Cell) {
	i := slices.IndexFunc(d.cells, func(o hbase.Cell) bool { return sameColumn(&o, &c) })
	switch {
	case i < 0:
		d.cells = append(d.cells, c)
	case d.cells[i].Timestamp <= c.Timestamp:
		d.cells[i] = c
	}
}

func cloned(c *mapping.ColumnName) *mapping.ColumnName {
	return &mapping.ColumnName{Family: bytes.Clone(c.Family), Qualifier: bytes.Clone(c.Qualifier)}
}

func sameColumn(a, b *hbase.Cell) bool {
	return bytes.Equal(a.Qualifier, b.Qualifier) && bytes.Equal(a.Family, b.Family)
}

// hides says whether a delete hides a cell.
func hides(del *mapping.RowOps, c *hbase.Cell) bool {
	if c.Timestamp > del.Time {
		return false
	}
	if del.Delete != nil && slices.ContainsFunc(del.Delete.Families, func(f []byte) bool { return bytes.Equal(f, c.Family) }) {
		return true
	}
	return slices.ContainsFunc(del.Cells, func(o mapping.CellOp) bool {
		return bytes.Equal(o.Qualifier, c.Qualifier) && bytes.Equal(o.Family, c.Family)
	})
}

// against compares the row as it is with what the run would leave.
func (d *draft) against(now []hbase.Cell, marks string) []CellChange {
	var out []CellChange
	for i := range now {
		c := &now[i]
		at := slices.IndexFunc(d.cells, func(o hbase.Cell) bool { return sameColumn(&o, c) })
		switch {
		case string(c.Family) == marks:
		case at >= 0 && d.cells[at].Timestamp >= c.Timestamp:
			if !bytes.Equal(d.cells[at].Value, c.Value) {
				out = append(out, changeOf(c, c, &d.cells[at]))
			}
		case slices.ContainsFunc(d.deletes, func(del mapping.RowOps) bool { return hides(&del, c) }):
			out = append(out, changeOf(c, c, nil))
		}
	}
	for i := range d.cells {
		c := &d.cells[i]
		if !slices.ContainsFunc(now, func(o hbase.Cell) bool { return sameColumn(&o, c) }) {
			out = append(out, changeOf(c, nil, c))
		}
	}
	return out
}

func changeOf(column, was, will *hbase.Cell) CellChange {
	out := CellChange{Column: preview.BytesOf(column.Family).Text + ":" + preview.BytesOf(column.Qualifier).Text}
	if was != nil {
		b := preview.BytesOf(was.Value)
		out.Was = &b
	}
	if will != nil {
		b := preview.BytesOf(will.Value)
		out.Will = &b
	}
	return out
}
