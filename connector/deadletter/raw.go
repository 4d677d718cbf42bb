package deadletter

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

// Source makes the letters of one partition.
type Source struct {
	Table string // of the letters
	// Key is that of its letters, but for the offset.
	Key     Key
	Mapping string // hash of the mappings
	MaxCell int    // bytes of a cell, see hbase.Config
}

// Raw is a record from which a letter can be made.
type Raw struct {
	mapping.Letter
	Source *Source
	Record decode.Record
	Rows   []mapping.RowOps // that it became
}

// lastTime is the end of the year 9999 in milliseconds. Cells of records with other times bear the time 0.
const lastTime = 253402300799999

// Unmapped is the letter of a record that could not become rows, for this reason.
func (r *Raw) Unmapped(why error) mapping.RowOps {
	stage, table := StageDecode, ""
	if f := (*mapping.Failure)(nil); errors.As(why, &f) {
		table = f.Table
		if f.Decoded {
			stage = StageMap
		}
	}
	return r.letter(stage, why, table, nil)
}

// Unwritten is the letter of a record of which HBase refused rows for good.
func (r *Raw) Unwritten(rows []mapping.RefusedRow) mapping.RowOps {
	var tables []string
	var whys []error
	for i := range rows {
		if !slices.Contains(tables, rows[i].Table) {
			tables = append(tables, rows[i].Table)
		}
		whys = append(whys, rows[i].Why)
	}
	return r.letter(StageWrite, errors.Join(whys...), strings.Join(tables, ", "), r.fates(rows))
}

// RowFate is what became of one row of a record.
type RowFate struct {
	Table string `json:"table"`
	Row   []byte `json:"row"`           // base64
	Why   string `json:"why,omitempty"` // it was refused; empty: it is done
}

// Refused says whether HBase refused this row of the letter's record for good.
func (l *Letter) Refused(table string, row []byte) bool {
	return slices.ContainsFunc(l.Rows, func(f RowFate) bool { return f.is(table, row) && f.Why != "" })
}

func (f *RowFate) is(table string, row []byte) bool {
	return f.Table == table && bytes.Equal(f.Row, row)
}

// fates tells of each row once. A record may have very many, and the core waits meanwhile.
func (r *Raw) fates(refused []mapping.RefusedRow) []RowFate {
	type place struct{ table, row string }
	whys := make(map[place]error, len(refused))
	for _, bad := range refused {
		whys[place{bad.Table, string(bad.Row)}] = bad.Why
	}
	var out []RowFate
	met := make(map[place]bool, len(r.Rows))
	for i := range r.Rows {
		o := &r.Rows[i]
		at := place{o.Table, string(o.Row)}
		if met[at] {
			continue
		}
		met[at] = true
		fate := RowFate{Table: o.Table, Row: o.Row}
		if why := whys[at]; why != nil {
			fate.Why = reason(why)
		}
		out = append(out, fate)
	}
	return out
}

// reasonMost bounds a reason, in bytes.
const reasonMost = 4000

func reason(err error) string {
	text := err.Error()
	if len(text) > reasonMost {
		text = strings.ToValidUTF8(text[:reasonMost], "") + "…"
	}
	return text
}

func (r *Raw) key() Key {
	key := r.Source.Key
	key.Offset = r.Record.Offset
	return key
}

func (r *Raw) letter(stage Stage, why error, table string, fates []RowFate) mapping.RowOps {
	ops := mapping.RowOps{Table: r.Source.Table, Row: r.key().Row()}
	if t := r.Record.Timestamp; t >= 0 && t <= lastTime {
		ops.Time = t
	}
	b := builder{ops: &ops, cell: r.Source.MaxCell - len(ops.Row) - cellRest, left: letterMost}
	b.text(colStage, string(stage))
	b.text(colReason, reason(why))
	b.text(colTable, table)
	b.text(colMapping, r.Source.Mapping)
	b.text(colTimestamp, strconv.FormatInt(r.Record.Timestamp, 10))
	if fates != nil {
		b.json(colRows, fates)
	}
	b.bytes(colKey, r.Record.Key)
	if len(r.Record.Headers) > 0 {
		b.json(colHeaders, r.Record.Headers)
	}
	b.bytes(colValue, r.Record.Value)
	return ops
}

// marshal never fails: what letters hold as JSON is text and bytes.
func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("writing a dead letter's JSON: " + err.Error())
	}
	return text
}
