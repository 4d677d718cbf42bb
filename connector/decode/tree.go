package decode

import "strconv"

// node is one value in a tree, in the order of the text: the children of node i begin at i+1, and the next sibling of a
// node is at its end. It holds no pointers, so that writing nodes and leaving them behind costs the garbage collector
// nothing. What lies in the arrays of a JSON text is kept only on request.
type node struct {
	kind Kind
	yes  bool
	end  int32
	key  span // of a member of an object
	text span
}

// span is a part of the tree's data; with from below zero, the text ^from of those that lie elsewhere.
type span struct{ from, to int32 }

// Tree holds what a Format read, until it reads again. The zero value is ready.
type Tree struct {
	nodes     []node
	data      []byte
	elsewhere [][]byte // strings that had escapes, and what a Builder was given
	arrays    bool     // keep what lies in arrays
	inflated  int      // bytes that were decompressed for it
	builder   Builder
}

func (t *Tree) bytes(s span) []byte {
	if s == (span{}) {
		return nil
	}
	if s.from < 0 {
		return t.elsewhere[^s.from]
	}
	return t.data[s.from:s.to:s.to]
}

func (t *Tree) value(i int32) Value {
	n := &t.nodes[i]
	return Value{Kind: n.kind, True: n.yes, Text: t.bytes(n.text), tree: t, node: i}
}

// element finds an element of an array by its number. Without one it is -1.
func (t *Tree) element(array int32, step string) int32 {
	n, err := strconv.ParseUint(step, 10, 31)
	for i := array + 1; err == nil && i < t.nodes[array].end; i = t.nodes[i].end {
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}

// member finds a key of an object; of equal keys the last one counts, as in most JSON readers. Without one it is -1.
func (t *Tree) member(object int32, key string) int32 {
	nodes, found := t.nodes, int32(-1)
	for i := object + 1; i < nodes[object].end; {
		n := &nodes[i]
		if int(n.key.to-n.key.from) == len(key) && n.key.from >= 0 || n.key.from < 0 {
			if string(t.bytes(n.key)) == key {
				found = i
			}
		}
		i = n.end
	}
	return found
}

// again says whether the key of member i comes again before end.
func (t *Tree) again(i, end int32) bool {
	key := t.bytes(t.nodes[i].key)
	for j := t.nodes[i].end; j < end; j = t.nodes[j].end {
		if string(t.bytes(t.nodes[j].key)) == string(key) {
			return true
		}
	}
	return false
}

// keepNodes is the size of a tree above which its room is given back.
const keepNodes = 4096

// Drop lets go of what was read.
func (t *Tree) Drop() {
	if cap(t.nodes) > keepNodes {
		t.nodes = nil
	}
	clear(t.elsewhere)
	t.nodes, t.data, t.elsewhere, t.inflated = t.nodes[:0], nil, t.elsewhere[:0], 0
}
