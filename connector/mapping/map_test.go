package mapping

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

const hour = int64(time.Hour / time.Millisecond)

// base is a mapping of JSON records to one row for each record key.
func base() Spec {
	return Spec{
		Topics: []string{"t"}, Table: "ns:t", Key: Format{Format: "string"}, Value: Format{Format: "json"},
		RowKey:  rowkey.Spec{{Field: "key"}},
		Columns: []Column{{Field: "value.a", To: "d:a"}},
	}
}

func edit(change func(s *Spec)) Spec {
	s := base()
	change(&s)
	return s
}

func compile(t testing.TB, specs ...Spec) *Set {
	t.Helper()
	set, problems := Compile(specs, Options{MarkFamily: "_k", Letters: "letters"})
	if problems != nil {
		t.Fatal(problems)
	}
	return set
}

func record(value string) decode.Record {
	return decode.Record{Topic: "t", Partition: 2, Offset: 9, Timestamp: 10 * hour, Key: []byte("k"), Value: []byte(value)}
}

func show(res Result) string {
	if res.Err != nil {
		return fmt.Sprintf("!%v", res.Err)
	}
	var out []string
	for _, r := range res.Rows {
		s := fmt.Sprintf("%s %s@%d", r.Table, r.Row, r.Time)
		if r.Delete != nil {
			for _, f := range r.Delete.Families {
				s += fmt.Sprintf(" delete %s", f)
			}
		}
		for _, c := range r.Cells {
			kind := [...]string{"=", "+=", "..", " gone"}[c.Kind]
			s += fmt.Sprintf(" %s:%s%s", c.Family, c.Qualifier, kind)
			switch {
			case c.Kind == CellIncrement:
				s += fmt.Sprint(c.Delta)
			case c.Kind != CellDeleteColumn && c.Value == nil:
				s += "nil"
			default:
				s += string(c.Value)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// becomes maps a value: want is its rows, or a part of the reason after !.
func becomes(t *testing.T, spec Spec, value, want string) {
	t.Helper()
	got := show(compile(t, spec).Map(record(value)))
	if reason, bad := strings.CutPrefix(want, "!"); bad {
		if !strings.HasPrefix(got, "!") || !strings.Contains(got, reason) {
			t.Errorf("got %s, want %s", got, reason)
		}
	} else if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func columns(cols ...Column) func(*Spec) { return func(s *Spec) { s.Columns = cols } }

func ptr(s string) *string { return &s }

func TestMap(t *testing.T) {
	const at = "ns:t k@36000000"
	wild := Column{Fields: "value.*", ToFamily: "r"}
	for _, c := range []struct {
		name  string
		spec  Spec
		value string
		want  string // or a part of the reason, after !
	}{
		{"put", base(), `{"a":"x"}`, at + " d:a=x"},
		{"missing leaves alone", base(), `{"b":1}`, ""},
		{"empty is a value", base(), `{"a":""}`, at + " d:a="},
		{"null skipped", base(), `{"a":null}`, ""},
		{"null deletes", edit(func(s *Spec) { s.OnNull = "delete" }), `{"a":null}`, at + " d:a gone"},
		{"null empties", edit(func(s *Spec) { s.OnNull = "empty" }), `{"a":null}`, at + " d:a="},
		{"null policy of a column", edit(columns(Column{Field: "value.a", To: "d:a", OnNull: "delete"}, Column{Field: "value.b", To: "d:b"})), `{"a":null,"b":null}`, at + " d:a gone"},
		{"null object", edit(func(s *Spec) {
			s.OnNull = "delete"
			s.Columns = []Column{{Field: "value.o.x", To: "d:x"}}
		}), `{"o":null}`, at + " d:x gone"},
		{"digits kept", base(), `{"a":1.10e2}`, at + " d:a=1.10e2"},
		{"object as its text", base(), `{"a":{"b": 1}}`, at + ` d:a={"b": 1}`},
		{"boolean", base(), `{"a":false}`, at + " d:a=false"},
		{"increment", edit(columns(Column{Field: "value.n", To: "c:n", Op: "increment"})), `{"n":-5}`, at + " c:n+=-5"},
		{"increment of null", edit(func(s *Spec) {
			s.OnNull = "delete"
			s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}, {Field: "value.a", To: "d:a"}}
		}), `{"n":null,"a":1}`, at + " d:a=1"},
		{"increment of a fraction", edit(columns(Column{Field: "value.n", To: "c:n", Op: "increment"})), `{"n":1.5}`, "!encoding value.n for column c:n: not a whole number"},
		{"increment beyond a long", edit(columns(Column{Field: "value.n", To: "c:n", Op: "increment"})), `{"n":9223372036854775808}`, "!does not fit"},
		{"count records", edit(columns(Column{Literal: ptr("1"), To: "c:n", Op: "increment"})), `{}`, at + " c:n+=1"},
		{"literal", edit(columns(Column{Literal: ptr("v"), To: "d:n"})), `{}`, at + " d:n=v"},
		{"empty literal", edit(columns(Column{Literal: ptr(""), To: "d:n"})), `{}`, at + " d:n="},
		{"append", edit(columns(Column{Field: "value.a", To: "l:a", Op: "append"})), `{"a":"x,"}`, at + " l:a..x,"},
		{"delete-column if there", edit(columns(Column{Field: "value.gone", To: "d:a", Op: "delete-column"}, Column{Field: "value.not", To: "d:b", Op: "delete-column"})), `{"gone":null}`, at + " d:a gone"},
		{"delete-column always", edit(columns(Column{To: "d:a", Op: "delete-column"})), `{}`, at + " d:a gone"},
		{"metadata", edit(columns(Column{Field: "offset", To: "d:o"}, Column{Field: "topic", To: "d:t"}, Column{Field: "key", To: "d:k"})), `{}`, at + " d:o=9 d:t=t d:k=k"},
		{"qualifier with a colon", edit(columns(Column{Field: "value.a", To: "d:a:b"})), `{"a":1}`, at + " d:a:b=1"},
		{"wildcard", edit(columns(Column{Fields: "value.*", Except: []string{"value.x"}, ToFamily: "r"})), `{"b":1,"x":2,"a":{"c":[1, 2]},"n":null,"t":true,"b":3}`, at + ` r:a={"c":[1, 2]} r:t=true r:b=3`},
		{"wildcard null deletes", edit(func(s *Spec) { s.OnNull = "delete"; s.Columns = []Column{wild} }), `{"n":null}`, at + " r:n gone"},
		{"wildcard below", edit(columns(Column{Fields: "value.o.*", ToFamily: "r"})), `{"o":{"a":1}}`, at + " r:a=1"},
		{"wildcard of nothing", edit(columns(wild)), `{}`, ""},
		{"wildcard of null", edit(columns(wild)), `null`, ""},
		{"wildcard of a list", edit(columns(wild)), `[1]`, "!taking the members of value: it is no object"},
		{"broken value", base(), `{"a`, "!mapping t -> ns:t: decoding value as json: it ends too early"},
		{"row key missing", edit(func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "value.id"}}; s.OnTombstone = "ignore" }), `{"a":1}`, "!mapping t -> ns:t: building row key: part 1 (value.id): the field is missing"},
		{"table without a namespace", edit(func(s *Spec) { s.Table = "t" }), `{"a":1}`, "default:t k@36000000 d:a=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.spec.OnTombstone = "ignore"
			becomes(t, c.spec, c.value, c.want)
		})
	}
}

