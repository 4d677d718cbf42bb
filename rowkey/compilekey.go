package rowkey

import (
	"bytes"
	"fmt"
)

// separators sees to it that each part of variable length has an end that can be told: a literal, or the end of
// the key with only parts of fixed length between.
func (c *compiler) separators(parts []part) {
	restFixed := true
	for i := len(parts) - 1; i >= 0; i-- {
		p := &parts[i]
		c.at = fmt.Sprintf("[%d]", i)
		if p.fixed() > 0 {
			if p.spec.Escape {
				c.bad(".escape", "", "a part of fixed length is not escaped")
			}
			continue
		}
		if p.enc.ended() || p.enc == Decimal { // they tell their own end
			restFixed = false
			continue
		}
		if i+1 < len(parts) && parts[i+1].kind == literalPart {
			p.sep = joined(parts[i+1:])
		}
		switch {
		case p.spec.Escape && p.sep == nil:
			c.bad(".escape", "", "only a part that is followed by a literal is escaped")
		case p.spec.Escape && p.sep[0] == '\\':
			c.bad(".escape", "", "a separator that begins with a backslash can't be escaped")
		case p.sep == nil && !restFixed && !p.spec.AllowSeparator:
			c.bad(".field", p.name, "its length varies, and so does what follows, so that two records could share a key in silence: put a literal between them, give it a width, or set allow_separator: true")
		}
		restFixed = false
	}
}

// defaults encodes the defaults; the separators must be known by then.
func (c *compiler) defaults(parts []part) {
	for i := range parts {
		p := &parts[i]
		if p.spec.Default == nil {
			continue
		}
		p.hasDef = true
		if *p.spec.Default == "" {
			continue
		}
		var err error
		p.def, err = p.appendValue(nil, Value{Kind: Text, Text: []byte(*p.spec.Default)})
		if err != nil {
			c.at = fmt.Sprintf("[%d]", i)
			c.bad(".default", *p.spec.Default, "%v", err)
		}
	}
}

// safeDigest is the length in bytes from which two digests are not equal by chance.
const safeDigest = 16

// identity refuses keys of which nothing but short hashes tells two records apart.
func (c *compiler) identity(parts []part) {
	bytes := 0
	for i := range parts {
		p := &parts[i]
		switch {
		case p.kind == fieldPart:
			return
		case p.buckets > 0: // a salt, or as few
		case p.kind == hashPart && p.spec.Hex > 0:
			bytes = max(bytes, p.spec.Hex/2)
		case p.kind == hashPart:
			bytes = max(bytes, p.hashWidth())
		}
	}
	c.at = ""
	switch {
	case bytes == 0:
		c.bad("", "", "every record would have the same few keys: add a field")
	case bytes < safeDigest:
		c.bad("", "", "the key is a hash of %d bytes and nothing else, so that two records would share a row by chance: add a field, or take at least %d bytes", bytes, safeDigest)
	}
}

// joined gives the literals that follow one another.
func joined(parts []part) []byte {
	var out [][]byte
	for i := range parts {
		if parts[i].kind != literalPart {
			break
		}
		out = append(out, parts[i].lit)
	}
	return bytes.Join(out, nil)
}
