package decode

import "unicode/utf8"

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

// str reads a string; without escapes the result aliases the record.
func (p *parser) str() ([]byte, error) {
	p.pos++
	start := p.pos
	ascii := true
	for ; p.pos < len(p.data); p.pos++ {
		switch c := p.data[p.pos]; {
		case c == '"':
			s := p.data[start:p.pos:p.pos]
			if !ascii && !utf8.Valid(s) {
				return nil, errUTF8
			}
			p.pos++
			return s, nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return nil, p.unexpected()
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, errEnd
}
