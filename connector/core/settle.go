package core

import (
	"bytes"

	"rowmark/connector/mapping"
)

// timesOf gives when a row's delete and its first cells take effect, if the row's next cell may not be older than floor.
func timesOf(o *mapping.RowOps, floor int64) (gone, at int64) {
	at = o.Time
	if !o.LogOrder {
		return at, at
	}
	at = max(at, floor)
	if o.Delete == nil {
		return at, at
	}
	gone = at
	if len(o.Cells) > 0 && at > floor {
		gone-- // all that must go is older, so that the cells can keep their time: a delete hides puts of its own
	}
	return gone, gone + 1
}

// Settle adds to out what a record does to one row, each part at the time that it takes effect at in a row of this floor,
// and no longer bound to the order of the log (LogOrder false); and gives the floor behind it. What was settled folds to the
// same write as what it was made of, whatever the row's floor is by then.
func Settle(out []mapping.RowOps, o *mapping.RowOps, floor int64) ([]mapping.RowOps, int64) {
	if !o.LogOrder {
		return append(out, *o), floor
	}
	gone, at := timesOf(o, floor)
	part := mapping.RowOps{Table: o.Table, Row: o.Row}
	if o.Delete != nil {
		part.Delete, part.Time = o.Delete, gone
		out = append(out, part)
		part.Delete = nil
	}
	floor = max(floor, at)
	begin := 0
	for i := range o.Cells {
		switch op := &o.Cells[i]; {
		case op.Kind == mapping.CellDeleteColumn:
			floor = max(floor, at+1)
		case op.Kind == mapping.CellPut && removes(o.Cells[begin:i], op.ColumnName):
			part.Cells, part.Time = o.Cells[begin:i:i], at
			out = append(out, part)
			begin, at = i, at+1
			floor = max(floor, at)
		}
	}
	if begin < len(o.Cells) {
		part.Cells, part.Time = o.Cells[begin:], at
		out = append(out, part)
	}
	return out, floor
}

// removes says whether one of the cells deletes the column.
func removes(cells []mapping.CellOp, col *mapping.ColumnName) bool {
	for i := range cells {
		if c := &cells[i]; c.Kind == mapping.CellDeleteColumn && bytes.Equal(c.Qualifier, col.Qualifier) && bytes.Equal(c.Family, col.Family) {
			return true
		}
	}
	return false
}
