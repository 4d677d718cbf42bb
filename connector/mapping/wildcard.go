package mapping

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// shape is what a wildcard makes of an object or array in it.
type shape uint8

const (
	asJSON shape = iota
	asPath       // a column of each of its own, named by the path
	refused
)

// wildcard is what a column's rule has more if it is a wildcard.
type wildcard struct {
	except          map[string]bool // names, looked up first
	exceptPatterns  []pattern
	only            []pattern // none: all
	prefix          []byte
	separator       []byte // between the steps of a path
	objects, arrays shape
}

var (
	errNoObject  = errors.New("it is no object")
	errObject    = errors.New("a member is an object, which nested: refuse keeps out")
	errArray     = errors.New("a member is an array, which arrays: refuse keeps out")
	errSeparator = errors.New("a name holds the separator of the path, or ends as it begins, so that two fields could become one column")
)

// wildcard adds a column for each member of an object.
func (w *worker) wildcard(c *column, cells []CellOp) ([]CellOp, error) {
	object := w.root(c.ref).At(c.ref.Path)
	switch object.Kind {
	case decode.Missing, decode.Null, decode.Absent:
		return cells, nil
	case decode.Object:
	default:
		return cells, fmt.Errorf("taking the members of %s: %w", c.ref, errNoObject)
	}
	c, err := w.choose(c)
	if err != nil {
		return cells, err
	}
	w.path = w.path[:0]
	if cells, err = w.members(c, object, cells); err != nil {
		return cells, fmt.Errorf("taking the members of %s: %w", c.ref, err)
	}
	return cells, nil
}

func (w *worker) members(c *column, object decode.Value, cells []CellOp) ([]CellOp, error) {
	err := object.Members(func(key []byte, member decode.Value) error {
		var err error
		cells, err = w.member(c, key, member, cells)
		return err
	})
	return cells, err
}

func (w *worker) elements(c *column, array decode.Value, cells []CellOp) ([]CellOp, error) {
	n := int64(0)
	err := array.Elements(func(element decode.Value) error {
		start := len(w.buf)
		w.buf = strconv.AppendInt(w.buf, n, 10)
		n++
		var err error
		cells, err = w.member(c, w.buf[start:len(w.buf):len(w.buf)], element, cells)
		return err
	})
	return cells, err
}

// member adds what becomes of one member, or of an element by its number.
func (w *worker) member(c *column, step []byte, v decode.Value, cells []CellOp) ([]CellOp, error) {
	x := c.wild
	if len(w.path) == 0 && x.except[string(step)] {
		return cells, nil
	}
	if w.change.unavailable != nil && w.change.leaves(c.ref.Root, w.readable(v)) {
		return cells, nil
	}
	w.path = append(w.path, step)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	within, deeper := x.includes(w.path)
	shape, fault := asJSON, error(nil)
	switch v.Kind {
	case decode.Object:
		shape, fault = x.objects, errObject
	case decode.Array:
		shape, fault = x.arrays, errArray
	}
	switch {
	case !within && (!deeper || shape != asPath):
		return cells, nil
	case shape == refused:
		return cells, fault
	case x.paths() && x.unclear(step, shape == asPath):
		return cells, errSeparator
	case shape == asPath && v.Kind == decode.Object:
		return w.members(c, v, cells)
	case shape == asPath:
		return w.elements(c, v, cells)
	}
	return w.leaf(c, v, cells)
}

// leaf adds the column of one member, of which w.path is the way to it.
func (w *worker) leaf(c *column, member decode.Value, cells []CellOp) ([]CellOp, error) {
	op := CellOp{Kind: CellPut, With: c.with}
	v := w.readable(member)
	if v.Kind == rowkey.Null {
		if !c.null(&op) {
			return cells, nil
		}
	} else {
		var err error
		if op.Value, err = w.encode(c.enc, v); err != nil {
			return cells, err
		}
	}
	op.ColumnName = w.names.One(ColumnName{c.Family, w.memberName(c.wild)})
	return append(cells, op), nil
}

// memberName gives the qualifier of what w.path leads to.
func (w *worker) memberName(x *wildcard) []byte {
	if len(w.path) == 1 && x.prefix == nil {
		return w.path[0]
	}
	start := len(w.buf)
	w.buf = append(w.buf, x.prefix...)
	for i, step := range w.path {
		if i > 0 {
			w.buf = append(w.buf, x.separator...)
		}
		w.buf = append(w.buf, step...)
	}
	return w.buf[start:len(w.buf):len(w.buf)]
}

// paths says that columns are named by paths.
func (x *wildcard) paths() bool { return x.objects == asPath || x.arrays == asPath }

// unclear says whether a name holds the separator, or, if others follow, ends with the beginning of one that the separator
// behind it goes on: a_ before __ reads as a before __.
func (x *wildcard) unclear(step []byte, followed bool) bool {
	sep := x.separator
	if bytes.Contains(step, sep) {
		return true
	}
	for n := 1; followed && n < len(sep); n++ {
		if bytes.HasSuffix(step, sep[:n]) && bytes.HasPrefix(sep, sep[n:]) {
			return true
		}
	}
	return false
}

// includes says whether the wildcard takes what lies at a path, and if not, whether it may take something below.
func (x *wildcard) includes(path [][]byte) (within, deeper bool) {
	for _, p := range x.exceptPatterns {
		if p.takes(path) {
			return false, false
		}
	}
	for _, p := range x.only {
		if p.takes(path) {
			return true, true
		}
		deeper = deeper || p.leads(path)
	}
	return x.only == nil, deeper
}

// may says whether the wildcard may make a qualifier.
func (x *wildcard) may(qualifier []byte) bool {
	name, ok := bytes.CutPrefix(qualifier, x.prefix)
	if !ok || x.except[string(name)] {
		return false
	}
	path := [][]byte{name}
	if x.paths() {
		path = bytes.Split(name, x.separator)
	}
	within, _ := x.includes(path)
	return within && !x.except[string(path[0])]
}

// names gives the qualifiers that the wildcard makes, if there are so few that they can be listed.
func (x *wildcard) names() (out [][]byte, ok bool) {
	for _, p := range x.only {
		if x.paths() || len(p[0]) > 1 {
			return nil, false
		}
		out = append(out, slices.Concat(x.prefix, p[0][0]))
	}
	return out, x.only != nil
}
