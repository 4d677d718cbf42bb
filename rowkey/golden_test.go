package rowkey

import (
	_ "embed"
	"encoding/hex"
	"strings"
	"testing"
)

// goldens is written by testdata/Goldens.java with HBase 2.6.4.
//
//go:embed testdata/goldens.txt
var goldens string

func TestBytesAgreeWithHBase(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(goldens), "\n")
	if len(lines) < 90 {
		t.Fatalf("only %d goldens", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		what, in, want := f[0], f[1], f[2]
		var spec Part
		switch what {
		case "md5", "sha1", "sha256", "crc32", "murmur3":
			spec = Part{Hash: what, Of: []string{"value"}}
		case "reversed":
			spec = Part{Field: "value", As: "int64", Reverse: true}
			// The raw form reversed is the same idiom.
			check(t, Part{Field: "value", As: "bytes_int64", Reverse: true}, in, want)
		default:
			spec = Part{Field: "value", As: what}
		}
		check(t, spec, in, want)
	}
}

func check(t *testing.T, p Part, in, want string) {
	t.Helper()
	spec := Spec{p}
	if p.Hash != "" {
		spec = append(spec, Part{Field: "topic"})
	}
	k, problems := Compile(spec)
	if problems != nil {
		t.Fatal(problems)
	}
	got, err := k.Append(nil, fields{"value": text(in), "topic": text("-")})
	if p.Hash != "" {
		got = got[:max(0, len(got)-1)]
	}
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%+v of %s: %x, %v, want %s", p, in, got, err, want)
	}
}
