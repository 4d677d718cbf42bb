package decode

import "testing"

func TestJSONSchemaWireFormat(t *testing.T) {
	for data, want := range map[string]string{
		"\x00\x00\x00\x00\x07" + `{"a":[1,{"b":2}]}`: `{"a":[1,{"b":2}]}`,
		"\x00\xff\xff\xff\xff" + `7`:                 `7`, // no schema is asked for
		"\x01\x00\x00\x00\x07{}":                     "",
		"\x00\x00\x00\x00\x07":                       "",
		"\x00\x00\x00\x00\x07{}x":                    "",
		"{}":                                         "",
		"":                                           "",
	} {
		v, err := JSONSchema.Decode(new(Tree), []byte(data))
		if got := string(v.AppendJSON(nil)); want != "" && (err != nil || got != want) || want == "" && err == nil {
			t.Errorf("%q: %s, %v; want %s", data, got, err, want)
		}
	}
}

func TestWithArrays(t *testing.T) {
	const text = `{"a":[1,{"b":2}]}`
	for _, c := range []struct {
		format Format
		data   string
	}{
		{JSON, text},
		{JSONArrays, text},
		{JSONSchema, "\x00\x00\x00\x00\x07" + text},
		{AutoGzip(JSON), text},
	} {
		v, err := WithArrays(c.format).Decode(new(Tree), []byte(c.data))
		if got := v.At1("a", "1", "b"); err != nil || string(got.Text) != "2" {
			t.Errorf("%T: %s, %v", c.format, got.Text, err)
		}
		if WithArrays(c.format) != WithArrays(c.format) {
			t.Errorf("%T: a record would be read twice", c.format)
		}
	}
	if WithArrays(Raw) != Raw {
		t.Error("raw bytes have no arrays")
	}
}
