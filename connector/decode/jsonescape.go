package decode

import (
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

var errSurrogate = errors.New("it holds half a surrogate pair")

// escaped reads on from the first backslash of a string that began at start.
func (p *parser) escaped(start int) ([]byte, error) {
	out := append(make([]byte, 0, p.pos-start+32), p.data[start:p.pos]...)
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		switch {
		case c == '"':
			p.pos++
			if !utf8.Valid(out) {
				return nil, errUTF8
			}
			return out, nil
		case c < ' ':
			return nil, p.unexpected()
		case c != '\\':
			out = append(out, c)
			p.pos++
			continue
		}
		p.pos++
		switch c := p.peek(); c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, err := p.unicode()
			if err != nil {
				return nil, err
			}
			out = utf8.AppendRune(out, r)
			continue
		default:
			return nil, p.unexpected()
		}
		p.pos++
	}
	return nil, errEnd
}

// unicode reads the escape whose u is next, and the second half of a pair.
func (p *parser) unicode() (rune, error) {
	r, err := p.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if p.peek() != '\\' {
		return 0, errSurrogate
	}
	p.pos++
	if p.peek() != 'u' {
		return 0, errSurrogate
	}
	low, err := p.hex4()
	if err != nil {
		return 0, err
	}
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, errSurrogate
	}
	return r, nil
}

func (p *parser) hex4() (rune, error) {
	p.pos++
	var r rune
	for range 4 {
		c := p.peek()
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, p.unexpected()
		}
		r = r<<4 | rune(c)
		p.pos++
	}
	return r, nil
}
