package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const columnTables = `
  - topics: ["/$NAME_(in)/"]
    table: $NAME_${1}
    key: {format: string}
    value: {format: json}
    filter: '!has(value.type) || value.type != "noise"'
    row_key: [{field: key}]
    columns:
      - {fields: "value.*", only: [value.a, value.b, value.o], to_family: d, nested: path, arrays: path}
      - {field: value.n, to: "d:n_${value.day|default:none}", trim: true}
      - {field: value.n, to: "e:n", ttl: 1h}
    replace: true
  - topics: [$NAME_in]
    table: $NAME_by_${value.type}
    tables: [$NAME_by_x, $NAME_by_y]
    key: {format: string}
    value: {format: json}
    filter: 'has(value.type) && value.type != "noise"'
    row_key: [{field: key}]
    columns:
      - {literal: "1", to: "c:n", op: increment}
    on_tombstone: ignore
`

// stamped is a record of its own time.
func stamped(topic, key, value string, at time.Time) *kgo.Record {
	return &kgo.Record{Topic: topic, Key: []byte(key), Value: []byte(value), Timestamp: at}
}

// shown gives the data of a table as key family:qualifier=value, one to a line.
func (w *world) shown(table string) string {
	var out []string
	for _, c := range w.cells(table) {
		if c.Family != "_k" {
			out = append(out, fmt.Sprintf("%s %s:%s=%q", c.Row, c.Family, c.Qualifier, c.Value))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// TestColumns replaces rows by later records, by some of the same millisecond and by late ones, with cells that expire,
// columns by path and by template, a filter, and tables named by topic and by field.
func TestColumns(t *testing.T) {
	w := newWorld(t)
	topic := w.topic("in", 1, nil)
	config := w.config(columnTables)
	w.init(config)
	rows := w.name + "_in"
	at := time.Now().Add(-30 * time.Minute)
	old := at.Add(-2 * time.Hour)
	full := `{"type":"x","a":1,"b":2,"o":{"p":{"q":true},"l":[5,{"m":6}]},"n":" 7 ","day":"mon"}`
	for _, key := range []string{"later", "same", "late", "gone", "expired", "left"} {
		w.produce(stamped(topic, key, full, at))
	}
	w.once(config)
	var want []string
	for _, key := range []string{"later", "same", "late", "gone", "expired", "left"} {
		want = append(want, key+` d:a="1"`, key+` d:b="2"`, key+` d:n_mon="7"`, key+` d:o.l.0="5"`, key+` d:o.l.1.m="6"`, key+` d:o.p.q="true"`, key+` e:n=" 7 "`)
	}
	slices.Sort(want)
	if got := w.shown(rows); got != strings.Join(want, "\n") {
		t.Fatalf("the first records became\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	w.produce(
		stamped(topic, "later", `{"type":"y","a":10}`, at.Add(time.Minute)),
		stamped(topic, "same", `{"type":"y","b":20,"n":8}`, at),
		stamped(topic, "late", `{"type":"y","o":{"p":3}}`, at.Add(-time.Minute)),
		&kgo.Record{Topic: topic, Key: []byte("gone"), Timestamp: at},
		stamped(topic, "new", `{"type":"y","a":1,"n":9}`, old),
		stamped(topic, "left", `{"type":"noise","a":99}`, at.Add(time.Minute)),
		stamped(topic, "expired", `{"a":5}`, at.Add(time.Minute)),
	)
	w.once(config)
	after := strings.Join([]string{
		`expired d:a="5"`, `late d:o.p="3"`, `later d:a="10"`,
		`left d:a="1"`, `left d:b="2"`, `left d:n_mon="7"`, `left d:o.l.0="5"`, `left d:o.l.1.m="6"`, `left d:o.p.q="true"`, `left e:n=" 7 "`,
		`new d:a="1"`, `new d:n_none="9"`, // its e:n, of two hours and a half ago, lived an hour
		`same d:b="20"`, `same d:n_none="8"`, `same e:n="8"`,
	}, "\n")
	look := func(when string) {
		if got := w.shown(rows); got != after {
			t.Errorf("%s the rows are\n%s\nwant\n%s", when, got, after)
		}
		for table, count := range map[string]int{"_by_x": 6, "_by_y": 4} {
			if got := len(w.cells(w.name + table)); got != 2*count { // and their marks
				t.Errorf("%s %s has %d cells, want %d", when, table, got, 2*count)
			}
		}
	}
	look("at once")
	w.hbase("flush", rows)
	look("after a flush")
	w.hbase("majorcompact", rows)
	look("after a major compaction")
	marks := 0
	for _, c := range w.cells(rows) {
		if c.Family == "_k" {
			marks++
		}
	}
	if marks != 7 {
		t.Errorf("%d marks, want one for each row", marks)
	}

	// A type that is not in the list stops the partition.
	w.produce(stamped(topic, "k", `{"type":"z","a":1}`, at))
	p := w.start(config, "--once")
	p.ends(4, "the record goes to a table that is none of those in tables")
}
