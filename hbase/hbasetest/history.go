package hbasetest

import (
	"maps"
	"math"
	"slices"

	"rowmark/hbase"
)

// tracker is fed the cells of a family in order and says of each put whether something before it hides it.
type tracker interface {
	marker(c *cell)
	hides(p *cell) bool
	nextColumn(first *cell)
}

// byTime is the tracker of standard families: a marker hides by timestamp alone, whenever it was written.
type byTime struct{ family, column []*cell }

func (t *byTime) marker(c *cell) {
	if c.familyMarker() {
		t.family = append(t.family, c)
	} else {
		t.column = append(t.column, c)
	}
}

func (t *byTime) nextColumn(*cell) { t.column = t.column[:0] }

func (t *byTime) hides(p *cell) bool {
	covers := func(m *cell) bool { return m.covers(p) }
	return slices.ContainsFunc(t.family, covers) || slices.ContainsFunc(t.column, covers)
}

const never = math.MaxUint64

// byArrival is the tracker of families with NEW_VERSION_BEHAVIOR: a marker hides what was written before it, or
// with it. It keeps a node for each batch that wrote a marker, and one that stands for the present. As in HBase a
// batch has one node: of several markers of all versions in one batch the last fed counts, which is the oldest, and
// one of a column takes the place of one of the family.
type byArrival struct {
	versions int
	family   []*node // in the order of writing
	column   []*node // a copy of family for the column at hand, and what is its own
	prepared bool
	last     *cell // of the column, family markers left aside
}

// node is a marker of all versions up to ts, and what is known of the time before it.
type node struct {
	seq     uint64
	ts      int64
	deletes map[int64][]uint64 // markers of single versions: the batches that wrote them, by timestamp
	spans   []span             // in the order of writing; the last one is the node's own
}

// span is the time before a marker: the batches of the puts that were in sight during it.
type span struct {
	seq  uint64
	puts map[uint64]bool
}

func newNode(seq uint64, ts int64) *node {
	return &node{seq: seq, ts: ts, deletes: map[int64][]uint64{}, spans: []span{{seq, map[uint64]bool{}}}}
}

func newByArrival(versions int) *byArrival {
	return &byArrival{versions: versions, family: []*node{newNode(never, math.MinInt64)}}
}

// nextColumn begins a column. That of the empty qualifier has a fault of HBase's own, seen on 2.6.4: it takes over no
// markers of the family, so a delete of the family does not hide its cells; nor does it have a node of the present,
// unless a marker of its own comes first. Otherwise a marker of its own makes the whole row unreadable on the real
// server, by a NullPointerException in every read; here the row stays readable, and one of a single version does
// nothing.
func (t *byArrival) nextColumn(first *cell) {
	t.prepared, t.last = false, nil
	if first.qualifier != "" {
		return
	}
	t.prepared, t.column = true, t.column[:0]
	if !first.put() && !first.familyMarker() {
		t.column = append(t.column, newNode(never, math.MinInt64))
	}
}

// own makes the nodes of the column at hand.
func (t *byArrival) own() {
	if t.prepared {
		return
	}
	t.prepared = true
	t.column = t.column[:0]
	for _, n := range t.family {
		c := &node{seq: n.seq, ts: n.ts, deletes: map[int64][]uint64{}}
		for ts, seqs := range n.deletes {
			c.deletes[ts] = slices.Clone(seqs)
		}
		for _, s := range n.spans {
			c.spans = append(c.spans, span{s.seq, maps.Clone(s.puts)})
		}
		t.column = append(t.column, c)
	}
}

func (t *byArrival) marker(c *cell) {
	switch c.typ {
	case hbase.CellDeleteFamily:
		t.family = withNode(t.family, newNode(c.seq, c.ts))
	case hbase.CellDeleteFamilyVersion:
		deleteVersion(t.family, c)
	case hbase.CellDeleteColumn:
		t.own()
		t.column = withNode(t.column, newNode(c.seq, c.ts))
		t.last = c
	default:
		t.own()
		deleteVersion(t.column, c)
		t.last = c
	}
}

func withNode(nodes []*node, n *node) []*node {
	at, found := findNode(nodes, n.seq)
	if found {
		nodes[at] = n
		return nodes
	}
	return slices.Insert(nodes, at, n)
}

func findNode(nodes []*node, seq uint64) (int, bool) {
	return slices.BinarySearchFunc(nodes, seq, func(n *node, seq uint64) int { return compareSeq(n.seq, seq) })
}

func compareSeq(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// deleteVersion adds a marker of one version to the first node at or after it. It begins a span, in which the puts
// that came before the marker are in sight.
func deleteVersion(nodes []*node, c *cell) {
	i, _ := findNode(nodes, c.seq)
	if i == len(nodes) {
		return
	}
	n := nodes[i]
	n.deletes[c.ts] = append(n.deletes[c.ts], c.seq)
	at, found := slices.BinarySearchFunc(n.spans, c.seq, func(s span, seq uint64) int { return compareSeq(s.seq, seq) })
	mine := span{c.seq, map[uint64]bool{}}
	if at < len(n.spans) {
		for seq := range n.spans[at].puts {
			if seq < c.seq {
				mine.puts[seq] = true
			}
		}
	}
	if found {
		n.spans[at] = mine
	} else {
		n.spans = slices.Insert(n.spans, at, mine)
	}
}

// hides also says yes to a put that was pushed out by as many newer ones as the family keeps, at any time since it
// was written: it does not come back when one of them is deleted.
func (t *byArrival) hides(p *cell) bool {
	t.own()
	twin := uint64(never)
	if l := t.last; l != nil && l.put() && l.ts == p.ts {
		twin = l.seq
	} else {
		t.last = p
	}
	at, _ := findNode(t.column, p.seq)
	for _, n := range t.column[at:] {
		deleted := uint64(never)
		for _, seq := range n.deletes[p.ts] {
			if seq >= p.seq {
				deleted = min(deleted, seq)
			}
		}
		for _, s := range n.spans {
			if s.seq < p.seq || s.seq > min(twin, deleted) {
				continue
			}
			if len(s.puts) >= t.versions {
				return true
			}
			s.puts[p.seq] = true
		}
		if deleted < never || p.ts <= n.ts {
			return true
		}
	}
	return twin < never
}
