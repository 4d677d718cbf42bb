package avro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"rowmark/connector/decode"
)

const maxDepth = 256

var (
	errShort   = errors.New("it ends within a value")
	errLong    = errors.New("bytes are left over behind the last value")
	errDepth   = fmt.Errorf("it is nested deeper than %d", maxDepth)
	errVarint  = errors.New("a whole number has more bits than its type")
	errBool    = errors.New("a boolean is neither 0 nor 1")
	errLength  = errors.New("a length is negative, or larger than what is left")
	errMember  = errors.New("a union has no branch of that number")
	errSymbol  = errors.New("an enum has no symbol of that number")
	errUTF8    = errors.New("a string is not valid UTF-8")
	durationOf = [][]byte{[]byte("months"), []byte("days"), []byte("milliseconds")}
)

// reader walks through the bytes of one value.
type reader struct {
	data   []byte
	to     *decode.Builder
	budget decode.Budget
}

// read gives the value of a schema.
func read(t *decode.Tree, s *schema, data []byte) (decode.Value, error) {
	r := reader{data: data, to: t.Build(), budget: decode.NewBudget(len(data))}
	if err := r.value(s, 0); err != nil {
		return decode.Value{}, err
	}
	if len(r.data) > 0 {
		return decode.Value{}, errLong
	}
	return r.to.Value(), nil
}

func (r *reader) value(s *schema, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	if err := r.budget.Spend(1); err != nil {
		return err
	}
	switch s.kind {
	case nullKind:
		r.to.Null()
		return nil
	case recordKind:
		return r.record(s, depth)
	case arrayKind:
		r.to.Array()
		err := r.array(s, depth)
		r.to.End()
		return err
	case mapKind:
		r.to.Object()
		err := r.mapOf(s, depth)
		r.to.End()
		return err
	case unionKind:
		n, err := r.long()
		if err != nil {
			return err
		}
		if n < 0 || n >= int64(len(s.members)) {
			return errMember
		}
		return r.value(s.members[n], depth)
	case boolKind, intKind, longKind, enumKind, floatKind, doubleKind:
		return r.scalar(s)
	}
	return r.bytes(s)
}

func (r *reader) scalar(s *schema) error {
	switch s.kind {
	case floatKind:
		data, err := r.take(4)
		if err == nil {
			r.to.Float(float64(math.Float32frombits(binary.LittleEndian.Uint32(data))), 32)
		}
		return err
	case doubleKind:
		data, err := r.take(8)
		if err == nil {
			r.to.Float(math.Float64frombits(binary.LittleEndian.Uint64(data)), 64)
		}
		return err
	case boolKind:
		data, err := r.take(1)
		if err == nil && data[0] > 1 {
			err = errBool
		}
		if err == nil {
			r.to.Bool(data[0] == 1)
		}
		return err
	}
	n, err := r.long()
	switch {
	case err != nil:
		return err
	case s.kind == longKind:
		r.to.Int(n)
	case n < math.MinInt32 || n > math.MaxInt32:
		return errVarint
	case s.kind == intKind:
		r.to.Int(n)
	case n < 0 || n >= int64(len(s.symbols)):
		return errSymbol
	default:
		r.to.String(s.symbols[n])
	}
	return nil
}

// bytes reads what has a length, in the data or in its type.
func (r *reader) bytes(s *schema) error {
	var data []byte
	var err error
	switch s.kind {
	case bytesKind, stringKind, decimalKind:
		data, err = r.sized()
	default:
		data, err = r.take(int64(s.size))
	}
	if err != nil {
		return err
	}
	switch s.kind {
	case stringKind:
		if !utf8.Valid(data) {
			return errUTF8
		}
		r.to.String(data)
	case decimalKind, fixedDecimalKind:
		return r.to.Decimal(data, s.scale)
	case fixedUUIDKind:
		r.to.String(r.to.Keep(appendUUID(r.to.Room(36), data)))
	case durationKind:
		r.to.Object()
		for i, name := range durationOf {
			r.to.Name(name)
			r.to.Uint(uint64(binary.LittleEndian.Uint32(data[4*i:])))
		}
		r.to.End()
	default:
		r.to.Bytes(data)
	}
	return nil
}

func appendUUID(dst, id []byte) []byte {
	const digits = "0123456789abcdef"
	for i, c := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}

func (r *reader) record(s *schema, depth int) error {
	r.to.Object()
	for i := range s.fields {
		f := &s.fields[i]
		r.to.Name(f.name)
		if err := r.value(f.schema, depth+1); err != nil {
			return decode.Below(string(f.name), err)
		}
	}
	r.to.End()
	return nil
}

func (r *reader) array(s *schema, depth int) error {
	at := 0
	for {
		n, err := r.block()
		if err != nil || n == 0 {
			return err
		}
		for range n {
			if err := r.value(s.item, depth+1); err != nil {
				return decode.Below("["+strconv.Itoa(at)+"]", err)
			}
			at++
		}
	}
}

func (r *reader) mapOf(s *schema, depth int) error {
	for {
		n, err := r.block()
		if err != nil || n == 0 {
			return err
		}
		for range n {
			key, err := r.sized()
			if err == nil && !utf8.Valid(key) {
				err = errUTF8
			}
			if err == nil {
				r.to.Name(key)
				err = r.value(s.item, depth+1)
			}
			if err != nil {
				return decode.Below("[*]", err)
			}
		}
	}
}

// block reads how many elements follow; 0 ends an array or map.
func (r *reader) block() (int64, error) {
	n, err := r.long()
	if err != nil {
		return 0, err
	}
	if n < 0 {
		n = -n // and the bytes they take follow, for readers that pass over them
		size, err := r.long()
		if err != nil {
			return 0, err
		}
		if size < 0 || size > int64(len(r.data)) {
			return 0, errLength
		}
	}
	if n < 0 {
		return 0, errLength
	}
	return n, nil
}

func (r *reader) sized() ([]byte, error) {
	n, err := r.long()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > int64(len(r.data)) {
		return nil, errLength
	}
	return r.take(n)
}

func (r *reader) take(n int64) ([]byte, error) {
	if n > int64(len(r.data)) {
		return nil, errShort
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out, nil
}

// long reads a zig-zag number.
func (r *reader) long() (int64, error) {
	n, size := binary.Varint(r.data)
	switch {
	case size == 0:
		return 0, errShort
	case size < 0:
		return 0, errVarint
	}
	r.data = r.data[size:]
	return n, nil
}
