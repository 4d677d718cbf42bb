package rowkey

import (
	"math"
	"strconv"
)

func (e Encoding) flipsSign() bool { return e >= Int8 && e <= Int64 }

func (e Encoding) unsigned() bool { return e >= PhoenixUnsignedTinyint && e <= PhoenixUnsignedLong }

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
	if n < 0 && e.unsigned() {
		return dst, errUnsigned
	}
	u := uint64(n)
	if e.flipsSign() {
		u ^= 1 << (8*width - 1)
	}
	for i := width - 1; i >= 0; i-- {
		dst = append(dst, byte(u>>(8*i)))
	}
	return dst, nil
}

// readInt reads what appendInt wrote.
func (e Encoding) readInt(b []byte) string {
	var u uint64
	for _, x := range b {
		u = u<<8 | uint64(x)
	}
	shift := 64 - 8*len(b)
	if e.flipsSign() {
		u ^= 1 << (63 - shift)
	}
	return strconv.FormatInt(int64(u<<shift)>>shift, 10)
}

// Integer reads a whole number exactly. Number and Text are read as decimal text; 12.0 and 1.2e1 are whole, 1.5
// is not.
func Integer(v Value) (int64, error) {
	switch v.Kind {
	case Missing:
		return 0, errMissing
	case Null:
		return 0, errNull
	case Tree:
		return 0, errTree
	case Int:
		return v.Int, nil
	case Bytes:
		return 0, errRawNumber
	case Bool:
		return 0, errWhole
	}
	return parseInteger(v.Text)
}

func parseInteger(s []byte) (int64, error) {
	unsigned, negative := sign(s)
	if len(unsigned) == 0 {
		return 0, errWhole
	}
	var u uint64
	for i, c := range unsigned {
		// An exponent may still make it fit.
		if c < '0' || c > '9' || i >= 18 && u > (math.MaxUint64-9)/10 {
			return parseDecimal(s)
		}
		u = u*10 + uint64(c-'0')
	}
	return signed(u, negative)
}

func sign(s []byte) ([]byte, bool) {
	if len(s) > 0 && s[0] == '-' {
		return s[1:], true
	}
	return s, false
}

func signed(u uint64, negative bool) (int64, error) {
	switch {
	case negative && u <= 1<<63:
		return int64(-u), nil
	case !negative && u < 1<<63:
		return int64(u), nil
	}
	return 0, errTooLarge
}

// parseDecimal reads digits with a point or an exponent, and wants nothing left behind the point.
func parseDecimal(s []byte) (int64, error) {
	d, ok := parseDigits(s)
	if !ok || d.point < d.len() {
		return 0, errWhole
	}
	return d.truncate()
}

// truncate leaves out what stands behind the point.
func (d *digits) truncate() (int64, error) {
	if d.point > 19 { // 19 digits fit into 64 bits
		return 0, errTooLarge
	}
	var u uint64
	for i := range d.point {
		u = u*10 + uint64(d.at(i))
	}
	return signed(u, d.negative)
}
