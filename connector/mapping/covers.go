package mapping

import (
	"bytes"
	"slices"
)

// covers says whether c and d may write one column. A template may make any text between its literal ends, a wildcard
// any name behind its prefix that it does not leave out.
func (c *column) covers(d *column) bool {
	switch {
	case !bytes.Equal(c.Family, d.Family):
		return false
	case c.open() && d.open():
		return c.overlaps(d)
	case c.open():
		return c.may(d.Qualifier)
	case d.open():
		return d.may(c.Qualifier)
	}
	return bytes.Equal(c.Qualifier, d.Qualifier)
}

// open says that the record has a say in the column's qualifier.
func (c *column) open() bool { return c.wild != nil || c.name != nil }

func (c *column) may(qualifier []byte) bool {
	if c.wild != nil {
		return c.wild.may(qualifier)
	}
	return c.name.may(qualifier)
}

func (c *column) overlaps(d *column) bool {
	if c.wild != nil {
		if names, ok := c.wild.names(); ok {
			return slices.ContainsFunc(names, d.may)
		}
	}
	if d.wild != nil {
		if names, ok := d.wild.names(); ok {
			return slices.ContainsFunc(names, c.may)
		}
	}
	for _, begin := range c.begins() {
		for _, other := range d.begins() {
			if endsMeet(begin, c.end(), other, d.end()) {
				return true
			}
		}
	}
	return false
}

// begins are what the qualifiers of an open column begin with, one or another.
func (c *column) begins() [][]byte {
	if c.wild == nil {
		return [][]byte{c.name.begin()}
	}
	if c.wild.only == nil {
		return [][]byte{c.wild.prefix}
	}
	var out [][]byte
	for _, p := range c.wild.only {
		out = append(out, slices.Concat(c.wild.prefix, p[0][0]))
	}
	return out
}

// end is what they all end with.
func (c *column) end() []byte {
	if c.wild != nil {
		return nil
	}
	return c.name.end()
}

// endsMeet says whether some text begins and ends with both.
func endsMeet(begin, end, otherBegin, otherEnd []byte) bool {
	return (bytes.HasPrefix(begin, otherBegin) || bytes.HasPrefix(otherBegin, begin)) &&
		(bytes.HasSuffix(end, otherEnd) || bytes.HasSuffix(otherEnd, end))
}
