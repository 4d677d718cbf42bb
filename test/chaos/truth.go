package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// source is one log: a partition, in the n-th life of its topic.
type source struct {
	topic       string
	partition   int32
	incarnation int
}

// name is the source's part of a mark's qualifier, behind the sink.
func (s source) name() string {
	n := s.topic + "/" + strconv.Itoa(int(s.partition))
	if s.incarnation > 0 {
		n += "#" + strconv.Itoa(s.incarnation)
	}
	return n
}

// parseMark reads a mark's qualifier: sink/topic/partition, and #n.
func parseMark(q string) (sink string, s source, err error) {
	parts := strings.Split(q, "/")
	if len(parts) != 3 {
		return "", s, fmt.Errorf("reading mark %q: want sink/topic/partition", q)
	}
	number, life, some := strings.Cut(parts[2], "#")
	p, err := strconv.Atoi(number)
	if err == nil && some {
		s.incarnation, err = strconv.Atoi(life)
	}
	if err != nil {
		return "", s, fmt.Errorf("reading mark %q: %w", q, err)
	}
	s.topic, s.partition = parts[1], int32(p)
	return parts[0], s, nil
}

// place is a row.
type place struct{ table, key string }

// Which table a topic's records go to, beside the hot rows.
var tableOf = map[string]string{mainTopic: rowsTable, holeTopic: edgeTable, againTopic: edgeTable}

// truth is the committed log, by the rows it must become.
type truth struct {
	mu   sync.Mutex
	rows map[place]map[source][]event
	keys map[string][]string // of each table, in order of their first record
	at   map[source]int64    // how far each log was read
	seen map[int64]struct{}  // the ids of committed records
	n    int64               // records, without poison
	bad  int64               // poison
	// gone are ranges that were deleted before the connector read them, on purpose.
	gone map[source][][2]int64
}

func newTruth() *truth {
	return &truth{
		rows: map[place]map[source][]event{}, keys: map[string][]string{}, at: map[source]int64{},
		seen: map[int64]struct{}{}, gone: map[source][][2]int64{},
	}
}

// add takes a committed record. Records of a source come in their order.
func (t *truth) add(s source, key string, e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.kind == poison {
		t.bad++
		return
	}
	t.n++
	t.put(place{tableOf[s.topic], key}, s, e)
	if e.kind == tombstone {
		return
	}
	t.seen[e.id] = struct{}{}
	if e.hot >= 0 {
		t.put(place{hotTable, hotKey(e.hot)}, s, e)
	}
}

func (t *truth) put(p place, s source, e event) {
	r := t.rows[p]
	if r == nil {
		r = map[source][]event{}
		t.rows[p] = r
		t.keys[p.table] = append(t.keys[p.table], p.key)
	}
	r[s] = append(r[s], e)
}

// read notes that a source's log was read up to an offset.
func (t *truth) read(s source, next int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at[s] = max(t.at[s], next)
}

// position is how far a source's log was read.
func (t *truth) position(s source) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at[s]
}

// drop notes that records [from, until) were deleted before the connector could read them.
func (t *truth) drop(s source, from, until int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gone[s] = append(t.gone[s], [2]int64{from, until})
}

// row gives a row's records by source, without those that were deleted before their time. What it gives is not
// changed later.
func (t *truth) row(p place) map[source][]event {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[source][]event{}
	for s, events := range t.rows[p] {
		events = events[:len(events):len(events)]
		for _, hole := range t.gone[s] {
			events = slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.offset >= hole[0] && e.offset < hole[1] })
		}
		out[s] = events
	}
	return out
}

// table gives all keys of a table.
func (t *truth) table(name string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.keys[name])
}

// counts gives the numbers of records and of poisonous ones.
func (t *truth) counts() (records, poisonous int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n, t.bad
}

// committed says whether a record with this id is in the committed log.
func (t *truth) committed(id int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.seen[id]
	return ok
}

// below cuts events at a mark.
func below(events []event, mark int64) []event {
	n, _ := slices.BinarySearchFunc(events, mark, func(e event, m int64) int { return cmp.Compare(e.offset, m) })
	return events[:n]
}
