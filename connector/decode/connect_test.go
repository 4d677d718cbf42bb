package decode

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// connectGoldens is written by testdata/ConnectGoldens.java with Kafka Connect's own converter: a name, its record, and the value.
//
//go:embed testdata/connect.txt
var connectGoldens string

func connectLines(t testing.TB) (lines [][]string) {
	for line := range strings.Lines(connectGoldens) {
		lines = append(lines, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	if len(lines) < 140 {
		t.Fatalf("only %d goldens", len(lines))
	}
	return lines
}

// The second time the schema is known, and behind spaces it is not.
func TestConnectReadsWhatConnectWrites(t *testing.T) {
	format := Connect()
	for _, line := range connectLines(t) {
		name, record, want := line[0], line[1], line[2]
		for _, text := range []string{record, record, " " + record + "\n"} {
			var data []byte
			if record != "" {
				data = []byte(text)
			}
			var tree Tree
			v, err := tree.decode(data, format)
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case want == "":
				if v.Kind != Absent {
					t.Errorf("%s: a null payload is %v", name, v.Kind)
				}
			case string(v.AppendJSON(nil)) != want:
				t.Errorf("%s of %s is %s, want %s", name, text, v.AppendJSON(nil), want)
			}
		}
	}
}

func TestConnectKinds(t *testing.T) {
	const record = `{"schema":{"type":"struct","fields":[{"type":"bytes","field":"b"},{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2"},"field":"d"},` +
		`{"type":"struct","name":"io.debezium.data.VariableScaleDecimal","field":"v"},{"type":"array","items":{"type":"bytes"},"field":"l"},{"type":"struct","field":"s","fields":[]}]},` +
		`"payload":{"b":"AAH/","d":"MDk=","v":{"scale":1,"value":"ew=="},"l":["AQ=="],"s":{"x": 1},"more":"as it is"}}`
	var tree Tree
	v, err := Connect().Decode(&tree, []byte(record))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		kind Kind
		text string
	}{
		{"b", Bytes, "\x00\x01\xff"},
		{"d", Number, "123.45"},
		{"v", Number, "12.3"},
		{"v/scale", Missing, ""},
		{"l/0", Bytes, "\x01"},
		{"s", Object, `{"x": 1}`},
		{"s/x", Number, "1"},
		{"more", String, "as it is"},
		{"none", Missing, ""},
	} {
		if got := v.At1(strings.Split(c.path, "/")...); got.Kind != c.kind || string(got.Text) != c.text {
			t.Errorf("%s is %v %q, want %v %q", c.path, got.Kind, got.Text, c.kind, c.text)
		}
	}
}

