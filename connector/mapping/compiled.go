package mapping

import (
	"fmt"

	"rowmark/connector/decode"
	"rowmark/connector/filter"
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
	route      *route // nil: the table is the spec's
	key, value decode.Format
	row        *rowkey.Key
	splits     [][]byte
	columns    []column

	filter                 *filter.Filter // nil: none
	keyArrays, valueArrays bool           // some column, or the filter, needs what lies in arrays
	deleteRow              bool           // by a tombstone
	replace                bool           // each record empties the families first
	delete                 RowDelete      // of a row, or of what a record with replace empties
	events                 *events        // nil: a value is a row
	keyFields              []rowkey.Ref   // of the value, that the row key is made of
	onError                ErrorPolicy
	logOrder               bool
	time                   *rowkey.Ref // nil: the record's own
	maxFuture, maxPast     int64       // milliseconds; maxPast 0: none
}

// deletesRows says that some record deletes a row.
func (r *rule) deletesRows() bool { return r.deleteRow || r.events != nil && r.events.deleteRow }

// empties says that some record deletes all that its row has in the families.
func (r *rule) empties() bool { return r.deletesRows() || r.replace }

// column is a compiled Column.
type column struct {
	at          int // its place in the YAML
	kind        CellKind
	*ColumnName             // without a qualifier, if it is open
	choice      *choice     // of the family by the record; nil: it is fixed
	name        *template   // makes the qualifier; nil: it is fixed, or a wildcard's
	ref         *rowkey.Ref // a field as it is
	input       *input      // what is more than that; with neither, a literal or an unconditional delete-column
	literal     []byte
	delta       int64 // of a literal increment
	enc         rowkey.Encoding
	onNull      nullPolicy
	wild        *wildcard   // nil: none
	with        *Attributes // nil: none
}

func (c *column) counts() bool { return c.kind == CellIncrement || c.kind == CellAppend }

// source names where the value comes from.
func (c *column) source() fmt.Stringer {
	if c.input != nil {
		return c.input
	}
	return c.ref
}

// String names the column as the YAML does.
func (c *column) String() string {
	if c.name != nil {
		return string(c.Family) + ":" + c.name.text
	}
	return string(c.Family) + ":" + string(c.Qualifier)
}
