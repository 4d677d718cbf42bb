package decode

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Separated reads records that are one line of CSV (RFC 4180) or TSV: an object of texts. A byte order mark before the
// line and a line end behind it are passed over; line breaks belong in quotes.
type Separated struct {
	Word      string   // its name in the YAML
	Columns   [][]byte // names of the fields, in their order
	Delimiter byte
	Quote     byte    // 0: nothing is quoted
	Null      *string // the unquoted text that stands for null; nil: there is none
}

var (
	errQuote = errors.New("a quote is not closed")
	errLines = errors.New("it has more than one line")
	byteMark = []byte("\xef\xbb\xbf")
)

// HasFields is true: the columns.
func (*Separated) HasFields() bool { return true }

func (f *Separated) String() string { return f.Word }

// Decode reads one line.
func (f *Separated) Decode(t *Tree, data []byte) (Value, error) {
	if !utf8.Valid(data) {
		return Value{}, errUTF8
	}
	line := bytes.TrimPrefix(data, byteMark)
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	b := t.Build()
	b.Object()
	n := 0
	for more := true; more; n++ {
		if n < len(f.Columns) {
			b.Name(f.Columns[n])
		}
		var err error
		if line, more, err = f.field(b, line, n < len(f.Columns)); err != nil {
			return Value{}, fmt.Errorf("reading field %d: %w", n+1, err)
		}
	}
	if n != len(f.Columns) {
		return Value{}, fmt.Errorf("it has %d fields, and columns names %d", n, len(f.Columns))
	}
	b.End()
	return b.Value(), nil
}

// field reads one field, keeps it if it has a name, and gives what is behind its delimiter, if there is one.
func (f *Separated) field(b *Builder, line []byte, named bool) (rest []byte, more bool, err error) {
	if f.Quote != 0 && len(line) > 0 && line[0] == f.Quote {
		return f.quoted(b, line[1:], named)
	}
	end := bytes.IndexByte(line, f.Delimiter)
	text := line
	if end >= 0 {
		text, rest, more = line[:end], line[end+1:], true
	}
	switch {
	case bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0:
		return nil, false, errLines
	case f.Quote != 0 && bytes.IndexByte(text, f.Quote) >= 0:
		return nil, false, errors.New("a quote stands in a field that does not begin with one")
	case !named:
	case f.Null != nil && string(text) == *f.Null:
		b.Null()
	default:
		b.String(text[:len(text):len(text)])
	}
	return rest, more, nil
}

// quoted reads on behind the quote that begins a field. Only text with doubled quotes is copied.
func (f *Separated) quoted(b *Builder, line []byte, named bool) (rest []byte, more bool, err error) {
	var joined []byte
	for {
		end := bytes.IndexByte(line, f.Quote)
		if end < 0 {
			return nil, false, errQuote
		}
		doubled := end+1 < len(line) && line[end+1] == f.Quote
		text := line[:end:end]
		if doubled && joined == nil {
			joined = b.Room(len(line))
		}
		if joined != nil {
			joined = append(joined, text...)
			text = joined
		}
		if line = line[end+1:]; doubled {
			joined, line = append(joined, f.Quote), line[1:]
			continue
		}
		if named {
			if joined != nil {
				text = b.Keep(joined)
			}
			b.String(text)
		}
		switch {
		case len(line) == 0:
			return nil, false, nil
		case line[0] == f.Delimiter:
			return line[1:], true, nil
		}
		return nil, false, errors.New("text stands behind the quote that ends it")
	}
}
