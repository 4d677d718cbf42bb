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
	end := start // behind the last part that is not empty
	for i := range k.parts {
		p := &k.parts[i]
		from := len(out)
		var err error
		if out, err = p.append(out, src); err != nil {
			return dst, fmt.Errorf("building row key: part %d (%s): %w", i+1, p.name, err)
		}
		empty := len(out) == from
		if !empty {
			end = len(out)
		}
		if !p.ended() {
			continue
		}
		// As Phoenix does: a null ends in a zero byte too when reversed, and zeros behind which there is nothing
		// are left out.
		if empty {
			out = append(out, 0)
			continue
		}
		out = append(out, p.end())
		if p.spec.Reverse {
			end = len(out)
		}
	}
	out = out[:end]
	switch n := len(out) - start; {
	case n == 0:
		return dst, errors.New("building row key: the key is empty")
	case n > MaxLength:
		return dst, fmt.Errorf("building row key: the key has %d bytes, HBase takes %d", n, MaxLength)
	}
	return out, nil
}

// end is the byte behind a Phoenix value of variable length, unless it is null.
func (p *part) end() byte {
	if p.spec.Reverse {
		return 0xff
	}
	return 0
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
		return p.appendDefault(dst, emptiness(v))
	}
	if p.spec.Substring != nil {
		return p.appendSubstring(dst, v)
	}
	return p.appendValue(dst, v)
}

// appendDefault stands in for a value, of which reason says why it is not there.
func (p *part) appendDefault(dst []byte, reason error) ([]byte, error) {
	if p.hasDef {
		return append(dst, p.def...), nil
	}
	return dst, fmt.Errorf("%w, and has no default", reason)
}

func emptiness(v Value) error {
	switch v.Kind {
	case Missing:
		return errMissing
	case Null:
		return errNull
	}
	return errEmpty
}
