package mapping

import (
	"rowmark/connector/decode"
	"rowmark/rowkey"
)

type nullPolicy uint8

const (
	nullSkip nullPolicy = iota
	nullDelete
	nullEmpty
)

// rule is a compiled Spec.
type rule struct {
	spec       Spec // defaults filled in
	topics     []topic
	key, value decode.Format
	row        *rowkey.Key
	splits     [][]byte
	columns    []column
	deleteRow  bool         // by a tombstone
	families   [][]byte     // that a row delete empties
	events     *events      // nil: a value is a row
	keyFields  []rowkey.Ref // of the value, that the row key is made of
	onError    ErrorPolicy
	logOrder   bool
	time       *rowkey.Ref // nil: the record's own
	maxFuture  int64       // milliseconds
}

// deletesRows says that some record deletes a row.
func (r *rule) deletesRows() bool { return r.deleteRow || r.events != nil && r.events.deleteRow }

// column is a compiled Column.
type column struct {
	kind        CellKind
	*ColumnName             // of a wildcard without a qualifier
	ref         *rowkey.Ref // nil: literal, or an unconditional delete-column
	literal     []byte
	delta       int64 // of a literal increment
	enc         rowkey.Encoding
	onNull      nullPolicy
	wild        bool
	except      map[string]bool
}

func (c *column) counts() bool { return c.kind == CellIncrement || c.kind == CellAppend }

// covers says whether c may write the column that d names.
func (c *column) covers(d *column) bool {
	if string(c.Family) != string(d.Family) {
		return false
	}
	switch {
	case c.wild && d.wild:
		return true
	case c.wild:
		return !c.except[string(d.Qualifier)]
	case d.wild:
		return !d.except[string(c.Qualifier)]
	}
	return string(c.Qualifier) == string(d.Qualifier)
}
