package rowkey

import (
	"errors"
	"fmt"
)

// MaxLength is the longest row key HBase takes, in bytes.
const MaxLength = 32767

// Append adds the row key of a record to dst. An error names the field and never its content; dst is then
// returned as it was.
func (k *Key) Append(dst []byte, src Source) ([]byte, error) {
	start := len(dst)
	out := dst
	for i := range k.parts {
		p := &k.parts[i]
		var err error
		if out, err = p.append(out, src); err != nil {
			return dst, fmt.Errorf("building row key: part %d (%s): %w", i+1, p.name, err)
		}
	}
	switch n := len(out) - start; {
	case n == 0:
		return dst, errors.New("building row key: the key is empty")
	case n > MaxLength:
		return dst, fmt.Errorf("building row key: the key has %d bytes, HBase takes %d", n, MaxLength)
	}
	return out, nil
}

// Refs gives every reference the key is made of.
func (k *Key) Refs() []Ref {
	var out []Ref
	for i := range k.parts {
		if k.parts[i].kind == fieldPart {
			out = append(out, k.parts[i].ref)
		}
		out = append(out, k.parts[i].of...)
	}
	return out
}

func (p *part) append(dst []byte, src Source) ([]byte, error) {
	switch p.kind {
	case literalPart:
		return append(dst, p.lit...), nil
	case saltPart, hashPart:
		return p.appendHash(dst, src)
	}
	v := src.Resolve(&p.ref)
	if v.Empty() {
		if p.hasDef {
			return append(dst, p.def...), nil
		}
		return dst, emptiness(v)
	}
	return p.appendValue(dst, v)
}

func emptiness(v Value) error {
	switch v.Kind {
	case Missing:
		return fmt.Errorf("%w, and has no default", errMissing)
	case Null:
		return fmt.Errorf("%w, and has no default", errNull)
	}
	return fmt.Errorf("%w, and has no default", errEmpty)
}

// appendHash adds a salt or hash of the part's fields.
func (p *part) appendHash(dst []byte, src Source) ([]byte, error) {
	start := len(dst)
	out := dst
	for i := range p.of {
		v := src.Resolve(&p.of[i])
		if v.Empty() {
			return dst, fmt.Errorf("%s: %w", p.of[i].text, emptinessOf(v))
		}
		from := len(out)
		var err error
		if out, err = String.Append(out, v); err != nil {
			return dst, fmt.Errorf("%s: %w", p.of[i].text, err)
		}
		if i < len(p.of)-1 {
			for _, b := range out[from:] {
				if b == 0 {
					return dst, fmt.Errorf("%s: the value holds a zero byte, which joins the fields of a hash", p.of[i].text)
				}
			}
			out = append(out, 0)
		}
	}
	// The input is built behind dst and then overwritten.
	data := out[start:]
	if p.kind == saltPart {
		bucket := Murmur3(data) % uint32(p.spec.Salt)
		out = out[:start]
		if saltBytes(p.spec.Salt) == 2 {
			out = append(out, byte(bucket>>8))
		}
		return append(out, byte(bucket)), nil
	}
	var room [32]byte
	digest := appendDigest(room[:0], p.spec.Hash, data)
	out = out[:start]
	if p.spec.Hex > 0 {
		digits := lowerDigits
		if p.spec.Upper {
			digits = upperDigits
		}
		for i := range p.spec.Hex {
			out = append(out, digits[digest[i/2]>>(4*(1-i%2))&15])
		}
		return out, nil
	}
	return append(out, digest[:p.hashWidth()]...), nil
}

func emptinessOf(v Value) error {
	switch v.Kind {
	case Missing:
		return errMissing
	case Null:
		return errNull
	}
	return errEmpty
}

const (
	lowerDigits = "0123456789abcdef"
	upperDigits = "0123456789ABCDEF"
)

func (p *part) hashWidth() int {
	switch {
	case p.spec.Hex > 0:
		return p.spec.Hex
	case p.spec.Bytes > 0:
		return p.spec.Bytes
	}
	return hashSize(p.spec.Hash)
}

func saltBytes(buckets int) int {
	if buckets > 256 {
		return 2
	}
	return 1
}
