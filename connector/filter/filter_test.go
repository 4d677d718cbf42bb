package filter

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rowmark/connector/decode"
)

func input(t testing.TB, value string) *Input {
	t.Helper()
	rec := &decode.Record{
		Topic: "orders", Partition: 3, Offset: 258, Timestamp: 1000, Key: []byte(`{"id":7}`), Value: []byte(value),
		Headers: []decode.Header{{Key: "kind", Value: []byte("old")}, {Key: "kind", Value: []byte("new")}, {Key: "trace-id", Value: []byte{0xff}}, {Key: "none"}},
	}
	if value == "" {
		rec.Value = nil
	}
	var fields decode.Fields
	if err := fields.Decode(rec, decode.JSON, decode.JSONArrays); err != nil {
		t.Fatal(err)
	}
	return &Input{Record: rec, Key: fields.Key, Value: fields.Value}
}

const order = `{"type":"order","total":10.5,"n":12.0,"id":9007199254740993,"next":9007199254740992,"huge":18446744073709551615,
	"over":18446744073709551616,"deep":9007199254740992.5,"big":1e300,"max":9223372036854775807,"neg":-5,"one":"1","yes":true,"none":null,
	"o":{"x":{"y":[1,{"z":"q"}]}},"l":["a","b",3],"e":"","d":"2026-11-30T12:00:00Z","dot.ted":4,"twice":1,"twice":2}`

