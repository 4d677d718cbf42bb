package contract

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"rowmark/hbase"
)

// An op is one mutation of the column under test, as text: kind, argument, and after @ the cell's time. The times are
// T (an hour ago), T+1, T+5, past (two hours ago), future (in an hour), max (2^63-2), now (the server's clock) or a
// number. A counter's put is "put8", so that it can be incremented.
//
//	put8 100@past   put a@T   inc 1   inc2 1 2 (one Increment that names the column twice)   app a   delf@T   delc@T
type op string

// step is one write of one row.
type step []op

// history is one line of the table of the design's page on order: writes, each followed by what is then read.
type history struct {
	name  string
	steps []step
	// standard and nvb are the values read after each step, "none" for no cell; "" is not looked at. An empty nvb
	// is the same as standard.
	standard, nvb []string
	// stamp, if set, checks the last value's timestamp.
	stamp func(c clock, ts int64) bool
}

// The values are what HBase does, not what log order would give: that is why the connector folds in the client.
var histories = []history{
	{name: "put and inc in one write, fresh", steps: []step{{"put8 100@past", "inc 1"}}, standard: []string{"1"}},
	{name: "inc and put in one write, fresh", steps: []step{{"inc 1", "put8 100@past"}}, standard: []string{"1"}},
	{name: "inc, then put and inc in one write", steps: []step{{"inc 5"}, {"put8 100@past", "inc 1"}}, standard: []string{"5", "6"}},
	{name: "put at now and inc in one write, fresh", steps: []step{{"put8 100@now", "inc 1"}}, standard: []string{"1"}},
	{name: "inc, then put in the past", steps: []step{{"inc 5"}, {"put8 100@past"}}, standard: []string{"5", "5"}},
	{name: "put in the past, then inc", steps: []step{{"put8 100@past"}, {"inc 1"}}, standard: []string{"100", "101"}},
	{name: "inc, then delete in the past and inc in one write", steps: []step{{"inc 5"}, {"delf@past", "inc 1"}}, standard: []string{"5", "6"}},
	{name: "inc, then inc and delete in the past in one write", steps: []step{{"inc 5"}, {"inc 1", "delf@past"}}, standard: []string{"5", "6"}},
	{name: "inc, delete at now and inc in one write, inc", steps: []step{{"inc 5"}, {"delf@now", "inc 1"}, {"inc 1"}}, standard: []string{"5", "none", "1"}},
	{name: "inc, inc and delete at now in one write, inc", steps: []step{{"inc 5"}, {"inc 1", "delf@now"}, {"inc 1"}}, standard: []string{"5", "none", "1"}},
	{name: "inc, then delete in the past", steps: []step{{"inc 5"}, {"delf@past"}}, standard: []string{"5", "5"}},
	{name: "inc, then delete at the end of time", steps: []step{{"inc 5"}, {"delf@max"}, {"inc 1"}}, standard: []string{"5", "none", "none"}, nvb: []string{"5", "none", "1"}},
	{name: "inc, delete family in the future, inc, inc", steps: []step{{"inc 5"}, {"delf@future"}, {"inc 1"}, {"inc 1"}}, standard: []string{"5", "none", "none", "none"}, nvb: []string{"5", "none", "1", "2"}},
	{name: "inc, delete column in the future, inc, inc", steps: []step{{"inc 5"}, {"delc@future"}, {"inc 1"}, {"inc 1"}}, standard: []string{"5", "none", "none", "none"}, nvb: []string{"5", "none", "1", "2"}},
	{
		name: "put in the future, inc, inc", steps: []step{{"put8 100@future"}, {"inc 1"}, {"inc 1"}}, standard: []string{"100", "101", "102"},
		stamp: func(c clock, ts int64) bool { return ts == c.at("future")+2 },
	},
	{name: "inc, then two incs in one write", steps: []step{{"inc 5"}, {"inc 1", "inc 2"}}, standard: []string{"5", "7"}},
	{name: "inc, then one inc that names the column twice", steps: []step{{"inc 5"}, {"inc2 1 2"}}, standard: []string{"5", "7"}},
	{name: "append, then two appends in one write", steps: []step{{"app x"}, {"app a", "app b"}}, standard: []string{"x", "xb"}},
	{name: "two appends in one write, fresh", steps: []step{{"app a", "app b"}}, standard: []string{"b"}},
	{name: "put, then put and append in one write", steps: []step{{"put p@T"}, {"put q@T+1", "app a"}}, standard: []string{"p", "pa"}},
	{name: "append, then delete in the past and append in one write", steps: []step{{"app x"}, {"delf@past", "app a"}}, standard: []string{"x", "xa"}},
	{name: "delete, and put a millisecond later, in one write", steps: []step{{"put a@T"}, {"delf@T", "put b@T+1"}}, standard: []string{"a", "b"}},
	{name: "put a millisecond later, and delete, in one write", steps: []step{{"put a@T"}, {"put b@T+1", "delf@T"}}, standard: []string{"a", "b"}},
	{name: "delete of what a delete and put left", steps: []step{{"delf@T", "put a@T+1"}, {"delf@T+1"}}, standard: []string{"a", "none"}},
	{name: "delete and put of one time in one write", steps: []step{{"delf@T", "put a@T"}}, standard: []string{"none"}},
	{name: "put and delete of one time in one write", steps: []step{{"put a@T", "delf@T"}}, standard: []string{"none"}},
	{name: "put, delete, put of one time", steps: []step{{"put a@T"}, {"delf@T"}, {"put b@T"}}, standard: []string{"a", "none", "none"}, nvb: []string{"a", "none", "b"}},
	{name: "put, then an older put", steps: []step{{"put a@T+5"}, {"put b@T"}}, standard: []string{"a", "a"}},
	{name: "put, then an older delete", steps: []step{{"put a@T+5"}, {"delf@T"}}, standard: []string{"a", "a"}},
	{
		name: "increment with a time of its own, fresh", steps: []step{{"inc 1@500"}}, standard: []string{"1"},
		stamp: func(_ clock, ts int64) bool { return ts == 500 },
	},
	{
		name: "increment with a time of its own, again", steps: []step{{"inc 1@500"}, {"inc 1@500"}}, standard: []string{"1", "2"},
		stamp: func(c clock, ts int64) bool { return ts >= c.now-60_000 && ts <= time.Now().UnixMilli() },
	},
}

