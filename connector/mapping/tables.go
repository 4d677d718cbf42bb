package mapping

import (
	"bytes"
	"maps"
	"slices"
)

// Table is what the mappings want of one table.
type Table struct {
	Name     string   // namespace:name
	Families []string // that hold data, sorted
	Splits   [][]byte // wanted split points, sorted; none if neither the row keys nor splits tell any
	// Counters says that no cell carries a timestamp of ours: every column is incremented or appended to, and no
	// row is deleted.
	Counters bool
	// Counting says that some column is incremented or appended to.
	Counting bool
	// Deletes says that rows or columns are deleted.
	Deletes bool
	// TimeOrder says that some mapping has order: time.
	TimeOrder bool
}

// Tables gives the tables, sorted by name.
func (s *Set) Tables() []Table {
	all := map[string]*Table{}
	for _, r := range s.rules {
		t := all[r.spec.Table]
		if t == nil {
			t = &Table{Name: r.spec.Table, Counters: true}
			all[t.Name] = t
		}
		t.add(r)
	}
	var out []Table
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[name])
	}
	return out
}

func (t *Table) add(r *rule) {
	family := func(name string) {
		if i, ok := slices.BinarySearch(t.Families, name); !ok {
			t.Families = slices.Insert(t.Families, i, name)
		}
	}
	for i := range r.columns {
		c := &r.columns[i]
		family(string(c.Family))
		if c.counts() {
			t.Counting = true
		} else {
			t.Counters = false
		}
		if c.kind == CellDeleteColumn || c.kind == CellPut && c.onNull == nullDelete {
			t.Deletes = true
		}
	}
	if r.deletesRows() {
		t.Deletes, t.Counters = true, false
		for _, f := range r.families {
			family(string(f))
		}
	}
	t.TimeOrder = t.TimeOrder || !r.logOrder
	for _, split := range r.splits {
		if i, ok := slices.BinarySearchFunc(t.Splits, split, bytes.Compare); !ok {
			t.Splits = slices.Insert(t.Splits, i, split)
		}
	}
}
