package decode

import "context"

// Later says that a record can't be read yet: what failed is not the record but what its format asks. Wait asks for it,
// once: nil says that the record is worth another try.
type Later struct {
	Err  error
	Wait func(context.Context) error
}

func (l *Later) Error() string { return l.Err.Error() }

// Unwrap gives the reason itself.
func (l *Later) Unwrap() error { return l.Err }

// SchemaKind is the language of a Schema, as registries name it.
type SchemaKind string

// Languages.
const (
	AvroSchema     SchemaKind = "AVRO"
	ProtobufSchema SchemaKind = "PROTOBUF"
	JSONSchemaKind SchemaKind = "JSON"
)

// Schema is what a registry holds under an id. It never changes.
type Schema struct {
	Kind       SchemaKind
	Text       string
	References []Reference
}

// Reference is a schema that another one names.
type Reference struct {
	Name string // a type's full name in Avro, the path of an import in Protobuf
	*Schema
}

// Schemas gives schemas by their ids. It is safe for concurrent use.
type Schemas interface {
	// Schema gives what is known at once. A *Later says that the id is to be asked for; any other error, that there is
	// no such schema.
	Schema(id uint32) (*Schema, error)
}
