package audit

import "rowmark/connector/mapping"

// none is a time or offset that nothing has.
const none = -1

// column is what a source's records of the range leave in one column of a row. Many are held: of values there is the hash.
type column struct {
	*mapping.ColumnName
	kind mapping.CellKind    // of the last put, increment or append
	with *mapping.Attributes // of the same
	live bool                // it is there: a put that nothing deleted, or anything counted
	// doubt says that what is there can't be told: in order of time a put came that is older than a delete.
	doubt bool

	at     int64  // the least time of the put
	timed  bool   // it is exact, since the mapping has order: time
	offset int64  // of the record that put, counted or deleted last
	sum    uint64 // hash of the value, or of all that was appended
	size   int64  // bytes of the same
	delta  int64  // of all increments

	before    uint64 // hash of the value before it
	hasBefore bool
	deletedAt int64 // the least time of the last delete of the column; none: there was none
}

// hashOf goes on with a hash: FNV-1a, which takes a value in pieces.
func hashOf(h uint64, b []byte) uint64 {
	if h == 0 {
		h = 14695981039346656037
	}
	for _, x := range b {
		h = (h ^ uint64(x)) * 1099511628211
	}
	return h
}

func (c *column) counts() bool {
	return c.live && (c.kind == mapping.CellIncrement || c.kind == mapping.CellAppend)
}

func (c *column) count(op *mapping.CellOp, offset int64) {
	c.live, c.kind, c.with, c.offset = true, op.Kind, op.With, offset
	if op.Kind == mapping.CellIncrement {
		c.delta += op.Delta
		return
	}
	c.sum = hashOf(c.sum, op.Value)
	c.size += int64(len(op.Value))
}

// put takes a put at a time from which nothing hides it. Of two the newer stays, and of one time the later.
func (c *column) put(op *mapping.CellOp, at, offset int64) {
	if c.live && c.at > at {
		return
	}
	if c.sum != 0 {
		c.before, c.hasBefore = c.sum, true
	}
	c.live, c.kind, c.with, c.at, c.offset = true, mapping.CellPut, op.With, at, offset
	c.sum, c.size = hashOf(0, op.Value), int64(len(op.Value))
}

// remove deletes what is as old, or older.
func (c *column) remove(at, offset int64) {
	if c.live && c.kind == mapping.CellPut && c.at <= at {
		c.live = false
	}
	c.deletedAt, c.offset = max(c.deletedAt, at), offset
}

func visibilityOf(with *mapping.Attributes) string {
	if with == nil {
		return ""
	}
	return with.Visibility
}
