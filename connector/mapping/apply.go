package mapping

import "rowmark/connector/decode"

// apply adds the rows that a rule makes of the record.
func (w *worker) apply(r *rule, rows []RowOps) ([]RowOps, error) {
	if w.rec.Value == nil && !r.deleteRow {
		return rows, nil
	}
	if !w.decoded || w.key != r.key || w.value != r.value {
		w.decoded = false
		if err := w.fields.Decode(&w.rec, r.key, r.value); err != nil {
			return rows, err
		}
		w.decoded, w.key, w.value = true, r.key, r.value
		w.inflated += w.fields.Inflated()
	}
	w.image = w.fields.Value
	switch {
	case w.image.Kind == decode.Absent && !r.deleteRow:
		return rows, nil
	case w.image.Kind == decode.Absent:
		return w.deleteRow(r, rows)
	case r.events != nil:
		return w.changes(r, rows)
	}
	return w.write(r, rows)
}

// write puts the row that the image is of, and deletes the one that it was before an update moved it.
func (w *worker) write(r *rule, rows []RowOps) ([]RowOps, error) {
	yes, err := w.passes(r)
	if !yes || err != nil {
		return rows, err
	}
	row, at, err := w.place(r, false)
	if err != nil {
		return rows, err
	}
	if r.events != nil {
		if old := w.oldRow(r, row); old != nil {
			rows = append(rows, w.deleteOf(r, old, at))
		}
	}
	return w.put(r, row, at, rows)
}

// place gives the row key and the time of the row, and settles its table.
func (w *worker) place(r *rule, deleted bool) ([]byte, int64, error) {
	err := w.route(r)
	if err != nil {
		return nil, 0, err
	}
	start := len(w.buf)
	w.buf, err = r.row.Append(w.buf, w)
	switch {
	case w.change.unread:
		return nil, 0, errUnread
	case err != nil:
		return nil, 0, err
	}
	row := w.buf[start:len(w.buf):len(w.buf)]
	at, err := w.time(r, deleted)
	return row, at, err
}

// deleteRow deletes the row that the record names.
func (w *worker) deleteRow(r *rule, rows []RowOps) ([]RowOps, error) {
	yes, err := w.passes(r)
	if !yes || err != nil {
		return rows, err
	}
	row, at, err := w.place(r, true)
	if err != nil {
		return rows, err
	}
	return append(rows, w.deleteOf(r, row, at)), nil
}

func (w *worker) deleteOf(r *rule, row []byte, at int64) RowOps {
	return RowOps{Table: w.table, Row: row, Delete: &r.delete, Time: at, LogOrder: r.logOrder}
}

// put adds the cells of the row, if there are any, or a delete of what was there goes before them.
func (w *worker) put(r *rule, row []byte, at int64, rows []RowOps) ([]RowOps, error) {
	cells := w.cells.Open(max(len(r.columns), w.wide))
	var err error
	for i := range r.columns {
		if cells, err = w.column(&r.columns[i], cells); err != nil {
			return rows, err
		}
	}
	w.wide = min(256, max(len(cells), w.wide-1))
	ops := RowOps{Table: w.table, Row: row, Time: at, LogOrder: r.logOrder}
	if r.replace {
		ops = w.deleteOf(r, row, at)
	}
	if len(cells) > 0 {
		ops.Cells = w.cells.Give(cells)
	} else if !r.replace {
		return rows, nil
	}
	return append(rows, ops), nil
}
