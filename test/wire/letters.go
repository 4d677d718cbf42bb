package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/hbase"
)

// Some histories have dead letters: records that can't become rows, or that HBase refuses, must have exactly one letter
// each, and be in no row that refused them.

const (
	letterTable = "rowmark_dead_letters"
	// oddKey is of sound records whose row of counts HBase refuses at times: tinker makes its counter no long, and a
	// long again. Which of them are refused is not known before: each is in its row or has a letter.
	oddKey = "odd"
	// smallCell is the largest cell in such a history, in bytes. A checkpoint with its mapping and sixteen witnesses a
	// table must fit.
	smallCell = 16 << 10
)

// poison is why a record can't be written.
type poison uint8

const (
	sound poison = iota
	noJSON
	noNumber // one table of two can take it
	noKey
	tooLarge // each row of it has a cell that is too large
	poisons
)

// stages are where they fail, as letters tell it.
var stages = [poisons]string{sound: "write", noJSON: "decode", noNumber: "map", noKey: "map", tooLarge: "write"}

// unmapped says that a record becomes no rows.
func (e *event) unmapped() bool {
	return e.poison == noJSON || e.poison == noNumber || e.poison == noKey
}

// mayFail says that a record may have a letter.
func (e *event) mayFail() bool { return e.poison != sound || e.key == oddKey && !e.delete }

// raw is the record's key and value.
func (e *event) raw() (key, value []byte) {
	key = []byte(e.key)
	if e.delete {
		return key, nil
	}
	value = fmt.Appendf(nil, `{"id":%q,"w":%d}`, e.id, e.weight)
	switch e.poison {
	case noJSON:
		value = value[:len(value)-1]
	case noNumber:
		value = fmt.Appendf(nil, `{"id":%q,"w":"x"}`, e.id)
	case noKey:
		key = nil
	case tooLarge:
		value = fmt.Appendf(nil, `{"id":%q,"w":%d}`, e.id+strings.Repeat("x", smallCell+1000), e.weight)
	}
	return key, value
}

// spoil makes some records such that they, or the next ones of their row, become letters.
func spoil(r *rand.Rand, e *event) {
	switch r.IntN(24) {
	case 0, 1:
		e.poison, e.delete = sound+1+poison(r.IntN(int(poisons-1))), false
	case 2, 3:
		e.key = oddKey
	}
}

func letterRow(p int, offset int64) string {
	return string(deadletter.Key{Sink: "s", Topic: topic, Partition: int32(p), Offset: offset}.Row())
}

// letters are the letters that stand.
func (w *world) letters() content {
	if !w.lettered {
		return nil
	}
	return w.content(letterTable)
}

func (c content) lettered(p int, e *event) bool {
	return e.mayFail() && c[letterRow(p, e.offset)] != nil
}

// checkLetters compares all letters with the records that they are of.
func (w *world) checkLetters(letters content, logs [][]event, when string) {
	left := maps.Clone(letters)
	for p, log := range logs {
		for i := range log {
			e := &log[i]
			if !letters.lettered(p, e) {
				continue
			}
			row := letterRow(p, e.offset)
			delete(left, row)
			if e.fate != committed {
				w.fail(I8, "record %s has a letter %s, and is not committed", e.id, when)
			}
			w.checkLetter(letters[row], p, e, when)
		}
	}
	for row := range left {
		w.fail(I2, "the letter %q %s is of no record that can fail, or a second one", row, when)
	}
}

// checkLetter compares one letter with its record: it holds all of it, byte for byte.
func (w *world) checkLetter(cells map[string]hbase.Cell, p int, e *event, when string) {
	key, value := e.raw()
	if got := pieces(cells, "key"); !bytes.Equal(got, key) {
		w.fail(I6, "the letter of record %s holds the key %q %s, want %q", e.id, got, when, key)
	}
	if got := pieces(cells, "value"); !bytes.Equal(got, value) {
		w.fail(I6, "the letter of record %s holds the value %.60q %s, want %.60q", e.id, got, when, value)
	}
	if got := string(cells["d:stage"].Value); got != stages[e.poison] {
		w.fail(I6, "the letter of record %s is of the stage %q %s, want %q", e.id, got, when, stages[e.poison])
	}
	if mark := w.markIn(letterTable, letterRow(p, e.offset), cells, w.source(p), when); mark != e.offset+1 {
		w.fail(I6, "the mark of the letter of record %s is %d %s, want %d", e.id, mark, when, e.offset+1)
	}
}

// pieces puts a value together that may stand in several cells.
func pieces(cells map[string]hbase.Cell, name string) []byte {
	out := cells["d:"+name].Value
	for i := 0; ; i++ {
		c, ok := cells[fmt.Sprintf("d:%s.%04d", name, i)]
		if !ok {
			return out
		}
		out = append(out[:len(out):len(out)], c.Value...)
	}
}

// inOddRow checks that each record of the odd key below a mark is in the row or has a letter, and never both, and says
// which are in. The letters are those of after the row was read.
func (w *world) inOddRow(cells map[string]hbase.Cell, letters content, p int, log []event, mark int64, when string) func(*event) bool {
	in := map[string]bool{}
	for id := range strings.SplitAfterSeq(string(cells["l:list"].Value), ",") {
		in[id] = true
	}
	m, _ := core.DecodeMark(cells["_k:"+w.source(p)].Value) // markIn has read it
	rewound, _ := w.back.now()
	for i := range log {
		e := &log[i]
		if e.offset >= mark {
			break
		}
		if e.key != oddKey || e.delete || e.fate != committed {
			continue
		}
		switch lettered := letters.lettered(p, e); {
		case in[e.id] && lettered && rewound == 0:
			// After a table was set back its records are read again. The bar of one that was refused went with the table, so
			// that HBase may take it now; its letter stays.
			w.fail(I2, "record %s is in row %s of counts %s, and has a letter", e.id, oddKey, when)
		case !in[e.id] && !lettered && (m.Barred == "" || e.offset != mark-1):
			// The row's last record may be barred, and its letter due.
			w.fail(I1, "record %s is not in row %s of counts %s, and has no letter", e.id, oddKey, when)
		}
	}
	return func(e *event) bool { return in[e.id] }
}

// fits says which records are in a row of their key, or of their partition, of those that are mapped.
func (w *world) fits(table, row string, cells map[string]hbase.Cell, letters content, p int, log []event, mark int64, when string) func(*event) bool {
	if table == "counts" && row == oddKey {
		return w.inOddRow(cells, letters, p, log, mark, when)
	}
	return func(e *event) bool { return e.poison != tooLarge }
}

// unlettered says that a record that can't be in all its rows has no letter.
func unlettered(counts, letters content, p int, e *event) bool {
	if !e.mayFail() || letters.lettered(p, e) {
		return false
	}
	return e.poison != sound || !slices.Contains(strings.SplitAfter(string(counts[oddKey]["l:list"].Value), ","), e.id)
}

// countLetters tells what the letters of a history are of.
func (w *world) countLetters(letters content) {
	for _, cells := range letters {
		w.verdict.bite("dead letter: "+string(cells["d:stage"].Value), 1)
	}
}
