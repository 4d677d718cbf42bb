package preview

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/rowkey"
)

// twoTables maps a record to a row and to a counter.
func twoTables(t *testing.T) *View {
	t.Helper()
	one := "1"
	set, problems := mapping.Compile([]mapping.Spec{
		{
			Topics: []string{"orders"}, Table: "shop:orders", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"},
			RowKey: rowkey.Spec{{Field: "key"}, {Literal: "|"}, {Field: "offset", As: "int32"}}, OnTombstone: "ignore",
			Columns: []mapping.Column{
				{Field: "value.status", To: "d:status"},
				{Field: "value.total", To: "d:total", As: "int64"},
				{Field: "value.note", To: "d:note", OnNull: "delete"},
				{Field: "value.log", To: "c:log", Op: "append"},
			},
		},
		{
			Topics: []string{"orders"}, Table: "totals", Key: mapping.Format{Format: "string"},
			RowKey: rowkey.Spec{{Field: "key"}}, OnError: "skip", OnTombstone: "ignore",
			Columns: []mapping.Column{{Literal: &one, To: "c:n", Op: "increment"}},
		},
		{
			Topics: []string{"names"}, Table: "names", Order: "time", OnError: "skip", Value: mapping.Format{Format: "string"},
			RowKey: rowkey.Spec{{Field: "key"}}, Columns: []mapping.Column{{Field: "value", To: "d:n"}},
		},
	}, mapping.Options{MarkFamily: "_k"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &View{Mappings: set, Sink: "s", MarkFamily: "_k"}
}

func shown(t *testing.T, v *View, rec decode.Record) string {
	t.Helper()
	r := v.Of(rec)
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestView(t *testing.T) {
	v := twoTables(t)
	order := decode.Record{Topic: "orders", Partition: 2, Offset: 258, Timestamp: now, Key: []byte("k")}
	for _, c := range []struct {
		name, value, want string
		change            func(*decode.Record, *View)
	}{
		{"put, append and count", `{"status": "paid", "total": 258, "log": "a,"}`, `orders/2 offset 258, 2023-11-14T22:13:20.000Z, key "k"
  -> shop:orders row "k|\x80\x00\x01\x02" (6b7c80000102)
     made of key k, literal |, offset 258
     put d:status "paid" at 1700000000000
     put d:total "\x00\x00\x00\x00\x00\x00\x01\x02" (0000000000000102) at 1700000000000
     append c:log "a,"
     mark _k:s/orders/2 at 259
  -> default:totals row "k" (6b)
     increment c:n by 1
     mark _k:s/orders/2 at 259
`, nil},
		{"delete a column", `{"note": null}`, `orders/2 offset 258, 2023-11-14T22:13:20.000Z, key "k"
  -> shop:orders row "k|\x80\x00\x01\x02" (6b7c80000102)
     made of key k, literal |, offset 258
     delete-column d:note at 1700000000000
     mark _k:s/orders/2 at 259
  -> default:totals row "k" (6b)
     increment c:n by 1
     mark _k:s/orders/2 at 259
`, nil},
		{"error", `{"total": "many"}`, `orders/2 offset 258, 2023-11-14T22:13:20.000Z, key "k"
  error (on_error: fail): mapping orders -> shop:orders: encoding value.total for column d:total: `, nil},
		{"error that is skipped", "\xff", `names/2 offset 258, 2023-11-14T22:13:20.000Z, key "k"
  error (on_error: skip): mapping names -> default:names: `, func(r *decode.Record, _ *View) { r.Topic = "names" }},
		{"no mapping", "", `other/2 offset 258, 2023-11-14T22:13:20.000Z, key "k"
  error (on_error: fail): mapping topic other: no mapping names this topic
`, func(r *decode.Record, _ *View) { r.Topic = "other" }},
		{"nothing", "", `orders/2 offset 258, 2023-11-14T22:13:20.000Z, no key
  nothing to write
`, func(r *decode.Record, _ *View) { r.Key, r.Value = nil, nil }},
		{"row delete, region and incarnation", "", `names/2 offset 258, 2023-11-14T22:13:20.000Z, key "\xFF" (ff)
  -> default:names row "\xFF" (ff)
     region r of default:names
     delete the row's families d at 1700000000000
     mark _k:s/names/2#3 at 259
`, func(r *decode.Record, v *View) {
			r.Topic, r.Key, r.Value = "names", []byte{0xff}, nil
			v.Region = func(table string, _ []byte) string { return "r of " + table }
			v.Incarnation = func(string, int32) int { return 3 }
		}},
		{"without marks", "Zoë", `names/2 offset 258, 2023-11-14T22:13:20.000Z, key "k"
  -> default:names row "k" (6b)
     put d:n "Zoë" at 1700000000000
`, func(r *decode.Record, v *View) { r.Topic, v.MarkFamily = "names", "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec, view := order, *v
			rec.Value = []byte(c.value)
			if c.change != nil {
				c.change(&rec, &view)
			}
			if got := shown(t, &view, rec); got != c.want && (!strings.Contains(c.name, "error") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestViewAsJSON(t *testing.T) {
	v := twoTables(t)
	rec := decode.Record{Topic: "names", Offset: 1, Timestamp: 5, Key: []byte{0}, Value: []byte("n")}
	got, err := json.Marshal(v.Of(rec))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"topic":"names","partition":0,"offset":1,"timestamp":5,"key":{"text":"\\x00","hex":"00"},"rows":[{"table":"default:names",` +
		`"key":{"text":"\\x00","hex":"00"},"parts":[{"name":"key","text":"0x00"}],"cells":[{"column":"d:n","op":"put","value":{"text":"n","hex":"6e"},"time":5}],"time":5,"order":"time",` +
		`"mark":{"column":"_k:s/names/0","timestamp":2}}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	rec.Value = []byte("\xff")
	if r := v.Of(rec); r.Stops || r.OnError != "skip" {
		t.Errorf("a skipped record: %+v", r)
	}
	rec.Topic = "orders"
	if r := v.Of(rec); !r.Stops || r.OnError != "fail" {
		t.Errorf("a record that stops: %+v", r)
	}
}

// How long cells live, and who sees them, is shown with each cell, and with what a delete empties.
func TestAttributesShow(t *testing.T) {
	set, problems := mapping.Compile([]mapping.Spec{{
		Topics: []string{"t"}, Table: "t", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"}, Replace: true,
		RowKey: rowkey.Spec{{Field: "key"}}, TTL: time.Hour,
		Columns: []mapping.Column{{Field: "value.a", To: "d:a"}, {Field: "value.b", To: "p:b", Visibility: "x&!y"}},
	}}, mapping.Options{MarkFamily: "_k"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	v := &View{Mappings: set}
	rec := decode.Record{Topic: "t", Timestamp: 5, Key: []byte("k"), Value: []byte(`{"a":1,"b":2}`)}
	want := `  -> default:t row "k" (6b)
     delete the row's families d, p (visibility x&!y) at 4
     put d:a "1" at 5, ttl 1h0m0s
     put p:b "2" at 5, ttl 1h0m0s, visibility x&!y
`
	if got := shown(t, v, rec); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got, err := json.Marshal(v.Of(rec).Rows[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"delete_visibility":["","x\u0026!y"]`, `"time":5,"ttl":3600000}`, `"ttl":3600000,"visibility":"x\u0026!y"}`} {
		if !strings.Contains(string(got), part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
}

// Text that can be printed stays; all else is escaped as by HBase's Bytes.toStringBinary.
func TestReadable(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "plain text": `"plain text"`, "é ✓": `"é ✓"`, "\x00\x01": `"\x00\x01" (0001)`, "a\xffb": `"a\xFFb" (61ff62)`,
		"a\nb": `"a\x0Ab" (610a62)`, `a\x00`: `"a\x5Cx00" (615c783030)`, "\x7f~": `"\x7F~" (7f7e)`, "é\x00": `"\xC3\xA9\x00" (c3a900)`,
	} {
		if got := BytesOf([]byte(text)).String(); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Cells that replace a row keep the record's time, as core.Fold has them, and the delete that goes before reaches cells of
// one visibility.
func TestReplacedRowShowsAsItIsWritten(t *testing.T) {
	set, problems := mapping.Compile([]mapping.Spec{{
		Topics: []string{"names"}, Table: "names", Value: mapping.Format{Format: "string"}, Replace: true, Visibility: "secret",
		RowKey: rowkey.Spec{{Field: "key"}}, Columns: []mapping.Column{{Field: "value", To: "d:n"}},
	}}, mapping.Options{MarkFamily: "_k"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	v := &View{Mappings: set, Sink: "s"}
	for _, at := range []int64{0, 1, 1700000000000} {
		rec := decode.Record{Topic: "names", Timestamp: at, Key: []byte("k"), Value: []byte("n")}
		muts, err := core.Fold(set.Map(rec).Rows)
		if err != nil {
			t.Fatal(err)
		}
		want := int64(-1)
		for _, m := range muts {
			if m.Kind == hbase.KindPut {
				want = m.Cells[0].Timestamp
			}
		}
		row := v.Of(rec).Rows[0]
		if got := *row.Cells[0].Time; got != want {
			t.Errorf("a record of %d shows a cell at %d, and %d is written", at, got, want)
		}
		if got := row.DeleteVisibility; len(got) != 1 || got[0] != "secret" || row.DeleteTime != want-1 {
			t.Errorf("the delete's visibility shows as %q and its time as %d, want secret and %d", got, row.DeleteTime, want-1)
		}
	}
}

// What mappings learn after this was written shows all the same.
func TestWhatIsNotKnownShows(t *testing.T) {
	type newer struct {
		Value []byte
		TTL   time.Duration
		Label []byte
		Empty string
		inner int
	}
	got := others(newer{Value: []byte("v"), TTL: time.Hour, Label: []byte("secret"), inner: 1}, "Value")
	if len(got) != 2 || got["TTL"] != "1h0m0s" || got["Label"] != "secret" {
		t.Errorf("got %v", got)
	}
	c := Cell{Column: "d:a", Op: opName(200), More: got}
	var b strings.Builder
	c.write(&b)
	if want := "     operation 200 d:a\n       Label secret\n       TTL 1h0m0s\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	if got := PolicyName(200); got != "policy 200" {
		t.Errorf("got %s", got)
	}
}
