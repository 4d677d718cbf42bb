package mapping

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rowmark/rowkey"
)

// CellText reads a cell by the encoding of the rules that write its column: false where none does, where they are not of
// one encoding, or where the value is not of it.
func (s *Set) CellText(table string, family, qualifier, value []byte) (text, encoding string, ok bool) {
	var found []rowkey.Encoding
	for _, r := range s.rules {
		if !r.mayWrite(table) {
			continue
		}
		for i := range r.columns {
			if c := &r.columns[i]; c.writes(family, qualifier) && !slices.Contains(found, c.encoding()) {
				found = append(found, c.encoding())
			}
		}
	}
	if len(found) != 1 {
		return "", "", false
	}
	text, err := found[0].Text(value)
	return text, found[0].String(), err == nil
}

func (c *column) writes(family, qualifier []byte) bool {
	if c.kind == CellDeleteColumn || !bytes.Equal(c.Family, family) {
		return false
	}
	return c.open() && c.may(qualifier) || !c.open() && bytes.Equal(c.Qualifier, qualifier)
}

func (c *column) encoding() rowkey.Encoding {
	if c.kind == CellIncrement {
		return rowkey.BytesInt64
	}
	return c.enc
}

// texts are fields by their names, as people write them.
type texts map[string]string

// Resolve implements rowkey.Source.
func (t texts) Resolve(ref *rowkey.Ref) rowkey.Value {
	if text, ok := t[ref.String()]; ok {
		return rowkey.Value{Kind: rowkey.Text, Text: []byte(text)}
	}
	return rowkey.Value{}
}

// KeyOf builds a row key of a table from the texts of the fields that it is made of. It is an error if mappings of the
// table make different keys of them.
func (s *Set) KeyOf(table string, fields map[string]string) ([]byte, error) {
	var key []byte
	err := fmt.Errorf("no mapping writes to %s", table)
	for _, r := range s.rules {
		if !r.mayWrite(table) {
			continue
		}
		one, why := r.keyOf(fields)
		switch {
		case why != nil && key == nil:
			err = why
		case why != nil:
		case key != nil && !bytes.Equal(key, one):
			return nil, errSeveralKeys
		default:
			key, err = one, nil
		}
	}
	return key, err
}

// KeyFields gives the names of the fields that row keys of a table are made of, as KeyOf takes them: a list for each
// way that mappings make them.
func (s *Set) KeyFields(table string) [][]string {
	var out [][]string
	for _, r := range s.rules {
		if !r.mayWrite(table) {
			continue
		}
		fields := r.rowFields()
		if !slices.ContainsFunc(out, func(other []string) bool { return slices.Equal(other, fields) }) {
			out = append(out, fields)
		}
	}
	return out
}

func (r *rule) rowFields() []string {
	var out []string
	for _, ref := range r.row.Refs() {
		if !slices.Contains(out, ref.String()) {
			out = append(out, ref.String())
		}
	}
	return out
}

func (r *rule) keyOf(fields map[string]string) ([]byte, error) {
	known := r.rowFields()
	for name := range fields {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s is no part of the row key, which is made of %s", name, strings.Join(known, ", "))
		}
	}
	key, err := r.row.Append(nil, texts(fields))
	if err == nil && len(known) == 0 {
		err = errors.New("the row key is made of no fields")
	}
	return key, err
}
