package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// reading is a value to decode: into a kind and text, or an error with a part of its reason.
type reading struct {
	name   string
	format Format
	in     []byte
	kind   Kind
	text   string
	reason string
}

func (c *reading) check(t *testing.T) *Fields {
	t.Helper()
	var f Fields
	err := f.Decode(&Record{Value: c.in}, Raw, c.format)
	switch {
	case c.reason != "":
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("got %v", err)
		}
	case err != nil || f.Value.Kind != c.kind || string(f.Value.Text) != c.text:
		t.Errorf("got %v of %d bytes, %v", f.Value.Kind, len(f.Value.Text), err)
	}
	return &f
}

func TestFormats(t *testing.T) {
	for _, c := range []reading{
		{"raw", Raw, []byte{0xff, 0}, Bytes, "\xff\x00", ""},
		{"raw and empty", Raw, []byte{}, Bytes, "", ""},
		{"raw and null", Raw, nil, Absent, "", ""},
		{"text", Text, []byte("größe"), String, "größe", ""},
		{"text and empty", Text, []byte{}, String, "", ""},
		{"text and null", Text, nil, Absent, "", ""},
		{"text that is none", Text, []byte{'a', 0xc3}, 0, "", "decoding value as string: it is not valid UTF-8"},
		{"json", JSON, []byte(" {\"a\": 1}\n"), Object, `{"a": 1}`, ""},
		{"json text", JSON, []byte(`"a\"\u00e9\ud83d\ude00"`), String, `a"é😀`, ""},
		{"json number", JSON, []byte(`-12345678901234567890.10e+5`), Number, `-12345678901234567890.10e+5`, ""},
		{"json null", JSON, []byte(`null`), Null, "null", ""},
		{"json and null", JSON, nil, Absent, "", ""},
		{"json and empty", JSON, []byte{}, 0, "", "decoding value as json: it is empty"},
		{"json spaces", JSON, []byte(" \n"), 0, "", "it is empty"},
		{"json cut off", JSON, []byte(`{"a": `), 0, "", "it ends too early"},
		{"json with more", JSON, []byte(`{} {}`), 0, "", "unexpected byte at 3 of 5"},
		{"json with a comma", JSON, []byte(`[1,]`), 0, "", "unexpected byte at 3"},
		{"json leading zero", JSON, []byte(`01`), 0, "", "unexpected byte at 1"},
		{"json NaN", JSON, []byte(`NaN`), 0, "", "unexpected byte at 0"},
		{"json control", JSON, []byte("\"\x01\""), 0, "", "unexpected byte at 1"},
		{"json UTF-8", JSON, []byte("\"\xff\""), 0, "", "not valid UTF-8"},
		{"json UTF-8 behind an escape", JSON, []byte("\"\\n\xff\""), 0, "", "not valid UTF-8"},
		{"json half a pair", JSON, []byte(`"\ud83d"`), 0, "", "half a surrogate pair"},
		{"json wrong pair", JSON, []byte(`"\ud83d\u0041"`), 0, "", "half a surrogate pair"},
		{"json byte order mark", JSON, []byte("\xef\xbb\xbf{}"), 0, "", "unexpected byte at 0"},
		{"json in an array", JSON, []byte(`[{"a": tru}]`), 0, "", "unexpected byte at 10"},
		{"json at the depth allowed", JSON, []byte(strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)), Array, strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), ""},
		{"json too deep", JSON, []byte(strings.Repeat("[", maxDepth+1)), 0, "", "nested deeper"},
		{"json objects too deep", JSON, []byte(strings.Repeat(`{"a":`, maxDepth+1)), 0, "", "nested deeper"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.check(t)
		})
	}
}

func TestKeyFaultsNameTheKey(t *testing.T) {
	var f Fields
	if err := f.Decode(&Record{Key: []byte("{")}, JSON, Raw); err == nil || !strings.HasPrefix(err.Error(), "decoding key as json: ") {
		t.Errorf("got %v", err)
	}
}

func TestPaths(t *testing.T) {
	const doc = `{"a": {"b": {"c": 1}}, "n": null, "e": "", "l": [1], "d": 1, "a.b": 2, "d": {"x": 3}, "": 4}`
	var f Fields
	if err := f.Decode(&Record{Value: []byte(doc)}, Raw, JSON); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		kind Kind
		text string
	}{
		{"a/b/c", Number, "1"},
		{"a/b", Object, `{"c": 1}`},
		{"a/x", Missing, ""},
		{"x/y/z", Missing, ""},
		{"n", Null, "null"},
		{"n/x/y", Null, "null"},
		{"e", String, ""},
		{"e/x", Missing, ""},
		{"l", Array, "[1]"},
		{"l/0", Missing, ""},
		{"d/x", Number, "3"},
		{"a.b", Number, "2"},
		{"", Number, "4"},
	} {
		if v := f.Value.At(strings.Split(c.path, "/")); v.Kind != c.kind || string(v.Text) != c.text {
			t.Errorf("%s: %d %q, want %d %q", c.path, v.Kind, v.Text, c.kind, c.text)
		}
	}
}

