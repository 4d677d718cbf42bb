package rowkey

import (
	"errors"
	"strconv"
)

// What stands for true; false is zero.
const (
	trueByte    = 0xff
	phoenixTrue = 1
)

var errBoolByte = errors.New("this is not the byte of a boolean")

func appendBool(dst []byte, v Value, yes byte) ([]byte, error) {
	b, err := boolean(v)
	if err != nil {
		return dst, err
	}
	if b {
		return append(dst, yes), nil
	}
	return append(dst, 0), nil
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

func readBool(b, yes byte) (string, error) {
	if b != 0 && b != yes {
		return "", errBoolByte
	}
	return strconv.FormatBool(b == yes), nil
}