func TestColumnEncodings(t *testing.T) {
	for as, want := range map[string]string{
		"string": "2d35", "int8": "fb", "int16": "fffb", "int32": "fffffffb", "int64": "fffffffffffffffb", "bytes_int64": "fffffffffffffffb",
		"float32": "c0a00000", "float64": "c014000000000000", "decimal": "00000000fb", "bytes_decimal": "00000000fb",
		"phoenix_integer": "7ffffffb", "phoenix_double": "3fec000000000000", "phoenix_decimal": "3e6066", "phoenix_varchar": "2d35",
	} {
		set := compile(t, edit(columns(Column{Field: "value.a", To: "d:a", As: as})))
		for _, v := range []string{`{"a":-5}`, `{"a":"-5"}`} {
			res := set.Map(record(v))
			if res.Err != nil || hex.EncodeToString(res.Rows[0].Cells[0].Value) != want {
				t.Errorf("%s as %s: %s, want %s", v, as, show(res), want)
			}
		}
	}
	set := compile(t, edit(columns(Column{Field: "value.a", To: "d:a", As: "bool"}, Column{Field: "offset", To: "d:o", As: "int64"})))
	res := set.Map(record(`{"a":true}`))
	if res.Err != nil || !bytes.Equal(res.Rows[0].Cells[0].Value, []byte{0xff}) || !bytes.Equal(res.Rows[0].Cells[1].Value, []byte{0, 0, 0, 0, 0, 0, 0, 9}) {
		t.Errorf("%s", show(res))
	}
}

