package pure

import (
	"errors"
	"strconv"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

// Tables and families of the model.
const (
	tableRows   = "rows"   // puts and deletes
	tableCounts = "counts" // increments and appends only
	famData     = "d"
	famCount    = "c"
	famList     = "l"
	famMark     = "_k"
)

// heavyValue is refused by the model server for good.
const heavyValue = "HEAVY"

// cellOp is one operation on one column. Private columns are of one partition and mapping version; others are shared.
type cellOp struct {
	kind      mapping.CellKind
	family    string
	qualifier string
	value     string
	delta     int64
	private   bool
}

func (o *cellOp) column(version byte) string {
	if o.private && version == '2' {
		return o.qualifier + "/2"
	}
	return o.qualifier
}

// rowOp is what a record does to one row.
type rowOp struct {
	table, row string
	deletes    bool // the data family goes first
	heavy      bool // the server refuses it for good, and the record is passed for this row
	cells      []cellOp
}

// record is one committed record of the log.
type record struct {
	offset, time int64
	ops          []rowOp
	bad          bool // can't be mapped; passed
}

var errBad = errors.New("a field is missing")

// mapped is what the mapping of a version makes of the record.
func (r *record) mapped(version byte) core.Mapped {
	m := core.Mapped{Offset: r.offset, LeaderEpoch: 1, Bytes: 1000, Result: mapping.Result{OnError: mapping.OnErrorSkip}}
	if r.bad {
		m.Result.Err = errBad
		return m
	}
	for i := range r.ops {
		o := &r.ops[i]
		out := mapping.RowOps{Table: o.table, Row: []byte(o.row), Time: r.time, LogOrder: true}
		if o.deletes {
			out.DeleteFamilies = [][]byte{[]byte(famData)}
		}
		for k := range o.cells {
			c := &o.cells[k]
			out.Cells = append(out.Cells, mapping.CellOp{
				Kind: c.kind, ColumnName: &mapping.ColumnName{Family: []byte(c.family), Qualifier: []byte(c.column(version))}, Value: []byte(c.value), Delta: c.delta,
			})
		}
		m.Result.Rows = append(m.Result.Rows, out)
	}
	return m
}

// logFile is one partition of the model log in one incarnation.
type logFile struct {
	records []record
	mapped  [2][]core.Mapped
	end     int64
	topic   byte // of the topic id
}

func (l *logFile) seal() *logFile {
	for i := range l.records {
		for v := range l.mapped {
			l.mapped[v] = append(l.mapped[v], l.records[i].mapped(byte('1'+v)))
		}
	}
	return l
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
