package mapping

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"rowmark/rowkey"
)

// step changes a value on its way into a cell or a template. Missing and null values never come to it.
type step interface {
	apply(w *worker, v rowkey.Value) (rowkey.Value, error)
	String() string // as in the YAML
}

// through takes a value through steps. from names where it comes from, for errors.
func (w *worker) through(steps []step, v rowkey.Value, from fmt.Stringer) (rowkey.Value, error) {
	for _, s := range steps {
		if v.Kind == rowkey.Missing || v.Kind == rowkey.Null {
			break
		}
		out, err := s.apply(w, v)
		if err != nil {
			return v, fmt.Errorf("changing %s by %s: %w", from, s, err)
		}
		v = out
	}
	return v, nil
}

var (
	errNoText    = errors.New("an object or array is no text")
	errBytesText = errors.New("bytes that are not valid UTF-8 are no text")
)

// words gives a value as text.
func (w *worker) words(v rowkey.Value) ([]byte, error) {
	switch v.Kind {
	case rowkey.Tree:
		return nil, errNoText
	case rowkey.Int:
		start := len(w.buf)
		w.buf = strconv.AppendInt(w.buf, v.Int, 10)
		return w.buf[start:len(w.buf):len(w.buf)], nil
	case rowkey.Bytes:
		if !utf8.Valid(v.Text) {
			return nil, errBytesText
		}
	}
	return text(v), nil
}

// trim takes white space off both ends.
type trim struct{}

func (trim) String() string { return "trim" }

func (trim) apply(w *worker, v rowkey.Value) (rowkey.Value, error) {
	s, err := w.words(v)
	return rowkey.Value{Kind: rowkey.Text, Text: bytes.TrimSpace(s)}, err
}

// letters changes each character.
type letters struct {
	name   string
	change func(rune) rune
}

var (
	upper = letters{"upper", unicode.ToUpper}
	lower = letters{"lower", unicode.ToLower}
)

func (l letters) String() string { return l.name }

func (l letters) apply(w *worker, v rowkey.Value) (rowkey.Value, error) {
	s, err := w.words(v)
	if err != nil {
		return v, err
	}
	start := len(w.buf)
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		w.buf = utf8.AppendRune(w.buf, l.change(r))
		s = s[n:]
	}
	return rowkey.Value{Kind: rowkey.Text, Text: w.buf[start:len(w.buf):len(w.buf)]}, nil
}

// substring takes some characters, as many of them as there are.
type substring struct {
	from   int
	length int // 0: to the end
}

func (s substring) String() string { return "substring" }

func (s substring) apply(w *worker, v rowkey.Value) (rowkey.Value, error) {
	t, err := w.words(v)
	if err != nil {
		return v, err
	}
	t = t[characters(t, s.from):]
	if s.length > 0 {
		t = t[:characters(t, s.length)]
	}
	return rowkey.Value{Kind: rowkey.Text, Text: t}, nil
}

// characters gives the length of the first n characters in bytes.
func characters(t []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(t); n-- {
		_, size := utf8.DecodeRune(t[at:])
		at += size
	}
	return at
}