// TestMembersKeepOrderAndTheLast holds for few and for many members.
func TestMembersKeepOrderAndTheLast(t *testing.T) {
	for _, n := range []int{1, 5, manyKeys, manyKeys + 1, 200} {
		var doc, want []string
		for i := range n {
			doc = append(doc, fmt.Sprintf(`"k%d":%d`, i, i))
			if i != n/2 {
				want = append(want, fmt.Sprintf("k%d=%d", i, i))
			}
		}
		doc = append(doc, fmt.Sprintf(`"k%d":"last"`, n/2))
		want = append(want, fmt.Sprintf("k%d=last", n/2))
		var f Fields
		if err := f.Decode(&Record{Value: []byte("{" + strings.Join(doc, ",") + "}")}, Raw, JSON); err != nil {
			t.Fatal(err)
		}
		var got []string
		err := f.Value.Members(func(key []byte, v Value) error {
			got = append(got, fmt.Sprintf("%s=%s", key, v.Text))
			return nil
		})
		if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%d members: %v, %v", n, got, err)
		}
	}
}

// tree turns a Value into what encoding/json makes of the same text.
func (v Value) any() any {
	switch v.Kind {
	case Null:
		return nil
	case Bool:
		return v.True
	case Number:
		return json.Number(v.Text)
	case String:
		return string(v.Text)
	case Object:
		out := map[string]any{}
		_ = v.Members(func(key []byte, m Value) error {
			out[string(key)] = m.any()
			return nil
		})
		return out
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(v.Text))
	dec.UseNumber()
	_ = dec.Decode(&out)
	return out
}

// agree compares the parser with encoding/json: it takes no text that the other refuses, and refuses none
// without one of the reasons in which it means to be stricter.
func agree(data []byte) error {
	var tr Tree
	err := tr.parse(data)
	valid := json.Valid(data)
	if err != nil {
		if valid && err != errUTF8 && err != errSurrogate && err != errDepth {
			return fmt.Errorf("refused: %w", err)
		}
		return nil
	}
	if !valid {
		return fmt.Errorf("taken, though no JSON")
	}
	var want any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&want); err != nil {
		return err
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(tr.value(0).any())
	if !bytes.Equal(a, b) {
		return fmt.Errorf("read as %s, want %s", b, a)
	}
	return nil
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":null}],"c":"\u0041\n"}`, `[]`, `{"a":1,"a":2}`, `-0.0e-0`, `"\ud83d\ude00"`, `{"a":tru`, ` 1 `, "\"\xff\"", `{"a" : {} , "b":[ ] }`, `1.`, `.1`, `+1`, `"\x"`, `{"":""}`, `[1 2]`, `{"a":1,}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := agree(data); err != nil {
			t.Errorf("%q: %v", data, err)
		}
	})
}

func TestAgreesWithEncodingJSON(t *testing.T) {
	var value func(depth int) *rapid.Generator[string]
	word := rapid.SampledFrom([]string{`"a"`, `"b"`, `""`, `"é"`, `"\u00e9"`, `"\""`, `"a\\"`})
	value = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			switch n := rapid.IntRange(0, 7).Draw(t, "kind"); {
			case n == 0 && depth > 0:
				return "[" + strings.Join(rapid.SliceOfN(value(depth-1), 0, 4).Draw(t, "items"), " , ") + "]"
			case n <= 2 && depth > 0:
				var m []string
				for _, v := range rapid.SliceOfN(value(depth-1), 0, 5).Draw(t, "members") {
					m = append(m, word.Draw(t, "key")+": "+v)
				}
				return "{" + strings.Join(m, ",") + "}"
			case n <= 4:
				return word.Draw(t, "word")
			}
			return rapid.SampledFrom([]string{"null", "true", "false", "0", "-1.50", "1e400", "123456789012345678901"}).Draw(t, "scalar")
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		s := []byte(value(4).Draw(t, "json"))
		if rapid.Bool().Draw(t, "break") {
			i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
			s[i] = rapid.SampledFrom([]byte(`"{}[],:\0 e`)).Draw(t, "byte")
		}
		if err := agree(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	})
}

// order is a record of some 300 bytes.
const order = `{"order_id":"0f8fad5b-d9cb-469f-a165-70867728950e","customer_id":"customer-000042","created_at":1700000000001,"status":"shipped","total":129.95,"currency":"EUR","items":3,"address":{"street":"Long Street 12","city":"Delft","zip":"2611"},"tags":["gift","express"],"note":null,"internal":{"trace":"ab12"}}`

func BenchmarkJSON(b *testing.B) {
	var f Fields
	rec := &Record{Value: []byte(order)}
	b.SetBytes(int64(len(order)))
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Decode(rec, Raw, JSON); err != nil {
			b.Fatal(err)
		}
		f.Drop()
	}
}

func TestNothingIsAllocatedForPlainRecords(t *testing.T) {
	var f Fields
	rec := &Record{Value: []byte(order)}
	n := testing.AllocsPerRun(100, func() {
		if err := f.Decode(rec, Raw, JSON); err != nil {
			t.Fatal(err)
		}
		f.Drop()
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