func TestTombstones(t *testing.T) {
	tombstone := record("")
	tombstone.Value = nil
	const deleted = "ns:t k@36000000 delete d"
	for _, c := range []struct {
		name string
		spec Spec
		want string
	}{
		{"unset deletes", base(), deleted},
		{"said", edit(func(s *Spec) { s.OnTombstone = "delete-row" }), deleted},
		{"ignored", edit(func(s *Spec) { s.OnTombstone = "ignore" }), ""},
		{"families named", edit(func(s *Spec) { s.DeleteFamilies = []string{"x", "d"} }), "ns:t k@36000000 delete x delete d"},
		{"counters stay", edit(columns(Column{Field: "value.a", To: "d:a"}, Column{Field: "value.n", To: "c:n", Op: "increment"}, Column{Fields: "value.*", ToFamily: "b"})), "ns:t k@36000000 delete b delete d"},
		{"time of the record", edit(func(s *Spec) { s.Timestamp = "value.ts" }), deleted},
	} {
		if got := show(compile(t, c.spec).Map(tombstone)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	// JSON null is a value, an empty text is one too.
	if got := show(compile(t, base()).Map(record("null"))); got != "" {
		t.Errorf("JSON null: %s", got)
	}
	noKey := tombstone
	noKey.Key = nil
	if got := show(compile(t, base()).Map(noKey)); !strings.Contains(got, "part 1 (key): the field is null") {
		t.Errorf("tombstone without a key: %s", got)
	}
	if got := show(compile(t, edit(func(s *Spec) { s.OnTombstone = "ignore" })).Map(noKey)); got != "" {
		t.Errorf("ignored tombstone without a key: %s", got)
	}
}

func TestTimes(t *testing.T) {
	field := func(unit string, future time.Duration) Spec {
		return edit(func(s *Spec) { s.Timestamp, s.TimestampUnit, s.MaxFuture = "value.ts", unit, future })
	}
	for _, c := range []struct {
		name   string
		spec   Spec
		record int64
		ts     string
		want   int64
		reason string
	}{
		{"record", base(), 5, "0", 5, ""},
		{"zero", base(), 0, "0", 0, ""},
		{"not set", base(), -1, "0", 0, "negative, not set"},
		{"last", base(), 1<<63 - 1, "0", 0, "beyond the year 9999"},
		{"microseconds", base(), 1700000000000000, "0", 0, "beyond the year 9999"},
		{"field", field("", 0), 10, "7", 7, ""},
		{"seconds", field("s", 0), 10, "3", 3000, ""},
		{"microseconds of a field", field("us", 0), 10, "2999", 2, ""},
		{"nanoseconds", field("ns", 0), 10, "2999999", 2, ""},
		{"text", field("rfc3339", 0), 1, `"1970-01-01T01:00:00.001+01:00"`, 1, ""},
		{"text that is none", field("rfc3339", 0), 1, `"yesterday"`, 0, "not a time as in"},
		{"field with an unset record", field("", 0), -1, "7", 0, "negative, not set"},
		{"an hour ahead", field("", 0), 10, fmt.Sprint(10 + hour), 10 + hour, ""},
		{"more than an hour ahead", field("", 0), 10, fmt.Sprint(11 + hour), 0, "more than 1h0m0s (max_future) ahead"},
		{"more allowed", field("", 2*time.Hour), 10, fmt.Sprint(11 + hour), 11 + hour, ""},
		{"long past", field("", 0), 100 * hour, "1", 1, ""},
		{"negative field", field("", 0), 10, "-1", 0, "negative or beyond"},
		{"seconds beyond", field("s", 0), 10, "9223372036854775807", 0, "negative or beyond"},
		{"missing field", field("", 0), 10, "null", 0, "reading timestamp from value.ts in ms: the field is null"},
		{"fraction", field("", 0), 10, "1.5", 0, "not a whole number"},
	} {
		rec := record(`{"a":1,"ts":` + c.ts + `}`)
		rec.Timestamp = c.record
		res := compile(t, c.spec).Map(rec)
		switch {
		case c.reason != "":
			if res.Err == nil || !strings.Contains(res.Err.Error(), c.reason) || res.Rows != nil {
				t.Errorf("%s: %s", c.name, show(res))
			}
		case res.Err != nil || res.Rows[0].Time != c.want:
			t.Errorf("%s: %s, want %d", c.name, show(res), c.want)
		}
	}
}

func TestSeveralMappingsAreAllOrNothing(t *testing.T) {
	other := edit(func(s *Spec) {
		s.Topics, s.Table, s.OnError = []string{"/t.*/"}, "ns:u", "skip"
		s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}}
		s.OnTombstone = "ignore"
	})
	set := compile(t, base(), other)
	if got := show(set.Map(record(`{"a":1,"n":2}`))); got != "ns:t k@36000000 d:a=1; ns:u k@36000000 c:n+=2" {
		t.Errorf("got %s", got)
	}
	if res := set.Map(record(`{"a":1,"n":2}`)); res.OnError != OnErrorFail {
		t.Error("a refused row would be skipped, but one of its mappings says fail")
	}
	if res := set.Map(record(`{"n":2}`)); len(res.Rows) != 1 || res.OnError != OnErrorSkip {
		t.Errorf("a refused row would stop, but its mapping says skip: %s", show(res))
	}
	res := set.Map(record(`{"a":1,"n":"x"}`))
	if res.Err == nil || res.Rows != nil || res.OnError != OnErrorSkip || !strings.HasPrefix(res.Err.Error(), "mapping t -> ns:u: ") {
		t.Errorf("got %s", show(res))
	}
	rec := record(`{"n":1}`)
	rec.Topic = "tt"
	if got := show(set.Map(rec)); got != "ns:u k@36000000 c:n+=1" {
		t.Errorf("pattern: %s", got)
	}
	rec.Topic = "xt"
	if res := set.Map(rec); res.Err == nil || set.Matches("xt") || set.CheckTopic("xt") == nil {
		t.Errorf("a topic of no mapping: %s", show(res))
	}
	if names, patterns := set.Topics(); fmt.Sprint(names, patterns) != "[t] [/t.*/]" {
		t.Errorf("topics %v %v", names, patterns)
	}
	if got := fmt.Sprint(set.TablesOf("t")); got != "[ns:t ns:u]" {
		t.Errorf("tables %s", got)
	}
}

