package avro

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rowmark/connector/decode"
)

type kind uint8

const (
	nullKind kind = iota
	boolKind
	intKind
	longKind
	floatKind
	doubleKind
	bytesKind
	stringKind
	recordKind
	enumKind
	arrayKind
	mapKind
	unionKind
	fixedKind
	decimalKind // in bytes
	fixedDecimalKind
	fixedUUIDKind
	durationKind
)

// schema is a type, ready for reading.
type schema struct {
	kind    kind
	size    int // of a fixed
	scale   int // of a decimal
	fields  []field
	item    *schema   // of an array or map
	members []*schema // of a union
	symbols [][]byte
}

type field struct {
	name []byte
	*schema
}

var primitives = map[string]*schema{
	"null": {kind: nullKind}, "boolean": {kind: boolKind}, "int": {kind: intKind}, "long": {kind: longKind},
	"float": {kind: floatKind}, "double": {kind: doubleKind}, "bytes": {kind: bytesKind}, "string": {kind: stringKind},
}

// compiler makes schemas of the JSON of schemas. It is as liberal as Avro's Java classes are when they read, and more so:
// names may have any characters, and defaults, which only matter to readers with a schema of their own, are not looked
// at. Registries hold many schemas that a strict parser refuses.
type compiler struct {
	named     map[string]*schema
	met       map[*decode.Schema]bool // among the references
	canonical []byte                  // Parsing Canonical Form of what was compiled last
}

// compile makes a schema of a text and of those that it refers to. It gives the Parsing Canonical Form too.
func compile(s *decode.Schema) (*schema, []byte, error) {
	c := &compiler{named: map[string]*schema{}, met: map[*decode.Schema]bool{}}
	out, err := c.text(s)
	return out, c.canonical, err
}

func (c *compiler) text(s *decode.Schema) (*schema, error) {
	for _, r := range s.References {
		if c.met[r.Schema] {
			continue
		}
		c.met[r.Schema] = true
		if _, err := c.text(r.Schema); err != nil {
			return nil, fmt.Errorf("reading what it refers to as %s: %w", r.Name, err)
		}
	}
	var tree any
	dec := json.NewDecoder(strings.NewReader(s.Text))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		if name := strings.TrimSpace(s.Text); primitives[name] == nil {
			return nil, fmt.Errorf("it is no JSON: %w", err)
		}
		tree = strings.TrimSpace(s.Text) // a primitive's name without quotes, as some registries give it
	}
	c.canonical = c.canonical[:0]
	return c.schema(tree, "")
}

var errKind = errors.New("a type is a name, a list of types, or an object with a type")

func (c *compiler) schema(tree any, space string) (*schema, error) {
	switch t := tree.(type) {
	case string:
		return c.mention(t, space)
	case []any:
		return c.union(t, space)
	case map[string]any:
		switch name := t["type"].(type) {
		case nil:
			return nil, errKind
		case string:
			return c.object(name, t, space)
		default:
			return c.schema(name, space)
		}
	}
	return nil, errKind
}

// mention finds a type by its name.
func (c *compiler) mention(name, space string) (*schema, error) {
	if s := primitives[name]; s != nil {
		c.quote(name)
		return s, nil
	}
	full := fullName(name, space)
	if c.named[full] == nil {
		full = name // of no namespace
	}
	s := c.named[full]
	if s == nil {
		return nil, fmt.Errorf("it names the type %s, and does not say what that is", name)
	}
	c.quote(full)
	return s, nil
}

func fullName(name, space string) string {
	if space == "" || strings.Contains(name, ".") {
		return name
	}
	return space + "." + name
}

func (c *compiler) union(list []any, space string) (*schema, error) {
	s := &schema{kind: unionKind}
	c.add("[")
	for i, tree := range list {
		c.comma(i)
		m, err := c.schema(tree, space)
		if err != nil {
			return nil, err
		}
		if m.kind == unionKind {
			return nil, errors.New("a union has a union as a branch")
		}
		s.members = append(s.members, m)
	}
	c.add("]")
	return s, nil
}

func (c *compiler) object(name string, t map[string]any, space string) (*schema, error) {
	switch name {
	case "record", "error", "enum", "fixed":
		return c.define(name, t, space)
	case "array":
		return c.items(arrayKind, `{"type":"array","items":`, t["items"], space)
	case "map":
		return c.items(mapKind, `{"type":"map","values":`, t["values"], space)
	}
	s, err := c.mention(name, space)
	if err != nil || s.kind != bytesKind {
		return s, err
	}
	return logical(*s, t), nil
}

func (c *compiler) items(k kind, canonical string, tree any, space string) (*schema, error) {
	c.add(canonical)
	item, err := c.schema(tree, space)
	c.add("}")
	return &schema{kind: k, item: item}, err
}
