package decode

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
)

// Bounds of a decimal: bytes of its unscaled value, and digits that its scale adds. Beyond them text would cost more
// than any number is worth.
const (
	maxDecimal = 1024
	maxScale   = 4096
)

var (
	errDecimal = fmt.Errorf("a decimal has more than %d bytes", maxDecimal)
	errScale   = fmt.Errorf("a decimal's scale is beyond %d", maxScale)
	errNoBytes = errors.New("a decimal has no bytes")
)

// AppendDecimal adds a decimal as text, with all digits of its scale: unscaled, a big-endian two's complement, times ten
// to the power of -scale. It is how Connect, Avro and Debezium write exact numbers. Errors are those of sizes beyond any
// number's: more than 1024 bytes, or a scale beyond 4096.
func AppendDecimal(dst, unscaled []byte, scale int) ([]byte, error) {
	if err := checkDecimal(unscaled, scale); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = appendTwos(dst, unscaled)
	if scale <= 0 {
		if dst[start] == '0' {
			return dst, nil
		}
		for range -scale {
			dst = append(dst, '0')
		}
		return dst, nil
	}
	if dst[start] == '-' {
		start++
	}
	if missing := scale + 1 - (len(dst) - start); missing > 0 {
		dst = append(dst, zeros[:missing]...)
		copy(dst[start+missing:], dst[start:len(dst)-missing])
		copy(dst[start:], zeros[:missing])
	}
	return slices.Insert(dst, len(dst)-scale, '.'), nil
}

// zeros are more than any scale adds.
var zeros = bytes.Repeat([]byte{'0'}, maxScale+1)

// Decimal adds a decimal, see AppendDecimal.
func (b *Builder) Decimal(unscaled []byte, scale int) error {
	for len(unscaled) > 1 && (unscaled[0] == 0 && unscaled[1] < 0x80 || unscaled[0] == 0xff && unscaled[1] >= 0x80) {
		unscaled = unscaled[1:] // it only repeats the sign
	}
	if err := checkDecimal(unscaled, scale); err != nil {
		return err // before there is room for it: a scale in the record may name gigabytes
	}
	out, err := AppendDecimal(b.Room(3*len(unscaled)+max(scale, 0)+3), unscaled, scale)
	if err == nil {
		b.Number(b.Keep(out))
	}
	return err
}

func checkDecimal(unscaled []byte, scale int) error {
	switch {
	case len(unscaled) == 0:
		return errNoBytes
	case len(unscaled) > maxDecimal:
		return errDecimal
	case scale > maxScale || scale < -maxScale:
		return errScale
	}
	return nil
}

// appendTwos adds a two's complement as a whole number.
func appendTwos(dst, data []byte) []byte {
	if len(data) <= 8 {
		n := int64(int8(data[0]))
		for _, b := range data[1:] {
			n = n<<8 | int64(b)
		}
		return strconv.AppendInt(dst, n, 10)
	}
	n := new(big.Int).SetBytes(data)
	if data[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return n.Append(dst, 10)
}
