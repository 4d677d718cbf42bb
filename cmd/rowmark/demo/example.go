package demo

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"rowmark/test/cluster"
)

// describe explains the cells of one row of the orders' table, for people: the first one whose order was changed
// several times and is still there. None if there is no such row.
func describe(cells []cluster.Cell) []string {
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].Row == cells[0].Row {
			n++
		}
		row := cells[:n]
		cells = cells[n:]
		var live, often bool
		for _, c := range row {
			live = live || c.Family == "d" && c.Qualifier == "total"
			often = often || c.Family == "c" && len(c.Value) == 8 && binary.BigEndian.Uint64(c.Value) >= 3
		}
		if live && often {
			return explain(row)
		}
	}
	return nil
}

func explain(row []cluster.Cell) []string {
	out := []string{fmt.Sprintf("%q", row[0].Row)}
	for _, c := range row {
		column, value, note := c.Family+":"+c.Qualifier, fmt.Sprintf("%q", c.Value), ""
		switch {
		case c.Family == markFamily:
			value = fmt.Sprint(c.Timestamp)
			note = fmt.Sprintf("the mark: this row holds its records below offset %d of %s", c.Timestamp, c.Qualifier[strings.IndexByte(c.Qualifier, '/')+1:])
		case column == "c:changes" && len(c.Value) == 8:
			value, note = fmt.Sprint(binary.BigEndian.Uint64(c.Value)), "a counter: one increment for each record of this order, tombstones left out"
		case column == "d:items" && len(c.Value) == 4:
			value = fmt.Sprint(int32(binary.BigEndian.Uint32(c.Value)))
		case column == "d:total" && len(c.Value) == 8:
			value = fmt.Sprint(math.Float64frombits(binary.BigEndian.Uint64(c.Value)))
		}
		if note == "" {
			out = append(out, fmt.Sprintf("  %-18s %s", column, value))
		} else {
			out = append(out, fmt.Sprintf("  %-18s %-8s <- %s", column, value, note))
		}
	}
	return out
}
