package mapping

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rowmark/rowkey"
)

func TestTransforms(t *testing.T) {
	const at = "ns:t k@36000000"
	const value = `{"s":"  Ünïcode x ","n":123.50,"i":-7,"b":true,"z":null,"e":"","o":{"a":1},"u":"straße","p":" 42 "}`
	field := func(name string, change func(c *Column)) Column {
		c := Column{Field: "value." + name, To: "d:a"}
		change(&c)
		return c
	}
	for _, c := range []struct {
		name string
		col  Column
		want string
	}{
		{"trim", field("s", func(c *Column) { c.Trim = true }), "=Ünïcode x"},
		{"upper", field("s", func(c *Column) { c.Trim, c.Upper = true, true }), "=ÜNÏCODE X"},
		{"lower", field("s", func(c *Column) { c.Trim, c.Lower = true, true }), "=ünïcode x"},
		{"upper character by character", field("u", func(c *Column) { c.Upper = true }), "=STRAßE"},
		{"substring", field("s", func(c *Column) { c.Substring = &Substring{From: 2, Length: 3} }), "=Ünï"},
		{"substring after trim", field("s", func(c *Column) { c.Trim, c.Substring = true, &Substring{Length: 1} }), "=Ü"},
		{"substring to the end", field("u", func(c *Column) { c.Substring = &Substring{From: 4} }), "=ße"},
		{"substring beyond", field("u", func(c *Column) { c.Substring = &Substring{From: 9, Length: 4} }), "="},
		{"substring of fewer", field("u", func(c *Column) { c.Substring = &Substring{From: 5, Length: 4} }), "=e"},
		{"of a number", field("n", func(c *Column) { c.Substring = &Substring{Length: 3} }), "=123"},
		{"of a boolean", field("b", func(c *Column) { c.Upper = true }), "=TRUE"},
		{"then encoded", field("p", func(c *Column) { c.Trim, c.As = true, "int8" }), "=*"},
		{"then counted", field("p", func(c *Column) { c.Trim, c.Op = true, "increment" }), "+=42"},
		{"of the offset", Column{Field: "offset", To: "d:a", Upper: true}, "=9"},
		{"of null", field("z", func(c *Column) { c.Upper, c.OnNull = true, "delete" }), " gone"},
		{"of nothing", field("no", func(c *Column) { c.Upper = true }), ""},
		{"of an object", field("o", func(c *Column) { c.Upper = true }), "!making column d:a: changing value.o by upper: an object or array is no text"},
		{"default of null", field("z", func(c *Column) { c.Default, c.Upper = ptr("none"), true }), "=none"},
		{"default of nothing", field("no", func(c *Column) { c.Default, c.As = ptr("1"), "int8" }), "=\x01"},
		{"default unused", field("e", func(c *Column) { c.Default = ptr("none") }), "="},
		{"default counted", field("no", func(c *Column) { c.Default, c.Op = ptr("3"), "increment" }), "+=3"},
		{"coalesce", Column{Coalesce: []string{"value.no", "value.z", "value.i", "value.n"}, To: "d:a"}, "=-7"},
		{"coalesce, empty is a value", Column{Coalesce: []string{"value.e", "value.i"}, To: "d:a"}, "="},
		{"coalesce of null", Column{Coalesce: []string{"value.z", "value.no"}, To: "d:a", OnNull: "empty"}, "="},
		{"coalesce of nothing", Column{Coalesce: []string{"value.no", "value.not"}, To: "d:a", OnNull: "empty"}, ""},
		{"coalesce by default", Column{Coalesce: []string{"value.z", "value.no"}, To: "d:a", Default: ptr("x")}, "=x"},
		{"coalesce encoded", Column{Coalesce: []string{"value.z", "value.u"}, To: "d:a", As: "int8"}, "!encoding value.z, value.u for column d:a: not a whole number"},
		{"template", Column{Template: "${value.u}-${value.i}${value.e}", To: "d:a"}, "=straße--7"},
		{"template encoded", Column{Template: "${value.i}0", To: "d:a", As: "int8"}, "=\xba"},
		{"template changed", Column{Template: "${value.u|upper}/${value.s|trim|lower}", To: "d:a", Substring: &Substring{From: 3}}, "=AßE/ünïcode x"},
		{"template without a field", Column{Template: "${value.u}${value.no}", To: "d:a"}, "!making column d:a: filling in value.no of ${value.u}${value.no}: the field is missing"},
		{"template of an object", Column{Template: "${value.o|upper}", To: "d:a"}, "!changing value.o by upper"},
		{"qualifier", Column{Literal: ptr("x"), To: "d:${value.s|trim|lower}"}, "!"},
		{"deleted by coalesce", Column{Coalesce: []string{"value.no", "value.i"}, To: "d:a", Op: "delete-column"}, " gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			switch {
			case want == "!":
				want = at + " d:ünïcode x=x"
			case want != "" && !strings.HasPrefix(want, "!"):
				want = at + " d:a" + want
			}
			expectMap(t, edit(func(s *Spec) {
				s.Columns = []Column{c.col}
				if c.col.Op == "increment" {
					s.OnTombstone = "ignore"
				}
			}), value, want)
		})
	}
}

