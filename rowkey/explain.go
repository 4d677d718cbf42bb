package rowkey

import (
	"bytes"
	"errors"
	"fmt"
)

// PartValue is a part of a row key that was read back.
type PartValue struct {
	Name  string // the field, literal, salt, or the hash
	Bytes []byte // of the key, with what ends the part
	// Text is the value as people read it: without padding, escapes and the byte that ends it, turned back where
	// reversed; 0x and hex digits for what is no text, and for a hash. Case stays as it is in the key.
	Text string
}

// Reasons of Explain.
var (
	errShortKey  = errors.New("the key is too short")
	errAmbiguous = errors.New("where it ends can't be told, since allow_separator lets its value hold anything")
	errNoEnd     = errors.New("what ends it is not in the key")
	errLiteral   = errors.New("another text stands there")
	errBucket    = errors.New("there is no such bucket")
)

// Explain splits a row key that Append made into its parts. Where it can't be told how, or the key is of another
// making, it gives the parts before that place and an error that names the part: never a guess.
func (k *Key) Explain(key []byte) ([]PartValue, error) {
	var out []PartValue
	rest := key
	for i := range k.parts {
		p := &k.parts[i]
		n, err := k.length(i, rest)
		var text string
		if err == nil {
			text, err = p.read(rest[:n])
		}
		if err != nil {
			return out, fmt.Errorf("explaining row key: part %d (%s), from byte %d on: %w", i+1, p.name, len(key)-len(rest), err)
		}
		out = append(out, PartValue{Name: p.name, Bytes: rest[:n:n], Text: text})
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return out, fmt.Errorf("explaining row key: %d bytes are left behind the last part", len(rest))
	}
	return out, nil
}

// length is the number of bytes of part i at the start of rest.
func (k *Key) length(i int, rest []byte) (int, error) {
	p := &k.parts[i]
	tail, fixed := fixedLength(k.parts[i+1:])
	n := 0
	switch {
	case p.fixed() > 0:
		n = p.fixed()
	case p.enc == Decimal:
		if p.spec.Reverse {
			rest = inverted(rest)
		}
		_, size, err := readDecimal(rest)
		return size, err
	case p.enc.ended():
		return p.endedLength(rest)
	case fixed:
		n = len(rest) - tail
	default:
		return p.separatedLength(rest)
	}
	if n < 0 || n > len(rest) {
		return 0, errShortKey
	}
	return n, nil
}

// fixedLength adds up parts of which none varies.
func fixedLength(parts []part) (n int, fixed bool) {
	for i := range parts {
		if parts[i].fixed() == 0 {
			return 0, false
		}
		n += parts[i].fixed()
	}
	return n, true
}

// endedLength finds the byte behind a Phoenix type of variable length.
func (p *part) endedLength(rest []byte) (int, error) {
	if len(rest) == 0 || !p.ended() {
		return len(rest), nil
	}
	if p.spec.Reverse && rest[0] == 0 {
		return 1, nil
	}
	n := bytes.IndexByte(rest, p.end()) + 1
	switch {
	case n > 0:
		return n, nil
	case p.spec.Reverse:
		return 0, errNoEnd
	}
	return len(rest), nil // zeros at the end of a key are left out
}

// separatedLength finds the literal behind a value.
func (p *part) separatedLength(rest []byte) (int, error) {
	switch {
	case p.sep == nil:
		return 0, errAmbiguous
	case p.spec.Escape && !p.spec.AllowSeparator:
		for i := 0; i < len(rest); i++ {
			if rest[i] == '\\' {
				i++
			} else if rest[i] == p.sep[0] {
				return i, nil
			}
		}
		return 0, errNoEnd
	}
	n := bytes.Index(rest, p.sep)
	switch {
	case n < 0:
		return 0, errNoEnd
	case p.spec.AllowSeparator && bytes.Contains(rest[n+1:], p.sep):
		return 0, errAmbiguous
	}
	return n, nil
}
