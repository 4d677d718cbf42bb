package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/test/linear"
)

// content is a table as the cluster itself holds it: by row, by family:qualifier, the newest cell.
type content map[string]map[string]hbase.Cell

func (w *world) content(table string) content {
	rows, err := w.hbase.Dump(table)
	if err != nil {
		w.fail(ran, "%v", err)
	}
	out := content{}
	for _, r := range rows {
		m := map[string]hbase.Cell{}
		for _, c := range r.Cells {
			name := string(c.Family) + ":" + string(c.Qualifier)
			if _, ok := m[name]; !ok {
				m[name] = c
			}
		}
		out[string(r.Row)] = m
	}
	return out
}

func number(c hbase.Cell) int64 {
	if len(c.Value) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(c.Value))
}

// markIn is the mark of a row under a source; 0: none.
func (w *world) markIn(table, row string, cells map[string]hbase.Cell, source, when string) int64 {
	cell, ok := cells["_k:"+source]
	if !ok {
		return 0
	}
	m, err := core.DecodeMark(cell.Value)
	if err != nil || cell.Timestamp != m.Next {
		w.fail(I6, "the mark of row %s of %s says %d at timestamp %d %s: %v", row, table, m.Next, cell.Timestamp, when, err)
	}
	return m.Next
}

// total is the row that all records of a partition count in.
func total(p int) string { return fmt.Sprint("total-", p) }

// contender says whether a row is not of the connectors.
func contender(row string) bool { return strings.HasPrefix(row, "lin-") }

// checkRow compares a row with the fold of the log up to the row's own mark: at every instant the two agree.
func (w *world) checkRow(table, row string, cells map[string]hbase.Cell, letters content, p int, log []event, when string) {
	key := row
	if row == total(p) {
		key = ""
	}
	mark := w.markIn(table, row, cells, w.source(p), when)
	f := fold(log, key, mark, w.fits(table, row, cells, letters, p, log, mark, when))
	last := f.last
	if table == "counts" {
		last = f.puts
	}
	if mark > 0 && (last == nil || last.offset != mark-1) {
		w.fail(I6, "the mark of row %s of %s is %d %s, and no record of it has the offset before that", row, table, mark, when)
	}
	if table == "rows" {
		id, weight := "", ""
		if f.held != nil && !f.held.delete {
			id, weight = f.held.id, fmt.Sprint(f.held.weight)
		}
		if got := cells["d:last"]; string(got.Value) != id {
			w.fail(w.blame(string(got.Value), id), "row %s holds %q %s, want %q by its mark %d", row, got.Value, when, id, mark)
		}
		if got := cells["d:w"]; string(got.Value) != weight {
			w.fail(I6, "row %s holds %q beside %q %s, want %q", row, got.Value, id, when, weight)
		}
		return
	}
	if got := string(cells["l:list"].Value); got != f.list {
		w.fail(w.blame(got, f.list), "row %s lists %s %s, want %s by its mark %d", row, got, when, f.list, mark)
	}
	if got := number(cells["c:w"]); got != f.sum && row != oddKey {
		w.fail(I2, "counter of row %s is %d %s, want %d by its mark %d", row, got, when, f.sum, mark)
	}
}

// blame says which invariant a list of records offends.
func (w *world) blame(got, want string) invariant {
	seen := map[string]bool{}
	for id := range strings.SplitAfterSeq(got, ",") {
		if id == "" {
			continue
		}
		switch e, _, ok := w.log.byID(id); {
		case seen[id]:
			return I2
		case !ok || e.fate != committed:
			return I8
		}
		seen[id] = true
	}
	for id := range strings.SplitAfterSeq(want, ",") {
		if id != "" && !seen[id] {
			return I1
		}
	}
	return I3
}

