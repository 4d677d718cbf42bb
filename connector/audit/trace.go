package audit

import (
	"bytes"
	"context"
	"fmt"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/kafka"
)

// traceRecords is the most records that are read to find those that wrote a row's cells.
const traceRecords = 20_000

// tracer looks for the records that wrote a row's cells. A cell is traced to a record that puts its value, at its time;
// or at an earlier time, as a late record's cell bears the row's floor, if there is only one such record.
type tracer struct {
	*Inspector
	row  *RowView
	key  []byte
	left int // records that may still be read

	late  map[*CellView]string // records of an earlier time that put the value
	twice map[*CellView]bool   // there are several
}

func (i *Inspector) trace(ctx context.Context, v *RowView, key []byte) error {
	t := &tracer{Inspector: i, row: v, key: key, left: traceRecords, late: map[*CellView]string{}, twice: map[*CellView]bool{}}
	for n := range v.Marks {
		if m := &v.Marks[n]; m.read && m.source.Run == "" && i.Mappings.Matches(m.Topic) {
			if err := t.source(ctx, m); err != nil {
				return err
			}
		}
	}
	for cell, record := range t.late {
		if cell.Record == "" && !t.twice[cell] {
			cell.Record = record
		}
	}
	return nil
}

// source reads the records of a source from the time of the oldest cell on, up to the row's mark.
func (t *tracer) source(ctx context.Context, m *MarkView) error {
	oldest := int64(-1)
	for n := range t.row.Cells {
		if c := &t.row.Cells[n]; c.Record == "" && (oldest < 0 || c.Timestamp < oldest) {
			oldest = c.Timestamp
		}
	}
	if oldest < 0 {
		return nil
	}
	start, _, err := t.ends(ctx, m.tp)
	if err != nil {
		return err
	}
	call, cancel := t.call(ctx)
	from, err := offsetAt(call, t.Kafka, m.tp, kafka.AtTime(max(0, oldest-1))) // a put behind a delete is a millisecond later
	cancel()
	if err != nil {
		return err
	}
	from = max(from, start, m.Next-int64(t.left))
	return t.reader().Read(ctx, m.tp, m.id, from, m.Next, func(r *kafka.Record) (bool, error) {
		rec := preview.RecordOf(m.tp, r)
		t.left--
		return t.left > 0, t.match(ctx, &rec)
	})
}

func (t *tracer) match(ctx context.Context, rec *decode.Record) error {
	res, err := t.rows(ctx, rec)
	if err != nil {
		return err
	}
	for n := range res.Rows {
		o := &res.Rows[n]
		if o.Table != t.row.Table || !bytes.Equal(o.Row, t.key) {
			continue
		}
		for k := range o.Cells {
			t.put(rec, o, &o.Cells[k])
		}
	}
	return nil
}

// put notes that a record puts a value into a column.
func (t *tracer) put(rec *decode.Record, o *mapping.RowOps, op *mapping.CellOp) {
	if op.Kind != mapping.CellPut {
		return
	}
	for n := range t.row.Cells {
		c := &t.row.Cells[n]
		if !bytes.Equal(c.cell.Qualifier, op.Qualifier) || !bytes.Equal(c.cell.Family, op.Family) || !bytes.Equal(c.cell.Value, op.Value) {
			continue
		}
		name := fmt.Sprintf("%s/%d/%d", rec.Topic, rec.Partition, rec.Offset)
		switch {
		case o.Time == c.Timestamp:
			c.Record = name // the last of them
		case o.Time < c.Timestamp && o.LogOrder:
			t.twice[c] = t.twice[c] || t.late[c] != ""
			t.late[c] = name
		}
	}
}
