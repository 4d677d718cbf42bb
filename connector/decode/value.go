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
	Object // Text is its JSON, spaces included; nil where it was no JSON, see AppendJSON
	Array  // the same
	Absent // the record has no key or value at all: a value that is absent is a tombstone
)

// Value is one value of a decoded key or value. It is valid until the Fields it came from are decoded again;
// its Text is valid for as long as the record.
type Value struct {
	Kind Kind
	True bool // of a Bool
	Text []byte
	tree *Tree
	node int32
}

// At follows object keys down, and into arrays that were kept by the number of an element, from 0. A step through null
// gives null, so that a null object is treated like one whose fields are all null; a step into anything else gives Missing.
func (v *Value) At(path []string) Value {
	if len(path) == 0 || v.Kind == Null {
		return *v
	}
	if v.Kind != Object && v.Kind != Array {
		return Value{}
	}
	t, at := v.tree, v.node
	for _, step := range path {
		switch t.nodes[at].kind {
		case Object:
			if at = t.member(at, step); at < 0 {
				return Value{}
			}
		case Array:
			if at = t.element(at, step); at < 0 {
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

// Elements calls fn for each element of an array that was kept.
func (v Value) Elements(fn func(element Value) error) error {
	if v.Kind != Array {
		return nil
	}
	t := v.tree
	for i, end := v.node+1, t.nodes[v.node].end; i < end; i = t.nodes[i].end {
		if err := fn(t.value(i)); err != nil {
			return err
		}
	}
	return nil
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
