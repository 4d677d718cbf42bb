package rowkey

import (
	"encoding/hex"
	"strconv"
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
		return appendBool(dst, v, trueByte)
	case PhoenixBoolean:
		return appendBool(dst, v, phoenixTrue)
	case Float32, Float64, BytesFloat32, BytesFloat64, PhoenixFloat, PhoenixDouble:
		return e.appendFloat(dst, v)
	case BytesDecimal:
		return appendBytesDecimal(dst, v)
	case Decimal:
		return appendDecimal(dst, v)
	case UUID:
		return appendUUID(dst, v)
	case Base64, Base64URL:
		return e.appendBase64(dst, v)
	case PhoenixVarchar, PhoenixChar:
		return e.appendPhoenixText(dst, v)
	case PhoenixDecimal:
		return appendPhoenixDecimal(dst, v)
	case PhoenixTimestamp:
		return appendPhoenixTimestamp(dst, v)
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
