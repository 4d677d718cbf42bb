package main

import (
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

const tableLetters = "letters"

// letter makes the dead letter of a record: it appends to its row, so that one written twice shows.
type letter struct {
	w    *world
	rec  *record
	sink int
	name string // of the source
}

func (l *letter) ops() mapping.RowOps {
	return mapping.RowOps{Table: tableLetters, Row: letterRow(l.name, l.rec.offset), Time: l.rec.time, Cells: []mapping.CellOp{{
		Kind: mapping.CellAppend, ColumnName: &mapping.ColumnName{Family: listFam, Qualifier: listName(srcKey{l.sink, l.rec.part})},
		Value: append(strconv.AppendInt(nil, int64(l.rec.id), 10), ','),
	}}}
}

func letterRow(name string, offset int64) []byte {
	return strconv.AppendInt([]byte(name+"/"), offset, 10)
}

// refused makes the letter of a record that HBase refused. Only its row in the table mixed can be.
func (l *letter) refused(rows []mapping.RefusedRow) mapping.RowOps {
	if len(rows) != 1 || rows[0].Table != tableMixed || string(rows[0].Row) != l.rec.key || rows[0].Why == nil {
		l.w.fail("I9", "the letter of offset %d of partition %d names %d refused rows", l.rec.offset, l.rec.part, len(rows))
	}
	return l.ops()
}

// post gives a mapped record the policy that the mapping's text names.
func (w *world) post(m *core.Mapped, rec *record, sink, incarnation int, text []byte) {
	switch text[1] {
	case 'l':
		m.Result.OnError = mapping.OnErrorSkip
	case 'd':
		l := &letter{w, rec, sink, core.SourceName(sinkNames[sink], "t", rec.part, incarnation)}
		m.Result.OnError, m.Result.Letter = mapping.OnErrorDeadLetter, &mapping.Letter{Refused: l.refused}
		if rec.bad {
			m.Result.Rows = []mapping.RowOps{l.ops()}
		}
	}
}

// letters counts the letters of a source's records, by id.
func (w *world) letters(key srcKey) map[int]int {
	out := map[int]int{}
	base := core.SourceName(sinkNames[key.sink], "t", key.part, 0)
	for row, r := range w.hbase.tables[tableLetters].rows {
		if name, _, ok := strings.Cut(strings.TrimPrefix(row, base), "/"); !ok || !strings.HasPrefix(row, base) || name != "" && name[0] != '#' {
			continue
		}
		for _, id := range listed(nil, r.find(listFam, listName(key))) {
			out[id]++
		}
	}
	return out
}

// checkLetters is I1 and I2 of records that can't be written: each is in its row or has one letter, never both.
func (w *world) checkLetters(key srcKey, l *modelLog, applied func(*record) bool) {
	if w.plan.set.letters == 0 {
		return
	}
	letters := w.letters(key)
	for _, rec := range l.all {
		n := letters[rec.id]
		in := n
		if !rec.bad && applied(rec) {
			in++
		}
		refused := rec.bad || rec.heavy && key.sink == 0
		switch {
		case w.watch.forced[key] || w.watch.given[key]:
		case n > 0 && !refused:
			w.fail("I2", "record %d (offset %d) of partition %d has a letter, and nothing is wrong with it", rec.id, rec.offset, l.part)
		case in > 1 && n == 1 && w.hbase.restores > 0:
			// Its bar went with the restored table, and the server took it on the second reading: the letter stays.
		case in > 1:
			w.fail("I2", "record %d (offset %d) of partition %d has %d letters, and is applied: %v", rec.id, rec.offset, l.part, n, in > n)
		case refused && in == 0 && rec.may[key.sink] == 0:
			w.fail("I1", "record %d (offset %d) of partition %d of sink %s is neither applied nor has it a letter", rec.id, rec.offset, l.part, sinkNames[key.sink])
		}
	}
}

// settled is I4 of a record that can't be written: its letter stands, or it is applied.
func (v *watch) settled(key srcKey, rec *record) bool {
	if rec.heavy && key.sink == 1 {
		return v.reached(key, rec)
	}
	r := v.w.hbase.tables[tableLetters].rows[string(letterRow(v.names[key], rec.offset))]
	if r != nil && r.find(listFam, listName(key)) != nil {
		return rec.bad || v.reached(key, rec)
	}
	return rec.heavy && v.reached(key, rec) && has(listed(nil, v.w.hbase.tables[tableMixed].rows[rec.key].find(listFam, listName(key))), rec.id)
}
