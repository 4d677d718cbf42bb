package decode

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
)

var errFit = errors.New("its payload does not fit its schema")

// retype turns what JSON could not write into what its schema says, in place. Changed: the text of what is above it is
// no longer its JSON.
func (t *Tree) retype(s *connectSchema, at int32) (changed bool, err error) {
	if s.plain || t.nodes[at].kind == Null {
		return false, nil
	}
	switch s.kind {
	case connectBytes:
		err = t.retypeBytes(at)
	case connectDecimal:
		if t.nodes[at].kind == Number {
			return false, nil // decimal.format: NUMERIC
		}
		err = t.retypeDecimal(at, at, s.scale)
	case connectVariable:
		err = t.retypeVariable(at)
	case connectStruct:
		return t.retypeStruct(s, at)
	case connectArray:
		return t.retypeEach(Array, s, at)
	case connectMap:
		if t.nodes[at].kind == Array {
			return t.retypePairs(s, at)
		}
		return t.retypeEach(Object, s, at)
	}
	return true, err
}

func (t *Tree) retypeStruct(s *connectSchema, at int32) (changed bool, err error) {
	if t.nodes[at].kind != Object {
		return false, errFit
	}
	for i := range s.fields {
		f := &s.fields[i]
		field := t.member(at, f.name)
		if field < 0 {
			continue
		}
		did, err := t.retype(f.schema, field)
		if err != nil {
			return false, fmt.Errorf("field %s: %w", f.name, err)
		}
		changed = changed || did
	}
	t.retyped(at, changed)
	return changed, nil
}

// retypeEach retypes the elements of an array, or the values of a map.
func (t *Tree) retypeEach(kind Kind, s *connectSchema, at int32) (changed bool, err error) {
	if t.nodes[at].kind != kind {
		return false, errFit
	}
	for i := at + 1; i < t.nodes[at].end; i = t.nodes[i].end {
		did, err := t.retype(s.items, i)
		if err != nil {
			return false, err
		}
		changed = changed || did
	}
	t.retyped(at, changed)
	return changed, nil
}

// retypePairs retypes a map whose keys are no text: an array of pairs.
func (t *Tree) retypePairs(s *connectSchema, at int32) (changed bool, err error) {
	for i := at + 1; i < t.nodes[at].end; i = t.nodes[i].end {
		key, end := i+1, t.nodes[i].end
		if t.nodes[i].kind != Array || key >= end || t.nodes[key].end >= end || t.nodes[t.nodes[key].end].end != end {
			return false, errFit
		}
		one, err := t.retype(s.keys, key)
		if err != nil {
			return false, err
		}
		two, err := t.retype(s.items, t.nodes[key].end)
		if err != nil {
			return false, err
		}
		t.retyped(i, one || two)
		changed = changed || one || two
	}
	t.retyped(at, changed)
	return changed, nil
}

// retyped says of an object or array that its text is no longer its JSON.
func (t *Tree) retyped(at int32, changed bool) {
	if changed {
		t.nodes[at].text = span{}
	}
}

// unbase64 gives the bytes that a text node stands for; they last as long as the record.
func (t *Tree) unbase64(at int32) ([]byte, error) {
	if t.nodes[at].kind != String {
		return nil, errFit
	}
	text := t.bytes(t.nodes[at].text)
	b := &t.builder
	out, err := base64.StdEncoding.AppendDecode(b.Room(len(text)), text)
	if err != nil {
		return nil, errors.New("bytes are not in base64")
	}
	return b.Keep(out), nil
}

func (t *Tree) retypeBytes(at int32) error {
	data, err := t.unbase64(at)
	if err == nil {
		t.replace(at, Bytes, data)
	}
	return err
}

// retypeDecimal makes a number at one node of the bytes at another.
func (t *Tree) retypeDecimal(at, unscaled int32, scale int) error {
	data, err := t.unbase64(unscaled)
	if err != nil {
		return err
	}
	text, err := AppendDecimal(t.builder.Room(32), data, scale)
	if err == nil {
		t.replace(at, Number, t.builder.Keep(text))
	}
	return err
}

func (t *Tree) retypeVariable(at int32) error {
	if t.nodes[at].kind != Object {
		return errFit
	}
	scale, value := t.member(at, "scale"), t.member(at, "value")
	if scale < 0 || value < 0 {
		return errFit
	}
	n, err := strconv.Atoi(string(t.bytes(t.nodes[scale].text)))
	if err != nil || t.nodes[scale].kind != Number {
		return errFit
	}
	return t.retypeDecimal(at, value, n)
}

func (t *Tree) replace(at int32, kind Kind, text []byte) {
	n := &t.nodes[at]
	n.kind = kind
	t.elsewhere = append(t.elsewhere, text)
	n.text = span{from: ^int32(len(t.elsewhere) - 1)}
}
