package decode

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"testing"
)

func gzipped(t testing.TB, parts ...[]byte) []byte {
	var out bytes.Buffer
	for _, p := range parts {
		w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestCompressed(t *testing.T) {
	doc := []byte(`{"a":1}`)
	packed := gzipped(t, doc)
	wrong := bytes.Clone(packed)
	wrong[len(wrong)-8] ^= 1
	bomb := gzipped(t, make([]byte, maxInflated+1))
	full := bytes.Repeat([]byte(" "), maxInflated-len(doc))
	for _, c := range []reading{
		{"json", Gzip(JSON), packed, Object, string(doc), ""},
		{"two members", Gzip(JSON), gzipped(t, doc[:3], doc[3:]), Object, string(doc), ""},
		{"raw", Gzip(Raw), packed, Bytes, string(doc), ""},
		{"empty", Gzip(Raw), gzipped(t, nil), Bytes, "", ""},
		{"as large as allowed", Gzip(JSON), gzipped(t, full, doc), Object, string(doc), ""},
		{"auto", AutoGzip(JSON), packed, Object, string(doc), ""},
		{"auto and plain", AutoGzip(JSON), doc, Object, string(doc), ""},
		{"auto and empty", AutoGzip(Text), []byte{}, String, "", ""},
		{"null", Gzip(JSON), nil, Absent, "", ""},
		{"plain", Gzip(JSON), []byte(`{"a":"not compressed"}`), 0, "", "decoding value as json: decompressing gzip: gzip: invalid header"},
		{"nothing", Gzip(JSON), []byte{}, 0, "", "it ends too early"},
		{"cut off", Gzip(JSON), packed[:len(packed)-9], 0, "", "it ends too early"},
		{"cut off at its size", Gzip(JSON), packed[:len(packed)-1], 0, "", "it ends too early"},
		{"wrong checksum", Gzip(JSON), wrong, 0, "", "checksum"},
		{"more behind it", Gzip(JSON), append(bytes.Clone(packed), "abc"...), 0, "", "decompressing gzip"},
		{"bomb", Gzip(Raw), bomb, 0, "", "larger than 64 MiB when decompressed"},
		{"bomb, found out", AutoGzip(Raw), bomb, 0, "", "larger than 64 MiB when decompressed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.check(t)
			if packed := bytes.HasPrefix(c.in, []byte{0x1f, 0x8b}); c.reason == "" && packed != (f.Inflated() >= len(c.text) && f.Inflated() > 0) {
				t.Errorf("%d bytes are said to be decompressed", f.Inflated())
			}
		})
	}
}

// Fields outlive the next record's.
func TestWhatWasDecompressedStays(t *testing.T) {
	var f Fields
	var kept []Value
	for _, text := range []string{`"first"`, `"second"`, `"third"`} {
		if err := f.Decode(&Record{Value: gzipped(t, []byte(text))}, Raw, Gzip(JSON)); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, f.Value)
		f.Drop()
	}
	if f.Inflated() != 0 {
		t.Errorf("%d bytes after they were let go of", f.Inflated())
	}
	for i, want := range []string{"first", "second", "third"} {
		if string(kept[i].Text) != want {
			t.Errorf("%q became %q", want, kept[i].Text)
		}
	}
}

// An end that lies of its size must not make a small record take much memory.
func TestASizeThatLiesTakesLittle(t *testing.T) {
	data := gzipped(t, []byte("x"))
	copy(data[len(data)-4:], "\xff\xff\xff\xff")
	const times = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		var tree Tree
		if _, err := Gzip(Raw).Decode(&tree, data); err == nil {
			t.Fatal("taken")
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / times; n > 128<<10 {
		t.Errorf("%d bytes of memory for %d", n, len(data))
	}
}
