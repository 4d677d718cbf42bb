package decode

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var changeNames = map[ChangeKind]string{Inserted: "insert", Updated: "update", Deleted: "delete", Truncated: "truncate"}

// told shows the changes that a JSON text tells of: after, then before where there is one.
func told(events Events, text string) string {
	var tree, whole Tree
	v, err := JSONArrays.Decode(&tree, []byte(text))
	if err != nil {
		return "!" + err.Error()
	}
	list, err := events(nil, v)
	if err != nil {
		return "!" + err.Error()
	}
	out := make([]string, len(list))
	for i := range list {
		c := &list[i]
		out[i] = changeNames[c.Kind]
		if c.After.Kind != Missing {
			out[i] += " " + string(c.After.AppendJSON(nil))
		}
		if before := c.Whole(&whole); before.Kind == Object {
			out[i] += " was " + string(before.AppendJSON(nil))
		}
	}
	return strings.Join(out, "; ")
}

// The messages have the fields that the systems' documentation shows.
const (
	debeziumSource = `"source":{"version":"3.0.0.Final","connector":"mysql","name":"shop","ts_ms":1700000000000,"snapshot":"false","db":"inventory","table":"customers","server_id":223344,"file":"mysql-bin.000003","pos":484,"row":0}`
	debeziumTail   = `,` + debeziumSource + `,"transaction":null,"ts_ms":1700000000123,"ts_us":1700000000123456}`
	canalHead      = `{"database":"inventory","es":1589373560000,"id":9,"isDdl":false,"mysqlType":{"id":"INTEGER","weight":"FLOAT"},"pkNames":["id"],"sql":"","sqlType":{"id":4,"weight":7},"table":"products","ts":1589373560798,`
	maxwellHead    = `{"database":"test","table":"maxwell","ts":1449786310,"xid":940752,"commit":true,`
)

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		events Events
		in     string
		want   string // or a part of the reason, after !
	}{
		{"debezium create", Debezium, `{"before":null,"after":{"id":1004,"first_name":"Anne"},"op":"c"` + debeziumTail, `insert {"id":1004,"first_name":"Anne"}`},
		{"debezium snapshot", Debezium, `{"before":null,"after":{"id":1},"op":"r"` + debeziumTail, `insert {"id":1}`},
		{"debezium update", Debezium, `{"before":{"id":1,"n":"a"},"after":{"id":1,"n":"b"},"op":"u"` + debeziumTail, `update {"id":1,"n":"b"} was {"id":1,"n":"a"}`},
		{"debezium update without before", Debezium, `{"before":null,"after":{"id":1},"op":"u"` + debeziumTail, `update {"id":1}`},
		{"debezium delete", Debezium, `{"before":{"id":1},"after":null,"op":"d"` + debeziumTail, `delete was {"id":1}`},
		{"debezium delete that says nothing", Debezium, `{"before":null,"after":null,"op":"d"` + debeziumTail, `delete`},
		{"debezium truncate", Debezium, `{"op":"t"` + debeziumTail, `truncate`},
		{"debezium message", Debezium, `{"op":"m","message":{"prefix":"x","content":"aGk="}` + debeziumTail, ``},
		{"debezium heartbeat", Debezium, `{"ts_ms":1700000000123}`, ``},
		{"debezium schema change", Debezium, `{` + debeziumSource + `,"ts_ms":1,"databaseName":"inventory","schemaName":null,"ddl":"ALTER TABLE customers ADD middle_name varchar(255)","tableChanges":[{"type":"ALTER"}]}`, ``},
		{"debezium transaction", Debezium, `{"status":"BEGIN","id":"571:53195829","ts_ms":1486500577125,"event_count":null,"data_collections":null}`, ``},
		{"debezium transaction's end", Debezium, `{"status":"END","id":"571:53195832","event_count":2,"data_collections":[{"data_collection":"s1.a","event_count":1}]}`, ``},
		{"debezium, unknown op", Debezium, `{"op":"x"` + debeziumTail, `!none of c, r, u, d, t and m`},
		{"debezium, no after", Debezium, `{"before":null,"after":null,"op":"c"` + debeziumTail, `!no row after`},
		{"debezium, after as text", Debezium, `{"after":"{\"_id\":1}","op":"c"` + debeziumTail, `!no row after`},
		{"debezium, a row", Debezium, `{"id":1}`, `!no change event`},
		{"debezium, a row with a status and a time", Debezium, `{"id":1,"status":"paid","ts_ms":5}`, `!no change event`},
		{"debezium, a row with a status and a count", Debezium, `{"id":"1","status":"end","event_count":5}`, `!no change event`},
		{"debezium, a row whose status is no text", Debezium, `{"id":1,"status":2,"ts_ms":5}`, `!no change event`},
		{"debezium, a row with a time", Debezium, `{"id":1,"ts_ms":5}`, `!no change event`},
		{"debezium, schema and payload", Debezium, `{"schema":{},"payload":{"op":"c"}}`, `!format: connect`},
		{"debezium, no object", Debezium, `null`, `!no object`},

		{"flat", DebeziumFlat, `{"id":1,"op":"u"}`, `insert {"id":1,"op":"u"}`},
		{"flat, not deleted", DebeziumFlat, `{"id":1,"__deleted":"false","__op":"u"}`, `update {"id":1,"__deleted":"false","__op":"u"}`},
		{"flat, deleted", DebeziumFlat, `{"id":1,"__deleted":"true"}`, `delete was {"id":1,"__deleted":"true"}`},
		{"flat, deleted as a boolean", DebeziumFlat, `{"id":1,"__deleted":true}`, `delete was {"id":1,"__deleted":true}`},
		{"flat, deleted by its op", DebeziumFlat, `{"id":1,"__op":"d"}`, `delete was {"id":1,"__op":"d"}`},
		{"flat, truncated", DebeziumFlat, `{"__op":"t"}`, `truncate`},
		{"flat, no object", DebeziumFlat, `[]`, `!no object`},

		{"canal insert of two", Canal, canalHead + `"data":[{"id":"111"},{"id":"112"}],"old":null,"type":"INSERT"}`, `insert {"id":"111"}; insert {"id":"112"}`},
		{"canal update", Canal, canalHead + `"data":[{"id":"111","name":"scooter","weight":"5.18"}],"old":[{"weight":"5.15"}],"type":"UPDATE"}`, `update {"id":"111","name":"scooter","weight":"5.18"} was {"id":"111","name":"scooter","weight":"5.15"}`},
		{"canal update of two", Canal, canalHead + `"data":[{"id":"1","a":"x"},{"id":"3","a":null}],"old":[{"id":"2"},{"a":"y"}],"type":"UPDATE"}`, `update {"id":"1","a":"x"} was {"a":"x","id":"2"}; update {"id":"3","a":null} was {"id":"3","a":"y"}`},
		{"canal update without old", Canal, canalHead + `"data":[{"id":"1"}],"old":null,"type":"UPDATE"}`, `update {"id":"1"}`},
		{"canal update with an old null", Canal, canalHead + `"data":[{"id":"1"},{"id":"2"}],"old":[null,{"id":"3"}],"type":"UPDATE"}`, `update {"id":"1"}; update {"id":"2"} was {"id":"3"}`},
		{"canal delete", Canal, canalHead + `"data":[{"id":"111"},{"id":"112"}],"old":null,"type":"DELETE"}`, `delete was {"id":"111"}; delete was {"id":"112"}`},
		{"canal truncate", Canal, `{"data":null,"database":"d","isDdl":true,"sql":"truncate table t","table":"t","type":"TRUNCATE"}`, `truncate`},
		{"canal ddl", Canal, `{"data":null,"database":"d","isDdl":true,"old":null,"sql":"CREATE DATABASE d","table":"","type":"QUERY"}`, ``},
		{"canal ddl of a new kind", Canal, `{"data":null,"isDdl":true,"type":"NEWER"}`, ``},
		{"canal rename", Canal, `{"data":null,"isDdl":false,"type":"RENAME"}`, ``},
		{"canal, unknown type", Canal, `{"data":[],"isDdl":false,"type":"UPSERT"}`, `!none of Canal's`},
		{"canal, no type", Canal, `{"data":[{"id":"1"}]}`, `!no flat message of Canal`},
		{"canal, no list", Canal, canalHead + `"data":null,"type":"INSERT"}`, `!no list of rows`},
		{"canal, a list of others", Canal, canalHead + `"data":[1],"type":"INSERT"}`, `!no list of rows`},

		{"maxwell insert", Maxwell, maxwellHead + `"type":"insert","data":{"id":1,"daemon":"Stanislaw Lem"}}`, `insert {"id":1,"daemon":"Stanislaw Lem"}`},
		{"maxwell update", Maxwell, maxwellHead + `"type":"update","data":{"id":1,"daemon":"Firebus"},"old":{"daemon":"Stanislaw Lem"}}`, `update {"id":1,"daemon":"Firebus"} was {"id":1,"daemon":"Stanislaw Lem"}`},
		{"maxwell update of a json column", Maxwell, maxwellHead + `"type":"update","data":{"id":1,"j":{"a": [1, {"b":2}]}},"old":{"id":2}}`, `update {"id":1,"j":{"a": [1, {"b":2}]}} was {"j":{"a": [1, {"b":2}]},"id":2}`},
		{"maxwell delete", Maxwell, maxwellHead + `"type":"delete","data":{"id":1}}`, `delete was {"id":1}`},
		{"maxwell bootstrap", Maxwell, maxwellHead + `"type":"bootstrap-insert","data":{"id":1}}`, `insert {"id":1}`},
		{"maxwell bootstrap begins", Maxwell, maxwellHead + `"type":"bootstrap-start","data":{}}`, ``},
		{"maxwell bootstrap ends", Maxwell, maxwellHead + `"type":"bootstrap-complete","data":{}}`, ``},
		{"maxwell ddl", Maxwell, `{"type":"table-create","database":"test","table":"e","def":{}}`, ``},
		{"maxwell, unknown type", Maxwell, maxwellHead + `"type":"upsert","data":{}}`, `!none of Maxwell's`},
		{"maxwell, no type", Maxwell, `{"id":1}`, `!no message of Maxwell`},
		{"maxwell, no data", Maxwell, maxwellHead + `"type":"update","old":{"id":1}}`, `!no row`},
	} {
		got := told(c.events, c.in)
		if reason, bad := strings.CutPrefix(c.want, "!"); bad && (!strings.HasPrefix(got, "!") || !strings.Contains(got, reason)) || !bad && got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The row as it was is what changed laid over the rest, however deep; and paths lead where its JSON says.
func TestWholeIsOldOverNew(t *testing.T) {
	var tree, whole Tree
	names := []string{"a", "b", "c", "d"}
	value := rapid.SampledFrom([]string{"1", "null", "true", `"x"`, `"\n"`, `{"y": {"z":1}}`, `[1, {"a":2}]`, "{}"})
	rapid.Check(t, func(t *rapid.T) {
		row := func(label string) (string, map[string]string) {
			m := map[string]string{}
			var parts []string
			for _, n := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID).Draw(t, label) {
				m[n] = value.Draw(t, n)
				parts = append(parts, fmt.Sprintf("%q:%s", n, m[n]))
			}
			return "{" + strings.Join(parts, ",") + "}", m
		}
		data, is := row("data")
		old, was := row("old")
		v, err := JSONArrays.Decode(&tree, []byte(maxwellHead+`"type":"update","data":`+data+`,"old":`+old+`}`))
		if err != nil {
			t.Fatal(err)
		}
		list, err := Maxwell(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		got := list[0].Whole(&whole)
		for _, n := range names {
			want, ok := was[n]
			if !ok {
				want = is[n]
			}
			var one Tree
			if want == "" {
				if got.At1(n).Kind != Missing {
					t.Fatalf("%s over %s has %s", old, data, n)
				}
				continue
			}
			w, err := JSONArrays.Decode(&one, []byte(want))
			if err != nil {
				t.Fatal(err)
			}
			if g := got.At1(n); string(g.AppendJSON(nil)) != want && w.Kind != String {
				t.Fatalf("%s over %s: %s is %s, want %s", old, data, n, g.AppendJSON(nil), want)
			}
			same(t, got.At1(n), w)
		}
	})
}

func FuzzChanges(f *testing.F) {
	f.Add([]byte(`{"op":"u","before":{},"after":{"a":1}}`))
	f.Add([]byte(canalHead + `"data":[{"id":"1"}],"old":[{"a":null}],"type":"UPDATE"}`))
	f.Add([]byte(maxwellHead + `"type":"update","data":{"id":1},"old":{"x":2}}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, events := range []Events{Debezium, DebeziumFlat, Canal, Maxwell} {
			told(events, string(data))
		}
	})
}
