package avro

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"rowmark/connector/decode"
)

// golden is one value that Avro's Java classes (1.12.2) wrote and read: testdata/AvroGolden.java made the file.
type golden struct{ name, schema, data, single, want string }

func goldens(tb testing.TB) []golden {
	text, err := os.ReadFile("testdata/avro.golden")
	if err != nil {
		tb.Fatal(err)
	}
	var out []golden
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, golden{f[0], f[1], unhex(tb, f[2]), unhex(tb, f[3]), f[4]})
	}
	if len(out) < 80 {
		tb.Fatalf("only %d values", len(out))
	}
	return out
}

func unhex(tb testing.TB, text string) string {
	data, err := hex.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func fixedOf(tb testing.TB, text, framing string) decode.Format {
	f, err := NewFixed(text, framing)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return f
}

func TestReadsWhatJavaWrote(t *testing.T) {
	var tree decode.Tree
	for _, g := range goldens(t) {
		v, err := fixedOf(t, g.schema, None).Decode(&tree, []byte(g.data))
		if got := string(v.AppendJSON(nil)); err != nil || got != g.want {
			t.Errorf("%s: %x is %s, %v; want %s", g.name, g.data, got, err, g.want)
		}
		if g.single == "" {
			continue
		}
		v, err = fixedOf(t, g.schema, SingleObject).Decode(&tree, []byte(g.single))
		if got := string(v.AppendJSON(nil)); err != nil || got != g.want {
			t.Errorf("%s: single object %x is %s, %v; want %s", g.name, g.single, got, err, g.want)
		}
	}
}

func TestNumbersAndBytesAreNoText(t *testing.T) {
	kinds := map[string]decode.Kind{
		"int": decode.Number, "long": decode.Number, "double": decode.Number, "decimal": decode.Number, "fixed decimal": decode.Number,
		"date": decode.Number, "timestamp-micros": decode.Number, "bytes": decode.Bytes, "fixed": decode.Bytes, "decimal that is none": decode.Bytes,
		"string": decode.String, "enum": decode.String, "uuid": decode.String, "fixed uuid": decode.String, "boolean": decode.Bool,
		"null": decode.Null, "duration": decode.Object, "map": decode.Object, "array": decode.Array,
	}
	for _, g := range goldens(t) {
		want, ok := kinds[g.name]
		if !ok || strings.HasSuffix(g.want, `Inf"`) {
			continue
		}
		v, err := fixedOf(t, g.schema, None).Decode(new(decode.Tree), []byte(g.data))
		if err != nil || v.Kind != want {
			t.Errorf("%s: kind %d, %v; want %d", g.name, v.Kind, err, want)
		}
	}
}
