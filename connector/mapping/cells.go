package mapping

import (
	"errors"
	"fmt"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

var (
	textTrue  = []byte("true")
	textFalse = []byte("false")
	empty     = []byte{}
)

var errNoObject = errors.New("it is no object")

// column adds what a rule for columns makes of the record.
func (w *worker) column(c *column, cells []CellOp) ([]CellOp, error) {
	if c.ref == nil {
		return append(cells, CellOp{Kind: c.kind, ColumnName: c.ColumnName, Value: c.literal, Delta: c.delta}), nil
	}
	if c.wild {
		return w.wildcard(c, cells)
	}
	v := w.lookup(c.ref)
	op := CellOp{Kind: c.kind, ColumnName: c.ColumnName}
	switch {
	case v.Kind == rowkey.Missing:
		return cells, nil
	case c.kind == CellDeleteColumn:
		return append(cells, op), nil
	case v.Kind == rowkey.Null:
		return c.null(op, cells), nil
	}
	var err error
	if c.kind == CellIncrement {
		op.Delta, err = rowkey.Integer(v)
	} else {
		op.Value, err = w.encode(c.enc, v)
	}
	if err != nil {
		return cells, fmt.Errorf("encoding %s for column %s:%s: %w", c.ref, c.Family, c.Qualifier, err)
	}
	return append(cells, op), nil
}

// null applies the null policy.
func (c *column) null(op CellOp, cells []CellOp) []CellOp {
	if c.kind != CellPut {
		return cells
	}
	switch c.onNull {
	case nullDelete:
		op.Kind = CellDeleteColumn
	case nullEmpty:
		op.Value = empty
	default:
		return cells
	}
	return append(cells, op)
}

func (w *worker) wildcard(c *column, cells []CellOp) ([]CellOp, error) {
	object := w.root(c.ref).At(c.ref.Path)
	switch object.Kind {
	case decode.Missing, decode.Null, decode.Absent:
		return cells, nil
	case decode.Object:
	default:
		return cells, fmt.Errorf("taking the members of %s: %w", c.ref, errNoObject)
	}
	err := object.Members(func(key []byte, member decode.Value) error {
		if c.except[string(key)] {
			return nil
		}
		op := CellOp{Kind: CellPut, ColumnName: w.names.One(ColumnName{c.Family, key})}
		v := w.readable(member)
		if w.change.leaves(c.ref.Root, v) {
			return nil
		}
		if v.Kind == rowkey.Null {
			cells = c.null(op, cells)
			return nil
		}
		op.Value = text(v)
		cells = append(cells, op)
		return nil
	})
	return cells, err
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
