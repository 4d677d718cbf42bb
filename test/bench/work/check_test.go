package work

import (
	"encoding/binary"
	"slices"
	"testing"

	"rowmark/hbase"
)

// stored is a row as a server would hold it.
func stored(i int, k Kind) hbase.Row {
	w := Row(i, k)
	r := hbase.Row{Row: w.Row}
	for _, m := range w.Mutations {
		for _, c := range m.Cells {
			if c.Timestamp == hbase.LatestTimestamp {
				c.Timestamp = 1
			}
			r.Cells = append(r.Cells, c.In(w.Row))
		}
	}
	return r
}

func TestCheckRow(t *testing.T) {
	for _, k := range []Kind{{}, {Mark: true}, {Counters: true, Mark: true, Condition: true}} {
		if err := checkRow(stored(3, k), 10, k); err != nil {
			t.Errorf("%+v: %v", k, err)
		}
	}
	plain := stored(3, Kind{})
	other := stored(3, Kind{})
	other.Cells[2].Value = []byte("other")
	late := stored(3, Kind{})
	late.Cells[2].Timestamp++
	twice := stored(3, Kind{})
	twice.Cells = append(twice.Cells, slices.Clone(twice.Cells)...)
	stranger := hbase.Row{Row: []byte("00000000-0000000003"), Cells: plain.Cells}
	for name, c := range map[string]struct {
		row  hbase.Row
		rows int
		kind Kind
	}{
		"no mark":         {plain, 10, Kind{Mark: true}},
		"a mark":          {stored(3, Kind{Mark: true}), 10, Kind{}},
		"another value":   {other, 10, Kind{}},
		"another time":    {late, 10, Kind{}},
		"cells twice":     {twice, 10, Kind{}},
		"another key":     {stranger, 10, Kind{}},
		"beyond the last": {plain, 3, Kind{}},
	} {
		if err := checkRow(c.row, c.rows, c.kind); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestLimitFrames(t *testing.T) {
	regions := []hbase.Region{{Name: []byte("r1"), Addr: "a", End: []byte("8")}, {Name: []byte("r2"), Addr: "b", Start: []byte("8")}}
	for how, l := range limits {
		frames, err := limitFrames(regions, 3*l.rows, how)
		if err != nil || len(frames["a"]) != 2 || len(frames["b"]) != 2 {
			t.Fatalf("%s: %d and %d frames, %v, want 2 of each server", how, len(frames["a"]), len(frames["b"]), err)
		}
		for _, f := range frames["a"] {
			if int(binary.BigEndian.Uint32(f)) != len(f)-4 {
				t.Errorf("%s: a frame's length is wrong", how)
			}
		}
	}
}
