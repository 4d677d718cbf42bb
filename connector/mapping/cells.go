package mapping

import (
	"fmt"

	"rowmark/rowkey"
)

var (
	textTrue  = []byte("true")
	textFalse = []byte("false")
	empty     = []byte{}
)

// column adds what a rule for columns makes of the record.
func (w *worker) column(c *column, cells []CellOp) ([]CellOp, error) {
	if c.follows() {
		return cells, nil
	}
	if c.wild != nil {
		return w.wildcard(c, cells)
	}
	op := CellOp{Kind: c.kind, Value: c.literal, Delta: c.delta, With: c.with}
	if c.ref != nil || c.input != nil {
		if some, err := w.cell(c, &op); !some || err != nil {
			return cells, err
		}
	}
	c, err := w.choose(c)
	if err != nil {
		return cells, err
	}
	op.ColumnName = c.ColumnName
	if c.name != nil {
		qualifier, err := w.fill(c.name)
		if err != nil {
			return cells, fmt.Errorf("naming column %s: %w", c, err)
		}
		op.ColumnName = w.names.One(ColumnName{c.Family, qualifier})
	}
	return append(cells, op), nil
}

// cell gives an operation its value. The record may have none for it.
func (w *worker) cell(c *column, op *CellOp) (some bool, err error) {
	v, err := w.take(c)
	if err != nil {
		return false, fmt.Errorf("making column %s: %w", c, err)
	}
	switch {
	case v.Kind == rowkey.Missing:
		return false, nil
	case c.kind == CellDeleteColumn:
		return true, nil
	case v.Kind == rowkey.Null:
		return c.null(op), nil
	case c.kind == CellIncrement:
		op.Delta, err = rowkey.Integer(v)
	default:
		op.Value, err = w.encode(c.enc, v)
	}
	if err != nil {
		return false, fmt.Errorf("encoding %s for column %s: %w", c.source(), c, err)
	}
	return true, nil
}

// null applies the null policy, and says whether anything is to be done.
func (c *column) null(op *CellOp) bool {
	if c.kind != CellPut {
		return false
	}
	switch c.onNull {
	case nullDelete:
		op.Kind = CellDeleteColumn
	case nullEmpty:
		op.Value = empty
	default:
		return false
	}
	return true
}

// encode gives the bytes of a cell. Text aliases the record.
func (w *worker) encode(enc rowkey.Encoding, v rowkey.Value) ([]byte, error) {
	if enc == rowkey.String && v.Kind != rowkey.Int {
		return text(v), nil
	}
	start := len(w.buf)
	out, err := enc.Append(w.buf, v)
	if err != nil {
		return nil, err
	}
	w.buf = out
	return out[start:len(out):len(out)], nil
}

func text(v rowkey.Value) []byte {
	switch {
	case v.Kind != rowkey.Bool && v.Text == nil:
		return empty
	case v.Kind != rowkey.Bool:
		return v.Text
	case v.Int != 0:
		return textTrue
	}
	return textFalse
}
