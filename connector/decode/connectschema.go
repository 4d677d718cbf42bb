package decode

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
)

// connectSchema is what a Connect schema says of values that JSON can't tell.
type connectSchema struct {
	kind   connectKind
	scale  int
	fields []connectField // those of a struct that are not plain
	keys   *connectSchema // of a map that is an array of pairs
	items  *connectSchema // of an array, or of a map's values
	plain  bool           // nothing below needs a look
}

type connectField struct {
	name   string
	schema *connectSchema
}

type connectKind uint8

const (
	connectOther connectKind = iota
	connectBytes
	connectDecimal
	connectVariable // Debezium's VariableScaleDecimal
	connectStruct
	connectArray
	connectMap
)

// connectTypes are the types of Connect's schemas.
var connectTypes = map[string]connectKind{
	"boolean": connectOther, "int8": connectOther, "int16": connectOther, "int32": connectOther, "int64": connectOther,
	"float": connectOther, "float32": connectOther, "double": connectOther, "float64": connectOther, "string": connectOther,
	"bytes": connectBytes, "struct": connectStruct, "array": connectArray, "map": connectMap,
}

// Names of schemas that make other values of a type.
const (
	decimalName  = "org.apache.kafka.connect.data.Decimal"
	variableName = "io.debezium.data.VariableScaleDecimal"
)

// schemaOf reads the schema that stands at a node.
func (t *Tree) schemaOf(at int32) (*connectSchema, error) {
	s := t.value(at)
	typ := s.At([]string{"type"})
	kind, ok := connectTypes[string(typ.Text)]
	if !ok || typ.Kind != String {
		return nil, errSchema
	}
	out := &connectSchema{kind: kind}
	name := s.At([]string{"name"})
	var err error
	switch {
	case kind == connectBytes && string(name.Text) == decimalName:
		out.kind = connectDecimal
		scale := s.At([]string{"parameters", "scale"})
		if out.scale, err = strconv.Atoi(string(scale.Text)); err != nil {
			return nil, errors.New("its schema has a decimal without a scale")
		}
	case kind == connectStruct && string(name.Text) == variableName:
		out.kind = connectVariable
	case kind == connectStruct:
		err = t.structOf(out, s)
	case kind == connectArray:
		out.items, err = t.below(at, "items")
	case kind == connectMap:
		if out.keys, err = t.below(at, "keys"); err == nil {
			out.items, err = t.below(at, "values")
		}
	}
	out.plain = out.kind == connectOther || out.kind == connectStruct && len(out.fields) == 0 ||
		out.items != nil && out.items.plain && (out.keys == nil || out.keys.plain)
	return out, err
}

// below reads the schema that is a member of another.
func (t *Tree) below(at int32, name string) (*connectSchema, error) {
	if at = t.member(at, name); at < 0 {
		return nil, errSchema
	}
	return t.schemaOf(at)
}

func (t *Tree) structOf(out *connectSchema, s Value) error {
	fields := s.At([]string{"fields"})
	if fields.Kind != Array {
		return errSchema
	}
	return fields.Elements(func(field Value) error {
		name := field.At([]string{"field"})
		if name.Kind != String {
			return errSchema
		}
		schema, err := t.schemaOf(field.node)
		if err == nil && !schema.plain {
			out.fields = append(out.fields, connectField{string(name.Text), schema})
		}
		return err
	})
}

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

var errFit = errors.New("its payload does not fit its schema")

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
