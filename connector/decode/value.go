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

// node is one JSON value in a tree (what lies in arrays is not kept), in the order of the text: the children of node i begin at i+1, and the next
// sibling of a node is at its end.
type node struct {
	kind Kind
	yes  bool
	end  int32
	key  []byte // of a member of an object
	text []byte
}

type tree struct{ nodes []node }

func (t *tree) value(i int32) Value {
	n := &t.nodes[i]
	return Value{Kind: n.kind, True: n.yes, Text: n.text, tree: t, node: i}
}

// At follows object keys down. A step through null gives null, so that a null object is treated like one whose
// fields are all null; a step into anything else that is no object gives Missing.
func (v Value) At(path []string) Value {
	for _, step := range path {
		switch v.Kind {
		case Object:
			v = v.member(step)
		case Null:
			return v
		default:
			return Value{}
		}
	}
	return v
}

// member finds a key; of equal keys the last one counts, as in most JSON readers.
func (v Value) member(key string) Value {
	t := v.tree
	found := int32(-1)
	for i := v.node + 1; i < t.nodes[v.node].end; i = t.nodes[i].end {
		if string(t.nodes[i].key) == key {
			found = i
		}
	}
	if found < 0 {
		return Value{}
	}
	return t.value(found)
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
			last[string(t.nodes[i].key)] = i
		}
	}
	for i := v.node + 1; i < end; i = t.nodes[i].end {
		key := t.nodes[i].key
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
	key := t.nodes[i].key
	for j := t.nodes[i].end; j < end; j = t.nodes[j].end {
		if string(t.nodes[j].key) == string(key) {
			return true
		}
	}
	return false
}
