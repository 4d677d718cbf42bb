package filter

import (
	"math"
	"reflect"
	"strconv"

	"rowmark/connector/decode"
	"rowmark/rowkey"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

const (
	errLarge    = "the number does not fit into 64 bits"
	errFraction = "the number has a fraction, and more digits before it than a double holds"
)

// valueOf gives a decoded value as CEL has it.
func (in *Input) valueOf(v decode.Value) ref.Val {
	switch v.Kind {
	case decode.Bool:
		return types.Bool(v.True)
	case decode.Number:
		return number(v.Text)
	case decode.String:
		return types.String(v.Text)
	case decode.Bytes:
		return types.Bytes(v.Text)
	case decode.Object:
		return object{v, in}
	case decode.Array:
		elements := []ref.Val{}
		_ = v.Elements(func(e decode.Value) error { // the function never fails
			elements = append(elements, in.valueOf(e))
			return nil
		})
		return types.NewRefValList(types.DefaultTypeAdapter, elements)
	}
	return types.NullValue
}

func (in *Input) left(v decode.Value) bool { return in.Left != nil && in.Left(v) }

// number gives an int or uint, or else a double; an error where none of them is right.
func number(text []byte) ref.Val {
	if n, err := rowkey.Integer(rowkey.Value{Kind: rowkey.Number, Text: text}); err == nil {
		return types.Int(n)
	}
	if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
		return types.Uint(n)
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || f >= math.MaxInt64 || f <= math.MinInt64 {
		return types.NewErrFromString(errLarge)
	}
	if math.Abs(f) >= 1<<53 {
		return types.NewErrFromString(errFraction)
	}
	return types.Double(f)
}

// object is an object whose members are looked up when they are asked for.
type object struct {
	v  decode.Value
	in *Input
}

// Find gives a member.
func (o object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v := o.v.At([]string{string(name)})
	if v.Kind == decode.Missing || o.in.left(v) {
		return nil, false
	}
	return o.in.valueOf(v), true
}

// Get gives a member, or an error.
func (o object) Get(key ref.Val) ref.Val {
	if v, ok := o.Find(key); ok {
		return v
	}
	return types.NewErrFromString("no such key")
}

// Contains says whether there is a member.
func (o object) Contains(key ref.Val) ref.Val {
	_, ok := o.Find(key)
	return types.Bool(ok)
}

// Type is that of a map.
func (object) Type() ref.Type { return types.MapType }

// whole is the object with all its members.
func (o object) whole() traits.Mapper {
	out := map[ref.Val]ref.Val{}
	_ = o.v.Members(func(key []byte, v decode.Value) error { // the function never fails
		if !o.in.left(v) {
			out[types.String(key)] = o.in.valueOf(v)
		}
		return nil
	})
	return types.NewRefValMap(types.DefaultTypeAdapter, out)
}

// What few expressions ask, the whole object answers.

// ConvertToNative converts to a type of Go.
func (o object) ConvertToNative(t reflect.Type) (any, error) { return o.whole().ConvertToNative(t) }

// ConvertToType converts to a type of CEL.
func (o object) ConvertToType(t ref.Type) ref.Val { return o.whole().ConvertToType(t) }

// Equal compares member by member.
func (o object) Equal(other ref.Val) ref.Val {
	if p, ok := other.(object); ok {
		other = p.whole()
	}
	return o.whole().Equal(other)
}

// Iterator goes over the names, in the order of the record.
func (o object) Iterator() traits.Iterator {
	var names []ref.Val
	_ = o.v.Members(func(key []byte, v decode.Value) error { // the function never fails
		if !o.in.left(v) {
			names = append(names, types.String(key))
		}
		return nil
	})
	return over(names)
}

// over goes over names. A Go map would be gone over in another order each time, so that a replay might decide otherwise.
func over(names []ref.Val) traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, names).Iterator()
}

// Size is the number of members.
func (o object) Size() ref.Val { return o.whole().Size() }

// Value is the object as Go has it.
func (o object) Value() any { return o.whole().Value() }
