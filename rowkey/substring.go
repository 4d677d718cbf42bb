package rowkey

import (
	"errors"
	"unicode/utf8"
)

// Substring is a stretch of a field's text, in characters. A text that is too short gives what there is of it.
// Texts that differ elsewhere give the same part.
type Substring struct {
	// From is the first character, 0 being the text's first and -1 its last.
	From int `yaml:"from" json:"from,omitempty"`
	// Length is the number of characters; unset, all that follow.
	Length int `yaml:"length" json:"length,omitempty"`
}

var errShort = errors.New("the field is too short for the substring")

// appendSubstring cuts the value and adds what is left of it.
func (p *part) appendSubstring(dst []byte, v Value) ([]byte, error) {
	// What is no text yet is written behind dst, and moved out of the way in the end.
	out := dst
	switch v.Kind {
	case Int, Bool:
		out = appendString(dst, v)
		v.Text = out[len(dst):]
	case Tree:
		return dst, errTree
	case Bytes:
		// A header is text or bytes by its content, and the two would be counted differently.
		if p.ref.Root == RootHeader {
			return dst, errNotUTF8
		}
	}
	if v.Kind != Bytes {
		v.Kind = Text
	}
	if v.Text = p.spec.Substring.cut(v.Text, v.Kind == Text); len(v.Text) == 0 {
		return p.appendDefault(dst, errShort)
	}
	written := len(out)
	out, err := p.appendValue(out, v)
	if err != nil {
		return dst, err
	}
	return append(out[:len(dst)], out[written:]...), nil
}

// cut counts characters, or bytes.
func (s *Substring) cut(text []byte, characters bool) []byte {
	from := s.From
	switch {
	case from >= 0:
	case characters:
		from = max(0, from+utf8.RuneCount(text))
	default:
		from = max(0, from+len(text))
	}
	text = text[width(text, from, characters):]
	if s.Length > 0 {
		text = text[:width(text, s.Length, characters)]
	}
	return text
}

// width is the number of bytes of the first n characters.
func width(text []byte, n int, characters bool) int {
	if !characters {
		return min(n, len(text))
	}
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}
