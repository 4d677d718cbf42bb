package rowkey

import (
	"strings"
)

// Encoding is how a value becomes bytes.
type Encoding uint8

// Encodings. The plain integer and float forms, and the decimal, keep value order under byte order: integers are
// big-endian with the sign bit flipped, floats too (and, for negative ones, every bit), decimals are told in
// decimal.go. The Bytes forms are those of org.apache.hadoop.hbase.util.Bytes toBytes: big-endian two's
// complement, IEEE 754 bits, and for a boolean one byte of -1 or 0; negative numbers sort behind positive ones in
// them. The Phoenix forms are those of Apache Phoenix's types in a row key; where they equal a plain form, they are
// another name of it.
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
	BytesDecimal            // for columns: it neither sorts nor tells its end
	Decimal                 // any number of digits, exact; equal numbers have equal bytes
	UUID                    // 16 bytes, from text such as 123e4567-e89b-12d3-a456-426614174000
	Base64                  // the bytes of which text is the base64, in the alphabet with + and /
	Base64URL               // the same in the alphabet with - and _
	PhoenixVarchar          // UTF-8; the part ends it with a zero byte
	PhoenixChar             // ASCII, filled up with spaces to the part's width
	PhoenixUnsignedTinyint  // big-endian, not negative
	PhoenixUnsignedSmallint //
	PhoenixUnsignedInt      //
	PhoenixUnsignedLong     //
	PhoenixFloat            // the plain form plus one
	PhoenixDouble           //
	PhoenixDecimal          // up to 38 digits; the part ends it with a zero byte
	PhoenixBoolean          // one byte of 1 or 0
	PhoenixTimestamp        // milliseconds as int64, and in four bytes the nanoseconds beyond them
)

// encodings names each encoding and its length in bytes, 0 if it varies.
var encodings = [...]struct {
	name  string
	width int
}{
	String: {"string", 0}, Hex: {"hex", 0},
	Int8: {"int8", 1}, Int16: {"int16", 2}, Int32: {"int32", 4}, Int64: {"int64", 8},
	Float32: {"float32", 4}, Float64: {"float64", 8},
	BytesInt8: {"bytes_int8", 1}, BytesInt16: {"bytes_int16", 2}, BytesInt32: {"bytes_int32", 4}, BytesInt64: {"bytes_int64", 8},
	BytesFloat32: {"bytes_float32", 4}, BytesFloat64: {"bytes_float64", 8}, BytesBool: {"bytes_bool", 1}, BytesDecimal: {"bytes_decimal", 0},
	Decimal: {"decimal", 0}, UUID: {"uuid", 16}, Base64: {"base64", 0}, Base64URL: {"base64url", 0},
	PhoenixVarchar: {"phoenix_varchar", 0}, PhoenixChar: {"phoenix_char", 0},
	PhoenixUnsignedTinyint: {"phoenix_unsigned_tinyint", 1}, PhoenixUnsignedSmallint: {"phoenix_unsigned_smallint", 2},
	PhoenixUnsignedInt: {"phoenix_unsigned_int", 4}, PhoenixUnsignedLong: {"phoenix_unsigned_long", 8},
	PhoenixFloat: {"phoenix_float", 4}, PhoenixDouble: {"phoenix_double", 8},
	PhoenixDecimal: {"phoenix_decimal", 0}, PhoenixBoolean: {"phoenix_boolean", 1}, PhoenixTimestamp: {"phoenix_timestamp", 12},
}

// otherNames are Phoenix's names for what has a plain one.
var otherNames = [...]struct {
	name string
	enc  Encoding
}{
	{"phoenix_tinyint", Int8},
	{"phoenix_smallint", Int16},
	{"phoenix_integer", Int32},
	{"phoenix_bigint", Int64},
	{"phoenix_date", Int64},
	{"phoenix_time", Int64},
}

// EncodingNames lists what ParseEncoding knows, for error messages.
var EncodingNames = func() string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.name)
	}
	for _, o := range otherNames {
		names = append(names, o.name)
	}
	return strings.Join(names, ", ")
}()

// ParseEncoding gives the encoding of a name; the empty name is string.
func ParseEncoding(name string) (Encoding, bool) {
	if name == "" {
		return String, true
	}
	for e := range encodings {
		if encodings[e].name == name {
			return Encoding(e), true
		}
	}
	for _, o := range otherNames {
		if o.name == name {
			return o.enc, true
		}
	}
	return 0, false
}

func (e Encoding) String() string { return encodings[e].name }

// Width is the length of an encoded value in bytes, 0 if it varies.
func (e Encoding) Width() int { return encodings[e].width }

// turns says that the bytes are text, or stand for themselves: a part reverses their order, where it inverts the
// bits of the others.
func (e Encoding) turns() bool {
	return e == String || e == Hex || e == Base64 || e == Base64URL
}

// ended says that a byte ends the value, see Key.Append.
func (e Encoding) ended() bool { return e == PhoenixVarchar || e == PhoenixDecimal }
