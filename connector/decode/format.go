package decode

import (
	"errors"
	"unicode/utf8"
)

// Format reads the bytes of a key or a value. Formats that are equal (==) read alike, so that bytes are read once for
// several mappings. It is safe for concurrent use.
type Format interface {
	// Decode reads data, which is not nil, into t. An error names the place, never the content; a *Later is no fault
	// of the record.
	Decode(t *Tree, data []byte) (Value, error)
	// HasFields says whether what it reads may have fields below it.
	HasFields() bool
	// String is its name in the YAML.
	String() string
}

// Formats that need nothing but the bytes.
var (
	Raw        Format = rawFormat{}           // bytes as they are
	Text       Format = textFormat{}          // UTF-8 text
	JSON       Format = jsonFormat{}          // one JSON value in UTF-8, without what lies in its arrays
	JSONArrays Format = jsonFormat{all: true} // and with that
)

var errUTF8 = errors.New("it is not valid UTF-8")

type rawFormat struct{}

func (rawFormat) Decode(_ *Tree, data []byte) (Value, error) {
	return Value{Kind: Bytes, Text: data}, nil
}
func (rawFormat) HasFields() bool { return false }
func (rawFormat) String() string  { return "raw" }

type textFormat struct{}

func (textFormat) Decode(_ *Tree, data []byte) (Value, error) {
	if !utf8.Valid(data) {
		return Value{}, errUTF8
	}
	return Value{Kind: String, Text: data}, nil
}
func (textFormat) HasFields() bool { return false }
func (textFormat) String() string  { return "string" }

type jsonFormat struct{ all bool }

func (f jsonFormat) Decode(t *Tree, data []byte) (Value, error) {
	t.arrays = f.all
	if err := t.parse(data); err != nil {
		return Value{}, err
	}
	return t.value(0), nil
}
func (jsonFormat) HasFields() bool { return true }
func (jsonFormat) String() string  { return "json" }
