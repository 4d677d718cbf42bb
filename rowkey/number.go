package rowkey

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

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
	digits, negative := sign(s)
	if len(digits) == 0 {
		return 0, errWhole
	}
	var u uint64
	for i, c := range digits {
		if c < '0' || c > '9' {
			return parseDecimal(digits, negative)
		}
		if i >= 18 && u > (math.MaxUint64-9)/10 {
			return 0, errTooLarge
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
func parseDecimal(s []byte, negative bool) (int64, error) {
	mantissa, exponent := s, 0
	if i := bytes.IndexAny(s, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(s[i+1:]))
		if err != nil {
			return 0, errWhole
		}
		mantissa, exponent = s[:i], n
	}
	whole, fraction, point := bytes.Cut(mantissa, []byte{'.'})
	if len(whole) == 0 || point && len(fraction) == 0 {
		return 0, errWhole
	}
	all := make([]byte, 0, len(whole)+len(fraction))
	all = append(append(all, whole...), fraction...)
	for _, c := range all {
		if c < '0' || c > '9' {
			return 0, errWhole
		}
	}
	all = bytes.TrimLeft(all, "0")
	if len(all) == 0 {
		return 0, nil
	}
	trimmed := bytes.TrimRight(all, "0")
	// The number is trimmed * 10^exponent, after the digits behind the point and the zeros taken off.
	exponent += len(all) - len(trimmed) - len(fraction)
	switch {
	case exponent < 0:
		return 0, errWhole
	case len(trimmed)+exponent > 19:
		return 0, errTooLarge
	}
	u, err := strconv.ParseUint(string(append(trimmed, bytes.Repeat([]byte{'0'}, exponent)...)), 10, 64)
	if err != nil {
		return 0, errTooLarge
	}
	return signed(u, negative)
}

func float(v Value, bits int) (float64, error) {
	switch v.Kind {
	case Int:
		return float64(v.Int), nil
	case Bytes:
		return 0, errRawNumber
	case Bool:
		return 0, errNumber
	}
	// ParseFloat takes more than decimals: hex, underscores, infinities, NaN.
	for _, c := range v.Text {
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-' {
			return 0, errNumber
		}
	}
	f, err := strconv.ParseFloat(string(v.Text), bits)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errTooLarge
	}
	if err != nil {
		return 0, errNumber
	}
	return f, nil
}

func boolean(v Value) (bool, error) {
	switch {
	case v.Kind == Bool:
		return v.Int != 0, nil
	case v.Kind == Text && string(v.Text) == "true":
		return true, nil
	case v.Kind == Text && string(v.Text) == "false":
		return false, nil
	}
	return false, errBool
}
