package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"rowmark/test/cluster"
)

const markFamily = "_k"

// held is what HBase holds of one row.
type held struct {
	place
	cells map[string][]cluster.Cell // versions of a column, newest first
	marks map[string]map[source]int64
}

// hold sorts a row's cells.
func hold(p place, cells []cluster.Cell) (*held, []finding) {
	h := &held{place: p, cells: map[string][]cluster.Cell{}, marks: map[string]map[source]int64{}}
	var bad []finding
	for _, c := range cells {
		if c.Family != markFamily {
			column := c.Family + ":" + c.Qualifier
			h.cells[column] = append(h.cells[column], c)
			continue
		}
		sink, s, err := parseMark(c.Qualifier)
		if err != nil || len(c.Value) != 21 || int64(binary.BigEndian.Uint64(c.Value[1:])) != c.Timestamp {
			bad = append(bad, found(ahead, "%s: a mark that can't be read: %q at %d, %x", h, c.Qualifier, c.Timestamp, c.Value))
			continue
		}
		if h.marks[sink] == nil {
			h.marks[sink] = map[source]int64{}
		}
		if old, ok := h.marks[sink][s]; ok {
			bad = append(bad, found(duplicated, "%s: mark %q has two versions, %d and %d", h, c.Qualifier, old, c.Timestamp))
			continue
		}
		h.marks[sink][s] = c.Timestamp
	}
	return h, bad
}

func (h *held) String() string { return fmt.Sprintf("%s row %q", h.table, h.key) }

// concerns gives those of a row's records that a sink writes for it, by source.
func concerns(sink string, p place, all map[source][]event) map[source][]event {
	out := map[source][]event{}
	for s, events := range all {
		if sinkReads(sink, s.topic) {
			if sink != mainSink || p.table != rowsTable {
				events = slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.kind == tombstone })
			}
			out[s] = events
		}
	}
	return out
}

func sinkReads(sink, topic string) bool { return (sink == edgeSink) == (topic != mainTopic) }

// judgeRow compares a row with the fold of its records below its own marks.
func judgeRow(h *held, all map[source][]event) []finding {
	j := &judgement{held: h, left: maps.Clone(h.cells)}
	var sinks []string
	switch h.table {
	case edgeTable:
		sinks = []string{edgeSink}
	default:
		sinks = []string{mainSink, secondSink}
	}
	for sink := range h.marks {
		if !slices.Contains(sinks, sink) {
			j.note(ahead, "a mark of sink %s, which does not write here", sink)
		}
	}
	for _, sink := range sinks {
		mine := concerns(sink, h.place, all)
		applied := map[source][]event{}
		for s, mark := range h.marks[sink] {
			events := mine[s]
			cut := below(events, mark)
			if len(cut) == 0 || cut[len(cut)-1].offset+1 != mark {
				j.note(ahead, "the mark of %s/%s is %d, which no committed record of the row gives", sink, s.name(), mark)
			}
			applied[s] = cut
		}
		j.sink(sink, applied, mine)
	}
	for _, column := range slices.Sorted(maps.Keys(j.left)) {
		j.note(ahead, "%s should not be, and is %.40q", column, j.left[column][0].Value)
	}
	return j.found
}

// judgement is the work on one row.
type judgement struct {
	*held
	left  map[string][]cluster.Cell // columns that nothing has explained yet
	found []finding
}

func (j *judgement) note(f fault, format string, args ...any) {
	j.found = append(j.found, found(f, "%s: "+format, append([]any{j.held}, args...)...))
}

// take gives a column's versions, and counts it as explained.
func (j *judgement) take(column string) []cluster.Cell {
	c := j.left[column]
	delete(j.left, column)
	return c
}

// sink checks what one sink wrote: counters and lists from all its sources, and on the rows of one source the rest.
func (j *judgement) sink(sink string, applied, mine map[source][]event) {
	family := map[string]string{mainSink: "c", secondSink: "x", edgeSink: "c"}[sink]
	var all []event
	order := slices.SortedFunc(maps.Keys(applied), func(a, b source) int {
		return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.partition, b.partition), cmp.Compare(a.incarnation, b.incarnation))
	})
	for _, s := range order {
		all = append(all, applied[s]...)
	}
	j.counters(family, all)
	switch {
	case j.table == hotTable:
	case sink == mainSink, sink == edgeSink:
		var known []event
		for _, s := range order {
			known = append(known, mine[s]...)
		}
		j.offsets(all, known)
		if j.table == rowsTable {
			j.puts(all, known[len(all):])
			j.ids(all)
		}
	case sink == secondSink:
		j.last("y:last", all, (*event).status, nil)
	}
}

// counters checks n and inc.
func (j *judgement) counters(family string, events []event) {
	var n, inc int64
	for _, e := range events {
		if e.kind == valued {
			n++
			inc += e.inc
		}
	}
	gotN, ok := j.long(family+":n", n)
	gotInc, _ := j.long(family+":inc", n)
	switch {
	case !ok:
	case gotN > n:
		j.note(duplicated, "%s:n counts %d records, want %d", family, gotN, n)
	case gotN < n:
		j.note(lost, "%s:n counts %d records, want %d", family, gotN, n)
	case gotInc != inc:
		j.note(duplicated, "%s:inc is %d, want %d, of %d records", family, gotInc, inc, n)
	}
}

