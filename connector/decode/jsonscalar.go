package decode

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

func (p *parser) number() error {
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if err := p.digits(); err != nil {
		return err
	}
	if p.peek() == '.' {
		p.pos++
		if err := p.digits(); err != nil {
			return err
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		return p.digits()
	}
	return nil
}

func (p *parser) digits() error {
	start := p.pos
	for p.peek() >= '0' && p.peek() <= '9' {
		p.pos++
	}
	if p.pos == start {
		return p.unexpected()
	}
	return nil
}

// Each byte of a word: 1, and its highest bit.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain is how many bytes from pos on are surely characters of a string that need no look: no quote, backslash or
// control, and ASCII. It looks at eight at a time, and leaves the last few to the caller.
func (p *parser) plain(pos int) int {
	for ; pos+8 <= len(p.data); pos += 8 {
		x := binary.LittleEndian.Uint64(p.data[pos:])
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		// A byte's highest bit is set where it is zero after xor, below a space, or no ASCII. What borrows from the byte
		// before may set one falsely, but only behind a true one, and the first is what counts.
		if hit := ((quote-ones)&^quote | (slash-ones)&^slash | (x-ones*' ')&^x | x) & highs; hit != 0 {
			return pos + bits.TrailingZeros64(hit)/8
		}
	}
	return pos
}

// str reads a string.
func (p *parser) str() (span, error) {
	p.pos++
	start := p.pos
	ascii := true
	for p.pos = p.plain(p.pos); p.pos < len(p.data); p.pos++ {
		switch c := p.data[p.pos]; {
		case c == '"':
			if !ascii && !utf8.Valid(p.data[start:p.pos]) {
				return span{}, errUTF8
			}
			p.pos++
			return span{int32(start), int32(p.pos - 1)}, nil
		case c == '\\':
			s, err := p.escaped(start)
			if err != nil || p.quiet > 0 {
				return span{}, err
			}
			p.tree.elsewhere = append(p.tree.elsewhere, s)
			return span{from: ^int32(len(p.tree.elsewhere) - 1)}, nil
		case c < ' ':
			return span{}, p.unexpected()
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return span{}, errEnd
}
