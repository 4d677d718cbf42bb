package contract

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/hbase"
)

// Differ plays random histories of puts, deletes, increments and appends on both targets, and compares what they
// show after each step, after a flush and after a major compaction. The histories come from the seed.
func Differ(t *testing.T, seed uint64, rows, steps int, a, b Target) {
	ea, eb := Connect(t, a), Connect(t, b)
	families := []hbase.FamilySchema{
		{Name: "a"},
		{Name: "b", Attributes: map[string]string{"VERSIONS": "3"}},
		{Name: "c", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true"}},
		{Name: "d", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true", "VERSIONS": "3"}},
		{Name: "e", Attributes: map[string]string{"TTL": "3600", "MIN_VERSIONS": "1", "VERSIONS": "2"}},
		{Name: "f", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true", "MIN_VERSIONS": "1", "TTL": "3600", "VERSIONS": "2"}},
	}
	ta, tb := ea.tableOf(t, families), eb.tableOf(t, families)
	r := rand.New(rand.NewPCG(seed, 1))
	base := time.Now().UnixMilli() - 1800_000
	trace := map[string][]string{}
	compare := func(when string) {
		va, vb := shownRows(ea.Rows(t, ta), base), shownRows(eb.Rows(t, tb), base)
		for _, row := range slices.Sorted(maps2(va, vb)) {
			if va[row] != vb[row] {
				t.Errorf("seed %d, row %s, %s:\n%s\n first target: %s\nsecond target: %s", seed, row, when, strings.Join(trace[row], "\n"), va[row], vb[row])
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	for step := range steps {
		for i := range rows {
			mode := hbase.Mode(i % 2)
			w := hbase.RowWrite{Row: fmt.Appendf(nil, "r%04d", i), Mutations: randomMutations(r, base, families)}
			if r.IntN(3) == 0 {
				w.Condition = randomCondition(r, base, families)
			}
			if i%4 == 0 {
				mode = hbase.ModeBatch
			}
			ra, rb := ea.Settled(t, ta, mode, w), eb.Settled(t, tb, mode, w)
			line := fmt.Sprintf("  %d: %s mode %s -> %d and %d", step, map[hbase.Mode]string{hbase.ModeRow: "row", hbase.ModeRegion: "region", hbase.ModeBatch: "batch"}[mode], describe(w, base), ra.Outcome, rb.Outcome)
			trace[string(w.Row)] = append(trace[string(w.Row)], line)
			if ra.Outcome != rb.Outcome || hbase.FaultOf(ra.Err) != hbase.FaultOf(rb.Err) {
				t.Errorf("seed %d, row %s:\n%s\n first target: outcome %d, %v\nsecond target: outcome %d, %v", seed, w.Row, strings.Join(trace[string(w.Row)], "\n"), ra.Outcome, ra.Err, rb.Outcome, rb.Err)
			}
		}
		time.Sleep(3 * time.Millisecond) // what shares a millisecond is another matter
		compare(fmt.Sprintf("step %d", step))
		if step == steps/2 {
			ea.Do(t, "flush", ta)
			eb.Do(t, "flush", tb)
			compare("after a flush in the middle")
		}
	}
	for _, command := range []string{"flush", "majorcompact"} {
		ea.Do(t, command, ta)
		eb.Do(t, command, tb)
		compare("after " + command)
	}
}

func maps2(a, b map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range a {
			if !yield(k) {
				return
			}
		}
		for k := range b {
			if _, ok := a[k]; !ok && !yield(k) {
				return
			}
		}
	}
}

// shownRows writes rows down in a way that does not depend on the servers' clocks.
func shownRows(rows map[string][]Cell, base int64) map[string]string {
	out := map[string]string{}
	for row, cells := range rows {
		var s []string
		for _, c := range cells {
			s = append(s, fmt.Sprintf("%s:%s@%s=%x", c.Family, c.Qualifier, shownTime(c.Timestamp, base), c.Value))
		}
		out[row] = strings.Join(s, " ")
	}
	return out
}

// shownTime: the histories' own times lie within 100 of the base, or of an hour before or after it.
func shownTime(ts, base int64) string {
	const hour = 3600_000
	for _, o := range []int64{-hour, 0, hour} {
		if d := ts - base - o; d >= -1000 && d < 1000 {
			return fmt.Sprintf("%+dh%d", o/hour, d)
		}
	}
	if ts > base+hour {
		return fmt.Sprint(ts)
	}
	return "now"
}

func randomMutations(r *rand.Rand, base int64, families []hbase.FamilySchema) []hbase.Mutation {
	var out []hbase.Mutation
	for range 1 + r.IntN(3) {
		f := families[r.IntN(len(families))].Name
		q := [...]string{"", "p", "q"}[r.IntN(3)]
		c := hbase.MutationCell{Column: &hbase.Column{Family: []byte(f), Qualifier: []byte(q)}, Timestamp: randomTime(r, base)}
		m := hbase.Mutation{}
		switch r.IntN(9) {
		case 0, 1, 2:
			m.Kind, c.Value = hbase.KindPut, long(int64(r.IntN(100)))
			if r.IntN(8) == 0 {
				c.Value = []byte("x") // no counter
			}
		case 3:
			m.Kind, c.Value, c.Timestamp = hbase.KindIncrement, long(int64(1+r.IntN(9))), hbase.LatestTimestamp
		case 4:
			m.Kind, c.Value, c.Timestamp = hbase.KindAppend, []byte("y"), hbase.LatestTimestamp
			c.Qualifier = []byte("t")
		case 5:
			m.Kind, c.Type = hbase.KindDelete, hbase.CellDelete
		case 6:
			m.Kind, c.Type = hbase.KindDelete, hbase.CellDeleteColumn
		case 7:
			m.Kind, c.Type, c.Qualifier = hbase.KindDelete, hbase.CellDeleteFamily, nil
		default:
			m.Kind, c.Type, c.Qualifier = hbase.KindDelete, hbase.CellDeleteFamilyVersion, nil
		}
		if q == "" && (c.Type == hbase.CellDelete || c.Type == hbase.CellDeleteColumn) {
			c.Qualifier = []byte("p") // see hbasetest's byArrival.nextColumn
		}
		m.Cells = []hbase.MutationCell{c}
		out = append(out, m)
	}
	return out
}

// randomTime makes times that meet each other often.
func randomTime(r *rand.Rand, base int64) int64 {
	const hour = 3600_000
	switch r.IntN(10) {
	case 0:
		return hbase.LatestTimestamp
	case 1:
		return base - hour + int64(r.IntN(3)) // expired where there is a TTL
	case 2:
		return base + hour + int64(r.IntN(3))
	}
	return base + int64(r.IntN(6))
}

func randomCondition(r *rand.Rand, base int64, families []hbase.FamilySchema) *hbase.Condition {
	c := &hbase.Condition{
		Family: []byte(families[r.IntN(len(families))].Name), Qualifier: []byte([...]string{"", "p", "q"}[r.IntN(3)]), Op: hbase.CompareOp(r.IntN(6)),
	}
	if r.IntN(2) == 0 {
		c.Value = long(int64(r.IntN(100)))
	}
	if r.IntN(2) == 0 {
		c.From = base + int64(r.IntN(4))
	}
	if r.IntN(4) == 0 {
		c.To = base + 4 + int64(r.IntN(3))
	}
	return c
}

func describe(w hbase.RowWrite, base int64) string {
	var s []string
	if c := w.Condition; c != nil {
		s = append(s, fmt.Sprintf("if %s:%s in [%s,%s) op%d %x", c.Family, c.Qualifier, shownTime(c.From, base), shownTime(c.To, base), c.Op, c.Value))
	}
	for _, m := range w.Mutations {
		c := m.Cells[0]
		when := shownTime(c.Timestamp, base)
		if c.Timestamp == hbase.LatestTimestamp {
			when = "latest"
		}
		s = append(s, fmt.Sprintf("%s %s:%s@%s=%x", [...]string{"append", "increment", "put", fmt.Sprintf("delete%d", c.Type)}[m.Kind], c.Family, c.Qualifier, when, c.Value))
	}
	return strings.Join(s, ", ")
}
