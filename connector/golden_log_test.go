package connector_test

import (
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// topic is one partition's log in Kafka: the records from start on, at offsets that leave none out.
type topic struct {
	id      kafka.TopicID
	start   int64
	records [][]mapping.RowOps // by offset: what each makes of which rows
}

func (t *topic) end() int64 { return int64(len(t.records)) }

// info is the brokers' answer to a ReadLog. All records are of leader epoch 0.
func (t *topic) info(a core.ReadLog) core.LogInfo {
	i := core.LogInfo{
		TopicID: t.id, LogStart: t.start, LogEnd: t.end(), End: t.end(), Start: t.start,
		EpochEnd: -1, EndedEpoch: -1, DeleteRetention: -1,
	}
	if a.LeaderEpoch >= 0 {
		i.EpochEnd, i.EndedEpoch = t.end(), 0
	}
	return i
}

// mapped is the records of [from, to), as the pump hands them to the core.
func (t *topic) mapped(from, to int64) []core.Mapped {
	var out []core.Mapped
	for o := from; o < to; o++ {
		out = append(out, core.Mapped{Offset: o, Bytes: 100, Result: mapping.Result{Rows: t.records[o]}})
	}
	return out
}

// parseRecord reads "a@1000 del; put d:q v; inc d:n 5; append d:l x; delcol d:q": the row, the record's time in
// milliseconds, and what the mapping makes of it; rows stand with a comma between them.
func parseRecord(text string) ([]mapping.RowOps, error) {
	var out []mapping.RowOps
	for _, part := range strings.Split(text, ", ") {
		o, err := parseRow(part)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

func parseRow(text string) (mapping.RowOps, error) {
	head, rest, _ := strings.Cut(text, " ")
	row, at, ok := strings.Cut(head, "@")
	time, err := strconv.ParseInt(at, 10, 64)
	if !ok || err != nil || rest == "" {
		return mapping.RowOps{}, fmt.Errorf("reading record %q: want row@milliseconds and operations", text)
	}
	o := mapping.RowOps{Table: tableName, Row: []byte(row), Time: time, LogOrder: true}
	for _, part := range strings.Split(rest, ";") {
		f := strings.Fields(part)
		if len(f) == 1 && f[0] == "del" {
			o.Delete = &mapping.RowDelete{Families: [][]byte{[]byte("d")}}
			continue
		}
		op, err := parseCell(f)
		if err != nil {
			return mapping.RowOps{}, fmt.Errorf("reading record %q: %w", text, err)
		}
		o.Cells = append(o.Cells, op)
	}
	return o, nil
}

func parseCell(f []string) (mapping.CellOp, error) {
	var op mapping.CellOp
	if len(f) < 2 {
		return op, fmt.Errorf("operation %q lacks its column", f)
	}
	family, qualifier, ok := strings.Cut(f[1], ":")
	op.ColumnName = &mapping.ColumnName{Family: []byte(family), Qualifier: []byte(qualifier)}
	kind, known := map[string]mapping.CellKind{
		"put": mapping.CellPut, "inc": mapping.CellIncrement, "append": mapping.CellAppend, "delcol": mapping.CellDeleteColumn,
	}[f[0]]
	op.Kind = kind
	if want := map[bool]int{true: 2, false: 3}[kind == mapping.CellDeleteColumn]; !ok || !known || len(f) != want {
		return op, fmt.Errorf("operation %q is not known", strings.Join(f, " "))
	}
	switch kind {
	case mapping.CellPut, mapping.CellAppend:
		op.Value = []byte(f[2])
	case mapping.CellIncrement:
		n, err := strconv.ParseInt(f[2], 10, 64)
		op.Delta = n
		return op, err
	}
	return op, nil
}
