package decode

// Kind is the kind of a Value.
type Kind uint8

// Kinds. The zero value is Missing.
const (
	Missing Kind = iota // there is no such field
	Null                // JSON null
	Bool
	Number // Text is the number as the record has it
	String // Text is valid UTF-8
	Bytes  // Text is any bytes
	Object // Text is its JSON, spaces included
	Array  // the same
	Absent // the record has no key or value at all: a value that is absent is a tombstone
)

// Value is one value of a decoded key or value. It is valid until the Fields it came from are decoded again;
// its Text is valid for as long as the record.
type Value struct {
	Kind Kind
	True bool // of a Bool
	Text []byte
	tree *tree
	node int32
}

// node is one JSON value in a tree (what lies in arrays is not kept), in the order of the text: the children of node i
// begin at i+1, and the next sibling of a node is at its end. It holds no pointers, so that writing nodes and leaving
// them behind costs the garbage collector nothing.
type node struct {
	kind Kind
	yes  bool
	end  int32
	key  span // of a member of an object
	text span
}

// span is a part of the tree's data; with from below zero, the string ^from of those that had escapes.
type span struct{ from, to int32 }

type tree struct {
	nodes   []node
	data    []byte
	escaped [][]byte
}

func (t *tree) bytes(s span) []byte {
	if s.from < 0 {
		return t.escaped[^s.from]
	}
	return t.data[s.from:s.to:s.to]
}

func (t *tree) value(i int32) Value {
	n := &t.nodes[i]
	return Value{Kind: n.kind, True: n.yes, Text: t.bytes(n.text), tree: t, node: i}
}

// At follows object keys down. A step through null gives null, so that a null object is treated like one whose
// fields are all null; a step into anything else that is no object gives Missing.
func (v *Value) At(path []string) Value {
	if len(path) == 0 || v.Kind == Null {
		return *v
	}
	if v.Kind != Object {
		return Value{}
	}
	t, at := v.tree, v.node
	for _, step := range path {
		switch t.nodes[at].kind {
		case Object:
			if at = t.member(at, step); at < 0 {
				return Value{}
			}
		case Null:
			return t.value(at)
		default:
			return Value{}
		}
	}
	return t.value(at)
}

// member finds a key of an object; of equal keys the last one counts, as in most JSON readers. Without one it is -1.
func (t *tree) member(object int32, key string) int32 {
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

// manyKeys is the number of members from which a map finds doubled keys faster than a walk.
const manyKeys = 32

// Members calls fn for each member of an object, in the order of the text; of equal keys only the last one.
func (v Value) Members(fn func(key []byte, member Value) error) error {
	if v.Kind != Object {
		return nil
	}
	t := v.tree
	end := t.nodes[v.node].end
	count := 0
	for i := v.node + 1; i < end; i = t.nodes[i].end {
		count++
	}
	var last map[string]int32
	if count > manyKeys {
		last = make(map[string]int32, count)
		for i := v.node + 1; i < end; i = t.nodes[i].end {
			last[string(t.bytes(t.nodes[i].key))] = i
		}
	}
	for i := v.node + 1; i < end; i = t.nodes[i].end {
		key := t.bytes(t.nodes[i].key)
		if last != nil && last[string(key)] != i || last == nil && t.again(i, end) {
			continue
		}
		if err := fn(key, t.value(i)); err != nil {
			return err
		}
	}
	return nil
}

// again says whether the key of member i comes again before end.
func (t *tree) again(i, end int32) bool {
	key := t.bytes(t.nodes[i].key)
	for j := t.nodes[i].end; j < end; j = t.nodes[j].end {
		if string(t.bytes(t.nodes[j].key)) == string(key) {
			return true
		}
	}
	return false
}
