package rowkey

import "errors"

// Reasons of Append. They say nothing of the value.
var (
	errMissing   = errors.New("the field is missing")
	errNull      = errors.New("the field is null")
	errEmpty     = errors.New("the field is empty")
	errTree      = errors.New("the field is an object or array")
	errWhole     = errors.New("not a whole number")
	errNumber    = errors.New("not a number")
	errBool      = errors.New("not true or false")
	errTooLarge  = errors.New("the number does not fit")
	errNegative  = errors.New("a negative number has no hex form")
	errNotUTF8   = errors.New("not valid UTF-8")
	errUnsigned  = errors.New("the number is negative, and the type has no sign")
	errUUID      = errors.New("not a UUID such as 123e4567-e89b-12d3-a456-426614174000")
	errBase64    = errors.New("not base64 of the alphabet with + and /")
	errBase64URL = errors.New("not base64 of the alphabet with - and _")
	errASCII     = errors.New("a phoenix_char holds ASCII only")
	errDigits    = errors.New("the number has more than the 38 digits of Phoenix")
	errFraction  = errors.New("the time is finer than a nanosecond")
	errRawNumber = errors.New("raw bytes are not read as a number: give the record's key or value the format string or json")
	errRawText   = errors.New("raw bytes are not read as text: give the record's key or value the format string or json")
)
