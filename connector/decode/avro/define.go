package avro

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// define makes a named type, which its own fields may mention.
func (c *compiler) define(kind string, t map[string]any, space string) (*schema, error) {
	name, _ := t["name"].(string)
	if name == "" {
		return nil, fmt.Errorf("a type of kind %s has no name", kind)
	}
	if own, ok := t["namespace"].(string); ok {
		space = own
	}
	full := fullName(name, space)
	s := &schema{}
	c.add(`{"name":`)
	c.quote(full)
	c.add(`,"type":`)
	c.quote(kind)
	var err error
	switch kind {
	case "enum":
		c.named[full] = s
		err = c.enum(s, t)
	case "fixed":
		err = c.fixed(s, t)
		*s = *logical(*s, t)
		c.named[full] = s
	default:
		c.named[full] = s
		err = c.record(s, t, spaceOf(full))
	}
	c.add("}")
	return s, err
}

// spaceOf is the namespace of a full name.
func spaceOf(full string) string {
	for i := len(full) - 1; i >= 0; i-- {
		if full[i] == '.' {
			return full[:i]
		}
	}
	return ""
}

func (c *compiler) record(s *schema, t map[string]any, space string) error {
	s.kind = recordKind
	list, ok := t["fields"].([]any)
	if !ok {
		return errors.New("a record has no fields")
	}
	c.add(`,"fields":[`)
	for i, f := range list {
		c.comma(i)
		f, _ := f.(map[string]any)
		name, ok := f["name"].(string)
		if !ok {
			return errors.New("a field has no name")
		}
		c.add(`{"name":`)
		c.quote(name)
		c.add(`,"type":`)
		typ, err := c.schema(f["type"], space)
		if err != nil {
			return fmt.Errorf("field %s: %w", name, err)
		}
		c.add("}")
		s.fields = append(s.fields, field{[]byte(name), typ})
	}
	c.add("]")
	return nil
}

func (c *compiler) enum(s *schema, t map[string]any) error {
	s.kind = enumKind
	list, ok := t["symbols"].([]any)
	c.add(`,"symbols":[`)
	for i, symbol := range list {
		c.comma(i)
		text, isText := symbol.(string)
		ok = ok && isText
		c.quote(text)
		s.symbols = append(s.symbols, []byte(text))
	}
	c.add("]")
	if !ok {
		return errors.New("an enum has no list of symbols")
	}
	return nil
}

func (c *compiler) fixed(s *schema, t map[string]any) error {
	s.kind = fixedKind
	size, ok := whole(t["size"])
	if !ok || size < 0 {
		return errors.New("a fixed has no size")
	}
	s.size = size
	c.add(`,"size":` + strconv.Itoa(size))
	return nil
}

// logical gives the type that a logical type makes of bytes or a fixed. One that is unknown or not fit is passed over, as
// Avro demands.
func logical(s schema, t map[string]any) *schema {
	switch name, _ := t["logicalType"].(string); {
	case name == "decimal":
		precision, ok := whole(t["precision"])
		scale, given := whole(t["scale"])
		if t["scale"] == nil {
			scale, given = 0, true
		}
		if !ok || !given || scale < 0 || scale > precision || precision < 1 || s.kind == fixedKind && precision > maxPrecision(s.size) {
			break
		}
		s.scale = scale
		if s.kind == bytesKind {
			s.kind = decimalKind
		} else {
			s.kind = fixedDecimalKind
		}
	case name == "uuid" && s.kind == fixedKind && s.size == 16:
		s.kind = fixedUUIDKind
	case name == "duration" && s.kind == fixedKind && s.size == 12:
		s.kind = durationKind
	}
	return &s
}

// maxPrecision is how many digits always fit into a number of so many bytes.
func maxPrecision(size int) int { return int(math.Floor(math.Log10(2) * float64(8*size-1))) }

func whole(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 32)
	return int(i), err == nil
}
