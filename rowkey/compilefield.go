package rowkey

import (
	"fmt"
	"strings"
)

// keyEncodings are those that a row key takes.
var keyEncodings = strings.Replace(EncodingNames, BytesDecimal.String()+", ", "", 1)

func (c *compiler) field(i int, p *part) {
	s := p.spec
	ref, err := ParseRef(s.Field)
	if err != nil {
		c.bad(".field", s.Field, "%v", err)
	}
	enc, ok := ParseEncoding(s.As)
	if !ok {
		c.bad(".as", s.As, "known encodings are %s", keyEncodings)
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
