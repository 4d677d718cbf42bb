package demo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"

	"rowmark/test/cluster"
)

// verdict is the outcome of a comparison; each cell counts once.
type verdict struct {
	rows, cells            int
	lost, doubled, wrong   int
	examples               []string
	missingRows, extraRows int
}

const maxExamples = 10

func (v *verdict) clean() bool { return v.lost == 0 && v.doubled == 0 && v.wrong == 0 }

func (v *verdict) note(n *int, format string, args ...any) {
	*n++
	if len(v.examples) < maxExamples {
		v.examples = append(v.examples, fmt.Sprintf(format, args...))
	}
}

// compare holds the cells of a table, in any order, against the rows that must be there, marks included.
func (v *verdict) compare(table string, want map[string]*row, have []cluster.Cell) {
	type place struct{ row, column string }
	found := make(map[place]cluster.Cell, len(have))
	rows := map[string]bool{}
	for _, c := range have {
		v.cells++
		rows[c.Row] = true
		p := place{c.Row, c.Family + ":" + c.Qualifier}
		if _, ok := found[p]; ok {
			v.note(&v.doubled, "%s row %q: %s has two versions", table, c.Row, p.column)
			continue
		}
		found[p] = c
	}
	v.rows += len(rows)
	take := func(key, column string) (cluster.Cell, bool) {
		p := place{key, column}
		c, ok := found[p]
		delete(found, p)
		return c, ok
	}
	for key, r := range want {
		if !rows[key] {
			v.missingRows++
		}
		for column, value := range r.puts {
			c, ok := take(key, column)
			switch {
			case !ok:
				v.note(&v.lost, "%s row %q: %s is missing", table, key, column)
			case !bytes.Equal(c.Value, value):
				v.note(&v.wrong, "%s row %q: %s is %q, want %q", table, key, column, c.Value, value)
			}
		}
		for column, n := range r.counters {
			c, ok := take(key, column)
			v.counter(table, key, column, n, c, ok)
		}
		for partition, next := range r.marks {
			column := markFamily + ":" + sink + "/" + topic + "/" + strconv.Itoa(int(partition))
			c, ok := take(key, column)
			v.mark(table, key, column, next, c, ok)
		}
	}
	extra := map[string]bool{}
	for p := range found {
		v.note(&v.wrong, "%s row %q: %s should not be there", table, p.row, p.column)
		if want[p.row] == nil {
			extra[p.row] = true
		}
	}
	v.extraRows += len(extra)
}

func (v *verdict) counter(table, key, column string, want int64, c cluster.Cell, ok bool) {
	if !ok {
		v.note(&v.lost, "%s row %q: counter %s is missing, want %d", table, key, column, want)
		return
	}
	if len(c.Value) != 8 {
		v.note(&v.wrong, "%s row %q: counter %s has %d bytes", table, key, column, len(c.Value))
		return
	}
	switch n := int64(binary.BigEndian.Uint64(c.Value)); {
	case n < want:
		v.note(&v.lost, "%s row %q: counter %s is %d, want %d", table, key, column, n, want)
	case n > want:
		v.note(&v.doubled, "%s row %q: counter %s is %d, want %d", table, key, column, n, want)
	}
}

// mark checks that the row's own record of what it holds is right: the timestamp is the next offset, and so are the
// eight bytes behind the version byte.
func (v *verdict) mark(table, key, column string, next int64, c cluster.Cell, ok bool) {
	switch {
	case !ok:
		v.note(&v.lost, "%s row %q: the mark %s is missing", table, key, column)
	case len(c.Value) < 9 || c.Value[0] != 1 || int64(binary.BigEndian.Uint64(c.Value[1:9])) != next || c.Timestamp != next:
		v.note(&v.wrong, "%s row %q: the mark %s is at %d (%x), want %d", table, key, column, c.Timestamp, c.Value, next)
	}
}

func (v *verdict) String() string {
	return fmt.Sprintf("%d lost, %d doubled, %d wrong", v.lost, v.doubled, v.wrong)
}
