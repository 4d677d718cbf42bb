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
	row, at, err := w.place(r, false)
	if err != nil {
		return rows, err
	}
	return w.put(r, row, at, rows)
}

// place gives the row key and the time of the row.
func (w *worker) place(r *rule, deleted bool) ([]byte, int64, error) {
	start := len(w.buf)
	var err error
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
	row, at, err := w.place(r, true)
	if err != nil {
		return rows, err
	}
	return append(rows, r.deleteOf(row, at)), nil
}

func (r *rule) deleteOf(row []byte, at int64) RowOps {
	return RowOps{Table: r.spec.Table, Row: row, DeleteFamilies: r.families, Time: at, LogOrder: r.logOrder}
}

// put adds the cells of the row, if there are any.
func (w *worker) put(r *rule, row []byte, at int64, rows []RowOps) ([]RowOps, error) {
	cells := w.cells.Open(max(len(r.columns), w.wide))
	var err error
	for i := range r.columns {
		if cells, err = w.column(&r.columns[i], cells); err != nil {
			return rows, err
		}
	}
	w.wide = min(256, max(len(cells), w.wide-1))
	if len(cells) == 0 {
		return rows, nil
	}
	return append(rows, RowOps{Table: r.spec.Table, Row: row, Cells: w.cells.Give(cells), Time: at, LogOrder: r.logOrder}), nil
}