// clock holds the times of one run.
type clock struct{ now int64 }

func (c clock) at(name string) int64 {
	const hour = 3_600_000
	switch base, plus, _ := strings.Cut(name, "+"); base {
	case "", "now":
		return hbase.LatestTimestamp
	case "max":
		return 1<<63 - 2
	case "past":
		return c.now - 2*hour
	case "future":
		return c.now + hour
	case "T":
		n, _ := strconv.ParseInt(plus, 10, 64) // empty is 0
		return c.now - hour + n
	default:
		n, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			panic("no time is named " + name)
		}
		return n
	}
}

func (o op) mutation(c clock, family string) hbase.Mutation {
	text, when, _ := strings.Cut(string(o), "@")
	f := strings.Fields(text)
	cell := hbase.MutationCell{Column: &hbase.Column{Family: []byte(family), Qualifier: []byte("q")}, Timestamp: c.at(when)}
	number := func(s string) []byte {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			panic(err)
		}
		return long(n)
	}
	m := hbase.Mutation{Cells: []hbase.MutationCell{cell}}
	switch f[0] {
	case "put":
		m.Kind, m.Cells[0].Value = hbase.KindPut, []byte(f[1])
	case "put8":
		m.Kind, m.Cells[0].Value = hbase.KindPut, number(f[1])
	case "inc":
		m.Kind, m.Cells[0].Value = hbase.KindIncrement, number(f[1])
	case "inc2":
		second := cell
		m.Kind, m.Cells[0].Value, second.Value = hbase.KindIncrement, number(f[1]), number(f[2])
		m.Cells = append(m.Cells, second)
	case "app":
		m.Kind, m.Cells[0].Value = hbase.KindAppend, []byte(f[1])
	case "delf":
		m.Kind, m.Cells[0].Type, m.Cells[0].Qualifier = hbase.KindDelete, hbase.CellDeleteFamily, nil
	case "delc":
		m.Kind, m.Cells[0].Type = hbase.KindDelete, hbase.CellDeleteColumn
	default:
		panic("no operation is named " + f[0])
	}
	return m
}

// shown is a cell's value as the histories write it.
func shown(v []byte) string {
	if len(v) != 8 {
		return string(v)
	}
	n, _ := strconv.ParseInt(hexed(v), 16, 64) // small and positive here
	return strconv.FormatInt(n, 10)
}

