package rowkey

import (
	"bytes"
	"strconv"
)

// digits is a decimal number taken apart: 0.DDD times ten to the power of point, where DDD is whole and then
// fraction, with no zero at either end. Zero has no digits. It aliases what it was read from.
type digits struct {
	negative        bool
	whole, fraction []byte
	point           int
	scale           int // BigDecimal's: how many digits stand behind the point, zeros too, once the exponent is applied
}

// furthest bounds exponents, so that adding lengths to them can't overflow.
const furthest = 1 << 60

// parseDigits reads a decimal as JSON writes it, with leading zeros allowed.
func parseDigits(s []byte) (digits, bool) {
	var d digits
	s, d.negative = sign(s)
	if i := bytes.IndexAny(s, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(s[i+1:]))
		if err != nil || n > furthest || n < -furthest {
			return d, false
		}
		s, d.point = s[:i], n
	}
	whole, fraction, point := bytes.Cut(s, []byte{'.'})
	if len(whole) == 0 || point && len(fraction) == 0 || !allDigits(whole) || !allDigits(fraction) {
		return d, false
	}
	d.scale = len(fraction) - d.point
	d.whole = bytes.TrimLeft(whole, "0")
	d.point += len(d.whole)
	d.fraction = bytes.TrimRight(fraction, "0")
	if len(d.whole) == 0 {
		n := len(d.fraction)
		d.fraction = bytes.TrimLeft(d.fraction, "0")
		d.point -= n - len(d.fraction)
	}
	if len(d.fraction) == 0 {
		d.whole = bytes.TrimRight(d.whole, "0")
	}
	if d.len() == 0 {
		d.point = 0
	}
	return d, true
}

func allDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// decimalOf takes a value apart. The text of an Int is written to room.
func decimalOf(v Value, room *[20]byte) (digits, error) {
	text := v.Text
	switch v.Kind {
	case Int:
		text = strconv.AppendInt(room[:0], v.Int, 10)
	case Bytes:
		return digits{}, errRawNumber
	case Bool:
		return digits{}, errNumber
	}
	d, ok := parseDigits(text)
	if !ok {
		return d, errNumber
	}
	return d, nil
}

func (d *digits) len() int { return len(d.whole) + len(d.fraction) }

// at is digit i, zero beyond both ends.
func (d *digits) at(i int) int {
	switch {
	case i < 0 || i >= d.len():
		return 0
	case i < len(d.whole):
		return int(d.whole[i] - '0')
	}
	return int(d.fraction[i-len(d.whole)] - '0')
}

// hundreds gives the exponent of 100 by which 0.PPP stands, PPP being pairs of digits of which the first is not
// zero, and how many pairs there are.
func (d *digits) hundreds() (exponent, pairs int) {
	return (d.point + 1) >> 1, (d.len() + d.point&1 + 1) / 2
}

// pair is the value of a pair of digits, 0 to 99.
func (d *digits) pair(i int) int {
	first := 2*i - d.point&1
	return 10*d.at(first) + d.at(first+1)
}

// plain is how many zeros are written out before exponents are used.
const plain = 20

// format writes a number as people read it: plainly, unless that takes many zeros.
func (d *digits) format() string {
	var out []byte
	if d.negative && d.len() > 0 {
		out = append(out, '-')
	}
	all := append(bytes.Clone(d.whole), d.fraction...)
	n := len(all)
	switch {
	case n == 0:
		return "0"
	case d.point > n+plain || d.point < -plain:
		out = append(out, all[0])
		if n > 1 {
			out = append(append(out, '.'), all[1:]...)
		}
		return string(strconv.AppendInt(append(out, 'e'), int64(d.point-1), 10))
	case d.point >= n:
		return string(append(append(out, all...), bytes.Repeat([]byte{'0'}, d.point-n)...))
	case d.point <= 0:
		out = append(append(out, "0."...), bytes.Repeat([]byte{'0'}, -d.point)...)
		return string(append(out, all...))
	}
	out = append(append(out, all[:d.point]...), '.')
	return string(append(out, all[d.point:]...))
}
