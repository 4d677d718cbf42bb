package avro

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"rowmark/connector/decode"
)

// What was cut off anywhere, or has bytes left over, is an error and no value.
func TestCutOrLongIsAnError(t *testing.T) {
	for _, g := range goldens(t) {
		f := fixedOf(t, g.schema, None)
		for n := range len(g.data) {
			if v, err := f.Decode(new(decode.Tree), []byte(g.data[:n])); err == nil {
				t.Errorf("%s: %d of %d bytes of %x are %s", g.name, n, len(g.data), g.data, v.AppendJSON(nil))
			}
		}
		if _, err := f.Decode(new(decode.Tree), []byte(g.data+"\x00")); err != errLong {
			t.Errorf("%s with a byte more: %v", g.name, err)
		}
	}
}

func TestAnyBytesAreReadOrRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var tree decode.Tree
	for _, g := range goldens(t) {
		f := fixedOf(t, g.schema, None)
		for range 300 {
			data := []byte(g.data)
			for range 1 + random.IntN(3) {
				if len(data) > 0 {
					data[random.IntN(len(data))] = byte(random.Uint32())
				}
			}
			if random.IntN(4) == 0 {
				data = make([]byte, random.IntN(40))
				for i := range data {
					data[i] = byte(random.Uint32())
				}
			}
			if v, err := f.Decode(&tree, data); err == nil {
				v.AppendJSON(nil)
			}
		}
	}
}

// A schema that is damaged is refused, or is another schema; reading with it ends too.
func TestAnyTextIsASchemaOrRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	words := []string{`"type"`, `"record"`, `"fields"`, `[]`, `{}`, `null`, `-1`, `1e9`, `"Node"`, `"a.b"`, `""`, `"items"`, `"array"`, `,`}
	taken := 0
	for _, g := range goldens(t) {
		for range 100 {
			text := g.schema
			at := random.IntN(len(text))
			if random.IntN(2) == 0 {
				text = text[:at] + words[random.IntN(len(words))] + text[min(len(text), at+random.IntN(8)):]
			} else {
				text = text[:at] + string(rune(32+random.IntN(96))) + text[at+1:]
			}
			f, err := NewFixed(text, SingleObject)
			if err != nil {
				continue
			}
			taken++
			f.(*fixed).front = nil
			_, _ = f.Decode(new(decode.Tree), []byte(g.data)) // it ends
		}
	}
	if taken < 100 {
		t.Errorf("only %d damaged texts were schemas", taken)
	}
}

func varints(n ...int64) []byte {
	var out []byte
	for _, n := range n {
		out = binary.AppendVarint(out, n)
	}
	return out
}

// A few bytes may claim anything; what comes of them is bounded.
func TestWhatIsClaimedIsBounded(t *testing.T) {
	array := func(items string) string { return `{"type":"array","items":` + items + `}` }
	wide := `{"type":"record","name":"W","fields":[` + strings.Repeat(`{"name":"a","type":"null"},`, 1000) + `{"name":"b","type":"boolean"}]}`
	const many = "far more values"
	for _, c := range []struct {
		schema string
		data   []byte
		want   string
	}{
		{array(`"int"`), varints(1 << 62), errShort.Error()},
		{array(`"int"`), varints(math.MinInt64, 4), errLength.Error()},
		{array(`"int"`), varints(-2, math.MaxInt64), errLength.Error()},
		{array(`"int"`), varints(-2, -1), errLength.Error()},
		{array(`"null"`), varints(1 << 62), many},
		{array(`"null"`), varints(math.MinInt64, 0), errLength.Error()},
		{array(`{"type":"record","name":"E","fields":[]}`), varints(1 << 62), many},
		{array(`{"type":"fixed","name":"F","size":0}`), varints(1 << 40), many},
		{array(array(`"null"`)), varints(1<<40, 1<<40), many},
		{array(wide), append(varints(1<<40), make([]byte, 10_000)...), many},
		{`{"type":"map","values":"null"}`, varints(1 << 40), errShort.Error()},
		{`"string"`, varints(1 << 62), errLength.Error()},
		{`"bytes"`, varints(-1), errLength.Error()},
		{`"int"`, varints(1 << 31), errVarint.Error()},
		{`"long"`, []byte(strings.Repeat("\xff", 11)), errVarint.Error()},
		{`"boolean"`, []byte{2}, errBool.Error()},
		{`["null","int"]`, varints(2), errMember.Error()},
		{`["null","int"]`, varints(-1), errMember.Error()},
		{`{"type":"enum","name":"E","symbols":["A"]}`, varints(1), errSymbol.Error()},
		{`{"type":"enum","name":"E","symbols":["A"]}`, varints(-1), errSymbol.Error()},
		{`"string"`, []byte{2, 0xff}, errUTF8.Error()},
	} {
		f := fixedOf(t, c.schema, None)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := f.Decode(new(decode.Tree), c.data)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 300<<20 {
			t.Errorf("%s of %.40x took %d bytes", c.schema, c.data, n)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s of %.40x: %v, want %v", c.schema, c.data, err, c.want)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	list := fixedOf(t, `{"type":"record","name":"L","fields":[{"name":"next","type":["null","L"]}]}`, None)
	chain := func(n int) []byte { return []byte(strings.Repeat("\x02", n) + "\x00") }
	if _, err := list.Decode(new(decode.Tree), chain(100)); err != nil {
		t.Errorf("100 records: %v", err)
	}
	if _, err := list.Decode(new(decode.Tree), chain(100_000)); err == nil || !strings.Contains(err.Error(), errDepth.Error()) {
		t.Errorf("100,000 records: %.80v", err)
	}
}

// The place is that of the schema; of what a record holds, keys of maps included, nothing is shown.
func TestErrorsNameThePlace(t *testing.T) {
	f := fixedOf(t, `{"type":"record","name":"R","fields":[{"name":"lines","type":{"type":"array","items":
		{"type":"record","name":"Line","fields":[{"name":"by","type":{"type":"map","values":"int"}}]}}}]}`, None)
	data := append(varints(2, 0, 1), "\x0csecret"...)
	data = append(data, varints(1<<40)...)
	want := "at lines[1].by[*]: " + errVarint.Error()
	if _, err := f.Decode(new(decode.Tree), data); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
