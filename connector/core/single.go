package core

import (
	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// Fold gives the mutations of one record on one row, outside of the log's order: its cells keep the record's own time, so
// that what the row holds of a later time stays on top.
func Fold(ops []mapping.RowOps) ([]hbase.Mutation, error) {
	var f folder
	if err := f.add(ops); err != nil {
		return nil, err
	}
	return f.mutations(), nil
}

// Guard puts a mark of a source into a write, and the condition that the row has none that is as late.
func Guard(w *hbase.RowWrite, family []byte, source string, m Mark) {
	column := &hbase.Column{Family: family, Qualifier: []byte(source)}
	w.Condition = &hbase.Condition{Family: family, Qualifier: column.Qualifier, Op: hbase.CompareEqual, From: m.Next}
	w.Mutations = withMark(w.Mutations, hbase.MutationCell{Column: column, Type: hbase.CellPut, Timestamp: m.Next, Value: m.Encode()})
}
