package rowkey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

func (e Encoding) appendPhoenixText(dst []byte, v Value) ([]byte, error) {
	out := appendString(dst, v)
	text := out[len(dst):]
	if e == PhoenixVarchar && !utf8.Valid(text) {
		return dst, errNotUTF8
	}
	if e == PhoenixChar {
		for _, c := range text {
			if c >= utf8.RuneSelf {
				return dst, errASCII
			}
		}
	}
	return out, nil
}

const (
	nanoDigits = 6 // behind the point of milliseconds
	nanoLimit  = 1_000_000
)

// appendPhoenixTimestamp takes milliseconds, with up to six digits behind the point.
func appendPhoenixTimestamp(dst []byte, v Value) ([]byte, error) {
	var room [20]byte
	d, err := decimalOf(v, &room)
	if err != nil {
		return dst, err
	}
	if d.len()-d.point > nanoDigits {
		return dst, errFraction
	}
	millis, err := d.truncate()
	if err != nil {
		return dst, err
	}
	nanos := 0
	for i := range nanoDigits {
		nanos = 10*nanos + d.at(d.point+i)
	}
	if d.negative && nanos > 0 {
		millis, nanos = millis-1, nanoLimit-nanos
		if millis >= 0 {
			return dst, errTooLarge
		}
	}
	dst, err = Int64.appendInt(dst, Value{Kind: Int, Int: millis})
	return binary.BigEndian.AppendUint32(dst, uint32(nanos)), err
}

var errPhoenixTimestamp = errors.New("these are not the bytes of a Phoenix timestamp")

func readPhoenixTimestamp(b []byte) (string, error) {
	millis := int64(binary.BigEndian.Uint64(b) ^ 1<<63)
	nanos := binary.BigEndian.Uint32(b[8:])
	if nanos >= nanoLimit {
		return "", errPhoenixTimestamp
	}
	negative := millis < 0
	whole := uint64(millis)
	if negative {
		if nanos > 0 {
			millis, nanos = millis+1, nanoLimit-nanos
		}
		whole = -uint64(millis)
	}
	d, _ := parseDigits(fmt.Appendf(nil, "%d.%06d", whole, nanos))
	d.negative = negative
	return d.format(), nil
}
