package decode

import (
	"errors"
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
