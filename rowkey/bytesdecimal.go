package rowkey

import (
	"encoding/binary"
	"math"
	"math/big"
)

// appendBytesDecimal writes Bytes.toBytes of Java's BigDecimal of the same text: the scale in four bytes, and then the
// digits as one whole number, in as few bytes of two's complement as hold it. The zeros behind the point count.
func appendBytesDecimal(dst []byte, v Value) ([]byte, error) {
	var room [20]byte
	d, err := decimalOf(v, &room)
	if err != nil {
		return dst, err
	}
	n := d.point + d.scale
	if n > MaxLength || d.scale > math.MaxInt32 || d.scale < math.MinInt32 {
		return dst, errTooLarge
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(int32(d.scale)))
	if n > 18 {
		return appendLarge(dst, &d, n), nil
	}
	var u int64
	for i := range n {
		u = 10*u + int64(d.at(i))
	}
	if d.negative {
		u = -u
	}
	size := 1
	for u>>(8*size-1) != u>>63 {
		size++
	}
	for size--; size >= 0; size-- {
		dst = append(dst, byte(u>>(8*size)))
	}
	return dst, nil
}

func appendLarge(dst []byte, d *digits, n int) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = byte('0' + d.at(i))
	}
	x, _ := new(big.Int).SetString(string(text), 10)
	if !d.negative {
		return append(dst, x.FillBytes(make([]byte, x.BitLen()/8+1))...)
	}
	x.Sub(x, big.NewInt(1))
	b := x.FillBytes(make([]byte, x.BitLen()/8+1))
	invert(b)
	return append(dst, b...)
}
