package demo

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"rowmark/test/cluster"
)

func eight(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func markCell(row, qualifier string, next int64) cluster.Cell {
	return cluster.Cell{Row: row, Family: markFamily, Qualifier: qualifier, Timestamp: next, Type: "Put", Value: append(append([]byte{1}, eight(next)...), eight(0)...)}
}

// the cells that the records of folded must have made.
func rightCells() []cluster.Cell {
	cell := func(family, qualifier string, value []byte) cluster.Cell {
		return cluster.Cell{Row: "f1o1", Family: family, Qualifier: qualifier, Timestamp: 1000, Type: "Put", Value: value}
	}
	return []cluster.Cell{
		cell("c", "changes", eight(3)), cell("d", "customer", []byte("c2")), cell("d", "items", []byte{0, 0, 0, 4}),
		cell("d", "status", []byte("sent")), cell("d", "total", []byte{0x40, 0x04, 0, 0, 0, 0, 0, 0}), markCell("f1o1", "demo/orders/2", 16),
	}
}

func (t *truth) key(id string) string {
	for key := range t.tables[ordersTable] {
		if strings.HasSuffix(key, id) {
			return key
		}
	}
	return ""
}

func folded() *truth {
	t := newTruth()
	for i, v := range []string{
		`{"customer":"c1","status":"new","total":1.5,"items":2,"note":"x"}`,
		`{"customer":"c1","status":"paid","total":1.5,"items":2}`,
		``,
		`{"customer":"c2","status":"sent","total":2.5,"items":4,"note":null}`,
	} {
		val := []byte(v)
		if v == "" {
			val = nil
		}
		if err := t.fold(2, int64(9+2*i), []byte("o1"), val); err != nil {
			panic(err)
		}
	}
	return t
}

func TestFold(t *testing.T) {
	f := folded()
	if f.records != 4 || f.changes != 7 {
		t.Errorf("%d records, %d changes; want 4 and 7", f.records, f.changes)
	}
	// md5("o1"), md5("c1") and md5("c2") begin so, by coreutils' md5sum.
	if k := f.key("o1"); k != "f1o1" {
		t.Errorf("row key %q", k)
	}
	if r := f.tables[customersTable]["a9c1"]; r == nil || r.counters["c:n"] != 2 || r.counters["c:items"] != 4 || r.marks[2] != 12 {
		t.Errorf("customer c1: %+v", r)
	}
	if r := f.tables[customersTable]["9ac2"]; r == nil || r.counters["c:n"] != 1 || r.counters["c:items"] != 4 || r.marks[2] != 16 {
		t.Errorf("customer c2: %+v", r)
	}
	if r := f.tables[ordersTable]["f1o1"]; r == nil || len(r.puts) != 4 || string(r.puts["d:status"]) != "sent" {
		t.Errorf("order o1: %+v", r)
	}
	if err := f.fold(0, 1, []byte("o2"), []byte("{")); err == nil || !strings.Contains(err.Error(), "orders/0 offset 1") {
		t.Errorf("a broken order: %v", err)
	}
}

func TestFoldNote(t *testing.T) {
	for _, tt := range []struct{ second, want string }{
		{`{"customer":"c","status":"s","total":1,"items":1}`, "a"},
		{`{"customer":"c","status":"s","total":1,"items":1,"note":"b“"}`, "b“"},
		{`{"customer":"c","status":"s","total":1,"items":1,"note":null}`, "(none)"},
	} {
		f := newTruth()
		for i, v := range []string{`{"customer":"c","status":"s","total":1,"items":1,"note":"a"}`, tt.second} {
			if err := f.fold(0, int64(i), []byte("o"), []byte(v)); err != nil {
				t.Fatal(err)
			}
		}
		got := "(none)"
		if note, ok := f.tables[ordersTable][f.key("o")].puts["d:note"]; ok {
			got = string(note)
		}
		if got != tt.want {
			t.Errorf("note after %s: %s, want %s", tt.second, got, tt.want)
		}
	}
}

// TestCompare changes one thing at a time in tables that are right.
func TestCompare(t *testing.T) {
	at := func(cells []cluster.Cell, qualifier string) int {
		return slices.IndexFunc(cells, func(c cluster.Cell) bool { return c.Qualifier == qualifier })
	}
	set := func(qualifier string, value []byte) func([]cluster.Cell) []cluster.Cell {
		return func(cells []cluster.Cell) []cluster.Cell {
			cells[at(cells, qualifier)].Value = value
			return cells
		}
	}
	drop := func(qualifier string) func([]cluster.Cell) []cluster.Cell {
		return func(cells []cluster.Cell) []cluster.Cell {
			i := at(cells, qualifier)
			return slices.Delete(cells, i, i+1)
		}
	}
	add := func(c cluster.Cell) func([]cluster.Cell) []cluster.Cell {
		return func(cells []cluster.Cell) []cluster.Cell {
			if c.Row == "" {
				c.Row = cells[0].Row
			}
			return append(cells, c)
		}
	}
	const mark = "demo/orders/2"
	tests := []struct {
		name                 string
		change               func([]cluster.Cell) []cluster.Cell
		lost, doubled, wrong int
	}{
		{"right", func(c []cluster.Cell) []cluster.Cell { return c }, 0, 0, 0},
		{"nothing there", func([]cluster.Cell) []cluster.Cell { return nil }, 6, 0, 0},
		{"cell missing", drop("status"), 1, 0, 0},
		{"cell wrong", set("status", []byte("paid")), 0, 0, 1},
		{"cell empty", set("status", nil), 0, 0, 1},
		{"second version", add(cluster.Cell{Family: "d", Qualifier: "status", Timestamp: 999, Value: []byte("sent")}), 0, 1, 0},
		{"deleted cell back", add(cluster.Cell{Family: "d", Qualifier: "note", Value: []byte("x")}), 0, 0, 1},
		{"row from nowhere", add(cluster.Cell{Row: "zz", Family: "d", Qualifier: "status", Value: []byte("x")}), 0, 0, 1},
		{"counter low", set("changes", eight(2)), 1, 0, 0},
		{"counter high", set("changes", eight(4)), 0, 1, 0},
		{"counter missing", drop("changes"), 1, 0, 0},
		{"counter no number", set("changes", []byte("3")), 0, 0, 1},
		{"mark missing", drop(mark), 1, 0, 0},
		{"mark's value late", set(mark, markCell("", "", 17).Value), 0, 0, 1},
		{"mark's value cut", set(mark, []byte{1, 2}), 0, 0, 1},
		{"mark's time late", func(cells []cluster.Cell) []cluster.Cell {
			cells[at(cells, mark)].Timestamp++
			return cells
		}, 0, 0, 1},
		{"mark of another source", add(markCell("", "other/orders/2", 4)), 0, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := &verdict{}
			v.compare(ordersTable, folded().tables[ordersTable], tt.change(rightCells()))
			if v.lost != tt.lost || v.doubled != tt.doubled || v.wrong != tt.wrong {
				t.Errorf("%v, want %d lost, %d doubled, %d wrong; %q", v, tt.lost, tt.doubled, tt.wrong, v.examples)
			}
			if v.clean() != (tt.lost+tt.doubled+tt.wrong == 0) {
				t.Error("clean says otherwise")
			}
			if n := len(v.examples); n != tt.lost+tt.doubled+tt.wrong {
				t.Errorf("%d examples", n)
			}
		})
	}
}
