package decode

import (
	"errors"
	"fmt"
	"math"
)

// maxDepth bounds the nesting of objects and arrays.
const maxDepth = 256

var (
	errEmpty = errors.New("it is empty")
	errDepth = fmt.Errorf("it is nested deeper than %d", maxDepth)
	errEnd   = errors.New("it ends too early")
	errLarge = errors.New("it is larger than 2 GiB")
)

// parser reads one JSON text (RFC 8259) into a tree in one pass. It is written here, and not taken from
// encoding/json, because a mapping needs the order of an object's members, numbers as they are written, and text
// that aliases the record; invalid UTF-8 and lone surrogates are errors, since replacing them changes data.
type parser struct {
	data  []byte
	pos   int
	tree  *Tree
	quiet int // depth of arrays whose elements are checked, and not kept, since no path leads there
}

func (t *Tree) parse(data []byte) error {
	p, err := t.begin(data)
	if err != nil {
		return err
	}
	p.space()
	if p.pos == len(data) {
		return errEmpty
	}
	if err := p.value(span{}, 0); err != nil {
		return err
	}
	return p.finish()
}

// begin makes the tree empty, to be filled from the text.
func (t *Tree) begin(data []byte) (parser, error) {
	if len(data) > math.MaxInt32 {
		return parser{}, errLarge
	}
	t.nodes, t.data, t.elsewhere = t.nodes[:0], data, t.elsewhere[:0]
	return parser{data: data, tree: t}, nil
}

// finish sees that nothing is left but spaces.
func (p *parser) finish() error {
	p.space()
	if p.pos < len(p.data) {
		return p.unexpected()
	}
	return nil
}

func (p *parser) unexpected() error {
	if p.pos >= len(p.data) {
		return errEnd
	}
	return fmt.Errorf("unexpected byte at %d of %d", p.pos, len(p.data))
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek gives the next byte, 0 at the end; a zero byte is no JSON, so the two need not be told apart.
func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

func (p *parser) value(key span, depth int) error {
	at := len(p.tree.nodes)
	if p.quiet == 0 {
		p.tree.nodes = append(p.tree.nodes, node{key: key})
	}
	start := p.pos
	var kind Kind
	var text span
	var err error
	yes := false
	switch c := p.peek(); {
	case c == '{':
		kind, err = Object, p.object(depth+1)
	case c == '[':
		kind, err = Array, p.array(depth+1)
	case c == '"':
		kind = String
		text, err = p.str()
	case c == '-' || c >= '0' && c <= '9':
		kind, err = Number, p.number()
	case c == 't':
		kind, yes, err = Bool, true, p.word("true")
	case c == 'f':
		kind, err = Bool, p.word("false")
	case c == 'n':
		kind, err = Null, p.word("null")
	default:
		err = p.unexpected()
	}
	if err != nil {
		return err
	}
	if p.quiet > 0 {
		return nil
	}
	if kind != String {
		text = span{int32(start), int32(p.pos)}
	}
	n := &p.tree.nodes[at]
	n.kind, n.yes, n.text, n.end = kind, yes, text, int32(len(p.tree.nodes))
	return nil
}

func (p *parser) word(w string) error {
	for i := range len(w) {
		if p.peek() != w[i] {
			return p.unexpected()
		}
		p.pos++
	}
	return nil
}

func (p *parser) object(depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	p.pos++
	p.space()
	if p.peek() == '}' {
		p.pos++
		return nil
	}
	for {
		if p.peek() != '"' {
			return p.unexpected()
		}
		key, err := p.str()
		if err != nil {
			return err
		}
		p.space()
		if p.peek() != ':' {
			return p.unexpected()
		}
		p.pos++
		p.space()
		if err := p.value(key, depth); err != nil {
			return err
		}
		if done, err := p.next('}'); done || err != nil {
			return err
		}
	}
}

func (p *parser) array(depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	if !p.tree.arrays {
		p.quiet++
		defer func() { p.quiet-- }()
	}
	p.pos++
	p.space()
	if p.peek() == ']' {
		p.pos++
		return nil
	}
	for {
		if err := p.value(span{}, depth); err != nil {
			return err
		}
		if done, err := p.next(']'); done || err != nil {
			return err
		}
	}
}

// next reads the comma or the end behind a member.
func (p *parser) next(end byte) (bool, error) {
	p.space()
	switch p.peek() {
	case end:
		p.pos++
		return true, nil
	case ',':
		p.pos++
		p.space()
		return false, nil
	}
	return false, p.unexpected()
}