func TestConnectRefuses(t *testing.T) {
	decimal := `{"schema":{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"%s"}},"payload":%s}`
	for _, c := range []struct{ name, in, reason string }{
		{"plain json (N1)", `{"id":1}`, "no object of schema and payload"},
		{"a schema without a payload", `{"schema":null}`, "no object of schema and payload"},
		{"text", `"x"`, "no object of schema and payload"},
		{"no json", `{"schema":`, "ends too early"},
		{"unknown type", `{"schema":{"type":"int7"},"payload":1}`, "none of Connect's"},
		{"no type", `{"schema":{},"payload":1}`, "none of Connect's"},
		{"struct without fields", `{"schema":{"type":"struct"},"payload":{}}`, "none of Connect's"},
		{"field without a name", `{"schema":{"type":"struct","fields":[{"type":"bytes"}]},"payload":{}}`, "none of Connect's"},
		{"array without items", `{"schema":{"type":"array"},"payload":[]}`, "none of Connect's"},
		{"map without values", `{"schema":{"type":"map","keys":{"type":"string"}},"payload":{}}`, "none of Connect's"},
		{"decimal without a scale", fmt.Sprintf(decimal, "x", `"AA=="`), "without a scale"},
		{"decimal with a vast scale", fmt.Sprintf(decimal, "1000000000", `"AA=="`), "scale is beyond"},
		{"decimal without bytes", fmt.Sprintf(decimal, "1", `""`), "no bytes"},
		{"vast decimal", fmt.Sprintf(decimal, "1", `"`+strings.Repeat("AAAA", 400)+`"`), "more than 1024 bytes"},
		{"bytes that are no base64", `{"schema":{"type":"bytes"},"payload":"*"}`, "base64"},
		{"bytes that are a number", `{"schema":{"type":"bytes"},"payload":1}`, "does not fit"},
		{"struct that is none", `{"schema":{"type":"struct","fields":[{"type":"bytes","field":"b"}]},"payload":[]}`, "does not fit"},
		{"variable decimal without a scale", `{"schema":{"type":"struct","name":"io.debezium.data.VariableScaleDecimal"},"payload":{"value":"AA=="}}`, "does not fit"},
		{"pairs that are none", `{"schema":{"type":"map","keys":{"type":"int32"},"values":{"type":"bytes"}},"payload":[[1]]}`, "does not fit"},
		{"triples", `{"schema":{"type":"map","keys":{"type":"int32"},"values":{"type":"bytes"}},"payload":[[1,"AA==",2]]}`, "does not fit"},
		{"a fault names its field", `{"schema":{"type":"struct","fields":[{"type":"bytes","field":"b"}]},"payload":{"b":1}}`, "field b: its payload does not fit"},
	} {
		format := Connect()
		for range 2 {
			var tree Tree
			if _, err := format.Decode(&tree, []byte(c.in)); err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%s: got %v, want %s", c.name, err, c.reason)
			}
		}
	}
}

// A known schema must change nothing of what is read, nor of what is refused, whatever follows it.
func TestAKnownSchemaReadsTheSame(t *testing.T) {
	known := Connect()
	lines := connectLines(t)
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.SampledFrom(lines).Draw(t, "line")[1])
		if tail := rapid.SampledFrom([]string{"", `,"x":1}`, `,"payload":"AQ=="}`, `,"schema":null}`, `,`, `}`}).Draw(t, "tail"); tail != "" && len(data) > 0 {
			data = append(data[:len(data)-1], tail...)
		} else if len(data) > 0 && rapid.Bool().Draw(t, "break") {
			i := rapid.IntRange(0, len(data)-1).Draw(t, "at")
			data[i] = rapid.SampledFrom([]byte(`"{}[],:\0 e1`)).Draw(t, "byte")
		}
		if rapid.Bool().Draw(t, "rename") {
			data = bytes.Replace(data, []byte("payload"), []byte("payl0ad"), 1)
		}
		var a, b Tree
		got, err1 := known.Decode(&a, data)
		want, err2 := Connect().Decode(&b, data)
		if fmt.Sprint(err1) != fmt.Sprint(err2) {
			t.Fatalf("%s: %v, with a schema known; else %v", data, err1, err2)
		}
		if x, y := string(got.AppendJSON(nil)), string(want.AppendJSON(nil)); x != y || got.Kind != want.Kind {
			t.Fatalf("%s: %s, with a schema known; else %s", data, x, y)
		}
	})
}

func TestConnectIsSafeForConcurrentUse(t *testing.T) {
	format := Connect()
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 3 * connectHeads {
				var tree Tree
				v, err := format.Decode(&tree, fmt.Appendf(nil, `{"schema":{"type":"bytes","name":"%d"},"payload":"AQ=="}`, i))
				if err != nil || string(v.Text) != "\x01" {
					t.Errorf("%q, %v", v.Text, err)
				}
			}
		}()
	}
	wg.Wait()
	if n := len(*format.(*connectFormat).known.Load()); n > connectHeads {
		t.Errorf("%d schemas are kept, want at most %d", n, connectHeads)
	}
}

func FuzzConnect(f *testing.F) {
	format := Connect()
	for _, line := range connectLines(f) {
		f.Add([]byte(line[1]))
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		var tree Tree
		if v, err := format.Decode(&tree, data); err == nil {
			v.AppendJSON(nil)
		}
	})
}