func TestErrorsHoldNoContent(t *testing.T) {
	const secret = "s3cr3t"
	set := compile(t, edit(func(s *Spec) {
		s.Columns = []Column{{Field: "value.n", To: "d:n", As: "int8"}}
	}))
	for _, v := range []string{`{"n":"` + secret + `"}`, `{"n":[1,"` + secret + `"]}`, `{"` + secret, `"` + secret + `"x`} {
		if res := set.Map(record(v)); res.Err == nil || strings.Contains(res.Err.Error(), secret) {
			t.Errorf("%s: %v", v, res.Err)
		}
	}
}

func TestMapIsSafeForConcurrentUse(t *testing.T) {
	set := compile(t, edit(columns(Column{Field: "value.a", To: "d:a"}, Column{Field: "value.n", To: "d:n", As: "int64"}, Column{Fields: "value.*", ToFamily: "r"})))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 200 {
				rec := record(fmt.Sprintf(`{"a":"%d-%d","n":%d}`, g, i, i))
				rec.Key = fmt.Appendf(nil, "k%d-%d", g, i)
				first := set.Map(rec)
				before := show(first)
				set.Map(record(`{"a":"other","n":1}`))
				if show(first) != before || string(first.Rows[0].Row) != string(rec.Key) {
					t.Errorf("rows changed: %s, then %s", before, show(first))
				}
			}
		}()
	}
	wg.Wait()
}

