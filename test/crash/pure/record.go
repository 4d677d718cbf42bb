package pure

import (
	"errors"
	"slices"
	"strconv"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

// Tables and families of the model.
const (
	tableRows    = "rows"    // puts and deletes
	tableCounts  = "counts"  // increments and appends only
	tableLetters = "letters" // dead letters
	famData      = "d"
	famCount     = "c"
	famList      = "l"
	famMark      = "_k"
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
	bad          bool   // can't be mapped; passed
	letter       *rowOp // what becomes of it if it is not passed but written to the dead letters
}

var errBad = errors.New("a field is missing")

// mapped is what the mapping of a version makes of the record.
func (r *record) mapped(version byte) core.Mapped {
	m := core.Mapped{Offset: r.offset, LeaderEpoch: 1, Bytes: 1000, Result: mapping.Result{OnError: mapping.OnErrorSkip}}
	if r.letter != nil {
		m.Result.OnError, m.Result.Letter = mapping.OnErrorDeadLetter, &mapping.Letter{Refused: r.refused}
	}
	if r.bad {
		m.Result.Err = errBad
		if r.letter != nil {
			m.Result.Rows = []mapping.RowOps{r.rowOps(r.letter, version)}
		}
		return m
	}
	for i := range r.ops {
		m.Result.Rows = append(m.Result.Rows, r.rowOps(&r.ops[i], version))
	}
	return m
}

func (r *record) rowOps(o *rowOp, version byte) mapping.RowOps {
	out := mapping.RowOps{Table: o.table, Row: []byte(o.row), Time: r.time, LogOrder: o.table != tableLetters}
	if o.deletes {
		out.Delete = &mapping.RowDelete{Families: [][]byte{[]byte(famData)}}
	}
	for k := range o.cells {
		c := &o.cells[k]
		out.Cells = append(out.Cells, mapping.CellOp{
			Kind: c.kind, ColumnName: &mapping.ColumnName{Family: []byte(c.family), Qualifier: []byte(c.column(version))}, Value: []byte(c.value), Delta: c.delta,
		})
	}
	return out
}

// refused gives the record's letter, which says that it should not have been written if other rows were refused.
func (r *record) refused(rows []mapping.RefusedRow) mapping.RowOps {
	out := r.rowOps(r.letter, '1')
	heavy := 0
	for i := range r.ops {
		if o := &r.ops[i]; o.heavy {
			heavy++
			if !slices.ContainsFunc(rows, func(b mapping.RefusedRow) bool { return b.Table == o.table && string(b.Row) == o.row }) {
				heavy = -len(r.ops)
			}
		}
	}
	if heavy != len(rows) {
		out.Cells[0].Value = []byte("wrong rows")
	}
	return out
}

// written is what must be in the tables, or barred there.
func (r *record) written() []rowOp {
	var out []rowOp
	if !r.bad {
		out = r.ops
	}
	if r.letter != nil {
		out = append(out[:len(out):len(out)], *r.letter)
	}
	return out
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
