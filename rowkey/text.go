package rowkey

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

var (
	errSeparator = errors.New("the value contains the separator that follows it: set escape: true or allow_separator: true, or choose another separator")
	errZero      = errors.New("a phoenix_varchar that is followed by a part, or reversed, holds no zero byte, which would end it")
	errSign      = errors.New("a negative number is not padded with zeros on the left, since it would sort wrongly")
)

// appendValue adds the encoded field: encoding, case, reverse, padding, escape, in this order.
func (p *part) appendValue(dst []byte, v Value) ([]byte, error) {
	start := len(dst)
	out, err := p.enc.Append(dst, v)
	if err == nil && (p.spec.Upper || p.spec.Lower) {
		out, err = p.changeCase(out, start)
	}
	if err != nil {
		return dst, err
	}
	if p.enc.turns() {
		out, err = p.appendText(out, start, v)
	} else {
		out, err = p.appendBits(out, start)
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (p *part) changeCase(out []byte, start int) ([]byte, error) {
	if !utf8.Valid(out[start:]) {
		return out, errNotUTF8
	}
	// Case may change the length of a character.
	if p.spec.Upper {
		return append(out[:start], bytes.ToUpper(out[start:])...), nil
	}
	return append(out[:start], bytes.ToLower(out[start:])...), nil
}

// appendBits finishes an encoding that is reversed by inverting it.
func (p *part) appendBits(out []byte, start int) ([]byte, error) {
	if p.enc == PhoenixVarchar && p.ended() && bytes.IndexByte(out[start:], 0) >= 0 {
		return out, errZero
	}
	if p.enc == PhoenixChar {
		var err error
		if out, err = p.pad(out, start); err != nil {
			return out, err
		}
	}
	if p.spec.Reverse {
		p.complement(out[start:])
	}
	return out, nil
}

// appendText finishes an encoding that is reversed by turning it round.
func (p *part) appendText(out []byte, start int, v Value) ([]byte, error) {
	if p.spec.Reverse {
		// A header is text or bytes by its content, and the two are turned round differently.
		if p.ref.Root == RootHeader && v.Kind == Bytes {
			return out, errNotUTF8
		}
		reverse(out[start:], p.characters(v))
	}
	if p.spec.Width > 0 {
		return p.pad(out, start)
	}
	if p.sep == nil || p.spec.AllowSeparator {
		return out, nil
	}
	if p.spec.Escape {
		return escape(out, start, p.sep[0]), nil
	}
	// The separator must not begin within the value either, as in a| followed by ||.
	end := len(out)
	out = append(out, p.sep...)
	if bytes.Index(out[start:], p.sep) != end-start {
		return out, errSeparator
	}
	return out[:end], nil
}

// characters says that an encoded value is turned round by characters, not by bytes.
func (p *part) characters(v Value) bool {
	return v.Kind == Text && p.enc != Base64 && p.enc != Base64URL
}

// complement turns the order round by inverting every bit. For the Bytes forms the sign bit stays, so that the
// result is that of MAX_VALUE - x, the usual reversed timestamp, and equals the ordered form reversed.
func (p *part) complement(b []byte) {
	invert(b)
	if p.enc >= BytesInt8 && p.enc <= BytesInt64 {
		b[0] ^= 0x80
	}
}

// reverse turns text round by characters, and bytes by bytes.
func reverse(b []byte, text bool) {
	slices.Reverse(b)
	if !text {
		return
	}
	for i := 0; i < len(b); {
		n := 1
		for b[i+n-1]&0xc0 == 0x80 {
			n++
		}
		slices.Reverse(b[i : i+n])
		i += n
	}
}

func (p *part) pad(out []byte, start int) ([]byte, error) {
	n := p.spec.Width - (len(out) - start)
	if n < 0 {
		return out, fmt.Errorf("the value has %d bytes, the width is %d", len(out)-start, p.spec.Width)
	}
	char := p.padding()
	fill := bytes.Repeat([]byte{char}, n)
	if p.padsRight() {
		return append(out, fill...), nil
	}
	if char == '0' && out[start] == '-' {
		return out, errSign
	}
	return slices.Insert(out, start, fill...), nil
}

func (p *part) padding() byte {
	if p.spec.Pad == "" {
		return ' '
	}
	return p.spec.Pad[0]
}

func (p *part) padsRight() bool { return p.spec.PadSide == "right" || p.enc == PhoenixChar }

func escape(out []byte, start int, sep byte) []byte {
	for i := start; i < len(out); i++ {
		if out[i] == sep || out[i] == '\\' {
			out = slices.Insert(out, i, '\\')
			i++
		}
	}
	return out
}
