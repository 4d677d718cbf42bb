package rowkey

import "errors"

// Phoenix's decimal: with v = P.PPP times 100^e, PPP being pairs of digits of which neither the first nor the last
// is zero,
//
//	v = 0   80
//	v > 0   c1+e, each pair plus 1
//	v < 0   3e-e, 101 minus each pair, 66
//
// and no 66 where all 21 bytes are used up.
const (
	phoenixDigits  = 38
	phoenixZero    = 0x80
	phoenixAbove   = 0xc1
	phoenixBelow   = 0x3e
	phoenixMinus   = 101
	phoenixEnd     = 102
	phoenixLongest = 21
	// At the first exponent beyond these the first byte of a negative number would be the zero that means null.
	phoenixHighest, phoenixLowest = 61, -65
)

var errPhoenixDecimal = errors.New("these are not the bytes of a Phoenix decimal")

func appendPhoenixDecimal(dst []byte, v Value) ([]byte, error) {
	var room [20]byte
	d, err := decimalOf(v, &room)
	if err != nil {
		return dst, err
	}
	exponent, pairs := d.hundreds()
	exponent--
	switch {
	case d.len() == 0:
		return append(dst, phoenixZero), nil
	case d.len() > phoenixDigits:
		return dst, errDigits
	case exponent > phoenixHighest || exponent < phoenixLowest:
		return dst, errTooLarge
	}
	if !d.negative {
		dst = append(dst, byte(phoenixAbove+exponent))
		for i := range pairs {
			dst = append(dst, byte(d.pair(i)+1))
		}
		return dst, nil
	}
	dst = append(dst, byte(phoenixBelow-exponent))
	for i := range pairs {
		dst = append(dst, byte(phoenixMinus-d.pair(i)))
	}
	if pairs+2 <= phoenixLongest {
		dst = append(dst, phoenixEnd)
	}
	return dst, nil
}

func readPhoenixDecimal(b []byte) (string, error) {
	if len(b) == 1 && b[0] == phoenixZero {
		return "0", nil
	}
	if len(b) < 2 || len(b) > phoenixLongest {
		return "", errPhoenixDecimal
	}
	negative := b[0] < phoenixZero
	exponent := int(b[0]) - phoenixAbove
	pairs := b[1:]
	if negative {
		exponent = phoenixBelow - int(b[0])
		if pairs[len(pairs)-1] == phoenixEnd {
			pairs = pairs[:len(pairs)-1]
		}
	}
	text := []byte("0.")
	for _, x := range pairs {
		pair := int(x) - 1
		if negative {
			pair = phoenixMinus - int(x)
		}
		if pair < 0 || pair > 99 {
			return "", errPhoenixDecimal
		}
		text = append(text, byte('0'+pair/10), byte('0'+pair%10))
	}
	d, ok := parseDigits(text)
	if !ok {
		return "", errPhoenixDecimal
	}
	d.negative = negative
	d.point += 2 * (exponent + 1)
	return d.format(), nil
}