// long reads a counter; it must be there if it counted anything.
func (j *judgement) long(column string, n int64) (int64, bool) {
	c := j.take(column)
	switch {
	case len(c) == 0 && n == 0:
		return 0, true
	case len(c) == 0:
		j.note(lost, "%s is missing, of %d records", column, n)
	case len(c) > 1:
		j.note(duplicated, "%s has %d versions", column, len(c))
	case len(c[0].Value) != 8:
		j.note(lost, "%s has %d bytes", column, len(c[0].Value))
	default:
		return int64(binary.BigEndian.Uint64(c[0].Value)), true
	}
	return 0, false
}

// offsets checks the list of the offsets in the order they were applied.
func (j *judgement) offsets(events, known []event) {
	var want, got []int64
	for _, e := range events {
		if e.kind == valued {
			want = append(want, e.offset)
		}
	}
	c := j.take("a:offsets")
	if len(c) > 1 {
		j.note(duplicated, "a:offsets has %d versions", len(c))
	}
	if len(c) > 0 {
		b := c[0].Value
		if len(b)%8 != 0 {
			j.note(lost, "a:offsets has %d bytes", len(b))
			return
		}
		for ; len(b) > 0; b = b[8:] {
			got = append(got, int64(binary.BigEndian.Uint64(b)))
		}
	}
	if slices.Equal(got, want) {
		return
	}
	j.differ(got, want, known)
}

// differ names what two lists of offsets do not share.
func (j *judgement) differ(got, want []int64, known []event) {
	count := map[int64]int{}
	for _, o := range want {
		count[o]--
	}
	for _, o := range got {
		count[o]++
	}
	clean := true
	for _, o := range slices.Sorted(maps.Keys(count)) {
		wanted := slices.Contains(want, o)
		switch n := count[o]; {
		case n < 0:
			j.note(lost, "the record at offset %d was not appended", o)
		case n > 0 && wanted:
			j.note(duplicated, "the record at offset %d was appended %d times too often", o, n)
		case n > 0 && slices.ContainsFunc(known, func(e event) bool { return e.offset == o }):
			j.note(ahead, "the record at offset %d was appended, and the mark does not say so", o)
		case n > 0:
			j.note(ahead, "offset %d was appended, at which no committed record lies", o)
		default:
			continue
		}
		clean = false
	}
	if clean {
		j.note(reordered, "a:offsets is %v, want %v", got, want)
	}
}

// puts checks the columns of family d, in which the last record wins and a tombstone deletes.
func (j *judgement) puts(events, later []event) {
	alive := events
	for i, e := range events {
		if e.kind == tombstone {
			alive = events[i+1:]
		}
	}
	j.last("d:status", alive, (*event).status, later)
	j.last("d:id", alive, func(e *event) string { return strconv.FormatInt(e.id, 10) }, later)
	var bigs, notes []event
	for _, e := range alive {
		if e.big > 0 {
			bigs = append(bigs, e)
		}
		switch e.note {
		case someNote:
			notes = append(notes, e)
		case nullNote:
			notes = nil
		}
	}
	j.last("d:big", bigs, (*event).bigText, nil)
	j.last("d:note", notes, (*event).noteText, nil)
}

// last checks that a column holds the last of these records, and that older versions are older records. later are the
// records that the mark does not cover.
func (j *judgement) last(column string, events []event, text func(*event) string, later []event) {
	c := j.take(column)
	switch {
	case len(c) == 0 && len(events) == 0:
		return
	case len(c) == 0:
		j.note(lost, "%s is missing, want that of offset %d", column, events[len(events)-1].offset)
		return
	case len(events) == 0:
		j.note(reordered, "%s is %.40q, and was deleted, or never put", column, c[0].Value)
		return
	}
	if want := text(&events[len(events)-1]); string(c[0].Value) != want {
		f := reordered
		if slices.ContainsFunc(later, func(e event) bool { return text(&e) == string(c[0].Value) }) {
			f = ahead
		}
		j.note(f, "%s is %.40q, want %.40q of offset %d", column, c[0].Value, want, events[len(events)-1].offset)
		return
	}
	i := len(events) - 1
	for _, v := range c[1:] {
		for i--; i >= 0 && text(&events[i]) != string(v.Value); i-- {
		}
		if i < 0 {
			j.note(reordered, "%s has the version %.40q at %d, which is no older record's", column, v.Value, v.Timestamp)
			return
		}
	}
}

// ids checks the family whose qualifiers name the records, and the chain that its values make.
func (j *judgement) ids(events []event) {
	want := map[string]string{}
	for _, e := range events {
		if e.kind == valued {
			want["o:"+strconv.FormatInt(e.id, 10)] = strconv.FormatInt(e.prev, 10)
		}
	}
	for column, prev := range want {
		c := j.take(column)
		switch {
		case len(c) == 0:
			j.note(lost, "%s is missing", column)
		case len(c) > 1:
			j.note(duplicated, "%s has %d versions", column, len(c))
		case string(c[0].Value) != prev:
			j.note(reordered, "%s is %.40q, want %s", column, c[0].Value, prev)
		}
	}
}
