package mapping

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// following is a mapping of change events to one row for each id.
func following(form string, change func(*Spec)) Spec {
	return edit(func(s *Spec) {
		s.Value = Format{Format: "json", Events: form}
		s.RowKey = rowkey.Spec{{Field: "value.id"}}
		s.Columns = []Column{{Field: "value.a", To: "d:a"}, {Field: "value.n", To: "e:n"}}
		if change != nil {
			change(s)
		}
	})
}

const (
	created   = `{"before":null,"after":{"id":1,"a":"x","n":null},"op":"c","ts_ms":5,"source":{"table":"orders","ts_ms":4}}`
	updated   = `{"before":{"id":1,"a":"x","n":null},"after":{"id":1,"a":"y","n":7},"op":"u","ts_ms":6,"source":{"table":"orders","ts_ms":5}}`
	moved     = `{"before":{"id":1,"a":"x"},"after":{"id":2,"a":"x"},"op":"u","ts_ms":6}`
	erased    = `{"before":{"id":1,"a":"x"},"after":null,"op":"d","ts_ms":7,"source":{"table":"orders"}}`
	truncated = `{"op":"t","ts_ms":8}`
)

func TestEvents(t *testing.T) {
	const at = "@36000000"
	byKey := func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "key"}} }
	canal := func(rest string) string { return `{"database":"d","table":"t","isDdl":false,"es":5,` + rest + `}` }
	for _, c := range []struct {
		name  string
		spec  Spec
		value string
		want  string // or a part of the reason, after !
	}{
		{"insert", following("debezium", nil), created, "ns:t 1" + at + " d:a=x"},
		{"update", following("debezium", nil), updated, "ns:t 1" + at + " d:a=y e:n=7"},
		{"null skipped (N5)", following("debezium", nil), `{"op":"u","before":{"id":1,"a":"x","n":1},"after":{"id":1,"a":null,"n":5}}`, "ns:t 1" + at + " e:n=5"},
		{"null emptied (N5)", following("debezium", func(s *Spec) { s.OnNull = "empty" }), `{"op":"u","before":{"id":1,"a":"x","n":1},"after":{"id":1,"a":null,"n":5}}`, "ns:t 1" + at + " d:a= e:n=5"},
		{"null deletes its column (N5)", following("debezium", func(s *Spec) { s.OnNull = "delete" }), created, "ns:t 1" + at + " d:a=x e:n gone"},
		{"delete (N4)", following("debezium", nil), erased, "ns:t 1" + at + " delete d delete e"},
		{"delete ignored", following("debezium", func(s *Spec) { s.OnDelete = "ignore" }), erased, ""},
		{"delete of some families", following("debezium", func(s *Spec) { s.DeleteFamilies = []string{"e"} }), erased, "ns:t 1" + at + " delete e"},
		{"delete by the record key alone", following("debezium", byKey), `{"before":null,"after":null,"op":"d"}`, "ns:t k" + at + " delete d delete e"},
		{"delete without its key (N1)", following("debezium", nil), `{"before":null,"after":null,"op":"d"}`, "!has nothing of it before"},
		{"delete without its key, of which defaults would make another's", following("debezium", func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "value.id", Default: ptr("0")}} }), `{"before":null,"op":"d"}`, "!has nothing of it before"},
		{"delete without its key, of which the record key tells a part", following("debezium", func(s *Spec) {
			s.RowKey = rowkey.Spec{{Field: "key"}, {Literal: "|"}, {Field: "value.id", Default: ptr("0")}}
		}), `{"op":"d"}`, "!has nothing of it before"},
		{"delete of a row with a default", following("debezium", func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "value.id", Default: ptr("0")}} }), `{"before":{"id":null},"op":"d"}`, "ns:t 0" + at + " delete d delete e"},
		{"insert without its key (N1)", following("debezium", nil), `{"after":{"a":1},"op":"c"}`, "!building row key: part 1 (value.id): the field is missing"},
		{"not an event (N1)", following("debezium", nil), `{"id":1}`, "!mapping t -> ns:t: reading event of debezium: it is no change event"},
		{"heartbeat", following("debezium", nil), `{"ts_ms":1}`, ""},
		{"truncate", following("debezium", nil), truncated, "!set on_truncate: ignore"},
		{"truncate passed", following("debezium", func(s *Spec) { s.OnTruncate = "ignore" }), truncated, ""},

		{"key change (K5)", following("debezium", nil), moved, "ns:t 1" + at + " delete d delete e; ns:t 2" + at + " d:a=x"},
		{"key change of equal encodings", following("debezium", func(s *Spec) { s.RowKey[0].As = "int32" }), `{"before":{"id":1.0},"after":{"id":1,"a":"x"},"op":"u"}`, "ns:t \x80\x00\x00\x01" + at + " d:a=x"},
		{"key change of equal case", following("debezium", func(s *Spec) { s.RowKey[0].Lower = true }), `{"before":{"id":"A"},"after":{"id":"a","a":"x"},"op":"u"}`, "ns:t a" + at + " d:a=x"},
		{"key change that leaves nothing to put", following("debezium", nil), `{"before":{"id":1},"after":{"id":2},"op":"u"}`, "ns:t 1" + at + " delete d delete e"},
		{"key change without before", following("debezium", nil), `{"before":null,"after":{"id":2,"a":"x"},"op":"u"}`, "ns:t 2" + at + " d:a=x"},
		{"key change with a part of before", following("debezium", func(s *Spec) {
			s.RowKey = rowkey.Spec{{Field: "value.region", Default: ptr("none")}, {Literal: "|"}, {Field: "value.id"}}
		}), `{"before":{"id":1},"after":{"id":1,"region":"eu","a":"x"},"op":"u"}`, "ns:t eu|1" + at + " d:a=x"},
		{"key change from a default", following("debezium", func(s *Spec) {
			s.RowKey = rowkey.Spec{{Field: "value.region", Default: ptr("none")}, {Literal: "|"}, {Field: "value.id"}}
		}), `{"before":{"id":1,"region":null},"after":{"id":1,"region":"eu","a":"x"},"op":"u"}`, "ns:t none|1" + at + " delete d delete e; ns:t eu|1" + at + " d:a=x"},
		{"key change from a key that can't be", following("debezium", nil), `{"before":{"id":null},"after":{"id":2,"a":"x"},"op":"u"}`, "ns:t 2" + at + " d:a=x"},
		{"key change where rows stay", following("debezium", func(s *Spec) { s.OnDelete = "ignore" }), moved, "ns:t 2" + at + " d:a=x"},
		{"no key change in the record key", following("debezium", byKey), moved, "ns:t k" + at + " d:a=x"},

		{"images and envelope", following("debezium", func(s *Spec) {
			s.Columns = []Column{{Field: "before.a", To: "d:was"}, {Field: "value.a", To: "d:is"}, {Field: "event.op", To: "d:op"}, {Field: "event.source.table", To: "d:table"}, {Field: "before", To: "d:before"}}
		}), updated, "ns:t 1" + at + ` d:was=x d:is=y d:op=u d:table=orders d:before={"id":1,"a":"x","n":null}`},
		{"no image before an insert", following("debezium", func(s *Spec) { s.Columns[0].Field = "before.a" }), created, ""},
		{"wildcards of both", following("debezium", func(s *Spec) {
			s.Columns = []Column{{Fields: "value.*", ToFamily: "d"}, {Fields: "before.*", ToFamily: "e"}, {Fields: "event.source.*", ToFamily: "s"}}
		}), updated, "ns:t 1" + at + " d:id=1 d:a=y d:n=7 e:id=1 e:a=x s:table=orders s:ts_ms=5"},
		{"time of the event", following("debezium", func(s *Spec) { s.Timestamp = "event.source.ts_ms" }), updated, "ns:t 1@5 d:a=y e:n=7"},
		{"row key of the event", following("debezium", func(s *Spec) {
			s.RowKey = rowkey.Spec{{Field: "event.source.table"}, {Literal: "|"}, {Field: "value.id"}}
		}), erased, "ns:t orders|1" + at + " delete d delete e"},
		{"time of a field, deleted", following("debezium", func(s *Spec) { s.Timestamp = "value.at" }), `{"before":{"id":1,"at":5},"op":"d"}`, "ns:t 1" + at + " delete d delete e"},
		{"time of the event, deleted", following("debezium", func(s *Spec) { s.Timestamp = "event.ts_ms" }), erased, "ns:t 1@7 delete d delete e"},

		{"flat", following("debezium-flat", nil), `{"id":1,"a":"x","__deleted":"false"}`, "ns:t 1" + at + " d:a=x"},
		{"flat and deleted", following("debezium-flat", nil), `{"id":1,"a":"x","__deleted":"true"}`, "ns:t 1" + at + " delete d delete e"},

		{"canal rows", following("canal", nil), canal(`"type":"INSERT","data":[{"id":"1","a":"x"},{"id":"2","a":"y"}],"old":null`), "ns:t 1" + at + " d:a=x; ns:t 2" + at + " d:a=y"},
		{"canal key changes (K5)", following("canal", nil), canal(`"type":"UPDATE","data":[{"id":"2","a":"x"},{"id":"3","a":"z"}],"old":[{"id":"1"},{"a":"y"}]`), "ns:t 1" + at + " delete d delete e; ns:t 2" + at + " d:a=x; ns:t 3" + at + " d:a=z"},
		{"canal rows of one key (L11, O2)", following("canal", nil), canal(`"type":"UPDATE","data":[{"id":"2","a":"x"},{"id":"1","a":"y"}],"old":[{"id":"1"},{"id":"2"}]`), "ns:t 1" + at + " delete d delete e; ns:t 2" + at + " d:a=x; ns:t 2" + at + " delete d delete e; ns:t 1" + at + " d:a=y"},
		{"canal, one row of several is bad", following("canal", nil), canal(`"type":"INSERT","data":[{"id":"1","a":"x"},{"a":"y"}]`), "!the field is missing"},
		{"canal before", following("canal", func(s *Spec) {
			s.Columns = []Column{{Field: "before.a", To: "d:was"}, {Field: "before.n", To: "d:same"}}
		}), canal(`"type":"UPDATE","data":[{"id":"1","a":"y","n":"5"}],"old":[{"a":"x"}]`), "ns:t 1" + at + " d:was=x d:same=5"},
		{"canal truncate", following("canal", nil), `{"type":"TRUNCATE","isDdl":true,"data":null}`, "!set on_truncate: ignore"},
		{"canal ddl", following("canal", nil), `{"type":"ALTER","isDdl":true,"data":null}`, ""},
		{"maxwell", following("maxwell", nil), `{"type":"update","data":{"id":2,"a":"x"},"old":{"id":1}}`, "ns:t 1" + at + " delete d delete e; ns:t 2" + at + " d:a=x"},
		{"maxwell delete", following("maxwell", nil), `{"type":"delete","data":{"id":2,"a":"x"}}`, "ns:t 2" + at + " delete d delete e"},

		{"connect", following("debezium", func(s *Spec) { s.Value.Format = "connect" }), `{"schema":{"type":"struct","fields":[{"type":"struct","field":"after","fields":[{"type":"int32","field":"id"},{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2"},"field":"a"}]}]},"payload":{"after":{"id":1,"a":"MDk="},"op":"c"}}`, "ns:t 1" + at + " d:a=123.45"},
	} {
		t.Run(c.name, func(t *testing.T) {
			becomes(t, c.spec, c.value, c.want)
		})
	}
}

