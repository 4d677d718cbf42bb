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
	errSign      = errors.New("a negative number is not padded with zeros on the left, since it would sort wrongly")
)

// appendValue adds the encoded field: encoding, case, reverse, padding, escape, in this order.
func (p *part) appendValue(dst []byte, v Value) ([]byte, error) {
	start := len(dst)
	out, err := p.enc.Append(dst, v)
	if err != nil {
		return dst, err
	}
	if p.enc.Width() > 0 {
		if p.spec.Reverse {
			p.complement(out[start:])
		}
		return out, nil
	}
	if p.spec.Upper || p.spec.Lower {
		if !utf8.Valid(out[start:]) {
			return dst, errNotUTF8
		}
		// Case may change the length of a character.
		if p.spec.Upper {
			out = append(out[:start], bytes.ToUpper(out[start:])...)
		} else {
			out = append(out[:start], bytes.ToLower(out[start:])...)
		}
	}
	if p.spec.Reverse {
		// A header is text or bytes by its content, and the two are turned round differently.
		if p.ref.Root == RootHeader && v.Kind == Bytes {
			return dst, errNotUTF8
		}
		reverse(out[start:], v.Kind == Text)
	}
	if p.spec.Width > 0 {
		if out, err = p.pad(out, start); err != nil {
			return dst, err
		}
		return out, nil
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
		return dst, errSeparator
	}
	return out[:end], nil
}

// complement turns the order of a number of fixed width round. For the Bytes forms the sign bit stays, so that
// the result is that of MAX_VALUE - x, the usual reversed timestamp, and equals the ordered form reversed.
func (p *part) complement(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
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
	char := byte(' ')
	if p.spec.Pad != "" {
		char = p.spec.Pad[0]
	}
	fill := bytes.Repeat([]byte{char}, n)
	if p.spec.PadSide == "right" {
		return append(out, fill...), nil
	}
	if char == '0' && out[start] == '-' {
		return out, errSign
	}
	return slices.Insert(out, start, fill...), nil
}

func escape(out []byte, start int, sep byte) []byte {
	for i := start; i < len(out); i++ {
		if out[i] == sep || out[i] == '\\' {
			out = slices.Insert(out, i, '\\')
			i++
		}
	}
	return out
}