// The times are those of Python's zoneinfo and datetime.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		value string
		date  Date
		want  string // or a part of the reason, after !
	}{
		{`1793448000123`, Date{To: "2006-01-02 15:04:05"}, "2026-10-31 12:00:00"},
		{`1793448000123`, Date{To: "rfc3339", Zone: "Europe/Berlin"}, "2026-10-31T13:00:00.123+01:00"},
		{`1785499200`, Date{From: "s", To: "2006-01-02T15:04:05Z07:00", Zone: "America/New_York"}, "2026-07-31T08:00:00-04:00"},
		{`"2026-07-31 12:00:00"`, Date{From: "2006-01-02 15:04:05", To: "ms", Zone: "Europe/Berlin"}, "1785492000000"},
		{`"2026-07-31 12:00:00.5"`, Date{From: "2006-01-02 15:04:05", To: "ms"}, "1785499200500"},
		{`"2026-07-31T12:00:00.000001+02:00"`, Date{From: "rfc3339", To: "us"}, "1785492000000001"},
		{`"2026-07-31T12:00:00+02:00"`, Date{From: "rfc3339", To: "ns"}, "1785492000000000000"},
		{`"31/07/26"`, Date{From: "02/01/06", To: "s", Zone: "Asia/Tokyo"}, "1785423600"},
		{`20260731`, Date{From: "20060102", To: "days"}, "20665"},
		{`20665`, Date{From: "days", To: "2006-01-02"}, "2026-07-31"},
		{`-1`, Date{From: "days", To: "2006-01-02"}, "1969-12-31"},
		{`1785535200000`, Date{To: "days"}, "20665"},
		{`1785535200000`, Date{To: "days", Zone: "Europe/Berlin"}, "20666"},
		{`-1`, Date{From: "us", To: "rfc3339"}, "1969-12-31T23:59:59.999999Z"},
		{`-1`, Date{From: "ms", To: "days"}, "-1"},
		{`"1785499200000"`, Date{To: "s"}, "1785499200"},
		{`-62135596800`, Date{From: "s", To: "rfc3339"}, "0001-01-01T00:00:00Z"},
		{`253402300799`, Date{From: "s", To: "rfc3339"}, "9999-12-31T23:59:59Z"},
		{`253402300800`, Date{From: "s", To: "rfc3339"}, "!changing value.a by date from s: the time lies outside"},
		{`253402300799`, Date{From: "s", To: "rfc3339", Zone: "Pacific/Kiritimati"}, "!outside of the years"},
		{`253402300799`, Date{From: "s", To: "2006", Zone: "Asia/Tokyo"}, "!outside of the years"},
		{`253402300799`, Date{From: "s", To: "2006-01-02", Zone: "America/New_York"}, "9999-12-31"},
		{`-62135596800`, Date{From: "s", To: "2006-01-02", Zone: "America/New_York"}, "!outside of the years"},
		{`9223372036854775807`, Date{From: "days", To: "ms"}, "!outside of the years"},
		{`-9223372036854775808`, Date{From: "s", To: "ms"}, "!outside of the years"},
		{`9223372036854775807`, Date{From: "us", To: "ms"}, "!outside of the years"},
		{`"1600-01-01T00:00:00Z"`, Date{From: "rfc3339", To: "ns"}, "!no number of nanoseconds"},
		{`"soon"`, Date{From: "rfc3339", To: "ms"}, "!the text is no time of that form"},
		{`"soon"`, Date{To: "s"}, "!not a whole number"},
		{`"2026-02-30"`, Date{From: "2006-01-02", To: "ms"}, "!the text is no time of that form"},
		{`true`, Date{From: "2006", To: "ms"}, "!no time of that form"},
		{`{"a":1}`, Date{From: "rfc3339", To: "ms"}, "!no time of that form"},
	} {
		want := c.want
		if !strings.HasPrefix(want, "!") {
			want = "ns:t k@36000000 d:a=" + want
		}
		expectMap(t, edit(columns(Column{Field: "value.a", To: "d:a", Date: &c.date})), `{"a":`+c.value+`}`, want)
	}
	// A template writes milliseconds by a layout.
	expectMap(t, edit(columns(Column{Literal: ptr("1"), To: "c:day_${value.t|date:2006-01-02}", Op: "increment"})), `{"t":1785535200000}`, "ns:t k@36000000 c:day_2026-07-31+=1")
	expectMap(t, edit(columns(Column{Literal: ptr("1"), To: "c:${value.t|date:2006-01-02T15:04@Europe/Berlin}", Op: "increment"})), `{"t":1785535200000}`, "ns:t k@36000000 c:2026-08-01T00:00+=1")
}

