package deadletter

import "rowmark/connector/mapping"

// Columns of a letter, in the family mapping.LetterFamily. Key and value are the record's bytes, a null has no column;
// the others are text. A key or value larger than a cell may be stands in pieces, key.0000, key.0001 and so on; one larger
// than a letter may be is left out, and its size and SHA-256 stand in its place.
const (
	colStage     = "stage"
	colReason    = "reason"
	colTable     = "table"
	colMapping   = "mapping"   // hash of the mappings that were tried
	colTimestamp = "timestamp" // of the record, milliseconds
	colHeaders   = "headers"   // JSON
	colRows      = "rows"      // JSON, where HBase refused rows: which are done and which are not
	colKey       = "key"
	colValue     = "value"

	colRetried  = "retried"  // why the last retry failed
	colDone     = "done"     // JSON, rows that retries have written
	colResolved = "resolved" // when a retry wrote all
	colNumber   = "number"   // of the last retry
)

// Endings of the columns that stand for a key, value, headers or rows that were left out.
const (
	endSize = ".size"
	endHash = ".sha256"
)

var familyName = []byte(mapping.LetterFamily)

func column(name string) *mapping.ColumnName {
	return &mapping.ColumnName{Family: familyName, Qualifier: []byte(name)}
}

// Stage says where a record failed.
type Stage string

// Stages.
const (
	StageDecode Stage = "decode" // its bytes could not be read
	StageMap    Stage = "map"    // it could not become rows
	StageWrite  Stage = "write"  // HBase refused a row for good
)
