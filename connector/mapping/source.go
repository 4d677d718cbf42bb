package mapping

import (
	"unicode/utf8"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// Resolve makes the worker a Source of its record's fields.
func (w *worker) Resolve(ref *rowkey.Ref) rowkey.Value { return w.lookup(ref) }

func (w *worker) lookup(ref *rowkey.Ref) rowkey.Value {
	switch ref.Root {
	case rowkey.RootTopic:
		return rowkey.Value{Kind: rowkey.Text, Text: w.topic}
	case rowkey.RootPartition:
		return rowkey.Value{Kind: rowkey.Int, Int: int64(w.rec.Partition)}
	case rowkey.RootOffset:
		return rowkey.Value{Kind: rowkey.Int, Int: w.rec.Offset}
	case rowkey.RootTimestamp:
		return rowkey.Value{Kind: rowkey.Int, Int: w.rec.Timestamp}
	case rowkey.RootHeader:
		return w.header(ref.Path[0])
	}
	v := w.readable(w.root(ref).At(ref.Path))
	if w.change.unavailable != nil && w.change.leaves(ref.Root, v) {
		return rowkey.Value{}
	}
	return v
}

func (w *worker) root(ref *rowkey.Ref) *decode.Value {
	switch ref.Root {
	case rowkey.RootKey:
		return &w.fields.Key
	case rowkey.RootBefore:
		return &w.change.before
	case rowkey.RootEvent:
		return &w.fields.Value
	}
	return &w.image
}

// header gives the last header of a name: text where it is text.
func (w *worker) header(name string) rowkey.Value {
	for i := len(w.rec.Headers) - 1; i >= 0; i-- {
		if h := &w.rec.Headers[i]; h.Key == name {
			if h.Value == nil {
				return rowkey.Value{Kind: rowkey.Null}
			}
			if !utf8.Valid(h.Value) {
				return rowkey.Value{Kind: rowkey.Bytes, Text: h.Value}
			}
			return rowkey.Value{Kind: rowkey.Text, Text: h.Value}
		}
	}
	return rowkey.Value{}
}

// readable gives a decoded value as a row key and a cell take it. What was no JSON text is written as one.
func (w *worker) readable(v decode.Value) rowkey.Value {
	switch v.Kind {
	case decode.Null, decode.Absent:
		return rowkey.Value{Kind: rowkey.Null}
	case decode.Bool:
		if v.True {
			return rowkey.Value{Kind: rowkey.Bool, Int: 1}
		}
		return rowkey.Value{Kind: rowkey.Bool}
	case decode.Number:
		return rowkey.Value{Kind: rowkey.Number, Text: v.Text}
	case decode.String:
		return rowkey.Value{Kind: rowkey.Text, Text: v.Text}
	case decode.Bytes:
		return rowkey.Value{Kind: rowkey.Bytes, Text: v.Text}
	case decode.Object, decode.Array:
		if v.Text == nil {
			v.Text = w.trees.Give(v.AppendJSON(w.trees.Open(64))) // not in buf: a row key may be on its way there
		}
		return rowkey.Value{Kind: rowkey.Tree, Text: v.Text}
	}
	return rowkey.Value{}
}