func TestTransformsRefused(t *testing.T) {
	for _, c := range []struct {
		name         string
		col          Column
		path, reason string
	}{
		{"upper and lower", Column{Field: "value.a", Upper: true, Lower: true}, ".lower", "not both"},
		{"substring", Column{Field: "value.a", Substring: &Substring{From: -1}}, ".substring", "not negative"},
		{"date to nothing", Column{Field: "value.a", Date: &Date{}}, ".date.to", "one of ms"},
		{"date by another's layout", Column{Field: "value.a", Date: &Date{To: "yyyy-MM-dd"}}, ".date.to", "one of ms"},
		{"date from another's layout", Column{Field: "value.a", Date: &Date{From: "yyyy", To: "ms"}}, ".date.from", "one of ms"},
		{"date from a zone's abbreviation", Column{Field: "value.a", Date: &Date{From: "2006-01-02 MST", To: "ms"}}, ".date.from", "abbreviation"},
		{"date from a layout without a year", Column{Field: "value.a", Date: &Date{From: "15:04:05", To: "ms"}}, ".date.from", "has the year"},
		{"date from a layout without a year, but a day", Column{Field: "value.a", Date: &Date{From: "Jan 2 15:04:05", To: "ms"}}, ".date.from", "has the year"},
		{"date from a layout that runs together", Column{Field: "value.a", Date: &Date{From: "200612", To: "ms"}}, ".date.from", "read back"},
		{"zone", Column{Field: "value.a", Date: &Date{To: "ms", Zone: "Berlin"}}, ".date.zone", "tz database"},
		{"the machine's zone", Column{Field: "value.a", Date: &Date{To: "ms", Zone: "Local"}}, ".date.zone", "tz database"},
		{"default", Column{Field: "value.a", As: "int8", Default: ptr("x")}, ".default", "not a whole number"},
		{"default of a counter", Column{Field: "value.a", Op: "increment", Default: ptr("1.5")}, ".default", "not a whole number"},
		{"field and template", Column{Field: "value.a", Template: "${value.b}"}, ".template", "one of field, template"},
		{"template and coalesce", Column{Template: "${value.b}", Coalesce: []string{"value.a", "value.b"}}, ".coalesce", "one of field, template"},
		{"coalesce of one", Column{Coalesce: []string{"value.a"}}, ".coalesce", "two fields"},
		{"coalesce of what is none", Column{Coalesce: []string{"value.a", "a"}}, ".coalesce[1]", "a field starts with"},
		{"template without a field", Column{Template: "x"}, ".template", "fixed text is a literal"},
		{"template of what is none", Column{Template: "${a}"}, ".template", "a field starts with"},
		{"literal changed", Column{Literal: ptr("x"), Trim: true}, "", "change the value of a field"},
		{"delete-column changed", Column{Field: "value.a", Op: "delete-column", Trim: true}, "", "change the value of a field"},
		{"delete-column by default", Column{Field: "value.a", Op: "delete-column", Default: ptr("")}, "", "change the value of a field"},
		{"bad date in a template", Column{Field: "value.a", To: "d:${value.a|date:yyyy}"}, ".to", "one of ms"},
		{"bad zone in a template", Column{Field: "value.a", To: "d:${value.a|date:2006@Berlin}"}, ".to", "tz database"},
		{"trim with an argument", Column{Field: "value.a", To: "d:${value.a|trim:x}"}, ".to", "none of what may follow"},
	} {
		if c.col.To == "" {
			c.col.To = "d:x"
		}
		_, problems := Compile([]Spec{edit(func(s *Spec) { s.OnTombstone, s.Columns = "ignore", []Column{c.col} })}, Options{})
		found := false
		for _, p := range problems {
			found = found || p.Path == "[0].columns[0]"+c.path && strings.Contains(p.Text, c.reason)
		}
		if !found {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
}

func TestMaxPast(t *testing.T) {
	spec := edit(func(s *Spec) { s.Timestamp, s.MaxPast = "value.ts", time.Hour })
	expectMap(t, spec, `{"a":1,"ts":32400000}`, "ns:t k@32400000 d:a=1")
	expectMap(t, spec, `{"a":1,"ts":32399999}`, "!it is more than 1h0m0s (max_past) behind the record's own")
	for _, change := range []func(*Spec){func(s *Spec) { s.MaxPast = time.Hour }, func(s *Spec) { s.Timestamp, s.MaxPast = "value.ts", -time.Hour }} {
		if _, problems := Compile([]Spec{edit(change)}, Options{}); len(problems) != 1 || problems[0].Path != "[0].max_past" {
			t.Errorf("%v", problems)
		}
	}
}

// No bytes make a step panic or give what is no text.
func TestStepsTakeAnyBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	steps := []step{trim{}, upper, lower, substring{3, 2}, date{from: "rfc3339", to: "ms", zone: time.UTC}, date{from: "2006-01-02", to: "s", zone: time.UTC}, date{from: "days", to: "rfc3339", zone: time.UTC}}
	kinds := []rowkey.Kind{rowkey.Bool, rowkey.Int, rowkey.Number, rowkey.Text, rowkey.Bytes, rowkey.Tree}
	w := &worker{}
	for range 50000 {
		data := make([]byte, random.IntN(12))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		v := rowkey.Value{Kind: kinds[random.IntN(len(kinds))], Int: int64(random.Uint64()), Text: data}
		for _, s := range steps {
			_, _ = s.apply(w, v)
		}
		w.buf = w.buf[:0]
	}
}
