package mapping

import (
	"bytes"
	"errors"
	"fmt"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

var (
	errTruncate = errors.New("the event says that all rows of its table are gone, which can't be followed exactly once: set on_truncate: ignore to pass it")
	errNoBefore = errors.New("building row key: the event deletes a row and has nothing of it before (REPLICA IDENTITY FULL has it), so that the row can't be told")
	errUnread   = errors.New("building row key: a field of it did not change, and Debezium left it out (REPLICA IDENTITY FULL has it)")
)

// change is the change event that a worker is at.
type change struct {
	list        []decode.Change
	before      decode.Value
	whole       decode.Tree  // of before, where the event holds only a part
	unavailable *unavailable // nil: every value is one
	unread      bool         // a value was asked for and not there
}

// keepChanges is the most changes of a record whose room is kept for the next.
const keepChanges = 64

func (c *change) drop() {
	if cap(c.list) > keepChanges {
		c.list = nil
	}
	clear(c.list[:cap(c.list)])
	c.list, c.before, c.unavailable, c.unread = c.list[:0], decode.Value{}, nil, false
	c.whole.Drop()
}

// leaves says whether a value is only said not to have changed. A column of it is left alone.
func (c *change) leaves(root rowkey.Root, v rowkey.Value) bool {
	if root != rowkey.RootValue && root != rowkey.RootBefore || !c.unavailable.is(v) {
		return false
	}
	c.unread = true
	return true
}

// changes applies a rule to each change that the record tells of.
func (w *worker) changes(r *rule, rows []RowOps) ([]RowOps, error) {
	c := &w.change
	var err error
	if c.list, err = r.events.read(c.list[:0], w.fields.Value); err != nil {
		return rows, fmt.Errorf("reading event of %s: %w", r.spec.Value.Events, err)
	}
	c.unavailable = r.events.unavailable
	for i := range c.list {
		if rows, err = w.follow(r, &c.list[i], rows); err != nil {
			return rows, err
		}
	}
	c.before, c.unavailable, c.unread = decode.Value{}, nil, false
	return rows, nil
}

// follow applies a rule to one change.
func (w *worker) follow(r *rule, c *decode.Change, rows []RowOps) ([]RowOps, error) {
	w.change.unread = false
	switch {
	case c.Kind == decode.Truncated && r.events.passTruncate:
		return rows, nil
	case c.Kind == decode.Truncated:
		return rows, errTruncate
	case c.Kind == decode.Deleted && !r.events.deleteRow:
		return rows, nil
	case c.Kind == decode.Deleted && c.Before.Kind != decode.Object && len(r.keyFields) > 0:
		return rows, errNoBefore // and not the row that defaults would make
	case c.Kind == decode.Deleted:
		w.image, w.change.before = c.Before, c.Before
		return w.deleteRow(r, rows)
	}
	w.image, w.change.before = c.After, c.Whole(&w.change.whole)
	return w.write(r, rows)
}

// oldRow gives the row that an update moved to row, if that is another, and rows are deleted. Of one whose key can't be
// built there was no row.
func (w *worker) oldRow(r *rule, row []byte) []byte {
	before := w.change.before
	if !r.events.deleteRow || before.Kind != decode.Object {
		return nil
	}
	for i := range r.keyFields {
		if v := before.At(r.keyFields[i].Path); v.Kind == decode.Missing {
			return nil // a part of the row, from which a default might make another's key
		}
	}
	after, start := w.image, len(w.buf)
	w.image = before
	buf, err := r.row.Append(w.buf, w)
	w.image = after
	if err != nil || w.change.unread || bytes.Equal(buf[start:], row) {
		return nil
	}
	w.buf = buf
	return buf[start:len(buf):len(buf)]
}

// isOlder says whether a time that a deleted row had lies before its deletion, which then takes the record's.
func (w *worker) isOlder(ref *rowkey.Ref) bool {
	switch ref.Root {
	case rowkey.RootValue, rowkey.RootBefore:
		return true
	}
	return ref.Root == rowkey.RootEvent && w.image.Kind == decode.Absent // a tombstone has no event
}