func orderOfOperations(t *testing.T, e *Env) {
	table := e.Table(t)
	c := clock{time.Now().UnixMilli()}
	type track struct {
		h      history
		row    string
		family string
		mode   hbase.Mode
		want   []string
	}
	var all []track
	for i, h := range histories {
		for modeName, mode := range AllModes {
			for family, want := range map[string][]string{"s": h.standard, "n": h.nvb} {
				if want == nil {
					want = h.standard
				}
				all = append(all, track{h, fmt.Sprintf("%02d-%s-%s", i, modeName, family), family, mode, want})
			}
		}
	}
	check := func(when string, n int) {
		rows := e.Rows(t, table)
		for _, tr := range all {
			at := min(n, len(tr.want)-1)
			got, stamp := "none", int64(0)
			if cells := rows[tr.row]; len(cells) > 0 {
				got, stamp = shown(cells[0].Value), cells[0].Timestamp
			}
			if got != tr.want[at] {
				t.Errorf("%s (%s, step %d%s) holds %s, want %s", tr.h.name, tr.row, at+1, when, got, tr.want[at])
			}
			if at == len(tr.want)-1 && tr.h.stamp != nil && !tr.h.stamp(c, stamp) {
				t.Errorf("%s (%s%s) is stamped %d", tr.h.name, tr.row, when, stamp)
			}
		}
	}
	for n := range 4 {
		for _, tr := range all {
			if n < len(tr.h.steps) {
				w := hbase.RowWrite{Row: []byte(tr.row)}
				for _, o := range tr.h.steps[n] {
					w.Mutations = append(w.Mutations, o.mutation(c, tr.family))
				}
				e.Must(t, table, tr.mode, w)
			}
		}
		// Reading all rows takes long enough that the next step has a later millisecond.
		check("", n)
	}
	e.Do(t, "flush", table)
	check(" after flush", 3)
	e.Do(t, "majorcompact", table)
	check(" after major compaction", 3)
}

// A delete at the server's clock and an increment in the same millisecond: the increment may be lost. In a family with
// NEW_VERSION_BEHAVIOR, with the delete at 2^63-2 in a write of its own, none is.
func incrementRightAfterDelete(t *testing.T, e *Env) {
	table := e.Table(t)
	const rows = 300
	lost := map[string]int{}
	for family, when := range map[string]string{"s": "now", "n": "max"} {
		for i := range rows {
			for _, o := range []op{"inc 5", op("delf@" + when), "inc 1"} {
				e.Must(t, table, hbase.ModeRow, hbase.RowWrite{
					Row: fmt.Appendf(nil, "%s%04d", family, i), Mutations: []hbase.Mutation{o.mutation(clock{}, family)},
				})
			}
		}
		for i := range rows {
			lost[family+fmt.Sprintf("%04d", i)] = 1
		}
	}
	for row, cells := range e.Rows(t, table) {
		if got := shown(cells[0].Value); got != "1" {
			t.Errorf("row %s holds %s, want 1", row, got)
		}
		lost[row] = 0
	}
	sum := map[byte]int{}
	for row, n := range lost {
		sum[row[0]] += n
	}
	t.Logf("increments lost of %d: %d in the standard family, %d with NEW_VERSION_BEHAVIOR", rows, sum['s'], sum['n'])
	if sum['n'] != 0 {
		t.Errorf("%d of %d increments were lost in a family with NEW_VERSION_BEHAVIOR, want none", sum['n'], rows)
	}
}

// A counter that is no long refuses the increment, and with it its row; nothing of it is written.
func incrementOfAShortCell(t *testing.T, e *Env) {
	table := e.Table(t)
	for modeName, mode := range AllModes {
		for _, family := range []string{"s", "n"} {
			row := []byte(modeName + family)
			e.Must(t, table, mode, hbase.RowWrite{Row: row, Mutations: []hbase.Mutation{op("put abc@T").mutation(clock{now: time.Now().UnixMilli()}, family)}})
			other := op("put x@T").mutation(clock{now: time.Now().UnixMilli()}, family)
			other.Cells[0].Qualifier = []byte("other")
			r := e.Settled(t, table, mode, hbase.RowWrite{Row: row, Mutations: []hbase.Mutation{other, op("inc 1").mutation(clock{}, family)}})
			if r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultRow || !strings.Contains(r.Err.Error(), "not a long") {
				t.Errorf("%s: outcome %d, %v; want refused because the field is not a long", row, r.Outcome, r.Err)
			}
			if cells := e.Rows(t, table)[string(row)]; len(cells) != 1 || string(cells[0].Value) != "abc" {
				t.Errorf("%s: the row holds %v, want the old cell alone", row, cells)
			}
		}
	}
}
