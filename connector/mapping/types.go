package mapping

// CellKind is what a column does to its cell.
type CellKind uint8

// Kinds of cell operation.
const (
	CellPut CellKind = iota
	CellIncrement
	CellAppend
	CellDeleteColumn
)

// ColumnName names a column. The operations of one rule share it.
type ColumnName struct {
	Family, Qualifier []byte
}

// Attributes go with cells into HBase. They belong to a whole mutation there.
type Attributes struct {
	TTL        int64  // milliseconds from the cell's time on; 0: none
	Visibility string // an expression of labels; of a delete, that of what it deletes; empty: none
}

// CellOp is one operation on one column.
type CellOp struct {
	*ColumnName
	Kind  CellKind
	Value []byte // put, append; never nil for them
	Delta int64  // increment
	With  *Attributes
}

// RowOps is what one mapping makes of one record on one row: first the delete, then the cells, in order.
type RowOps struct {
	Table    string // "namespace:qualifier"
	Row      []byte
	Delete   *RowDelete // nil: none
	Cells    []CellOp
	Time     int64 // milliseconds: record time, or the field that the mapping names
	LogOrder bool  // order: log; false is order: time
}

// RowDelete is a row delete: these families, everything up to the row's effective timestamp. The operations of one rule
// share it.
type RowDelete struct {
	Families [][]byte
	// Visibility is, for each of Families, that of the cells that are deleted: those of another stay. nil: none.
	Visibility []string
}

// ErrorPolicy is what happens to a record that can't become a row.
type ErrorPolicy uint8

// Policies, the strictest first: of several that concern one record, the least counts.
const (
	OnErrorFail ErrorPolicy = iota
	OnErrorDeadLetter
	OnErrorSkip
)

// Result is what a record became. Rows empty and Err nil: nothing to write, and rightly so.
type Result struct {
	Rows []RowOps
	Err  error // a *Failure of the mapping that failed, if one took the topic; it names the field and the reason, never the record's content
	// OnError is the policy of the mapping that failed. Without Err it is for a row that HBase refuses for good:
	// the strictest of all mappings that made rows.
	OnError ErrorPolicy
	// Inflated is how many bytes the rows hold beside the record's own, since those were compressed.
	Inflated int32
	// Letter makes the record's dead letter. It is set where OnError may ask for one; with Err, Rows is that letter.
	Letter *Letter
}
