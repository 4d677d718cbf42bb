package rowkey

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The ordered decimal has the bytes of HBase's OrderedBytes.encodeNumeric, which end by themselves. HBase rounds to
// 31 digits; here every digit counts, and the form goes on as it began. With v = 0.PPP times 100^e, PPP being
// pairs of digits of which neither the first nor the last is zero:
//
//	v = 0            15
//	0 < v < 1        16, ~varuint(-e), pairs
//	1 <= v < 100^10  17+e, pairs             (e is 1 to 10)
//	beyond           22, varuint(e), pairs
//	v < 0            2a minus the first byte of -v, then the complement of its other bytes
//
// A pair is one byte, 2*pair+1, and 2*pair if it is the last. varuint is that of SQLite4: one byte up to 240, and
// longer forms of which the first byte grows.
const (
	decimalZero   = 0x15
	decimalSmall  = 0x16
	decimalMedium = 0x17
	decimalLarge  = 0x22
	decimalMirror = 0x2a
	mediumHundred = 10
	// farthestHundred is what Java's BigDecimal can hold.
	farthestHundred = 1 << 30
)

var errDecimal = errors.New("these are not the bytes of a decimal")

func appendDecimal(dst []byte, v Value) ([]byte, error) {
	var room [20]byte
	d, err := decimalOf(v, &room)
	if err != nil {
		return dst, err
	}
	if d.len() == 0 {
		return append(dst, decimalZero), nil
	}
	start := len(dst)
	exponent, pairs := d.hundreds()
	switch {
	case exponent > farthestHundred || exponent < -farthestHundred:
		return dst, errTooLarge
	case exponent > mediumHundred:
		dst = appendVaruint(append(dst, decimalLarge), uint32(exponent))
	case exponent > 0:
		dst = append(dst, byte(decimalMedium+exponent))
	default:
		dst = appendVaruint(append(dst, decimalSmall), uint32(-exponent))
		invert(dst[start+1:])
	}
	for i := range pairs {
		dst = append(dst, byte(2*d.pair(i)+1))
	}
	dst[len(dst)-1]--
	if d.negative {
		mirrorDecimal(dst[start:])
	}
	return dst, nil
}

// mirrorDecimal turns the bytes of a number to those of its negative.
func mirrorDecimal(b []byte) {
	b[0] = decimalMirror - b[0]
	invert(b[1:])
}

// readDecimal reads the decimal that b begins with, and gives the number of its bytes.
func readDecimal(b []byte) (d digits, n int, err error) {
	if len(b) == 0 {
		return d, 0, errDecimal
	}
	negative := b[0] < decimalZero && b[0] >= decimalMirror-decimalLarge
	if negative {
		b = bytes.Clone(b)
		mirrorDecimal(b)
	}
	if b[0] == decimalZero {
		return d, 1, nil
	}
	exponent, first := readHundreds(b)
	if first == 0 {
		return d, 0, errDecimal
	}
	text := []byte("0.")
	for n = first; n < len(b) && b[n] < 200; n++ {
		pair := b[n] / 2
		text = append(text, '0'+pair/10, '0'+pair%10)
		if b[n]&1 == 1 {
			continue
		}
		if pair == 0 || b[first] < 2 { // written by something else
			break
		}
		d, _ = parseDigits(text)
		d.negative = negative
		d.point += 2 * exponent
		return d, n + 1, nil
	}
	return d, 0, errDecimal
}

// readHundreds reads what stands before the pairs, in n bytes; 0 for what is no number.
func readHundreds(b []byte) (exponent, n int) {
	switch h := b[0]; {
	case h == decimalSmall:
		e, size := readVaruint(inverted(b[1:]))
		exponent, n = -int(e), size
	case h == decimalLarge:
		e, size := readVaruint(b[1:])
		exponent, n = int(e), size
	case h > decimalMedium && h <= decimalMedium+mediumHundred:
		return int(h) - decimalMedium, 1
	}
	if n == 0 {
		return 0, 0
	}
	return exponent, 1 + n
}

func appendVaruint(dst []byte, u uint32) []byte {
	switch {
	case u <= 240:
		return append(dst, byte(u))
	case u <= 2287:
		return append(dst, byte((u-240)>>8+241), byte(u-240))
	case u <= 67823:
		return binary.BigEndian.AppendUint16(append(dst, 249), uint16(u-2288))
	case u < 1<<24:
		return append(dst, 250, byte(u>>16), byte(u>>8), byte(u))
	}
	return binary.BigEndian.AppendUint32(append(dst, 251), u)
}

// readVaruint gives size 0 where b begins with no number.
func readVaruint(b []byte) (u uint32, size int) {
	if len(b) == 0 {
		return 0, 0
	}
	switch h := b[0]; {
	case h <= 240:
		return uint32(h), 1
	case h < 249 && len(b) > 1:
		return (uint32(h)-241)<<8 + uint32(b[1]) + 240, 2
	case h == 249 && len(b) > 2:
		return uint32(binary.BigEndian.Uint16(b[1:])) + 2288, 3
	case h == 250 && len(b) > 3:
		return binary.BigEndian.Uint32(b) & 0xffffff, 4
	case h == 251 && len(b) > 4:
		return binary.BigEndian.Uint32(b[1:]), 5
	}
	return 0, 0
}

func inverted(b []byte) []byte {
	out := bytes.Clone(b)
	invert(out)
	return out
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}
