package main

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rowmark/test/cluster"
)

// sound makes a small log and the cells that it must become.
func sound() (*truth, []cluster.Cell) {
	t := newTruth()
	p0 := source{topic: mainTopic}
	add := func(s source, key string, e event) { t.add(s, key, e); t.read(s, e.offset+1) }
	add(p0, "a", event{offset: 0, id: 1, inc: 10, hot: 0, note: someNote})
	add(p0, "a", event{offset: 2, id: 2, prev: 1, inc: 20, hot: 0, note: nullNote, big: 5})
	add(p0, "a", event{offset: 3, kind: tombstone, hot: -1})
	add(p0, "a", event{offset: 4, id: 3, prev: 2, inc: 40, hot: 0})
	add(p0, "a", event{offset: 5, id: 4, prev: 3, inc: 80, hot: 0, note: someNote})
	add(p0, "a", event{offset: 6, kind: tombstone, hot: -1})
	add(p0, "", event{offset: 7, kind: poison})
	add(p0, "a", event{offset: 8, id: 5, prev: 4, inc: 160, hot: 0, note: someNote})
	add(p0, "a", event{offset: 9, id: 6, prev: 5, inc: 320, hot: 0})
	add(source{topic: mainTopic, partition: 1}, "b", event{offset: 0, id: 7, inc: 1000, hot: 0})
	add(source{againTopic, 0, 0}, "e", event{offset: 0, id: 8, inc: 1, hot: -1})
	add(source{againTopic, 0, 1}, "e", event{offset: 0, id: 9, inc: 2, hot: -1})
	c := &cells{}
	c.row = "a"
	c.mark(mainSink+"/chaos_in/0", 10)
	c.mark(secondSink+"/chaos_in/0", 10)
	c.put("a", "offsets", offsetsOf(0, 2, 4, 5, 8, 9))
	c.put("c", "inc", long(630))
	c.put("c", "n", long(6))
	c.put("d", "id", "6")
	c.put("d", "note", "n5")
	c.put("d", "status", "s6")
	c.put("d", "status", "s5")
	for id := 1; id <= 6; id++ {
		c.put("o", strconv.Itoa(id), strconv.Itoa(id-1))
	}
	c.put("x", "inc", long(630))
	c.put("x", "n", long(6))
	c.put("y", "last", "s6")
	return t, c.all
}

// cells builds a dump. Versions of a column get falling timestamps.
type cells struct {
	row string
	all []cluster.Cell
	ts  int64
}

func (c *cells) put(family, qualifier, value string) {
	c.ts--
	c.all = append(c.all, cluster.Cell{Row: c.row, Family: family, Qualifier: qualifier, Timestamp: 1000 + c.ts, Type: "Put", Value: []byte(value)})
}

func (c *cells) mark(name string, next int64) {
	v := make([]byte, 21)
	v[0] = 1
	binary.BigEndian.PutUint64(v[1:], uint64(next))
	c.all = append(c.all, cluster.Cell{Row: c.row, Family: markFamily, Qualifier: name, Timestamp: next, Type: "Put", Value: v})
}

func long(n int64) string { return string(binary.BigEndian.AppendUint64(nil, uint64(n))) }

func offsetsOf(all ...int64) string {
	var b strings.Builder
	for _, o := range all {
		b.WriteString(long(o))
	}
	return b.String()
}

func judged(t *truth, table, key string, all []cluster.Cell) []finding {
	p := place{table, key}
	h, bad := hold(p, all)
	bad = append(bad, judgeRow(h, t.row(p))...)
	bad = append(bad, behind(h, t.row(p), map[string]map[source]int64{
		mainSink: {{topic: mainTopic}: 10, {topic: mainTopic, partition: 1}: 1}, edgeSink: {{againTopic, 0, 0}: 1, {againTopic, 0, 1}: 1},
	})...)
	return append(bad, chain(h)...)
}

