package protobuf

import (
	"errors"
	"strconv"
	"time"
)

var errMoment = errors.New("a Timestamp or Duration is out of its range")

const (
	firstSecond = -62135596800 // of the year 1
	lastSecond  = 253402300799 // of the year 9999
	mostSeconds = 315576000000 // of a duration, 10,000 years
)

// moment adds a Timestamp or a Duration as text.
func (r *reader) moment(m *message, spans int) error {
	var parts [2]int64
	for i := range parts {
		if s := r.spans[spans+i]; s.first >= 0 {
			parts[i] = signed(m.fields[i].kind, r.entries[s.first].number)
		}
	}
	seconds, nanos := parts[0], parts[1]
	out := r.to.Room(36)
	if m.form == timestamp {
		if seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos > 999999999 {
			return errMoment
		}
		out = time.Unix(seconds, 0).UTC().AppendFormat(out, "2006-01-02T15:04:05")
		out = append(appendFraction(out, nanos), 'Z')
	} else {
		if seconds < -mostSeconds || seconds > mostSeconds || nanos < -999999999 || nanos > 999999999 || seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0 {
			return errMoment
		}
		if seconds < 0 || nanos < 0 {
			out, seconds, nanos = append(out, '-'), -seconds, -nanos
		}
		out = strconv.AppendInt(out, seconds, 10)
		out = append(appendFraction(out, nanos), 's')
	}
	r.to.String(r.to.Keep(out))
	return nil
}

// appendFraction adds three, six or nine digits, or none.
func appendFraction(out []byte, nanos int64) []byte {
	if nanos == 0 {
		return out
	}
	digits := strconv.AppendInt(nil, 1000000000+nanos, 10)
	digits[0] = '.'
	n := 10
	for n > 4 && string(digits[n-3:n]) == "000" {
		n -= 3
	}
	return append(out, digits[:n]...)
}