// checkRows does so for all rows of both tables, and for the letters, which were read after them.
func (w *world) checkRows(counts, rows, letters content, when string) {
	var logs [][]event
	for p := range w.partitions {
		logs = append(logs, w.log.of(p))
	}
	w.checkLetters(letters, logs, when)
	for p, log := range logs {
		if cells, ok := counts[total(p)]; ok {
			w.checkRow("counts", total(p), cells, letters, p, log, when)
		}
		for _, key := range keys(log) {
			w.checkRow("counts", key, counts[key], letters, p, log, when)
			w.checkRow("rows", key, rows[key], letters, p, log, when)
			delete(counts, key)
			delete(rows, key)
		}
		delete(counts, total(p))
	}
	for _, t := range []content{counts, rows} {
		for row, cells := range t {
			for name := range cells {
				if !contender(row) && name != foreignCell && (row != oddKey || name != "c:w") {
					w.fail(I13, "row %s holds a cell %s %s, and the log no record of it", row, name, when)
				}
			}
		}
	}
}

// keys lists the keys of a log, each once.
func keys(log []event) []string {
	var out []string
	seen := map[string]bool{}
	for i := range log {
		if k := log[i].key; !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

// resolved is that every committed record below an offset is in its rows: their marks are past it; or has its letter.
func (w *world) resolved(counts, rows, letters content, p int, log []event, below int64, of invariant, when string) {
	marks := map[string]int64{}
	at := func(table, row string, t content) int64 {
		name := table + " " + row
		if _, ok := marks[name]; !ok {
			marks[name] = w.markIn(table, row, t[row], w.source(p), when)
		}
		return marks[name]
	}
	for i := range log {
		e := &log[i]
		if e.offset >= below {
			return
		}
		switch {
		case e.fate == open:
			w.fail(I8, "checkpoint %d of partition %d is past the open transaction of record %s", below, p, e.id)
		case e.fate == aborted:
			continue
		case unlettered(counts, letters, p, e):
			w.fail(of, "record %s has no letter %s, %d of partition %d is past it", e.id, when, below, p)
		case e.unmapped():
			continue
		case at("rows", e.key, rows) <= e.offset:
			w.fail(of, "record %s is not in row %s of rows %s, %d of partition %d is past it", e.id, e.key, when, below, p)
		case !e.delete && at("counts", e.key, counts) <= e.offset:
			w.fail(of, "record %s is not in row %s of counts %s, %d of partition %d is past it", e.id, e.key, when, below, p)
		case !e.delete && at("counts", total(p), counts) <= e.offset:
			w.fail(of, "record %s is not in row %s of counts %s, %d of partition %d is past it", e.id, total(p), when, below, p)
		default:
			continue
		}
		return
	}
}

// check compares everything with the fold of the whole log.
func (w *world) check() {
	checkpoints := w.content("rowmark")
	counts, rows := w.content("counts"), w.content("rows")
	letters := w.letters()
	w.countLetters(letters)
	w.checkForeign(counts)
	for p := range w.partitions {
		log := w.log.of(p)
		w.resolved(counts, rows, letters, p, log, 1<<62, I1, "at the end")
		pos, err := core.DecodePosition(checkpoints[w.source(p)]["c:position"].Value)
		if end := w.log.end(p); err != nil || pos.Offset != end || pos.Owner != (core.Owner{}) {
			w.fail(I11, "the checkpoint of partition %d is at %d, owned by %s, at the end (%v); the log ends at %d", p, pos.Offset, pos.Owner, err, end)
		}
	}
	w.checkRows(counts, rows, letters, "at the end")
}

func (h *history) end(p int) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next[p]
}

// checkLinear holds what was recorded against one register and one row.
func (w *world) checkLinear() {
	opts := linear.Options{Budget: 5 * time.Second, Name: fmt.Sprintf("seed %d ", w.seed), Dir: w.out}
	for _, check := range []func() (linear.Report, error){
		func() (linear.Report, error) { return linear.CheckRegisters(w.registers.Ops(), opts) },
		func() (linear.Report, error) { return linear.CheckRows(w.rows.Ops(), opts) },
	} {
		r, err := check()
		if err != nil {
			w.fail(ran, "%v", err)
		}
		w.checked.Keys += r.Keys
		w.checked.Ops += r.Ops
		w.checked.Undecided = append(w.checked.Undecided, r.Undecided...)
		for _, f := range r.Wrong {
			w.fail(lin, "the %d operations on %s can't be put into an order%s", f.Ops, f.Key, seeing(f.Page))
		}
	}
}

func seeing(page string) string {
	if page == "" {
		return ""
	}
	return ", see " + page
}