func TestSoundRowsPass(t *testing.T) {
	truth, all := sound()
	if bad := judged(truth, rowsTable, "a", all); len(bad) > 0 {
		t.Errorf("a sound row: %v", bad)
	}
	hot := &cells{row: "h0"}
	hot.mark(mainSink+"/chaos_in/0", 10)
	hot.mark(mainSink+"/chaos_in/1", 1)
	hot.put("c", "inc", long(1630))
	hot.put("c", "n", long(7))
	if bad := judged(truth, hotTable, "h0", hot.all); len(bad) > 0 {
		t.Errorf("a sound hot row: %v", bad)
	}
	edge := &cells{row: "e"}
	edge.mark(edgeSink+"/chaos_again/0", 1)
	edge.mark(edgeSink+"/chaos_again/0#1", 1)
	edge.put("a", "offsets", offsetsOf(0, 0))
	edge.put("c", "inc", long(3))
	edge.put("c", "n", long(2))
	if bad := judged(truth, edgeTable, "e", edge.all); len(bad) > 0 {
		t.Errorf("a sound row of two incarnations: %v", bad)
	}
}

// TestSpoiltRowsFail spoils a sound row in every way that the verdict has a number for.
func TestSpoiltRowsFail(t *testing.T) {
	truth, all := sound()
	at := func(family, qualifier string) int {
		return slices.IndexFunc(all, func(c cluster.Cell) bool { return c.Family == family && c.Qualifier == qualifier })
	}
	set := func(family, qualifier, value string) func([]cluster.Cell) []cluster.Cell {
		return func(c []cluster.Cell) []cluster.Cell { c[at(family, qualifier)].Value = []byte(value); return c }
	}
	without := func(family, qualifier string) func([]cluster.Cell) []cluster.Cell {
		return func(c []cluster.Cell) []cluster.Cell { i := at(family, qualifier); return slices.Delete(c, i, i+1) }
	}
	with := func(family, qualifier, value string) func([]cluster.Cell) []cluster.Cell {
		return func(c []cluster.Cell) []cluster.Cell {
			return append(c, cluster.Cell{Row: "a", Family: family, Qualifier: qualifier, Timestamp: 1, Value: []byte(value)})
		}
	}
	marked := func(sink string, next int64) func([]cluster.Cell) []cluster.Cell {
		return func(c []cluster.Cell) []cluster.Cell {
			m := &cells{row: "a"}
			m.mark(sink+"/chaos_in/0", next)
			c[at(markFamily, sink+"/chaos_in/0")] = m.all[0]
			return c
		}
	}
	for _, tt := range []struct {
		name  string
		spoil func([]cluster.Cell) []cluster.Cell
		want  fault
	}{
		{"a count too high", set("c", "n", long(7)), duplicated},
		{"a count too low", set("c", "n", long(5)), lost},
		{"a weight wrong", set("c", "inc", long(629)), duplicated},
		{"a counter gone", without("c", "n"), lost},
		{"the second sink's counter", set("x", "n", long(7)), duplicated},
		{"an offset twice", set("a", "offsets", offsetsOf(0, 2, 2, 4, 5, 8, 9)), duplicated},
		{"an offset lost", set("a", "offsets", offsetsOf(0, 2, 4, 5, 9)), lost},
		{"offsets out of order", set("a", "offsets", offsetsOf(0, 2, 5, 4, 8, 9)), reordered},
		{"an aborted offset", set("a", "offsets", offsetsOf(0, 1, 2, 4, 5, 8, 9)), ahead},
		{"the list gone", without("a", "offsets"), lost},
		{"the last writer lost", set("d", "id", "5"), reordered},
		{"a value that the mark does not cover", func(c []cluster.Cell) []cluster.Cell {
			return marked(mainSink, 9)(c)
		}, ahead},
		{"a deleted value back", set("d", "status", "s4"), reordered},
		{"a column gone", without("d", "note"), lost},
		{"an old version that was deleted", with("d", "status", "s4"), reordered},
		{"a column that a tombstone took", with("d", "big", "1.1.1"), reordered},
		{"an aborted record's column", with("o", "99", "6"), ahead},
		{"a record's column lost", without("o", "4"), lost},
		{"a record's column twice", with("o", "4", "3"), duplicated},
		{"a wrong link", set("o", "4", "2"), reordered},
		{"a strange column", with("d", "foo", "x"), ahead},
		{"a mark of no record", marked(mainSink, 8), ahead},
		{"a mark behind its data", marked(mainSink, 9), ahead},
		{"a mark behind the checkpoint", marked(mainSink, 1), ahead},
		{"the second sink's value too old", set("y", "last", "s5"), reordered},
		{"a mark of a strange sink", with(markFamily, "who/chaos_in/0", ""), ahead},
		{"a mark that can't be read", with(markFamily, "junk", ""), ahead},
		{"a mark twice", func(c []cluster.Cell) []cluster.Cell {
			m := &cells{row: "a"}
			m.mark(mainSink+"/chaos_in/0", 9)
			return append(c, m.all[0])
		}, duplicated},
	} {
		var copied []cluster.Cell
		for _, c := range all {
			c.Value = slices.Clone(c.Value)
			copied = append(copied, c)
		}
		bad := judged(truth, rowsTable, "a", tt.spoil(copied))
		if !slices.ContainsFunc(bad, func(f finding) bool { return f.fault == tt.want }) {
			t.Errorf("%s: got %v, want one of kind %v", tt.name, bad, tt.want)
		}
	}
}

