package mapping

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"

	"rowmark/rowkey"
)

// What Debezium left out is neither a value to fall back from, nor one to be made of, compared or flattened.
func TestValuesLeftOutStayLeftOut(t *testing.T) {
	const away = `"__debezium_unavailable_value"`
	// The bytes of the placeholder, as an array of numbers.
	var numbers bytes.Buffer
	for i, b := range []byte(debeziumPlaceholder) {
		if i > 0 {
			numbers.WriteByte(',')
		}
		fmt.Fprint(&numbers, b)
	}
	event := `{"op":"u","before":{"id":1},"after":{"id":1,"a":` + away + `,"b":"x","o":{"p":` + away + `,"q":2},"l":[` + away + `],"bytes":[` + numbers.String() + `]}}`
	const at = "ns:t 1@36000000"
	for _, c := range []struct {
		name string
		col  Column
		want string
	}{
		{"coalesce", Column{Coalesce: []string{"value.a", "value.b"}, To: "d:x"}, ""},
		{"coalesce of what came before it", Column{Coalesce: []string{"value.b", "value.a"}, To: "d:x"}, " d:x=x"},
		{"default", Column{Field: "value.a", Default: ptr("none"), To: "d:x"}, ""},
		{"template", Column{Template: "${value.b}-${value.a}", To: "d:x"}, ""},
		{"template with a default", Column{Template: "${value.b}-${value.a|default:none}", To: "d:x"}, ""},
		{"changed", Column{Field: "value.a", Upper: true, To: "d:x"}, ""},
		{"wildcard", Column{Fields: "value.*", Only: []string{"value.a", "value.b", "value.l", "value.bytes"}, ToFamily: "d"}, " d:b=x"},
		{"paths", Column{Fields: "value.*", Except: []string{"value.id"}, ToFamily: "d", Nested: "path", Arrays: "path"}, " d:b=x d:o.q=2"},
		{"event", Column{Field: "event.after.a", To: "d:x"}, " d:x=__debezium_unavailable_value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want != "" {
				want = at + want
			}
			expectMap(t, following("debezium", columns(c.col)), event, want)
		})
	}
	for text, want := range map[string]string{
		`has(value.a)`:                        "",
		`has(value.b) && value.b == "x"`:      at + " d:b=x",
		`value.a == "x"`:                      "!evaluating filter: at 1:6: no such key",
		`!("p" in value.o) && "q" in value.o`: at + " d:b=x",
		`size(value.o) == 1`:                  at + " d:b=x",
		`event.op == "u" && before.id == 1`:   at + " d:b=x",
	} {
		expectMap(t, following("debezium", func(s *Spec) { s.Filter, s.Columns = text, []Column{{Field: "value.b", To: "d:b"}} }), event, want)
	}
}

func TestFiltersOfEvents(t *testing.T) {
	const at = "@36000000"
	passing := func(text string) Spec {
		return following("debezium", func(s *Spec) { s.Filter = text })
	}
	expectMap(t, passing(`value.a == "x"`), created, "ns:t 1"+at+" d:a=x")
	expectMap(t, passing(`value.a == "x"`), updated, "")
	expectMap(t, passing(`before != null && before.a == "x"`), updated, "ns:t 1"+at+" d:a=y e:n=7")
	expectMap(t, passing(`value.a == "x"`), erased, "ns:t 1"+at+" delete d delete e") // of a delete, the row before it
	expectMap(t, passing(`event.op != "d"`), erased, "")
	expectMap(t, passing(`value.id > 1`), moved, "ns:t 1"+at+" delete d delete e; ns:t 2"+at+" d:a=x")
}

func TestTablesNamedByEvents(t *testing.T) {
	const at = "@36000000"
	byTable := following("debezium", func(s *Spec) { s.Table, s.Tables = "ns:${event.source.table}", []string{"ns:orders"} })
	expectMap(t, byTable, updated, "ns:orders 1"+at+" d:a=y e:n=7")
	expectMap(t, byTable, erased, "ns:orders 1"+at+" delete d delete e")
	expectMap(t, byTable, moved, "!filling in event.source.table")

	byRow := func(s *Spec) { s.Table, s.Tables = "ns:${value.a}", []string{"ns:x", "ns:y"} }
	_, problems := Compile([]Spec{following("debezium", byRow)}, Options{})
	if len(problems) != 1 || problems[0].Path != "[0].table" {
		t.Errorf("a table that may change with the row: %v", problems)
	}
	expectMap(t, following("debezium", func(s *Spec) { byRow(s); s.OnDelete = "ignore" }), updated, "ns:y 1"+at+" d:a=y e:n=7")

	_, problems = Compile([]Spec{following("maxwell", func(s *Spec) { s.Replace = true })}, Options{})
	if len(problems) != 1 || problems[0].Path != "[0].replace" {
		t.Errorf("events that replace rows: %v", problems)
	}
}

func TestArraysOfCompressedJSON(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(`{"a":[1,{"b":2}]}`)) // a buffer never fails
	_ = z.Close()
	for _, how := range []string{"gzip", "auto"} {
		expectMap(t, edit(func(s *Spec) {
			s.Value.Compression, s.RowKey = how, rowkey.Spec{{Field: "key"}}
			s.Columns = []Column{{Fields: "value.*", ToFamily: "r", Nested: "path", Arrays: "path"}}
		}), packed.String(), "ns:t k@36000000 r:a.0=1 r:a.1.b=2")
	}
}
