package preview

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

// Record is one record and what becomes of it.
type Record struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	Timestamp int64  `json:"timestamp"` // milliseconds
	Key       *Bytes `json:"key"`       // nil: it has none
	Rows      []Row  `json:"rows"`
	Error     string `json:"error,omitempty"`
	OnError   string `json:"on_error,omitempty"` // what befalls it then
	Stops     bool   `json:"stops,omitempty"`    // its partition ends there
}

// Row is one row that a record is written to.
type Row struct {
	Table   string    `json:"table"`
	Key     Bytes     `json:"key"`
	Parts   []KeyPart `json:"parts,omitempty"`  // of the key, where they can be told apart
	Region  string    `json:"region,omitempty"` // and its server; or why it is not known
	Deletes []string  `json:"deletes,omitempty"`
	// DeleteVisibility is, for each of Deletes, that of the cells that go; nil: none.
	DeleteVisibility []string          `json:"delete_visibility,omitempty"`
	DeleteTime       int64             `json:"delete_time,omitempty"` // milliseconds
	Cells            []Cell            `json:"cells"`
	Time             int64             `json:"time"` // milliseconds; with order: log at least that
	Order            string            `json:"order"`
	Mark             *Mark             `json:"mark,omitempty"`
	More             map[string]string `json:"more,omitempty"`
}

// KeyPart is one part of a row key, read back.
type KeyPart struct {
	Name string `json:"name"` // the field, literal, salt, or the hash
	Text string `json:"text"`
}

// Cell is one operation on one column.
type Cell struct {
	Column string `json:"column"` // family:qualifier
	Op     string `json:"op"`
	Value  *Bytes `json:"value,omitempty"`
	Delta  *int64 `json:"delta,omitempty"`
	Time   *int64 `json:"time,omitempty"` // nil: the server's
	TTL    int64  `json:"ttl,omitempty"`  // milliseconds from then on; 0: none
	// Visibility is an expression of labels; empty: none.
	Visibility string            `json:"visibility,omitempty"`
	More       map[string]string `json:"more,omitempty"`
}

// Mark is the cell that goes along with the row. Its value also tells the row's newest timestamp, which only the row
// knows.
type Mark struct {
	Column    string `json:"column"`
	Timestamp int64  `json:"timestamp"` // the next offset
}

// View makes records readable.
type View struct {
	Mappings    *mapping.Set
	Sink        string
	MarkFamily  string                                  // empty: no marks are written
	Incarnation func(topic string, partition int32) int // of the log; nil: the first
	Region      func(table string, row []byte) string   // nil: not asked for
}

// Prepare asks, once, for what a record can't be read without, such as a schema.
func (v *View) Prepare(ctx context.Context, rec decode.Record) error {
	_, err := v.Mappings.MapAsking(rec, func(l *decode.Later) error { return l.Wait(ctx) })
	return err
}

// Of maps a record and shows what it becomes.
func (v *View) Of(rec decode.Record) Record {
	out := Record{Topic: rec.Topic, Partition: rec.Partition, Offset: rec.Offset, Timestamp: rec.Timestamp, Rows: []Row{}}
	if rec.Key != nil {
		key := BytesOf(rec.Key)
		out.Key = &key
	}
	res := v.Mappings.Map(rec)
	if res.Err != nil {
		out.Error, out.OnError = res.Err.Error(), PolicyName(res.OnError)
		out.Stops = res.OnError == mapping.OnErrorFail
		return out
	}
	for i := range res.Rows {
		out.Rows = append(out.Rows, v.row(&rec, &res.Rows[i]))
	}
	return out
}

func (v *View) row(rec *decode.Record, ops *mapping.RowOps) Row {
	out := Row{
		Table: ops.Table, Key: BytesOf(ops.Row), Time: ops.Time, Order: "time", Cells: []Cell{},
		More: others(*ops, "Table", "Row", "Delete", "Cells", "Time", "LogOrder"),
	}
	if parts, err := v.Mappings.Explain(rec.Topic, ops.Table, ops.Row); err == nil {
		for _, p := range parts {
			out.Parts = append(out.Parts, KeyPart{p.Name, p.Text})
		}
	}
	if ops.LogOrder {
		out.Order = "log"
	}
	at := ops.Time
	if d := ops.Delete; d != nil {
		for _, f := range d.Families {
			out.Deletes = append(out.Deletes, string(f))
		}
		out.DeleteVisibility, out.DeleteTime = d.Visibility, at
		if len(ops.Cells) > 0 {
			at = max(at, 1)
			out.DeleteTime = at - 1 // or it would hide them
		}
	}
	for i := range ops.Cells {
		out.Cells = append(out.Cells, cell(&ops.Cells[i], at))
	}
	if v.Region != nil {
		out.Region = v.Region(ops.Table, ops.Row)
	}
	if v.MarkFamily != "" {
		n := 0
		if v.Incarnation != nil {
			n = v.Incarnation(rec.Topic, rec.Partition)
		}
		out.Mark = &Mark{v.MarkFamily + ":" + core.SourceName(v.Sink, rec.Topic, rec.Partition, n), rec.Offset + 1}
	}
	return out
}

func cell(op *mapping.CellOp, at int64) Cell {
	out := Cell{
		Column: Readable(op.Family) + ":" + Readable(op.Qualifier), Op: opName(op.Kind), Time: &at,
		More: others(*op, "ColumnName", "Kind", "Value", "Delta", "With"),
	}
	if op.With != nil {
		out.TTL, out.Visibility = op.With.TTL, op.With.Visibility
	}
	switch op.Kind {
	case mapping.CellIncrement:
		out.Delta, out.Time = &op.Delta, nil
	case mapping.CellAppend:
		out.Time = nil
	}
	if op.Value != nil {
		value := BytesOf(op.Value)
		out.Value = &value
	}
	return out
}

// others gives what is set in a struct beside the fields named.
func others(of any, known ...string) map[string]string {
	var out map[string]string
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || v.Field(i).IsZero() || slices.Contains(known, f.Name) {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		if b, ok := v.Field(i).Interface().([]byte); ok {
			out[f.Name] = Readable(b)
		} else {
			out[f.Name] = fmt.Sprint(v.Field(i).Interface())
		}
	}
	return out
}

func opName(k mapping.CellKind) string {
	names := [...]string{mapping.CellPut: "put", mapping.CellIncrement: "increment", mapping.CellAppend: "append", mapping.CellDeleteColumn: "delete-column"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("operation %d", k)
}

// PolicyName is what the configuration calls a policy.
func PolicyName(p mapping.ErrorPolicy) string {
	names := [...]string{mapping.OnErrorFail: "fail", mapping.OnErrorDeadLetter: "dead-letter", mapping.OnErrorSkip: "skip"}
	if int(p) < len(names) {
		return names[p]
	}
	return fmt.Sprintf("policy %d", p)
}
