package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"rowmark/connector/mapping"
)

var (
	markFamily = []byte("_k")
	dataFamily = []byte("d")
	sideFamily = []byte("e") // of the second sink
	countFam   = []byte("c")
	listFam    = []byte("a")
)

const (
	tableMixed  = "mixed"  // puts, deletes, counters and appends, in log order
	tableCounts = "counts" // counters and appends only
	tableTimed  = "timed"  // puts and deletes in order of time
)

// How the times of records run.
const (
	timesDense  = 0 // many of one millisecond, and late ones
	timesSpread = 1 // about the time at which they are written to the log, and late ones
	timesRising = 2 // each at least 2 ms after the one before, so that no order can be mistaken
)

// record is one committed record of a partition, in whatever life of its log.
type record struct {
	id     int // unique in its partition, in order of writing
	part   int32
	offset int64
	epoch  int32
	time   int64
	key    string
	weight int64
	extra  byte // what it does to the extra column: 0 nothing, 'p' put, 'd' delete-column
	delete bool
	bad    bool // can't be mapped
	heavy  bool // the server refuses its put for good
	// may is, for each sink, 0 if the record must be applied once; else it may have been passed over, for one
	// reason with all records of that number.
	may [2]int
	ops map[opsKey][]mapping.RowOps
}

type opsKey struct {
	sink    int
	version byte
}

var heavyValue = []byte("HEAVY")

// newRecord draws the next record of a partition. before is the latest time so far.
func (w *world) newRecord(r *rand.Rand, l *modelLog) *record {
	s := &w.plan.set
	rec := &record{id: len(l.all), part: l.part, weight: int64(r.Uint64())}
	late := r.IntN(5) == 0
	by := int64(r.IntN(400))
	switch s.times {
	case timesRising:
		l.time += int64(2 + r.IntN(3))
		late = false
	case timesSpread:
		l.time = max(l.time, w.wall())
	default:
		l.time += int64(r.IntN(3))
	}
	rec.time = l.time
	if late {
		rec.time -= by
	}
	shared, kind := r.IntN(10) < 3, r.IntN(10)
	if shared {
		rec.key = "shared-" + strconv.Itoa(r.IntN(3))
	} else {
		rec.key = "p" + strconv.Itoa(int(l.part)) + "-" + strconv.Itoa(r.IntN(7))
		rec.delete = kind < 2
	}
	switch r.IntN(4) {
	case 0:
		rec.extra = 'p'
	case 1:
		rec.extra = 'd'
	}
	if n := r.IntN(50); s.bads > 0 {
		rec.bad = n == 0
		rec.heavy = n == 1 && !rec.delete
	}
	return rec
}

// rows is the mapping: what a record makes of which rows. Version 2 counts on other rows, where a record under both
// would be counted twice. The second sink counts in columns of its own, and knows no deletes.
func (w *world) rows(rec *record, sink int, version byte) []mapping.RowOps {
	key := opsKey{sink, version}
	if out, ok := rec.ops[key]; ok {
		return out
	}
	out := w.newRows(rec, sink, version)
	if rec.ops == nil {
		rec.ops = map[opsKey][]mapping.RowOps{}
	}
	rec.ops[key] = out
	return out
}

func (w *world) newRows(rec *record, sink int, version byte) []mapping.RowOps {
	s := &w.plan.set
	row, id := []byte(rec.key), strconv.AppendInt(nil, int64(rec.id), 10)
	ops := func(table string, row []byte, cells ...mapping.CellOp) mapping.RowOps {
		return mapping.RowOps{Table: table, Row: row, Time: rec.time, LogOrder: table != tableTimed, Cells: cells}
	}
	part := strconv.Itoa(int(rec.part))
	put := mapping.CellOp{Kind: mapping.CellPut, ColumnName: &mapping.ColumnName{Family: dataFamily, Qualifier: []byte("p" + part)}, Value: id}
	list := mapping.CellOp{Kind: mapping.CellAppend, ColumnName: &mapping.ColumnName{Family: listFam, Qualifier: []byte("p" + part)}, Value: append(id[:len(id):len(id)], ',')}
	weigh := mapping.CellOp{Kind: mapping.CellIncrement, ColumnName: &mapping.ColumnName{Family: countFam, Qualifier: []byte("w")}, Delta: rec.weight}
	count := mapping.CellOp{Kind: mapping.CellIncrement, ColumnName: &mapping.ColumnName{Family: countFam, Qualifier: []byte("n")}, Delta: 1}
	if sink == 1 {
		if rec.delete {
			return nil
		}
		put.Family = sideFamily
		list.Qualifier, weigh.Qualifier, count.Qualifier = []byte("r"+part), []byte("rw"), []byte("rn")
		return []mapping.RowOps{ops(tableMixed, row, put, weigh, count, list)}
	}
	if rec.delete {
		del := ops(tableMixed, row)
		del.Delete = &mapping.RowDelete{Families: [][]byte{dataFamily}}
		if s.timed == 0 {
			return []mapping.RowOps{del}
		}
		timed := ops(tableTimed, row)
		timed.Delete = del.Delete
		return []mapping.RowOps{del, timed}
	}
	if rec.heavy {
		put.Value = heavyValue
	}
	mixed := ops(tableMixed, row, put)
	extra := mapping.CellOp{ColumnName: &mapping.ColumnName{Family: dataFamily, Qualifier: []byte("x" + part)}, Value: id}
	switch rec.extra {
	case 'p':
		mixed.Cells = append(mixed.Cells, extra)
	case 'd':
		extra.Kind, extra.Value = mapping.CellDeleteColumn, nil
		mixed.Cells = append(mixed.Cells, extra)
	}
	if s.atLeastOnce > 0 {
		return []mapping.RowOps{mixed}
	}
	mixed.Cells = append(mixed.Cells, weigh)
	out := []mapping.RowOps{mixed, ops(tableMixed, row, list)}
	if s.counts > 0 {
		name := "total-"
		if version == '2' {
			name = "other-"
		}
		out = append(out, ops(tableCounts, []byte(name+rec.key), weigh, count, list))
	}
	if s.timed > 0 {
		put.Value = id
		out = append(out, ops(tableTimed, row, put, list, weigh))
	}
	return out
}

// errBad is why a record can't be mapped.
var errBad = fmt.Errorf("reading value.id: it is missing")