// A delete is followed by a tombstone of the same key (N4), which deletes where it can tell its row.
func TestTombstonesBehindDeletes(t *testing.T) {
	tombstone := record("")
	tombstone.Value = nil
	connected := record(`{"schema":null,"payload":null}`)
	const deleted = "ns:t k@36000000 delete d delete e"
	byKey := func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "key"}} }
	connect := func(s *Spec) { byKey(s); s.Value.Format = "connect" }
	for _, c := range []struct {
		name string
		spec Spec
		rec  decode.Record
		want string
	}{
		{"row by value", following("debezium", nil), tombstone, ""},
		{"row by event", following("debezium", func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "event.id"}} }), tombstone, ""},
		{"row by key", following("debezium", byKey), tombstone, deleted},
		{"row by key, ignored", following("debezium", func(s *Spec) { byKey(s); s.OnTombstone = "ignore" }), tombstone, ""},
		{"deletes ignored", following("debezium", func(s *Spec) { byKey(s); s.OnDelete, s.OnTombstone = "ignore", "ignore" }), tombstone, ""},
		{"counters only", following("debezium", func(s *Spec) {
			s.OnDelete = "ignore"
			s.Columns = []Column{{Field: "value.n", To: "c:n", Op: "increment"}}
		}), tombstone, ""},
		{"time of the event", following("debezium", func(s *Spec) { byKey(s); s.Timestamp = "event.ts_ms" }), tombstone, deleted},
		{"connect's own", following("debezium", connect), connected, deleted},
		{"connect's own, ignored", following("debezium", func(s *Spec) { connect(s); s.OnTombstone = "ignore" }), connected, ""},
		{"connect's own, of rows", edit(func(s *Spec) { s.Value.Format = "connect" }), connected, "ns:t k@36000000 delete d"},
	} {
		if got := show(compile(t, c.spec).Map(c.rec)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What Debezium did not read never overwrites, in whatever form it says so.
func TestUnavailableValuesAreLeftAlone(t *testing.T) {
	const own = debeziumPlaceholder
	numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(own)), " ", ","), "")
	base64Of := base64.StdEncoding.EncodeToString([]byte(own))
	for name, v := range map[string]string{
		"text": `"` + own + `"`, "bytes": `"` + base64Of + `"`, "hex": fmt.Sprintf(`"%x"`, own), "array of text": `["` + own + `"]`,
		"array of bytes": `["` + base64Of + `"]`, "array of numbers": numbers, "hstore": `{"` + own + `":"` + own + `"}`,
		"hstore as text": `"{\"` + own + `\":\"` + own + `\"}"`, "array of uuid": `["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]`, // of Java's UUID.nameUUIDFromBytes
	} {
		for _, c := range []struct {
			name string
			spec Spec
			doc  string
			want string
		}{
			{"envelope", following("debezium", nil), `{"op":"u","after":{"id":1,"a":%s,"n":5}}`, "ns:t 1@36000000 e:n=5"},
			{"flat", following("debezium-flat", nil), `{"id":1,"a":%s,"n":5}`, "ns:t 1@36000000 e:n=5"},
			{"wildcard", following("debezium", func(s *Spec) { s.Columns = []Column{{Fields: "value.*", ToFamily: "r"}} }), `{"op":"u","after":{"id":1,"a":%s,"n":5}}`, "ns:t 1@36000000 r:id=1 r:n=5"},
			{"before", following("debezium", func(s *Spec) { s.Columns[0].Field = "before.a" }), `{"op":"u","before":{"a":%s},"after":{"id":1,"n":5}}`, "ns:t 1@36000000 e:n=5"},
			{"row key", following("debezium", nil), `{"op":"u","after":{"id":%s}}`, "!building row key: a field of it did not change"},
			{"row key with a default", following("debezium", func(s *Spec) { s.RowKey[0].Default = ptr("x") }), `{"op":"u","after":{"id":%s}}`, "!building row key: a field of it did not change"},
			{"old row key", following("debezium", nil), `{"op":"u","before":{"id":%s},"after":{"id":1,"n":5}}`, "ns:t 1@36000000 e:n=5"},
		} {
			got := show(compile(t, c.spec).Map(record(fmt.Sprintf(c.doc, v))))
			if reason, bad := strings.CutPrefix(c.want, "!"); bad && !strings.Contains(got, reason) || !bad && got != c.want {
				t.Errorf("%s as %s: got %q, want %q", c.name, name, got, c.want)
			}
		}
	}
	other := following("debezium", func(s *Spec) { s.Value.Unavailable = "gone" })
	if got := show(compile(t, other).Map(record(`{"op":"u","after":{"id":1,"a":"gone","n":"` + own + `"}}`))); got != "ns:t 1@36000000 e:n="+own {
		t.Errorf("another placeholder: %s", got)
	}
	for _, form := range []string{"canal", "maxwell"} {
		doc := `{"type":"INSERT","data":[{"id":1,"a":"` + own + `"}]}`
		if form == "maxwell" {
			doc = `{"type":"insert","data":{"id":1,"a":"` + own + `"}}`
		}
		if got := show(compile(t, following(form, nil)).Map(record(doc))); got != "ns:t 1@36000000 d:a="+own {
			t.Errorf("%s has no placeholder: %s", form, got)
		}
	}
}

