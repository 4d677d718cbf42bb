package mapping

import (
	"strings"

	"rowmark/rowkey"
)

// input is where a column's value comes from, if that is more than a field as it is.
type input struct {
	fields   []*rowkey.Ref // the first that is neither missing nor null
	text     *template     // in their place
	steps    []step
	fallback []byte // in place of a missing or null value; nil: none
}

func (in *input) String() string {
	if in.text != nil {
		return in.text.text
	}
	names := make([]string, len(in.fields))
	for i, f := range in.fields {
		names[i] = f.String()
	}
	return strings.Join(names, ", ")
}

// take gives the value of a column.
func (w *worker) take(c *column) (rowkey.Value, error) {
	if c.input == nil {
		return w.lookup(c.ref), nil
	}
	in := c.input
	w.change.unread = false
	v, err := w.first(in)
	if w.change.unread {
		return rowkey.Value{}, nil // a part of it did not change, and is not known: the column is left alone
	}
	if err == nil {
		v, err = w.through(in.steps, v, in)
	}
	if in.fallback != nil && (v.Kind == rowkey.Missing || v.Kind == rowkey.Null) {
		return rowkey.Value{Kind: rowkey.Text, Text: in.fallback}, err
	}
	return v, err
}

func (w *worker) first(in *input) (rowkey.Value, error) {
	if in.text != nil {
		text, err := w.fill(in.text)
		return rowkey.Value{Kind: rowkey.Text, Text: text}, err
	}
	var none rowkey.Value
	for _, ref := range in.fields {
		v := w.lookup(ref)
		switch v.Kind {
		case rowkey.Missing:
		case rowkey.Null:
			none = v
		default:
			return v, nil
		}
	}
	return none, nil
}