func FuzzMap(f *testing.F) {
	spec := edit(columns(Column{Field: "value.a", To: "d:a"}, Column{Field: "value.n", To: "c:n", Op: "increment"}, Column{Fields: "value.*", ToFamily: "r"}))
	spec.RowKey = rowkey.Spec{{Salt: 4, Of: []string{"key.id"}}, {Field: "key.id", Escape: true}, {Literal: "|"}, {Field: "key.n", As: "int32", Default: ptr("0")}}
	spec.Key.Format = "json"
	set, problems := Compile([]Spec{spec}, Options{})
	if problems != nil {
		f.Fatal(problems)
	}
	f.Add([]byte(`{"id":"a"}`), []byte(`{"a":1,"n":2,"o":{"x":[1]}}`), int64(5))
	f.Add([]byte(`{"id":"","n":1e99}`), []byte(`null`), int64(-1))
	f.Add([]byte(`5`), []byte(`[]`), int64(0))
	f.Fuzz(func(t *testing.T, key, value []byte, at int64) {
		rec := decode.Record{Topic: "t", Timestamp: at, Key: key, Value: value}
		res := set.Map(rec)
		if res.Err != nil && res.Rows != nil {
			t.Errorf("rows and an error: %s", show(res))
		}
		for _, r := range res.Rows {
			if len(r.Row) == 0 || len(r.Row) > rowkey.MaxLength || r.Time != at || len(r.Cells) == 0 && r.Delete == nil {
				t.Errorf("a row that can't be: %s", show(res))
			}
			for _, c := range r.Cells {
				if (c.Kind == CellPut || c.Kind == CellAppend) && c.Value == nil {
					t.Errorf("a put without a value: %s", show(res))
				}
			}
		}
		if a, b := show(res), show(set.Map(rec)); a != b {
			t.Errorf("not the same again: %s, %s", a, b)
		}
	})
}

// Rows share allocations. What a record became stays as it is, whatever comes after it, of any size.
func TestRowsKeepTheirBytes(t *testing.T) {
	set := compile(t, edit(func(s *Spec) { s.RowKey, s.OnTombstone = rowkey.Spec{{Field: "value.a"}}, "ignore" }),
		edit(func(s *Spec) { s.Table = "ns:u" }), edit(func(s *Spec) { s.Table = "ns:v" }), edit(func(s *Spec) { s.Table = "ns:w" }))
	var got []Result
	var want []string
	for i := range 400 {
		rec := record(fmt.Sprintf(`{"a": "short %d"}`, i))
		rec.Key = bytes.Repeat([]byte{byte('a' + i%26)}, 1+i*i%30000) // the second row's key outgrows what the first began
		res := set.Map(rec)
		got, want = append(got, res), append(want, show(res))
	}
	for i := range got {
		if s := show(got[i]); s != want[i] {
			t.Fatalf("record %d became %.80q, and is %.80q now", i, want[i], s)
		}
	}
}
