package decode

import (
	"math"
	"strconv"

	"rowmark/connector/slab"
)

// Builder makes a tree of what is no JSON text, by one call for each value, depth first. Texts and names that it is
// given are kept as they are: they must last as long as the record.
type Builder struct {
	tree *Tree
	name span
	open []int32 // objects and arrays that go on
	made slab.Slab[byte]
}

// Build begins a tree anew. Value ends it.
func (t *Tree) Build() *Builder {
	t.nodes, t.data, t.elsewhere = t.nodes[:0], nil, t.elsewhere[:0]
	b := &t.builder
	b.tree, b.open, b.name = t, b.open[:0], span{}
	return b
}

// Value gives what was built. Every Object and Array must have come to its End.
func (b *Builder) Value() Value { return b.tree.value(0) }

// Name gives the next value of an object its name.
func (b *Builder) Name(name []byte) { b.name = b.keep(name) }

// Object begins an object, until End.
func (b *Builder) Object() { b.open = append(b.open, b.add(Object, span{})) }

// Array begins an array, until End.
func (b *Builder) Array() { b.open = append(b.open, b.add(Array, span{})) }

// End ends the object or array that began last.
func (b *Builder) End() {
	last := len(b.open) - 1
	b.tree.nodes[b.open[last]].end = int32(len(b.tree.nodes))
	b.open = b.open[:last]
}

// Null adds a null.
func (b *Builder) Null() { b.add(Null, span{}) }

// Bool adds a truth.
func (b *Builder) Bool(yes bool) { b.tree.nodes[b.add(Bool, span{})].yes = yes }

// String adds text, which must be valid UTF-8.
func (b *Builder) String(text []byte) { b.add(String, b.keep(text)) }

// Bytes adds bytes.
func (b *Builder) Bytes(data []byte) { b.add(Bytes, b.keep(data)) }

// Number adds a number that is written as JSON has it.
func (b *Builder) Number(text []byte) { b.add(Number, b.keep(text)) }

// Int adds a whole number.
func (b *Builder) Int(n int64) { b.Number(b.made.Give(strconv.AppendInt(b.made.Open(20), n, 10))) }

// Uint adds a whole number that is not negative.
func (b *Builder) Uint(n uint64) { b.Number(b.made.Give(strconv.AppendUint(b.made.Open(20), n, 10))) }

// Float adds a number of 32 or 64 bits, with as many digits as tell it from its neighbours. What JSON has no number for
// is text: NaN, +Inf, -Inf.
func (b *Builder) Float(f float64, bits int) {
	form := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'e'
	}
	out := b.made.Give(strconv.AppendFloat(b.made.Open(32), f, form, -1, bits))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		b.String(out)
		return
	}
	b.Number(out)
}

// Room gives n bytes or more to append to, for a text of the next value; what Keep returns of it lasts.
func (b *Builder) Room(n int) []byte { return b.made.Open(n) }

// Keep closes what Room gave.
func (b *Builder) Keep(part []byte) []byte { return b.made.Give(part) }

func (b *Builder) keep(text []byte) span {
	b.tree.elsewhere = append(b.tree.elsewhere, text)
	return span{from: ^int32(len(b.tree.elsewhere) - 1)}
}

func (b *Builder) add(kind Kind, text span) int32 {
	at := int32(len(b.tree.nodes))
	b.tree.nodes = append(b.tree.nodes, node{kind: kind, key: b.name, text: text, end: at + 1})
	b.name = span{}
	return at
}
