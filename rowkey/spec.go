package rowkey

import "fmt"

// Spec is a row key as the YAML has it.
type Spec []Part

// Part is one part of a row key. Exactly one of Field, Literal, Salt and Hash is set.
type Part struct {
	// Field is a reference: value, key, topic, partition, offset, timestamp or header.NAME, and a path below value and
	// key, as in value.customer.id; of change events also event, the whole of one; see ParseRef.
	Field string `yaml:"field" json:"field,omitempty"`
	// Literal is text written as it is.
	Literal string `yaml:"literal" json:"literal,omitempty"`
	// Salt is the number of buckets, 2 to 65536: murmur3 of Of, modulo Salt, in one byte up to 256 buckets and
	// in two above. Changing it moves every row.
	Salt int `yaml:"salt" json:"salt,omitempty"`
	// Hash is md5, sha1, sha256, murmur3 (32 bits, seed 0) or crc32 (IEEE).
	Hash string `yaml:"hash" json:"hash,omitempty"`
	// Of are the references that Salt and Hash take in, as text; several are joined by a zero byte.
	Of []string `yaml:"of" json:"of,omitempty"`
	// Bytes takes the first bytes of a hash; unset with Hex unset, all of it.
	Bytes int `yaml:"bytes" json:"bytes,omitempty"`
	// Hex takes the first hex characters of a hash.
	Hex int `yaml:"hex" json:"hex,omitempty"`
	// Modulo takes the hash as a big-endian number without a sign, modulo 2 to 65536, and writes it in one byte, in
	// two above 256; or, with as: string, in decimal digits with leading zeros.
	Modulo int `yaml:"modulo" json:"modulo,omitempty"`
	// Presplit is the number of regions that a leading hash, its modulo, or a leading field as hex is cut into.
	Presplit int `yaml:"presplit" json:"presplit,omitempty"`

	// As is the encoding of a field; string unless set. See Encoding.
	As string `yaml:"as" json:"as,omitempty"`
	// Substring is the stretch of a field's text that is encoded; of raw bytes it counts bytes. The default is not
	// cut.
	Substring *Substring `yaml:"substring" json:"substring,omitempty"`
	// Width is the length in bytes to which a string, hex or phoenix_char field is padded. A longer value is an
	// error.
	Width int `yaml:"width" json:"width,omitempty"`
	// Pad is the ASCII character to pad with; a space unless set.
	Pad string `yaml:"pad" json:"pad,omitempty"`
	// PadSide is left (default) or right. Values that begin (end) with the pad character pad to the same key
	// as shorter ones without it.
	PadSide string `yaml:"pad_side" json:"pad_side,omitempty"`
	// Reverse writes the characters of string and hex, and the bytes of base64, backwards, and inverts the bits of
	// the others, so that the newest, the largest, sorts first. int64 reversed is
	// Bytes.toBytes(Long.MAX_VALUE - x); a Phoenix type reversed is its DESC.
	Reverse bool `yaml:"reverse" json:"reverse,omitempty"`
	// Upper and Lower write text in capital or in small letters.
	Upper bool `yaml:"upper" json:"upper,omitempty"`
	Lower bool `yaml:"lower" json:"lower,omitempty"`
	// Default stands for a missing, null or empty field. An empty default leaves the part out; of a Phoenix type of
	// variable length it is null.
	Default *string `yaml:"default" json:"default,omitempty"`
	// Escape writes a backslash before each backslash, and before each character that the separator begins with.
	Escape bool `yaml:"escape" json:"escape,omitempty"`
	// AllowSeparator accepts that two different lists of values may give one key.
	AllowSeparator bool `yaml:"allow_separator" json:"allow_separator,omitempty"`
}

// Problem is one fault of a spec.
type Problem struct {
	Path  string // of the key within the spec, as in [1].as
	Value string // what stands there; empty if the fault is that nothing does
	Text  string // what is wrong, and what is allowed
}

func (p Problem) Error() string {
	if p.Value == "" {
		return fmt.Sprintf("%s: %s", p.Path, p.Text)
	}
	return fmt.Sprintf("%s: %q: %s", p.Path, p.Value, p.Text)
}
