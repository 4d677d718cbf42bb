package mapping

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // a container without zone data knows them too

	"rowmark/rowkey"
)

// date reads a time in one form and writes it in another.
type date struct {
	from, to dateForm
	zone     *time.Location
}

// dateForm is a unit, rfc3339, or a layout.
type dateForm string

// dateUnits are counts since 1970, as nanoseconds of one; days are whole ones.
var dateUnits = map[dateForm]time.Duration{
	"ns": 1, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "days": 24 * time.Hour,
}

var (
	errForm     = errors.New("one of ms, s, us, ns, days (since 1970), rfc3339, or a layout of Go's package time, which is how it writes the second of January 2006, 15:04:05, as in 2006-01-02")
	errNoTime   = errors.New("the text is no time of that form")
	errFarTime  = errors.New("the time lies outside of the years 1 to 9999")
	errNanoTime = errors.New("the time has no number of nanoseconds in 64 bits")
)

// newDate checks a date's settings, and gives the key of the one that is bad.
func newDate(d Date) (step date, key string, err error) {
	step = date{from: dateForm(d.From), to: dateForm(d.To)}
	if d.From == "" {
		step.from = "ms"
	}
	if !step.from.known() {
		return step, "from", errForm
	}
	if !step.to.known() {
		return step, "to", errForm
	}
	if err := step.from.readable(); err != nil {
		return step, "from", err
	}
	if step.zone, err = time.LoadLocation(d.Zone); err != nil || d.Zone == "Local" {
		return step, "zone", errors.New("a zone of the tz database, as in Europe/Berlin; UTC unless set")
	}
	return step, "", nil
}

func (f dateForm) known() bool {
	_, unit := dateUnits[f]
	// A layout without an element gives itself: yyyy-MM-dd is none.
	return unit || f == "rfc3339" || f != "" && time.Unix(1e9, 1).UTC().Format(string(f)) != string(f)
}

// readable refuses a layout by which no time can be told.
func (f dateForm) readable() error {
	if _, unit := dateUnits[f]; unit || f == "rfc3339" {
		return nil
	}
	if strings.Contains(string(f), "MST") {
		return errors.New("an abbreviation of a zone does not tell it: give zone, or an offset (-0700) in the layout")
	}
	const year = 2001
	t, err := time.Parse(string(f), time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format(string(f)))
	if err != nil || t.Year() != year {
		return errors.New("a layout that is read has the year, and no part that can't be read back")
	}
	return nil
}

func (d date) String() string { return fmt.Sprintf("date from %s", d.from) }

func (d date) apply(w *worker, v rowkey.Value) (rowkey.Value, error) {
	t, err := d.read(v)
	if err != nil {
		return v, err
	}
	if !inYears(t) {
		return v, errFarTime
	}
	return d.write(w, t)
}

func inYears(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

func (d date) read(v rowkey.Value) (time.Time, error) {
	if unit, ok := dateUnits[d.from]; ok {
		n, err := rowkey.Integer(v)
		if err != nil {
			return time.Time{}, err
		}
		return since1970(n, unit)
	}
	layout := string(d.from)
	if d.from == "rfc3339" {
		layout = time.RFC3339Nano
	}
	t, err := time.ParseInLocation(layout, string(v.Text), noOffset)
	if err != nil || v.Kind != rowkey.Text && v.Kind != rowkey.Number {
		return t, errNoTime
	}
	if t.Location() == noOffset {
		t = localTime(t.Add(aside*time.Second).UTC(), d.zone)
	}
	return t, nil
}

// since1970 gives the time of a count.
func since1970(n int64, unit time.Duration) (time.Time, error) {
	if unit < time.Second {
		each := int64(time.Second / unit)
		return time.Unix(n/each, n%each*int64(unit)).UTC(), nil
	}
	seconds := int64(unit / time.Second)
	if n > lastTime/1000/seconds || n < -lastTime/1000/seconds {
		return time.Time{}, errFarTime
	}
	return time.Unix(n*seconds, 0).UTC(), nil
}

func (d date) write(w *worker, t time.Time) (rowkey.Value, error) {
	switch d.to {
	case "ns":
		if y := t.Year(); y < 1678 || y > 2261 {
			return rowkey.Value{}, errNanoTime
		}
		return rowkey.Value{Kind: rowkey.Int, Int: t.UnixNano()}, nil
	case "us":
		return rowkey.Value{Kind: rowkey.Int, Int: t.UnixMicro()}, nil
	case "ms":
		return rowkey.Value{Kind: rowkey.Int, Int: t.UnixMilli()}, nil
	case "s":
		return rowkey.Value{Kind: rowkey.Int, Int: t.Unix()}, nil
	case "days":
		const day = 24 * 60 * 60
		local := t.In(d.zone)
		midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
		return rowkey.Value{Kind: rowkey.Int, Int: midnight.Unix() / day}, nil
	}
	layout := string(d.to)
	if d.to == "rfc3339" {
		layout = time.RFC3339Nano
	}
	local := t.In(d.zone)
	if !inYears(local) {
		return rowkey.Value{}, errFarTime
	}
	start := len(w.buf)
	w.buf = local.AppendFormat(w.buf, layout)
	return rowkey.Value{Kind: rowkey.Text, Text: w.buf[start:len(w.buf):len(w.buf)]}, nil
}
