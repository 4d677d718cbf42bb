package mapping

import (
	"bytes"
	"maps"
	"slices"
	"strings"
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
	// Visibility says that some cells are for readers with labels alone.
	Visibility bool
	// TimeOrder says that some mapping has order: time.
	TimeOrder bool
}

// Tables gives the tables, sorted by name. Those that a mapping names after the topics of a pattern are known once
// CheckTopic was asked of their topics, see NamesTables.
func (s *Set) Tables() []Table {
	all := map[string]*Table{}
	for _, r := range s.rules {
		addTables(all, r)
	}
	s.plans.Range(func(_, p any) bool {
		for _, r := range p.(*plan).rules {
			addTables(all, r)
		}
		return true
	})
	var out []Table
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t := all[name]
		for _, r := range s.rules {
			if _, open := r.tables(); open && t.Counters && r.mayWrite(name) {
				more := Table{Counters: true}
				more.add(r) // it may come to write there
				t.Counters = more.Counters
			}
		}
		out = append(out, *t)
	}
	if s.letters != "" {
		out = append(out, letterTable(s.letters))
		slices.SortFunc(out, func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	}
	return out
}

func addTables(all map[string]*Table, r *rule) {
	names, _ := r.tables()
	for _, name := range names {
		if all[name] == nil {
			all[name] = &Table{Name: name, Counters: true}
		}
		all[name].add(r)
	}
}

// Writer gives the number of the first mapping that may write to a table, 0 if none does.
func (s *Set) Writer(table string) int {
	return max(0, slices.IndexFunc(s.rules, func(r *rule) bool { return r.mayWrite(table) }))
}

// NamesTables says that tables are named after the topics of a pattern: they are known once CheckTopic was asked of each
// of these.
func (s *Set) NamesTables() bool {
	return slices.ContainsFunc(s.rules, func(r *rule) bool {
		_, open := r.tables()
		return open && slices.ContainsFunc(r.topics, func(t topic) bool { return t.re != nil })
	})
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
		t.Visibility = t.Visibility || visibilityOf(c.with) != ""
		if c.kind == CellDeleteColumn || c.kind == CellPut && c.onNull == nullDelete {
			t.Deletes = true
		}
	}
	if r.empties() {
		t.Deletes, t.Counters = true, false
		for _, f := range r.delete.Families {
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
