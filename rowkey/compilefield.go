package rowkey

import (
	"bytes"
	"fmt"
)

func (c *compiler) field(i int, p *part) {
	s := p.spec
	ref, err := ParseRef(s.Field)
	if err != nil {
		c.bad(".field", s.Field, "%v", err)
	}
	enc, ok := ParseEncoding(s.As)
	if !ok {
		c.bad(".as", s.As, "known encodings are %s", EncodingNames)
		return
	}
	if enc == BytesDecimal {
		c.bad(".as", s.As, "this form neither sorts nor tells its end, and is for columns: a row key takes decimal")
	}
	p.ref, p.enc = ref, enc
	c.only("as: "+enc.String(), s, allowedFor(enc, s))
	if s.Upper && s.Lower {
		c.bad(".lower", "", "a part is upper or lower, not both")
	}
	if s.Width < 0 || s.Width > MaxLength {
		c.bad(".width", fmt.Sprint(s.Width), "a width is 1 to %d bytes", MaxLength)
	}
	if s.Width == 0 && (s.Pad != "" || s.PadSide != "") {
		c.bad(".width", "", "padding needs a width")
	}
	if s.Pad != "" && (len(s.Pad) != 1 || s.Pad[0] >= 0x80) {
		c.bad(".pad", s.Pad, "one ASCII character")
	}
	if s.PadSide != "" && s.PadSide != "left" && s.PadSide != "right" {
		c.bad(".pad_side", s.PadSide, "left or right")
	}
	if s.Width > 0 && s.Escape {
		c.bad(".escape", "", "a part of fixed width is not escaped")
	}
	if enc == PhoenixChar && s.Width == 0 {
		c.bad(".width", "", "a phoenix_char needs its width: that of CHAR(10) is 10")
	}
	if s.Default != nil && *s.Default == "" && (enc.Width() > 0 || s.Width > 0 || enc == Decimal) {
		c.bad(".default", "", "a part of fixed length, or a decimal, can't be left out: give a default that is not empty")
	}
	c.substring(s.Substring)
	c.presplit(i, p)
}

// allowedFor keeps those settings of a field that mean something with its encoding.
func allowedFor(enc Encoding, s Part) Part {
	allowed := Part{As: s.As, Default: s.Default, Presplit: s.Presplit, Substring: s.Substring}
	if enc != BytesBool {
		allowed.Reverse = s.Reverse
	}
	if enc.turns() {
		allowed.Escape, allowed.AllowSeparator = s.Escape, s.AllowSeparator
	}
	switch enc {
	case String, Hex:
		allowed.Width, allowed.Pad, allowed.PadSide = s.Width, s.Pad, s.PadSide
		allowed.Upper, allowed.Lower = s.Upper, s.Lower
	case PhoenixChar:
		allowed.Width, allowed.Upper, allowed.Lower = s.Width, s.Upper, s.Lower
	case PhoenixVarchar:
		allowed.Upper, allowed.Lower = s.Upper, s.Lower
	}
	return allowed
}

func (c *compiler) substring(s *Substring) {
	if s == nil {
		return
	}
	if s.Length < 0 {
		c.bad(".substring.length", fmt.Sprint(s.Length), "a length is 1 or more characters")
	}
	if *s == (Substring{}) {
		c.bad(".substring", "", "a substring has from, length, or both")
	}
}

func (c *compiler) presplit(i int, p *part) {
	s := p.spec
	if s.Presplit == 0 {
		return
	}
	switch {
	case i != 0:
		c.bad(".presplit", fmt.Sprint(s.Presplit), "only the first part of a key can presplit its table")
	case p.kind == fieldPart && p.enc != Hex:
		c.bad(".presplit", fmt.Sprint(s.Presplit), "a field presplits only as hex, since the spread of other values is not known")
	case p.kind == fieldPart && (s.Pad != "" || s.Width != 0):
		c.bad(".presplit", fmt.Sprint(s.Presplit), "a padded field does not presplit, since its values may not fill the width")
	case s.Presplit < 2 || s.Presplit > p.splitSpace():
		c.bad(".presplit", fmt.Sprint(s.Presplit), "from 2 to %d regions here", p.splitSpace())
	}
}

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
