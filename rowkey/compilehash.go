package rowkey

import "fmt"

func (c *compiler) of(p *part) {
	if len(p.spec.Of) == 0 {
		c.bad(".of", "", "a %s needs the fields it is made of, as in of: [value.id]", p.name)
	}
	for i, text := range p.spec.Of {
		ref, err := ParseRef(text)
		if err != nil {
			c.bad(fmt.Sprintf(".of[%d]", i), text, "%v", err)
		}
		p.of = append(p.of, ref)
	}
}

func (c *compiler) hash(i int, p *part) {
	s := p.spec
	size := hashSize(s.Hash)
	if size == 0 {
		c.bad(".hash", s.Hash, "known hashes are %s", hashNames)
		return
	}
	if s.Bytes != 0 && s.Hex != 0 {
		c.bad(".hex", "", "a hash has bytes or hex, not both")
	}
	if s.Bytes < 0 || s.Bytes > size {
		c.bad(".bytes", fmt.Sprint(s.Bytes), "%s has 1 to %d bytes", s.Hash, size)
	}
	if s.Hex < 0 || s.Hex > 2*size {
		c.bad(".hex", fmt.Sprint(s.Hex), "%s has 1 to %d hex characters", s.Hash, 2*size)
	}
	allowed := Part{Of: s.Of, Bytes: s.Bytes, Hex: s.Hex, Modulo: s.Modulo, Presplit: s.Presplit}
	switch {
	case s.Modulo != 0:
		c.modulo(s)
		allowed.As = s.As
	case s.Hex != 0:
		allowed.Upper = s.Upper
	}
	c.only("a hash", s, allowed)
	c.presplit(i, p)
	c.of(p)
}

func (c *compiler) modulo(s Part) {
	if s.Modulo < 2 || s.Modulo > 1<<16 {
		c.bad(".modulo", fmt.Sprint(s.Modulo), "a hash is taken modulo 2 to 65536")
	}
	if s.Bytes != 0 || s.Hex != 0 {
		c.bad(".modulo", fmt.Sprint(s.Modulo), "a hash has bytes, hex or modulo, and only one of them")
	}
	if s.As != "" && s.As != "string" {
		c.bad(".as", s.As, "a hash modulo a number is string, its decimal digits, or, unset, bytes")
	}
}
