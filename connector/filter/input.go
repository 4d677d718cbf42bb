package filter

import (
	"unicode/utf8"

	"rowmark/connector/decode"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// Input is the record that an expression looks at.
type Input struct {
	Record                    *decode.Record
	Key, Value, Before, Event decode.Value
	// Left says that a value, or one of before, only stands for one that the event left out: it is missing then. nil:
	// none does.
	Left func(decode.Value) bool
}

// plain is for values of which none is left out.
var plain = &Input{}

// ResolveName gives the value of a name.
func (in *Input) ResolveName(name string) (any, bool) {
	switch name {
	case "value":
		return in.valueOf(in.Value), true
	case "before":
		return in.valueOf(in.Before), true
	case "event":
		return plain.valueOf(in.Event), true
	case "key":
		return plain.valueOf(in.Key), true
	case "topic":
		return types.String(in.Record.Topic), true
	case "partition":
		return types.Int(in.Record.Partition), true
	case "offset":
		return types.Int(in.Record.Offset), true
	case "timestamp":
		return types.Int(in.Record.Timestamp), true
	case "header":
		return in.headers(), true
	}
	return nil, false
}

// Parent is none.
func (in *Input) Parent() interpreter.Activation { return nil }

func (in *Input) headers() ref.Val {
	out := make(map[ref.Val]ref.Val, len(in.Record.Headers))
	var names []ref.Val
	for i := range in.Record.Headers {
		h := &in.Record.Headers[i]
		var v ref.Val = types.Bytes(h.Value)
		switch {
		case h.Value == nil:
			v = types.NullValue
		case utf8.Valid(h.Value):
			v = types.String(h.Value)
		}
		name := types.String(h.Key)
		if _, again := out[name]; !again {
			names = append(names, name)
		}
		out[name] = v
	}
	return headers{types.NewRefValMap(types.DefaultTypeAdapter, out), names}
}

// headers are gone over in the order of the record.
type headers struct {
	traits.Mapper
	names []ref.Val
}

// Iterator goes over the names.
func (h headers) Iterator() traits.Iterator { return over(h.names) }
