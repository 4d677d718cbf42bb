package rowkey

import "fmt"

type partKind uint8

const (
	literalPart partKind = iota
	fieldPart
	saltPart
	hashPart
)

type part struct {
	kind   partKind
	name   string // for errors: the field, or what the part is
	spec   Part
	lit    []byte
	ref    Ref
	enc    Encoding
	last   bool   // nothing follows it
	sep    []byte // the literal that must end the value; nil if there is none
	def    []byte // the default, encoded; used if hasDef
	hasDef bool

	of      []Ref
	hash    string // of a hash or salt
	buckets int    // what the hash is taken modulo; 0: it is not
}

// fixed is the part's length in bytes, 0 if it varies.
func (p *part) fixed() int {
	switch p.kind {
	case literalPart:
		return len(p.lit)
	case saltPart, hashPart:
		return p.hashWidth()
	}
	if p.enc.Width() > 0 {
		return p.enc.Width()
	}
	return p.spec.Width
}

// ended says that a byte behind the value ends it.
func (p *part) ended() bool {
	return p.kind == fieldPart && p.enc.ended() && (!p.last || p.spec.Reverse)
}

// Key is a compiled row key. It is safe for concurrent use.
type Key struct{ parts []part }

// compiler collects problems.
type compiler struct {
	problems []Problem
	at       string
}

func (c *compiler) bad(key, value, text string, args ...any) {
	c.problems = append(c.problems, Problem{Path: c.at + key, Value: value, Text: fmt.Sprintf(text, args...)})
}

// Compile checks a spec and gives its key, or every problem found.
func Compile(spec Spec) (*Key, []Problem) {
	c := &compiler{}
	if len(spec) == 0 {
		c.bad("", "", "a row key needs at least one part")
		return nil, c.problems
	}
	k := &Key{parts: make([]part, len(spec))}
	for i, s := range spec {
		c.at = fmt.Sprintf("[%d]", i)
		k.parts[i] = c.part(i, s)
		k.parts[i].last = i == len(spec)-1
	}
	if len(c.problems) == 0 {
		c.separators(k.parts)
		c.defaults(k.parts)
		c.identity(k.parts)
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return k, nil
}

func (c *compiler) part(i int, s Part) part {
	p := part{spec: s}
	n := 0
	for _, set := range []bool{s.Field != "", s.Literal != "", s.Salt != 0, s.Hash != ""} {
		if set {
			n++
		}
	}
	if n != 1 {
		c.bad("", "", "a part has exactly one of field, literal, salt and hash, and not an empty one")
		return p
	}
	switch {
	case s.Literal != "":
		p.kind, p.name, p.lit = literalPart, "literal", []byte(s.Literal)
		c.only("a literal", s, Part{Literal: s.Literal})
	case s.Field != "":
		p.kind, p.name = fieldPart, s.Field
		c.field(i, &p)
	case s.Salt != 0:
		p.kind, p.name, p.hash, p.buckets = saltPart, "salt", "murmur3", s.Salt
		if s.Salt < 2 || s.Salt > 1<<16 {
			c.bad(".salt", fmt.Sprint(s.Salt), "a salt has 2 to 65536 buckets")
		}
		c.only("a salt", s, Part{Salt: s.Salt, Of: s.Of})
		c.of(&p)
	default:
		p.kind, p.name, p.hash, p.buckets = hashPart, s.Hash, s.Hash, s.Modulo
		c.hash(i, &p)
	}
	return p
}

// only refuses settings that have no effect on the kind of part.
func (c *compiler) only(what string, got, allowed Part) {
	type setting struct {
		name          string
		got, possible bool
	}
	for _, x := range []setting{
		{"of", got.Of != nil, allowed.Of != nil},
		{"bytes", got.Bytes != 0, allowed.Bytes != 0},
		{"hex", got.Hex != 0, allowed.Hex != 0},
		{"modulo", got.Modulo != 0, allowed.Modulo != 0},
		{"presplit", got.Presplit != 0, allowed.Presplit != 0},
		{"as", got.As != "", allowed.As != ""},
		{"substring", got.Substring != nil, allowed.Substring != nil},
		{"width", got.Width != 0, allowed.Width != 0},
		{"pad", got.Pad != "", allowed.Pad != ""},
		{"pad_side", got.PadSide != "", allowed.PadSide != ""},
		{"reverse", got.Reverse, allowed.Reverse},
		{"upper", got.Upper, allowed.Upper},
		{"lower", got.Lower, allowed.Lower},
		{"default", got.Default != nil, allowed.Default != nil},
		{"escape", got.Escape, allowed.Escape},
		{"allow_separator", got.AllowSeparator, allowed.AllowSeparator},
	} {
		if x.got && !x.possible {
			c.bad("."+x.name, "", "%s takes no %s", what, x.name)
		}
	}
}
