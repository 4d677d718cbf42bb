package decode

import (
	"encoding/binary"
	"errors"
)

var (
	errNoPrefix = errors.New("it is shorter than the 5 bytes that Confluent's serializers put in front")
	errMagic    = errors.New("its first byte is not 0, with which Confluent's serializers begin")
)

// SchemaID takes the front off what a Confluent serializer wrote: a zero byte and the schema's id in 4 bytes.
func SchemaID(data []byte) (id uint32, body []byte, err error) {
	if len(data) < 5 {
		return 0, nil, errNoPrefix
	}
	if data[0] != 0 {
		return 0, nil, errMagic
	}
	return binary.BigEndian.Uint32(data[1:5]), data[5:], nil
}

// JSONSchema is JSON as Confluent's serializer for JSON Schema writes it. The schema behind the id says nothing that is
// needed for reading, so it is not asked for.
var JSONSchema Format = jsonSchemaFormat{}

type jsonSchemaFormat struct{ all bool }

func (f jsonSchemaFormat) Decode(t *Tree, data []byte) (Value, error) {
	_, body, err := SchemaID(data)
	if err != nil {
		return Value{}, err
	}
	return jsonFormat(f).Decode(t, body)
}
func (jsonSchemaFormat) HasFields() bool { return true }
func (jsonSchemaFormat) String() string  { return "json-schema" }
