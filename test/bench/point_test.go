package main

import (
	"encoding/binary"
	"testing"

	"rowmark/hbase"
)

func TestCheckRow(t *testing.T) {
	count := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	cell := func(family, value string) hbase.Cell { return hbase.Cell{Family: []byte(family), Value: []byte(value)} }
	four := []hbase.Cell{cell("d", "1"), cell("d", "2"), cell("d", "3"), cell("d", "4")}
	st := &stock{records: map[string]int{"k": 3}}
	counted, sizedPoint := point{stock: st, regions: 1, counted: true}, point{stock: st, regions: 4, size: 5}
	for _, c := range []struct {
		name  string
		p     point
		row   string
		cells []hbase.Cell
		good  bool
	}{
		{"all there", counted, "k", append([]hbase.Cell{cell("c", string(count(3)))}, four...), true},
		{"one record counted twice", counted, "k", append([]hbase.Cell{cell("c", string(count(4)))}, four...), false},
		{"no count", counted, "k", four, false},
		{"a put lost", counted, "k", append([]hbase.Cell{cell("c", string(count(3)))}, four[1:]...), false},
		{"another's row", counted, "l", append([]hbase.Cell{cell("c", string(count(3)))}, four...), false},
		{"a value behind a salt", sizedPoint, "\x02k", []hbase.Cell{cell("d", "12345")}, true},
		{"a value cut short", sizedPoint, "\x02k", []hbase.Cell{cell("d", "1234")}, false},
		{"no salt", sizedPoint, "k", []hbase.Cell{cell("d", "12345")}, false},
	} {
		if err := c.p.checkRow(hbase.Row{Row: []byte(c.row), Cells: c.cells}); (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
