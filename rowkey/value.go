package rowkey

// Kind is the kind of a Value.
type Kind uint8

// Kinds. The zero value is Missing.
const (
	Missing Kind = iota // the field is not there
	Null                // it is there, and null
	Bool                // Int is 0 or 1
	Int                 // Int
	Number              // Text is a decimal number, digits as the record has them
	Text                // Text is valid UTF-8
	Bytes               // Text is any bytes
	Tree                // an object or array; Text is its JSON
)

// Value is a field as a Source gives it. Text may alias the record.
type Value struct {
	Kind Kind
	Int  int64
	Text []byte
}

// Empty says that the value is missing, null, or of no length.
func (v Value) Empty() bool {
	switch v.Kind {
	case Missing, Null:
		return true
	case Number, Text, Bytes, Tree:
		return len(v.Text) == 0
	}
	return false
}

// Source resolves references for one record.
type Source interface {
	Resolve(ref *Ref) Value
}