// TestWholeTables finds rows that should not be, and rows that are not there.
func TestWholeTables(t *testing.T) {
	truth, all := sound()
	b := &cells{row: "b"}
	b.mark(mainSink+"/chaos_in/1", 1)
	b.put("a", "offsets", offsetsOf(0))
	b.put("c", "inc", long(1000))
	b.put("c", "n", long(1))
	b.put("d", "id", "7")
	b.put("d", "status", "s7")
	b.put("o", "7", "0")
	cps := map[string]map[source]int64{mainSink: {{topic: mainTopic}: 10, {topic: mainTopic, partition: 1}: 1}}
	if bad := compareTable(rowsTable, truth, append(slices.Clone(all), b.all...), cps); len(bad) > 0 {
		t.Errorf("a sound table: %v", bad)
	}
	if bad := compareTable(rowsTable, truth, all, cps); len(bad) != 1 || bad[0].fault != ahead {
		t.Errorf("without row b: %v", bad)
	}
	strange := &cells{row: "z"}
	strange.put("d", "id", "99")
	if bad := compareTable(rowsTable, truth, slices.Concat(all, b.all, strange.all), cps); len(bad) != 1 {
		t.Errorf("with a strange row: %v", bad)
	}
	// A hole excuses its records, and only them.
	truth.drop(source{topic: mainTopic, partition: 1}, 0, 1)
	if bad := compareTable(rowsTable, truth, all, cps); len(bad) > 0 {
		t.Errorf("with a hole: %v", bad)
	}
	if bad := compareTable(rowsTable, truth, append(slices.Clone(all), b.all...), cps); len(bad) == 0 {
		t.Error("a record of the hole took effect, and nobody saw it")
	}
}

// TestChain breaks the chain that the rows themselves hold.
func TestChain(t *testing.T) {
	row := func(links ...string) *held {
		c := &cells{row: "r"}
		for i := 0; i < len(links); i += 2 {
			c.put("o", links[i], links[i+1])
		}
		h, _ := hold(place{rowsTable, "r"}, c.all)
		return h
	}
	for _, tt := range []struct {
		name  string
		links []string
		want  int
	}{
		{"whole", []string{"1", "0", "2", "1", "3", "2"}, 0},
		{"a gap", []string{"1", "0", "3", "2"}, 1},
		{"the first gone", []string{"2", "1", "3", "2"}, 2},
		{"two after one", []string{"1", "0", "2", "1", "3", "1"}, 1},
		{"begun anew where the writer could not tell", []string{"1", "0", "3", "-1", "4", "3"}, 0},
	} {
		if bad := chain(row(tt.links...)); len(bad) != tt.want {
			t.Errorf("%s: %v, want %d", tt.name, bad, tt.want)
		}
	}
}
