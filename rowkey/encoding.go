package rowkey

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
)

// Encoding is how a value becomes bytes.
type Encoding uint8

// Encodings. The plain integer and float forms keep value order under byte order: big-endian with the sign bit
// flipped (and, for negative floats, every bit). The Bytes forms are those of org.apache.hadoop.hbase.util.Bytes
// toBytes: big-endian two's complement, IEEE 754 bits, and for a boolean one byte of -1 or 0; negative numbers
// sort behind positive ones in them.
const (
	String Encoding = iota
	Hex             // lower-case hex of the bytes of text, or of a whole number that is not negative, without leading zeros
	Int8
	Int16
	Int32
	Int64
	Float32
	Float64
	BytesInt8
	BytesInt16
	BytesInt32
	BytesInt64
	BytesFloat32
	BytesFloat64
	BytesBool
)

var encodings = map[string]Encoding{
	"string": String, "hex": Hex,
	"int8": Int8, "int16": Int16, "int32": Int32, "int64": Int64, "float32": Float32, "float64": Float64,
	"bytes_int8": BytesInt8, "bytes_int16": BytesInt16, "bytes_int32": BytesInt32, "bytes_int64": BytesInt64,
	"bytes_float32": BytesFloat32, "bytes_float64": BytesFloat64, "bytes_bool": BytesBool,
}

// EncodingNames lists what ParseEncoding knows, for error messages.
const EncodingNames = "string, hex, int8, int16, int32, int64, float32, float64, bytes_int8, bytes_int16, bytes_int32, bytes_int64, bytes_float32, bytes_float64, bytes_bool"

// ParseEncoding gives the encoding of a name; the empty name is string.
func ParseEncoding(name string) (Encoding, bool) {
	if name == "" {
		return String, true
	}
	e, ok := encodings[name]
	return e, ok
}

func (e Encoding) String() string {
	for name, x := range encodings {
		if x == e {
			return name
		}
	}
	return "encoding " + strconv.Itoa(int(e))
}

// Width is the length of an encoded value in bytes, 0 if it varies.
func (e Encoding) Width() int {
	switch e {
	case Int8, BytesInt8, BytesBool:
		return 1
	case Int16, BytesInt16:
		return 2
	case Int32, BytesInt32, Float32, BytesFloat32:
		return 4
	case Int64, BytesInt64, Float64, BytesFloat64:
		return 8
	}
	return 0
}

// Reasons of Append. They say nothing of the value.
var (
	errMissing   = errors.New("the field is missing")
	errNull      = errors.New("the field is null")
	errEmpty     = errors.New("the field is empty")
	errTree      = errors.New("the field is an object or array")
	errWhole     = errors.New("not a whole number")
	errNumber    = errors.New("not a number")
	errBool      = errors.New("not true or false")
	errTooLarge  = errors.New("the number does not fit")
	errNegative  = errors.New("a negative number has no hex form")
	errNotUTF8   = errors.New("not valid UTF-8")
	errRawNumber = errors.New("raw bytes are not read as a number: give the record's key or value the format string or json")
)

// Append adds the encoded value to dst. Integers never pass through a float; what does not fit is an error.
func (e Encoding) Append(dst []byte, v Value) ([]byte, error) {
	switch v.Kind {
	case Missing:
		return dst, errMissing
	case Null:
		return dst, errNull
	case Tree:
		return dst, errTree
	}
	switch e {
	case String:
		return appendString(dst, v), nil
	case Hex:
		return appendHex(dst, v)
	case BytesBool:
		b, err := boolean(v)
		if err != nil {
			return dst, err
		}
		if b {
			return append(dst, 0xff), nil
		}
		return append(dst, 0), nil
	case Float32, Float64, BytesFloat32, BytesFloat64:
		return e.appendFloat(dst, v)
	}
	return e.appendInt(dst, v)
}

func appendString(dst []byte, v Value) []byte {
	switch v.Kind {
	case Int:
		return strconv.AppendInt(dst, v.Int, 10)
	case Bool:
		return strconv.AppendBool(dst, v.Int != 0)
	}
	return append(dst, v.Text...)
}

func appendHex(dst []byte, v Value) ([]byte, error) {
	switch v.Kind {
	case Text, Bytes:
		return hex.AppendEncode(dst, v.Text), nil
	}
	n, err := Integer(v)
	if err != nil {
		return dst, err
	}
	if n < 0 {
		return dst, errNegative
	}
	return strconv.AppendInt(dst, n, 16), nil
}

func (e Encoding) appendInt(dst []byte, v Value) ([]byte, error) {
	n, err := Integer(v)
	if err != nil {
		return dst, err
	}
	width := e.Width()
	shift := 64 - 8*width
	if n<<shift>>shift != n {
		return dst, errTooLarge
	}
	u := uint64(n)
	if e <= Int64 {
		u ^= 1 << (8*width - 1)
	}
	for i := width - 1; i >= 0; i-- {
		dst = append(dst, byte(u>>(8*i)))
	}
	return dst, nil
}

func (e Encoding) appendFloat(dst []byte, v Value) ([]byte, error) {
	f, err := float(v, 8*e.Width())
	if err != nil {
		return dst, err
	}
	ordered := e == Float32 || e == Float64
	if ordered && f == 0 {
		f = 0 // minus zero equals zero, so it sorts with it
	}
	if e.Width() == 4 {
		u := math.Float32bits(float32(f))
		if ordered {
			u ^= uint32(int32(u)>>31) | 1<<31
		}
		return binary.BigEndian.AppendUint32(dst, u), nil
	}
	u := math.Float64bits(f)
	if ordered {
		u ^= uint64(int64(u)>>63) | 1<<63
	}
	return binary.BigEndian.AppendUint64(dst, u), nil
}
