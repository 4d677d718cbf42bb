package hbase

import "math"

// LatestTimestamp asks the server to stamp the cell with its own clock.
const LatestTimestamp int64 = math.MaxInt64

// CellType is the type byte of a cell: a put, or one of the delete markers.
type CellType uint8

// Codes of KeyValue.Type.
const (
	CellPut                 CellType = 4
	CellDelete              CellType = 8  // one version
	CellDeleteFamilyVersion CellType = 10 // one version of a whole family
	CellDeleteColumn        CellType = 12 // all versions up to the timestamp
	CellDeleteFamily        CellType = 14 // all cells of the family up to the timestamp
)

// Cell is one cell of a row, as it is read.
type Cell struct {
	Row, Family, Qualifier []byte
	Timestamp              int64 // milliseconds, or LatestTimestamp
	Type                   CellType
	Value                  []byte
}

// MutationCell is one cell of a mutation; the RowWrite names the row. Cells of one column share its Column, which is
// what makes a million of them small.
type MutationCell struct {
	*Column            // required; of a family's delete marker without a qualifier
	Timestamp int64    // milliseconds, or LatestTimestamp
	Type      CellType // 0 is CellPut
	Value     []byte
}

// In is the cell as a reader of the row finds it, if the server stamps nothing.
func (c *MutationCell) In(row []byte) Cell {
	return Cell{Row: row, Family: c.Family, Qualifier: c.Qualifier, Timestamp: c.Timestamp, Type: c.typeOrPut(), Value: c.Value}
}

func (c *MutationCell) typeOrPut() CellType {
	if c.Type == 0 {
		return CellPut
	}
	return c.Type
}

// Kind is the kind of a mutation, numbered as MutationProto.MutationType.
type Kind uint8

// Kinds of mutation.
const (
	KindAppend Kind = iota
	KindIncrement
	KindPut
	KindDelete
)

// Mutation is one put, delete, increment or append. Several on one row travel in a RowWrite.
type Mutation struct {
	Kind  Kind
	Cells []MutationCell
	// TTL, if HasTTL, is the cell TTL in milliseconds carried by a put, increment or append; it may be negative.
	TTL    int64
	HasTTL bool
	// Visibility is the expression of labels on the cells; of a delete, on the cells that it reaches. Empty: none. A server
	// without the coprocessor VisibilityController passes it over.
	Visibility string
}

// CompareOp is the comparison of a Condition, numbered as CompareType.
type CompareOp uint8

// Comparisons. With an empty Value, CompareEqual means "absent or empty" on every server version.
const (
	CompareLess CompareOp = iota
	CompareLessOrEqual
	CompareEqual
	CompareNotEqual
	CompareGreaterOrEqual
	CompareGreater
)

// Condition guards a RowWrite: one cell of the row, seen through a time range, compared with a value.
type Condition struct {
	Family, Qualifier []byte
	Op                CompareOp
	Value             []byte
	// From and To bound the timestamps of the cells looked at, [From, To); To 0 is no upper bound.
	From, To int64
}

// RowWrite is what lands on one row, all or nothing. Every mutation is sent with SYNC_WAL.
type RowWrite struct {
	Row       []byte
	Mutations []Mutation
	Condition *Condition // nil: unconditional
}

// Outcome is what is known of a write.
type Outcome uint8

// Outcomes. The zero value is Unknown, so that what is forgotten is looked up.
const (
	// Unknown: it may have been applied, or may still be. Look before doing anything else.
	Unknown Outcome = iota
	// Applied: it is in the row and in the WAL.
	Applied
	// Refused: nothing was written. Err nil: the condition did not hold; else the server's or the client's reason.
	Refused
)

// WriteResult is the outcome of one RowWrite.
type WriteResult struct {
	Outcome Outcome
	Err     error
}

// Mode is how the rows of a Write travel.
type Mode uint8

// Modes of Client.Write.
const (
	// ModeRow sends a Multi with one RegionAction per row: each row stands alone.
	ModeRow Mode = iota
	// ModeRegion sends the rows of each region as one MultiRowMutationService.MutateRows: all or nothing per region.
	ModeRegion
	// ModeBatch is ModeRow for what has no condition: the rows of a region that are one put or one delete each share one
	// RegionAction, which is one WAL entry. Each row still stands alone; several regions of a server share a call.
	ModeBatch
)

// Get asks for the newest cells of one row.
type Get struct {
	Row      []byte
	Columns  []Column // none: the whole row
	Versions int      // 0 is 1
}

// Column names a family, or one qualifier of it.
type Column struct {
	Family    []byte
	Qualifier []byte // nil: the whole family
}

// Row is the answer to a Get, or one row of a scan: cells in HBase's order.
type Row struct {
	Row   []byte
	Cells []Cell
}

// Scan reads rows in key order.
type Scan struct {
	Start, Stop []byte // [Start, Stop); empty: open
	Columns     []Column
	Versions    int // 0 is 1
	Limit       int // rows; 0 is no limit
	BatchRows   int // rows a call; 0 is a default
}
