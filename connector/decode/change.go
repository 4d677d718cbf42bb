package decode

import "errors"

// ChangeKind is what a change did to a row of its source.
type ChangeKind uint8

// Kinds of change.
const (
	Inserted ChangeKind = iota // or read by a snapshot
	Updated
	Deleted
	Truncated // all rows of the table, of which it names none
)

// Change is one change of one row. A record may tell of none, one or several.
type Change struct {
	Kind   ChangeKind
	After  Value // the row as it is now; Missing when it was deleted
	Before Value // the row as it was; Missing or Null where the record does not say
	// Partial says that Before holds only the fields that changed, see Whole.
	Partial bool
}

// Whole gives the row as it was, with the fields that did not change. The tree must last as long as what it gives.
func (c *Change) Whole(t *Tree) Value {
	if !c.Partial || c.Before.Kind != Object {
		return c.Before
	}
	b := t.Build()
	b.Object()
	after, before := c.After.tree, c.Before.tree
	for i, end := c.After.node+1, after.nodes[c.After.node].end; i < end; i = after.nodes[i].end {
		name := after.bytes(after.nodes[i].key)
		if before.member(c.Before.node, string(name)) < 0 {
			b.copy(name, after, i)
		}
	}
	for i, end := c.Before.node+1, before.nodes[c.Before.node].end; i < end; i = before.nodes[i].end {
		b.copy(before.bytes(before.nodes[i].key), before, i)
	}
	b.End()
	return b.Value()
}

// copy adds a member of another tree, and all that lies below it.
func (b *Builder) copy(name []byte, from *Tree, at int32) {
	n := &from.nodes[at]
	b.Name(name)
	to := b.add(n.kind, span{})
	if text := from.bytes(n.text); text != nil {
		b.tree.nodes[to].text = b.keep(text)
	}
	b.tree.nodes[to].yes = n.yes
	for i := at + 1; i < n.end; i = from.nodes[i].end {
		b.copy(from.bytes(from.nodes[i].key), from, i)
	}
	b.tree.nodes[to].end = int32(len(b.tree.nodes))
}

// Events adds the changes that a record's value tells of. What is no change (a heartbeat, a change of schema, a
// transaction's border) adds none. An error says what is missing, never the content.
type Events func(out []Change, v Value) ([]Change, error)

var errNoObject = errors.New("it is no object")

// text gives a member that is text, else nil.
func (v Value) text(name string) []byte {
	if m := v.member(name); m.Kind == String {
		return m.Text
	}
	return nil
}

// member gives a member of an object by its name.
func (v Value) member(name string) Value {
	if v.Kind != Object {
		return Value{}
	}
	at := v.tree.member(v.node, name)
	if at < 0 {
		return Value{}
	}
	return v.tree.value(at)
}

// has says whether an object has a member.
func (v Value) has(name string) bool { return v.member(name).Kind != Missing }