// A record's changes are read for each of its mappings, and each mapping may take them otherwise.
func TestMappingsOfOneEvent(t *testing.T) {
	log := edit(func(s *Spec) {
		s.Table, s.Value.Events, s.OnDelete, s.OnTombstone = "ns:log", "", "", "ignore"
		s.Columns = []Column{{Field: "value.op", To: "d:op"}, {Field: "value.before.a", To: "d:was"}, {Field: "value.after.n", To: "d:n"}}
	})
	set := compile(t, following("debezium", nil), log, following("debezium", func(s *Spec) { s.Table, s.OnDelete = "ns:keep", "ignore" }))
	for value, want := range map[string]string{
		erased: "ns:t 1@36000000 delete d delete e; ns:log k@36000000 d:op=d d:was=x",
		// What is a placeholder to one mapping is text to another, which reads no events.
		`{"op":"c","after":{"id":1,"n":"` + debeziumPlaceholder + `"}}`: "ns:log k@36000000 d:op=c d:n=" + debeziumPlaceholder,
		moved: "ns:t 1@36000000 delete d delete e; ns:t 2@36000000 d:a=x; ns:log k@36000000 d:op=u d:was=x; ns:keep 2@36000000 d:a=x",
	} {
		if got := show(set.Map(record(value))); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// The bytes of rows stay as they are when the worker goes on to other records, of other forms.
func TestEventRowsKeepTheirBytes(t *testing.T) {
	set := compile(t, following("canal", func(s *Spec) {
		s.Value.Compression = "auto"
		s.Columns = append(s.Columns, Column{Field: "before", To: "d:before"})
	}))
	var got []Result
	var want []string
	for i := range 300 {
		doc := `{"type":"UPDATE","data":[`
		for j := range i % 7 {
			doc += fmt.Sprintf(`{"id":"%d-%d","a":"a\n%d"},`, i, j, i)
		}
		doc += fmt.Sprintf(`{"id":"%d","a":"x"}],"old":[{"id":"old-%d"}]}`, i, i)
		res := set.Map(record(doc))
		got, want = append(got, res), append(want, show(res))
	}
	for i := range got {
		if s := show(got[i]); s != want[i] || got[i].Err != nil {
			t.Fatalf("record %d became %.80q, and is %.80q now", i, want[i], s)
		}
	}
}

// Logical types (E4) are what the documentation says: numbers of their unit, exact decimals, bytes; cells as Bytes.toBytes.
func TestLogicalTypesOfConnect(t *testing.T) {
	const doc = `{"schema":{"type":"struct","fields":[` +
		`{"type":"int32","name":"org.apache.kafka.connect.data.Date","version":1,"field":"date"},` +
		`{"type":"int64","name":"org.apache.kafka.connect.data.Timestamp","version":1,"field":"at"},` +
		`{"type":"int64","name":"io.debezium.time.MicroTimestamp","version":1,"field":"micro"},` +
		`{"type":"string","name":"io.debezium.time.ZonedTimestamp","version":1,"field":"zoned"},` +
		`{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2"},"field":"price"},` +
		`{"type":"struct","name":"io.debezium.data.VariableScaleDecimal","version":1,"field":"any"},` +
		`{"type":"bytes","field":"raw"}]},` +
		`"payload":{"date":20000,"at":1700000000001,"micro":1700000000000001,"zoned":"2026-11-30T12:00:00Z","price":"/9g=","any":{"scale":3,"value":"AeI="},"raw":"AAH/"}}`
	for _, c := range []struct{ field, as, want string }{
		{"date", "", "20000"},
		{"date", "int32", "\x00\x00\x4e\x20"},
		{"at", "", "1700000000001"},
		{"at", "int64", "\x00\x00\x01\x8b\xcf\xe5\x68\x01"},
		{"micro", "", "1700000000000001"},
		{"zoned", "", "2026-11-30T12:00:00Z"},
		{"price", "", "-0.40"},
		{"price", "float64", "\xbf\xd9\x99\x99\x99\x99\x99\x9a"},
		{"any", "", "0.482"},
		{"raw", "", "\x00\x01\xff"},
	} {
		set := compile(t, edit(func(s *Spec) {
			s.Key.Format, s.Value.Format = "connect", "connect"
			s.RowKey = rowkey.Spec{{Field: "key.id"}}
			s.Columns = []Column{{Field: "value." + c.field, To: "d:v", As: c.as}}
		}))
		rec := record(doc)
		rec.Key = []byte(`{"schema":{"type":"struct","fields":[{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"0"},"field":"id"}]},"payload":{"id":"AQA="}}`)
		got := show(set.Map(rec))
		if want := "ns:t 256@36000000 d:v=" + c.want; got != want {
			t.Errorf("%s as %q: got %q, want %q", c.field, c.as, got, want)
		}
	}
}

// What rows hold beside the record's bytes is told, of each format that the record was read in.
func TestInflatedBytesAreTold(t *testing.T) {
	set := compile(t, edit(func(s *Spec) { s.Value.Compression = "auto" }), edit(func(s *Spec) { s.Table, s.Value.Compression = "u", "gzip" }))
	doc := `{"a":"` + strings.Repeat("x", 10_000) + `"}`
	if res := set.Map(record(string(packed(t, doc)))); res.Err != nil || int(res.Inflated) < 2*len(doc) || int(res.Inflated) > 3*len(doc) {
		t.Errorf("%d bytes are told of twice %d, %v", res.Inflated, len(doc), res.Err)
	}
	plain := compile(t, edit(func(s *Spec) { s.Value.Compression = "auto" }))
	if res := plain.Map(record(doc)); res.Err != nil || res.Inflated != 0 {
		t.Errorf("%d bytes are told of what was not compressed, %v", res.Inflated, res.Err)
	}
}
