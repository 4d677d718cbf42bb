package rowkey

import (
	"encoding/binary"
	"errors"
	"math/big"
)

var errLength = errors.New("these are not as many bytes as the encoding has")

// Text gives a value that Append encoded, of a cell and not of a part of a key, as people read it: 0x and hex digits for
// what is no text. The error says that the bytes are not of the encoding.
func (e Encoding) Text(b []byte) (string, error) {
	switch {
	case e == Base64 || e == Base64URL:
		return e.readBase64(b), nil
	case e.turns() || e == PhoenixVarchar || e == PhoenixChar:
		return readable(b), nil
	case len(b) == 0 || e.Width() > 0 && len(b) != e.Width():
		return "", errLength
	case e == BytesDecimal:
		return readBytesDecimal(b)
	case e == Decimal:
		d, n, err := readDecimal(b)
		if err == nil && n != len(b) {
			err = errLength
		}
		return d.format(), err
	}
	return e.read(b)
}

// readBytesDecimal reads what appendBytesDecimal wrote; zeros at the end are left out.
func readBytesDecimal(b []byte) (string, error) {
	if len(b) < 5 || len(b) > MaxLength {
		return "", errLength
	}
	scale := int32(binary.BigEndian.Uint32(b))
	n := new(big.Int).SetBytes(b[4:])
	if b[4] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b[4:]))))
	}
	d, _ := parseDigits(n.Append(nil, 10))
	if d.len() > 0 {
		d.point -= int(scale)
	}
	return d.format(), nil
}
