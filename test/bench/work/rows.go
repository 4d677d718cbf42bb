package work

import (
	"strconv"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// What the rows are made of. BenchPeer.java makes the same.
const (
	Columns   = 5
	firstTime = 1_700_000_000_000
)

// Names of families and of the source of the marks.
var (
	MarkFamily = []byte("_k")
	markColumn = &hbase.Column{Family: MarkFamily, Qualifier: []byte(core.SourceName("bench", "topic", 0, 0))}
	columns    = [Columns]*hbase.Column{dataColumn("c0"), dataColumn("c1"), dataColumn("c2"), dataColumn("c3"), dataColumn("c4")}
)

func dataColumn(qualifier string) *hbase.Column {
	return &hbase.Column{Family: []byte("d"), Qualifier: []byte(qualifier)}
}

const hexDigits = "0123456789abcdef"

// Key is row i's: eight hex digits that spread the rows evenly, then i itself.
func Key(i int) []byte {
	spread := uint32(i) * 2654435761
	k := make([]byte, 19)
	for d := range 8 {
		k[d] = hexDigits[spread>>(28-4*d)&15]
	}
	k[8] = '-'
	decimals(k[9:], i)
	return k
}

// decimals fills b with i, zeros in front.
func decimals(b []byte, i int) {
	for d := len(b) - 1; d >= 0; d-- {
		b[d] = byte('0' + i%10)
		i /= 10
	}
}

// Splits cuts the keys evenly into n regions.
func Splits(n int) [][]byte {
	var out [][]byte
	for i := 1; i < n; i++ {
		text := strconv.FormatUint(uint64(i)<<32/uint64(n), 16)
		out = append(out, []byte("00000000"[len(text):]+text))
	}
	return out
}

// value is that of one column of row i: 30 bytes.
func value(i, column int) []byte {
	v := []byte("0123456789-c-abcdefghijklmnopq")
	decimals(v[:10], i)
	v[11] = byte('0' + column)
	return v
}

// Kind is what a row holds, and under which condition it goes.
type Kind struct {
	Counters  bool // increments in place of puts
	Mark      bool
	Condition bool
}

// Row makes row i.
func Row(i int, k Kind) hbase.RowWrite {
	m := hbase.Mutation{Kind: hbase.KindPut, Cells: make([]hbase.MutationCell, Columns, Columns+1)}
	for q := range Columns {
		c := hbase.MutationCell{Column: columns[q], Type: hbase.CellPut}
		if k.Counters {
			c.Timestamp, c.Value = hbase.LatestTimestamp, []byte{0, 0, 0, 0, 0, 0, 0, 1}
		} else {
			c.Timestamp, c.Value = firstTime+int64(i), value(i, q)
		}
		m.Cells[q] = c
	}
	if k.Counters {
		m.Kind = hbase.KindIncrement
	}
	w := hbase.RowWrite{Row: Key(i), Mutations: []hbase.Mutation{m}}
	if !k.Mark {
		return w
	}
	next := int64(i) + 1
	mark := hbase.MutationCell{
		Column: markColumn, Type: hbase.CellPut, Timestamp: next,
		Value: core.Mark{Next: next, Floor: firstTime + int64(i)}.Encode(),
	}
	if k.Counters {
		w.Mutations = append(w.Mutations, hbase.Mutation{Kind: hbase.KindPut, Cells: []hbase.MutationCell{mark}})
	} else {
		w.Mutations[0].Cells = append(w.Mutations[0].Cells, mark)
	}
	if k.Condition {
		w.Condition = &hbase.Condition{Family: MarkFamily, Qualifier: markColumn.Qualifier, Op: hbase.CompareEqual, From: next}
	}
	return w
}