func TestPasses(t *testing.T) {
	for expression, want := range map[string]string{
		`value.type == "order" && value.total > 10`: "true",
		`value.type == "order" && value.total > 11`: "false",
		`value.total > 10.25 && value.total < 11`:   "true",
		`value.n == 12`:                           "true",
		`value.id == 9007199254740993`:            "true",
		`value.id == 9007199254740992`:            "false",
		`value.id > value.next`:                   "true",
		`value.id == value.next`:                  "false",
		`value.huge > value.max`:                  "true",
		`value.huge == 18446744073709551615u`:     "true",
		`value.over > 1`:                          "at 1:6: the number does not fit into 64 bits",
		`value.over == 1`:                         "at 1:6: the number does not fit into 64 bits",
		`value.big > 1`:                           "at 1:6: the number does not fit into 64 bits",
		`value.deep > value.next`:                 "at 1:6: the number has a fraction, and more digits before it than a double holds",
		`value.max + 1 > 0`:                       "at 1:11: integer overflow",
		`value.max * 2 > 0`:                       "at 1:11: integer overflow",
		`value.neg / 0 == 0`:                      "at 1:11: division by zero",
		`value.total + 1 > 0`:                     "at 1:13: no such overload",
		`value.total + 1.0 > 0`:                   "true",
		`double(value.neg) < -4.5`:                "true",
		`value.one == 1`:                          "false",
		`value.one == "1"`:                        "true",
		`value.one > 0`:                           "at 1:11: no such overload",
		`value.yes`:                               "true",
		`value.type`:                              "it gives neither true nor false",
		`value.gone == 1`:                         "at 1:6: no such key",
		`has(value.gone)`:                         "false",
		`has(value.none)`:                         "true",
		`has(value.gone) && value.gone > 1`:       "false",
		`value.gone > 1 && value.type == "x"`:     "false",
		`value.gone > 1 || value.type == "order"`: "true",
		`value.none == null`:                      "true",
		`value.none > 1`:                          "at 1:12: no such overload",
		`value.type == null`:                      "false",
		`value.o.x.y[1].z == "q"`:                 "true",
		`value.o.x.y[5] == 1`:                     "at 1:12: index out of bounds",
		`value.o.x.w.v == 1`:                      "no such key",
		`value.type.x == 1`:                       "no such key",
		`"b" in value.l && !(2 in value.l) && size(value.l)==3`:       "true",
		`value.l.exists(x, x == 3)`:                                   "true",
		`"x" in value.o`:                                              "true",
		`value.o.all(k, k == "x") && size(value.o) == 1`:              "true",
		`value.o == value.o && value.o != value.l`:                    "true",
		`value["dot.ted"] == 4`:                                       "true",
		`value.twice == 2`:                                            "true",
		`value.type.startsWith("or") && value.type.matches("^o.*r$")`: "true",
		`timestamp(value.d) < timestamp("2026-12-01T00:00:00Z")`:      "true",
		`int(value.type) == 1`:                                        "at 1:4: it can't be evaluated",
		`value[value.type] == 1`:                                      "no such key",
		`topic == "orders" && partition == 3 && offset == 258 && timestamp == 1000 && key.id == 7`: "true",
		`header.kind == "new" && header["trace-id"] == b"\xff" && header.none == null`:             "true",
		`has(header.kind) && !has(header.other)`:                                                   "true",
		`header.other == "x"`:                                                                      "no such key",
	} {
		f, err := Compile(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		yes, err := f.Passes(input(t, order))
		got := fmt.Sprint(yes)
		if err != nil {
			got = err.Error()
		}
		if got != want && !(err != nil && strings.HasSuffix(got, ": "+want)) {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for expression, reason := range map[string]string{
		``:                        "at 1:",
		`value.type = "x"`:        "at 1:12: ",
		"value.a == 1 &&\n vaLue": "at 2:2: undeclared reference to 'vaLue'",
		`1 + 1`:                   "it gives int, and a filter gives true or false",
		`topic`:                   "it gives string, and a filter gives true or false",
		`topic > 1`:               "at 1:7: found no matching overload",
		`value.matches("(")`:      "",
		`offset == "a"`:           "at 1:8: found no matching overload",
		`now() > 1`:               "undeclared reference to 'now'",
	} {
		if _, err := Compile(expression); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %s", expression, err, reason)
		}
	}
}

func TestFailsWithoutValue(t *testing.T) {
	for expression, fails := range map[string]bool{
		`value.type == "x"`:                                    true,
		`value.n > 1 && topic == "a"`:                          false, // topic may decide
		`value == null || value.type == "x"`:                   false,
		`value != null && value.type == "x"`:                   false,
		`topic == "a"`:                                         false,
		`key.id > 5 && header.x == "y"`:                        false,
		`has(value.type)`:                                      false,
		`value.total > 10 && value.type == "x"`:                true,
		`topic == "a" ? value.type == "x" : partition == 1`:    false,
		`(value == null || value.n > 1) && value.type == "y"`:  true,
		`(value == null && topic == "b") || value.type == "y"`: false,
	} {
		f, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.FailsWithoutValue(); (err != nil) != fails {
			t.Errorf("%s: %v, want a failure: %t", expression, err, fails)
		}
	}
	f, err := Compile(`value == null`)
	if err != nil {
		t.Fatal(err)
	}
	if yes, err := f.Passes(input(t, "")); !yes || err != nil {
		t.Errorf("a record without a value: %t, %v", yes, err)
	}
	if f, err = Compile(`has(value.type)`); err != nil {
		t.Fatal(err)
	}
	if yes, err := f.Passes(input(t, "")); yes || err != nil {
		t.Errorf("a field of a record without a value: %t, %v", yes, err)
	}
}

// What an expression fails by is told without what the record holds.
func TestErrorsHoldNoContent(t *testing.T) {
	const secret = "s3cr3t"
	in := input(t, `{"a":"`+secret+`","o":{"`+secret+`":1},"l":["`+secret+`"]}`)
	for _, expression := range []string{
		`value[value.a] == 1`, `int(value.a) == 1`, `value.o[value.a].x == 1`, `timestamp(value.a) > timestamp("2026-01-01T00:00:00Z")`,
		`duration(value.a) > duration("1s")`, `bool(value.a)`, `double(value.a) > 1.0`, `value.a > 1`, `value.a.b`, `value.l[value.a] == 1`,
		`"x".matches(value.a + "(")`, `value.l.all(x, x > 1)`, `header[value.a] == "x"`, `{value.a: 1}["x"] == 1`, `[1][value.a] == 1`, `value.a`,
		`bytes(value.a) > 1`, `value.a in value.a`, `type(value.a) == 1 || int(value.a) > 2`, `value.l.map(x, int(x)) == [1]`,
	} {
		f, err := Compile(expression)
		if err != nil {
			continue // no overload for these types at all
		}
		if yes, err := f.Passes(in); err == nil && yes || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %t, %v", expression, yes, err)
		}
	}
}

// No value of a record makes an expression panic.
func TestAnyRecordIsTaken(t *testing.T) {
	var filters []*Filter
	for _, expression := range []string{
		`value.a > 1 && value.b == "x"`, `value.a + value.b > value.a`, `value.a[0] == value.b || value.b.c`, `value.a.exists(x, x == value.b)`,
		`value == key`, `size(value) > size(value.a)`, `value.a in value`, `value.a == value.b`, `-value.a < value.b % 3`,
	} {
		f, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		filters = append(filters, f)
	}
	random := rand.New(rand.NewPCG(5, 6))
	atoms := []string{"null", "true", "1", "-0", "1e400", "0.1", "99999999999999999999", `"x"`, `""`, "[]", "{}", "[1,2]", `{"c":true}`, `{"a":{"a":1}}`, "-9223372036854775808"}
	atom := func() string { return atoms[random.IntN(len(atoms))] }
	for range 3000 {
		text := atom()
		if random.IntN(10) > 0 {
			text = fmt.Sprintf(`{"a":%s,"b":%s}`, atom(), atom())
		}
		in := input(t, text)
		for _, f := range filters {
			_, _ = f.Passes(in)
		}
	}
}

func BenchmarkPasses(b *testing.B) {
	in := input(b, order)
	for _, expression := range []string{`value.type == "order" && value.total > 10`, `topic == "orders"`} {
		f, err := Compile(expression)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(expression, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if yes, err := f.Passes(in); !yes || err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Objects and headers are gone over in the order of the record, so that a replay decides the same.
func TestNamesAreGoneOverInTheirOrder(t *testing.T) {
	in := input(t, `{"e":1,"a":2,"d":{"z":1,"y":2,"x":3,"w":4},"c":4,"b":5}`)
	for _, expression := range []string{
		`value.map(k, k) == ["e", "a", "d", "c", "b"]`,
		`value.d.map(k, k) == ["z", "y", "x", "w"]`,
		`value.filter(k, k != "a")[0] == "e" && value.filter(k, k < "d")[0] == "a"`,
		`header.map(k, k) == ["kind", "trace-id", "none"]`,
		`header.size() == 3 && "kind" in header && header == header`,
	} {
		f, err := Compile(expression)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		for range 100 {
			if yes, err := f.Passes(in); !yes || err != nil {
				t.Errorf("%s: %v, %v", expression, yes, err)
				break
			}
		}
	}
}
