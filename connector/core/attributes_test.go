package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// kinds writes each mutation as its kind, its attributes and its cells.
func kinds(muts []hbase.Mutation) string {
	var out []string
	for _, m := range muts {
		s := [...]string{"append", "increment", "put", "delete"}[m.Kind]
		if m.HasTTL {
			s += fmt.Sprintf(" ttl %d", m.TTL)
		}
		if m.Visibility != "" {
			s += " of " + m.Visibility
		}
		for _, c := range m.Cells {
			s += fmt.Sprintf(" %s:%s@%d", c.Family, c.Qualifier, c.Timestamp)
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func withed(o mapping.RowOps, with *mapping.Attributes) mapping.RowOps {
	for i := range o.Cells {
		o.Cells[i].With = with
	}
	return o
}

func TestCellsOfOtherAttributesAreOtherMutations(t *testing.T) {
	hour, again, secret := &mapping.Attributes{TTL: 3600}, &mapping.Attributes{TTL: 3600}, &mapping.Attributes{TTL: 5, Visibility: "s"}
	gone := op("del", 9)
	gone.Delete.Visibility = []string{"s"}
	for _, c := range []struct {
		name string
		ops  []mapping.RowOps
		want string
	}{
		{
			"one of each",
			[]mapping.RowOps{op("put a 1", 5), withed(op("put b 1", 5), hour), withed(op("put c 1", 5), secret)},
			"put d:a@5, put ttl 3600 d:b@5, put ttl 5 of s d:c@5",
		},
		{"equal ones together", []mapping.RowOps{withed(op("put a 1", 5), hour), withed(op("put b 1", 5), again)}, "put ttl 3600 d:a@5 d:b@5"},
		{"the last put's", []mapping.RowOps{withed(op("put a 1", 5), hour), op("put a 2", 6)}, "put d:a@6"},
		{
			"counters",
			[]mapping.RowOps{withed(op("inc n 1", 5), hour), withed(op("app l x", 5), secret)},
			fmt.Sprintf("append ttl 5 of s d:l@%d, increment ttl 3600 d:n@%d", hbase.LatestTimestamp, hbase.LatestTimestamp),
		},
		{"a delete has the visibility alone", []mapping.RowOps{withed(op("delcol a", 5), secret), withed(op("delcol b", 5), hour)}, "delete d:b@6, delete of s d:a@5"},
		{"a row delete", []mapping.RowOps{withed(op("put a 1", 5), secret), gone}, "delete of s d:@9"},
		{"a row delete of another visibility", []mapping.RowOps{op("put a 1", 5), gone}, "delete of s d:@9, put d:a@5"},
		{"two row deletes", []mapping.RowOps{gone, op("del", 7)}, "delete d:@10, delete of s d:@9"},
	} {
		var f folder
		f.reset(0)
		for _, o := range c.ops {
			if err := f.add([]mapping.RowOps{o}); err != nil {
				t.Fatal(err)
			}
		}
		if got := kinds(f.mutations()); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestTheMarkHasNoAttributesOfTheData(t *testing.T) {
	mark := mapping.ColumnName{Family: []byte("_k"), Qualifier: []byte("m")}
	for _, with := range []*mapping.Attributes{{TTL: 1}, {Visibility: "s"}} {
		for _, more := range [][]mapping.RowOps{{}, {op("put b 1", 5)}, {op("inc n 1", 5)}} {
			var f folder
			f.reset(0)
			for _, o := range append(more, withed(op("put a 1", 5), with)) {
				if err := f.add([]mapping.RowOps{o}); err != nil {
					t.Fatal(err)
				}
			}
			var c Core
			g := Group{Next: 3, src: &source{column: (*hbase.Column)(&mark)}, row: &row{tab: &table{}}}
			g.src.mapUntil = -1
			g.Write.Mutations = f.mutations()
			c.guard(&g)
			marks := 0
			for _, m := range g.Write.Mutations {
				for _, cell := range m.Cells {
					if string(cell.Family) != "_k" {
						continue
					}
					if marks++; !plain(&m) || m.Kind != hbase.KindPut {
						t.Errorf("%+v: the mark went with %s", with, kinds([]hbase.Mutation{m}))
					}
				}
			}
			if marks != 1 {
				t.Errorf("%+v: %d marks in %s", with, marks, kinds(g.Write.Mutations))
			}
		}
	}
}
