package protobuf

import (
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/registry/registrytest"
)

// testdata/protobuf.golden was made by Protobuf's Java classes (4.36.2) with testdata/ProtobufGolden.java.
func TestReadsWhatJavaWrote(t *testing.T) {
	f := New(registrytest.Shelf{1: {Kind: decode.ProtobufSchema, Text: testdata(t, "golden.proto")}})
	n := 0
	for line := range strings.Lines(testdata(t, "protobuf.golden")) {
		data, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		// The message of the golden file is the second one.
		body, err := hex.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.Decode(new(decode.Tree), framed(1, body, 2, 2))
		got := v.AppendJSON(nil)
		if err != nil || !reflect.DeepEqual(parsed(t, got), parsed(t, []byte(want))) {
			t.Errorf("%s\nis   %s, %v\nwant %s", data, got, err, want)
		}
		n++
	}
	if n < 14 {
		t.Errorf("only %d messages", n)
	}
}
