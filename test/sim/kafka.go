package main

import (
	"fmt"
	"math/rand/v2"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

var (
	markFamily = []byte("_k")
	dataFamily = []byte("d")
	countFam   = []byte("c")
	listFam    = []byte("a")
)

const (
	tableMixed  = "mixed"  // puts, deletes, counters and appends
	tableCounts = "counts" // counters only
)

// event is one committed record of the model log.
type event struct {
	offset int64
	time   int64
	key    string
	weight int64
	delete bool
	bad    bool // can't be mapped; skipped
	heavy  bool // the server refuses it for good; skipped
}

// modelLog is one partition: committed records with gaps between them.
type modelLog struct {
	partition int32
	events    []event
	end       int64
	shown     int64 // the log end as of now
}

func newLog(r *rand.Rand, partition int32, n int, bads bool) *modelLog {
	l := &modelLog{partition: partition}
	now := int64(1_000_000)
	for range n {
		if r.IntN(10) == 0 {
			l.end += int64(1 + r.IntN(3)) // aborted records, markers, compaction
		}
		now += int64(r.IntN(3))
		e := event{offset: l.end, time: now, weight: int64(r.Uint64() >> 1)}
		if r.IntN(5) == 0 {
			e.time -= int64(r.IntN(400))
		}
		switch r.IntN(10) {
		case 0, 1, 2:
			e.key = fmt.Sprintf("shared-%d", r.IntN(4))
		default:
			e.key = fmt.Sprintf("p%d-%d", partition, r.IntN(12))
			e.delete = r.IntN(5) == 0
		}
		if bads {
			e.bad = r.IntN(60) == 0
			e.heavy = !e.bad && !e.delete && r.IntN(60) == 0
		}
		l.events = append(l.events, e)
		l.end++
	}
	return l
}

// rows is the mapping: what a record makes of which rows. Version 2 writes the list under another qualifier.
func (e *event) rows(partition int32, version byte) []mapping.RowOps {
	q := fmt.Appendf(nil, "p%d", partition)
	if e.delete {
		return []mapping.RowOps{{Table: tableMixed, Row: []byte(e.key), DeleteFamilies: [][]byte{dataFamily}, Time: e.time, LogOrder: true}}
	}
	mixed := mapping.RowOps{Table: tableMixed, Row: []byte(e.key), Time: e.time, LogOrder: true, Cells: []mapping.CellOp{
		{Kind: mapping.CellPut, Family: dataFamily, Qualifier: q, Value: fmt.Appendf(nil, "%d", e.offset)},
		{Kind: mapping.CellIncrement, Family: countFam, Qualifier: []byte("w"), Delta: e.weight},
	}}
	if e.heavy {
		mixed.Cells[0].Value = heavyValue
	}
	list := mapping.RowOps{Table: tableMixed, Row: []byte(e.key), Time: e.time, LogOrder: true, Cells: []mapping.CellOp{
		{Kind: mapping.CellAppend, Family: listFam, Qualifier: q, Value: fmt.Appendf(nil, "%d,", e.offset)},
	}}
	counts := mapping.RowOps{Table: tableCounts, Row: []byte("total-" + e.key), Time: e.time, LogOrder: true, Cells: []mapping.CellOp{
		{Kind: mapping.CellIncrement, Family: countFam, Qualifier: []byte("w"), Delta: e.weight},
		{Kind: mapping.CellIncrement, Family: countFam, Qualifier: []byte("n"), Delta: 1},
	}}
	if version == '2' {
		// The changed mapping counts on other rows: a record under both would be counted twice.
		counts.Row = []byte("other-" + e.key)
	}
	return []mapping.RowOps{mixed, counts, list}
}

var heavyValue = []byte("HEAVY")

// read gives the mapped records of [from, until) up to n of them, as a fetch does.
func (l *modelLog) read(from, until int64, n int, version byte) ([]core.Mapped, int64) {
	var out []core.Mapped
	end := l.shown
	if until >= 0 {
		end = min(end, until)
	}
	for i := range l.events {
		e := &l.events[i]
		if e.offset < from || e.offset >= end {
			continue
		}
		if len(out) == n {
			return out, e.offset
		}
		m := core.Mapped{Offset: e.offset, Bytes: 1000}
		if e.bad {
			m.Result = mapping.Result{Err: fmt.Errorf("field missing"), OnError: mapping.OnErrorSkip}
		} else {
			m.Result = mapping.Result{Rows: e.rows(l.partition, version), OnError: mapping.OnErrorSkip}
		}
		out = append(out, m)
	}
	return out, max(from, end)
}
