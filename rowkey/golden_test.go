package rowkey

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// goldens is written by testdata/Goldens.java with HBase 2.6.4.
//
//go:embed testdata/goldens.txt
var goldens string

func TestBytesAgreeWithHBase(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(goldens), "\n")
	if len(lines) < 200 {
		t.Fatalf("only %d goldens", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		what, in, want := f[0], f[1], f[2]
		var spec Part
		switch what {
		case "md5", "sha1", "sha256", "crc32", "murmur3":
			spec = Part{Hash: what, Of: []string{"value"}}
		case "bytes_decimal":
			got, err := BytesDecimal.Append(nil, text(in))
			if err != nil || hex.EncodeToString(got) != want {
				t.Errorf("%s of %s: %x, %v, want %s", what, in, got, err, want)
			}
			continue
		case "decimal reversed":
			spec = Part{Field: "value", As: "decimal", Reverse: true}
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

// phoenixKeys is written by testdata/PhoenixGoldens.java with Phoenix 5.2.1.
//
//go:embed testdata/phoenix.txt
var phoenixKeys string

type phoenixGolden struct {
	name   string
	spec   Spec
	values []string // null for a null
	key    string   // hex
}

func phoenixGoldens(t *testing.T) []phoenixGolden {
	lines := strings.Split(strings.TrimSpace(phoenixKeys), "\n")
	if len(lines) < 220 {
		t.Fatalf("only %d keys", len(lines))
	}
	var out []phoenixGolden
	for _, line := range lines {
		f := strings.Split(line, "\t")
		g := phoenixGolden{name: f[0] + " of " + f[1], values: strings.Split(f[1], ", "), key: f[2]}
		for i, typ := range strings.Split(f[0], ", ") {
			typ, reverse := strings.CutSuffix(typ, " DESC")
			p := Part{Field: fmt.Sprintf("value.%d", i), As: "phoenix_" + strings.ToLower(typ), Reverse: reverse}
			switch typ {
			case "VARCHAR", "DECIMAL":
				p.Default = ptr("")
			case "CHAR(4)":
				p.As, p.Width = "phoenix_char", 4
			}
			g.spec = append(g.spec, p)
		}
		out = append(out, g)
	}
	return out
}

func TestKeysAgreeWithPhoenix(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range phoenixGoldens(t) {
		src := fields{}
		for i, p := range g.spec {
			seen[p.As] = true
			if g.values[i] != "null" {
				src[p.Field] = text(g.values[i])
			}
		}
		k, problems := Compile(g.spec)
		if problems != nil {
			t.Fatal(problems)
		}
		got, err := k.Append(nil, src)
		if err != nil || hex.EncodeToString(got) != g.key {
			t.Errorf("%s: %x, %v, want %s", g.name, got, err, g.key)
		}
	}
	for name := range strings.SplitSeq(EncodingNames, ", ") {
		if strings.HasPrefix(name, "phoenix_") && !seen[name] {
			t.Errorf("no golden has %s", name)
		}
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
