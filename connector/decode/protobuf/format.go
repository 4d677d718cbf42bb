package protobuf

import (
	"encoding/binary"
	"errors"
	"sync"

	"rowmark/connector/decode"
)

type confluent struct{ schemas *decode.Compiled[[]*message] }

// New reads what Confluent's serializer for Protobuf wrote, or another of the same wire format.
func New(schemas decode.Schemas) decode.Format {
	return &confluent{decode.NewCompiled(schemas, decode.ProtobufSchema, compile)}
}

func (f *confluent) Decode(t *decode.Tree, data []byte) (decode.Value, error) {
	id, body, err := decode.SchemaID(data)
	if err != nil {
		return decode.Value{}, err
	}
	messages, err := f.schemas.Of(id)
	if err != nil {
		return decode.Value{}, err
	}
	m, body, err := choose(messages, body)
	if err != nil {
		return decode.Value{}, err
	}
	r := readers.Get().(*reader)
	r.to, r.budget = t.Build(), decode.NewBudget(len(body))
	err = r.message(m, body, 0)
	v := decode.Value{}
	if err == nil {
		v = r.to.Value()
	}
	r.drop()
	return v, err
}
func (*confluent) HasFields() bool { return true }
func (*confluent) String() string  { return "protobuf" }

var readers = sync.Pool{New: func() any { return new(reader) }}

// keepEntries is the number of entries above which their room is given back.
const keepEntries = 4096

// drop lets go of the record.
func (r *reader) drop() {
	r.to = nil
	if cap(r.entries) > keepEntries {
		r.entries, r.most = nil, 0
	}
	clear(r.entries[:r.most])
	r.most = 0
	readers.Put(r)
}

var errIndexes = errors.New("it names no message of its schema: the message indexes in front are damaged")

// choose finds the message that the indexes in front name: the place of a message in the file, then of one declared in
// it, and so on. A zero in place of their number stands for the first message.
func choose(messages []*message, data []byte) (*message, []byte, error) {
	count, n := binary.Varint(data)
	if n <= 0 || count < 0 || count > int64(len(data)) {
		return nil, nil, errIndexes
	}
	data = data[n:]
	var m *message
	for i := range max(count, 1) {
		index := int64(0)
		if count > 0 {
			if index, n = binary.Varint(data); n <= 0 {
				return nil, nil, errIndexes
			}
			data = data[n:]
		}
		if i > 0 {
			messages = m.nested
		}
		if index < 0 || index >= int64(len(messages)) {
			return nil, nil, errIndexes
		}
		m = messages[index]
	}
	return m, data, nil
}
