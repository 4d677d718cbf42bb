package decode

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Format is how bytes are read.
type Format uint8

// Formats.
const (
	Raw    Format = iota // bytes as they are
	Text                 // UTF-8 text
	JSON                 // one JSON value in UTF-8
	absent               // beyond the last
)

var formats = [absent]string{"raw", "string", "json"}

// FormatNames lists what ParseFormat knows, for error messages.
const FormatNames = "raw, string, json"

// ParseFormat gives the format of a name.
func ParseFormat(name string) (Format, bool) {
	for f, s := range formats {
		if s == name {
			return Format(f), true
		}
	}
	return 0, false
}

func (f Format) String() string {
	if f < absent {
		return formats[f]
	}
	return fmt.Sprintf("format %d", uint8(f))
}

// Fields is a decoded record. The zero value is ready; it may be used again for the next record, by one
// goroutine at a time.
type Fields struct {
	Key, Value Value
	key, value tree
}

// Decode reads a record's key and value. An error names the part, the format and the place, never the content.
func (f *Fields) Decode(rec *Record, key, value Format) error {
	var err error
	if f.Key, err = f.key.decode(rec.Key, key); err != nil {
		return fmt.Errorf("decoding key as %s: %w", key, err)
	}
	if f.Value, err = f.value.decode(rec.Value, value); err != nil {
		return fmt.Errorf("decoding value as %s: %w", value, err)
	}
	return nil
}

// Drop lets go of the record's bytes, so that a pooled Fields does not keep them.
func (f *Fields) Drop() {
	f.Key, f.Value = Value{}, Value{}
	f.key.drop()
	f.value.drop()
}

// keepNodes is the size of a tree above which its room is given back.
const keepNodes = 4096

func (t *tree) drop() {
	if cap(t.nodes) > keepNodes {
		t.nodes = nil
	}
	clear(t.escaped)
	t.nodes, t.data, t.escaped = t.nodes[:0], nil, t.escaped[:0]
}

var errUTF8 = errors.New("it is not valid UTF-8")

func (t *tree) decode(data []byte, format Format) (Value, error) {
	switch {
	case data == nil:
		return Value{Kind: Absent}, nil
	case format == Raw:
		return Value{Kind: Bytes, Text: data}, nil
	case format == Text:
		if !utf8.Valid(data) {
			return Value{}, errUTF8
		}
		return Value{Kind: String, Text: data}, nil
	}
	if err := t.parse(data); err != nil {
		return Value{}, err
	}
	return t.value(0), nil
}
