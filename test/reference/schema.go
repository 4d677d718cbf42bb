package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// object is a JSON object that keeps its order, which is that of the struct.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", m.key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// schemaOf writes the settings as a JSON Schema. Its draft is the one that editors know best.
func schemaOf(top *setting) ([]byte, error) {
	o := object{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "rowmark's configuration"}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(append(o, top.schema()...)); err != nil {
		return nil, fmt.Errorf("writing the schema: %w", err)
	}
	return b.Bytes(), nil
}

func (s *setting) schema() object {
	var o object
	if s.about != "" {
		o = append(o, member{"description", strings.ReplaceAll(s.about, "`", "")})
	}
	switch s.kind {
	case boolean:
		o = append(o, member{"type", "boolean"})
	case integer:
		o = append(o, member{"type", "integer"})
	case span:
		// A number without a unit is a time span only if it is 0.
		o = append(o, member{"type", []string{"string", "integer"}}, member{"minimum", 0}, member{"maximum", 0}, member{"pattern", `^([0-9.]+(ns|us|µs|ms|s|m|h))+$|^0$`})
	case size:
		o = append(o, member{"type", []string{"string", "integer"}}, member{"minimum", 0}, member{"pattern", `^[0-9]+ *([kKMGT]i?)?B?$`})
	case list:
		o = append(o, member{"type", "array"}, member{"items", s.items()})
		if s.needed {
			o = append(o, member{"minItems", 1})
		}
	case lookup:
		o = append(o, member{"type", "object"}, member{"additionalProperties", s.item.schema()})
	case section:
		o = append(o, s.properties()...)
	default:
		o = append(o, s.text()...)
	}
	if s.byDefault != "" {
		o = append(o, member{"default", s.typedDefault()})
	}
	return o
}

// items describes what a list holds; what is allowed stands with the list's own key.
func (s *setting) items() object {
	item := *s.item
	item.words = s.words
	return item.schema()
}

func (s *setting) text() object {
	if s.words != nil {
		return object{{"enum", s.words}}
	}
	return object{{"type", []string{"string", "number"}}} // YAML's 1 is text where text belongs
}

func (s *setting) properties() object {
	var all object
	var needed []string
	for _, x := range s.within {
		all = append(all, member{x.key, x.schema()})
		if x.needed {
			needed = append(needed, x.key)
		}
	}
	o := object{{"type", "object"}, {"properties", all}, {"additionalProperties", false}}
	if needed != nil {
		o = append(o, member{"required", needed})
	}
	return o
}

func (s *setting) typedDefault() any {
	switch s.kind {
	case boolean:
		return s.byDefault == "true"
	case integer:
		if n, err := strconv.ParseInt(s.byDefault, 10, 64); err == nil {
			return n
		}
	}
	return s.byDefault
}
