package audit

import (
	"bytes"
	"context"
	"fmt"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Fate is what became of a record: what it maps to, and what HBase holds of that.
type Fate struct {
	Record     *RecordView `json:"record"`
	Checkpoint int64       `json:"checkpoint"` // records below it are resolved; -1: there is none
	Error      string      `json:"error,omitempty"`
	OnError    string      `json:"on_error,omitempty"` // what befalls it then
	Rows       []RowFate   `json:"rows"`
}

// RowFate is one row that a record maps to.
type RowFate struct {
	Table string            `json:"table"`
	Key   preview.Bytes     `json:"key"`
	Parts []preview.KeyPart `json:"parts,omitempty"`
	// State says whether the row holds the record: yes, no, refused, or unknown.
	State string     `json:"state"`
	Why   string     `json:"why,omitempty"`
	Mark  int64      `json:"mark"` // the row's next offset of the source; 0: it has no mark
	Cells []CellFate `json:"cells"`
}

// CellFate is one column that a record writes, and what stands there now.
type CellFate struct {
	Column string `json:"column"`
	Op     string `json:"op"`
	Now    string `json:"now"`
}

// States of a row.
const (
	stateYes     = "yes"
	stateNo      = "no"
	stateRefused = "refused"
	stateUnknown = "unknown"
)

// Fate tells what became of a record.
func (i *Inspector) Fate(ctx context.Context, tp kafka.TopicPartition, offset int64) (*Fate, error) {
	ck, err := i.checkpoint(ctx, tp)
	if err != nil {
		return nil, err
	}
	f := &Fate{Checkpoint: none, Rows: []RowFate{}}
	var id kafka.TopicID
	incarnation := 0
	if ck != nil {
		f.Checkpoint, id, incarnation = ck.Offset, ck.TopicID, ck.Incarnation()
	}
	rec, err := i.record(ctx, tp, id, offset)
	if err != nil {
		return nil, err
	}
	f.Record = i.view(rec)
	res, err := i.rows(ctx, rec)
	if err != nil {
		return nil, err
	}
	if res.Err != nil {
		f.Error, f.OnError = res.Err.Error(), preview.PolicyName(res.OnError)
		return f, nil
	}
	view := preview.View{Mappings: i.Mappings, Sink: i.Sink, MarkFamily: i.MarkFamily}
	shown := view.Of(*rec)
	for n := range res.Rows {
		row, err := i.rowFate(ctx, f, core.SourceName(i.Sink, tp.Topic, tp.Partition, incarnation), rec, &res.Rows[n], &shown.Rows[n])
		if err != nil {
			return nil, err
		}
		f.Rows = append(f.Rows, row)
	}
	return f, nil
}

func (i *Inspector) rowFate(ctx context.Context, f *Fate, name string, rec *decode.Record, o *mapping.RowOps, shown *preview.Row) (RowFate, error) {
	out := RowFate{Table: o.Table, Key: shown.Key, Parts: shown.Parts, Cells: []CellFate{}}
	ctx, cancel := i.call(ctx)
	defer cancel()
	got, err := i.HBase.Get(ctx, o.Table, hbase.Get{Row: o.Row})
	if err != nil {
		return out, err
	}
	out.State, out.Why = stateNo, "the row has no mark of this source"
	for n := range got.Cells {
		if c := &got.Cells[n]; string(c.Family) == i.MarkFamily && string(c.Qualifier) == name {
			m, err := core.ReadMark(c)
			out.held(m, err, rec.Offset)
		}
	}
	if out.State == stateNo && rec.Offset >= f.Checkpoint {
		out.Why += "; the checkpoint has not passed the record"
	}
	for n := range o.Cells {
		op := &o.Cells[n]
		out.Cells = append(out.Cells, CellFate{Column: shown.Cells[n].Column, Op: shown.Cells[n].Op, Now: now(op, o, got.Cells)})
	}
	return out, nil
}

// held tells by the row's mark whether the row holds the record.
func (r *RowFate) held(m core.Mark, err error, offset int64) {
	switch {
	case err != nil:
		r.State, r.Why = stateUnknown, err.Error()
		return
	case m.Next <= offset:
		r.Why = fmt.Sprintf("the row's mark is %d", m.Next)
	case m.Next == offset+1 && m.Barred != "":
		r.State, r.Why = stateRefused, m.Barred
	default:
		r.State, r.Why = stateYes, ""
	}
	r.Mark = m.Next
}

// now compares what a record does to a column with what stands there.
func now(op *mapping.CellOp, o *mapping.RowOps, cells []hbase.Cell) string {
	for n := range cells {
		c := &cells[n]
		if !bytes.Equal(c.Qualifier, op.Qualifier) || !bytes.Equal(c.Family, op.Family) {
			continue
		}
		switch {
		case op.Kind == mapping.CellIncrement || op.Kind == mapping.CellAppend:
			return "a cell, last written at " + clock(c.Timestamp)
		case op.Kind == mapping.CellDeleteColumn && c.Timestamp <= o.Time:
			return "an older cell stands there"
		case op.Kind == mapping.CellPut && c.Timestamp >= o.Time && bytes.Equal(c.Value, op.Value):
			return "this value, at " + clock(c.Timestamp)
		case c.Timestamp >= o.Time:
			return "another value, at " + clock(c.Timestamp)
		}
		return "an older cell, at " + clock(c.Timestamp)
	}
	return "nothing"
}
