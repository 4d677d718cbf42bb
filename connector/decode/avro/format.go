package avro

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"rowmark/connector/decode"
)

// Framings say what stands in front of a record's Avro.
const (
	Confluent    = "confluent"     // a zero byte and the id of a schema in a registry
	SingleObject = "single-object" // two bytes and the fingerprint of the schema, as Avro's specification has it
	None         = "none"
)

type confluent struct{ schemas *decode.Compiled[*schema] }

// NewConfluent reads what Confluent's serializer wrote, or another of the same wire format.
func NewConfluent(schemas decode.Schemas) decode.Format {
	return &confluent{decode.NewCompiled(schemas, decode.AvroSchema, func(s *decode.Schema) (*schema, error) {
		out, _, err := compile(s)
		return out, err
	})}
}

func (f *confluent) Decode(t *decode.Tree, data []byte) (decode.Value, error) {
	id, body, err := decode.SchemaID(data)
	if err != nil {
		return decode.Value{}, err
	}
	s, err := f.schemas.Of(id)
	if err != nil {
		return decode.Value{}, err
	}
	return read(t, s, body)
}
func (*confluent) HasFields() bool { return true }
func (*confluent) String() string  { return "avro" }

// fixed reads with one schema.
type fixed struct {
	front []byte // nil: none
	*schema
}

// NewFixed reads Avro of the schema in text, in the framing SingleObject or None.
func NewFixed(text, framing string) (decode.Format, error) {
	s, canonical, err := compile(&decode.Schema{Kind: decode.AvroSchema, Text: text})
	if err != nil {
		return nil, err
	}
	f := &fixed{schema: s}
	switch framing {
	case None:
	case SingleObject:
		f.front = binary.LittleEndian.AppendUint64([]byte{0xc3, 0x01}, rabin(canonical))
	default:
		return nil, fmt.Errorf("a schema alone does not read the framing %s", framing)
	}
	return f, nil
}

var (
	errFront       = errors.New("it does not begin with the bytes c3 01 of Avro's single-object encoding")
	errFingerprint = errors.New("it was written with another schema than the one given: its fingerprint differs")
)

func (f *fixed) Decode(t *decode.Tree, data []byte) (decode.Value, error) {
	if f.front != nil {
		if len(data) < len(f.front) || !bytes.HasPrefix(data, f.front[:2]) {
			return decode.Value{}, errFront
		}
		if !bytes.HasPrefix(data, f.front) {
			return decode.Value{}, errFingerprint
		}
		data = data[len(f.front):]
	}
	return read(t, f.schema, data)
}
func (*fixed) HasFields() bool { return true }
func (*fixed) String() string  { return "avro" }
