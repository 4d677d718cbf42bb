package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// lz4Options are frames as producers make them: blocks of all sizes, with and without sums, small and large.
func lz4Options() map[string][]lz4.Option {
	return map[string][]lz4.Option{
		"default":         nil,
		"64 KiB":          {lz4.BlockSizeOption(lz4.Block64Kb)},
		"256 KiB":         {lz4.BlockSizeOption(lz4.Block256Kb)},
		"1 MiB":           {lz4.BlockSizeOption(lz4.Block1Mb)},
		"no frame sum":    {lz4.ChecksumOption(false)},
		"block sums":      {lz4.BlockChecksumOption(true), lz4.BlockSizeOption(lz4.Block64Kb)},
		"high ratio":      {lz4.CompressionLevelOption(lz4.Level9)},
		"with its length": {lz4.SizeOption(0)}, // set to the length of the content
	}
}

func lz4Frames(t testing.TB, content []byte, with ...lz4.Option) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := lz4.NewWriter(&buf)
	if err := w.Apply(with...); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// lz4Contents are bytes that compress well, badly, not at all, and to next to nothing.
func lz4Contents() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise, letters := make([]byte, 300_000), make([]byte, 300_000)
	for i := range noise {
		noise[i], letters[i] = byte(rng.Uint32()), "abcdefgh"[rng.IntN(8)]
	}
	return map[string][]byte{
		"empty": {}, "one": {'x'}, "noise": noise, "letters": letters, "zeros": make([]byte, 900_000),
		"mixed": append(append(bytes.Clone(letters[:70_000]), noise[:70_000]...), letters[:70_000]...),
	}
}

func TestLZ4(t *testing.T) {
	d := testDecompressor(t)
	for name, with := range lz4Options() {
		for what, content := range lz4Contents() {
			if name == "with its length" {
				with = []lz4.Option{lz4.SizeOption(uint64(len(content)))}
			}
			src := lz4Frames(t, content, with...)
			got, err := d.own(codecLZ4, src)
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s, %s: %d bytes, want %d; %v", name, what, len(got), len(content), err)
			}
			for _, n := range []int{0, 3, 6, 8, len(src) / 2, len(src) - 5} { // the last four may be a sum
				if n >= len(src) {
					continue
				}
				if _, err := d.own(codecLZ4, src[:n]); err == nil {
					t.Errorf("%s, %s, cut to %d of %d bytes: no error", name, what, n, len(src))
				}
			}
		}
	}
}

// lz4Linked is a frame whose second block refers to the first, as other compressors make them.
func lz4Linked() (src, content []byte) {
	first := bytes.Repeat([]byte("0123456789abcdef"), 4)
	src = binary.LittleEndian.AppendUint32(nil, lz4Magic)
	src = append(src, lz4VersionOne, 0x40, 0)
	src = binary.LittleEndian.AppendUint32(src, uint32(len(first))|lz4Stored)
	src = append(src, first...)
	// No literals and a match of 15+4+13 bytes, 64 back; then five literals, as a block has to end.
	second := []byte{0x0f, 64, 0, 13, 0x50, 'v', 'w', 'x', 'y', 'z'}
	src = binary.LittleEndian.AppendUint32(src, uint32(len(second)))
	src = append(append(src, second...), 0, 0, 0, 0)
	return src, append(append(bytes.Clone(first), first[:32]...), "vwxyz"...)
}

func TestLZ4LinkedBlocks(t *testing.T) {
	d := testDecompressor(t)
	src, content := lz4Linked()
	if got, err := d.own(codecLZ4, src); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%q, %v; want %q", got, err, content)
	}
	src[4] |= lz4Independent
	if got, err := d.own(codecLZ4, src); err == nil {
		t.Errorf("a block that says it stands alone reached back: %q", got)
	}
}

func TestLZ4RefusesByName(t *testing.T) {
	good := lz4Frames(t, bytes.Repeat([]byte("abc"), 1000), lz4.BlockSizeOption(lz4.Block64Kb))
	change := func(at int, to byte) []byte { b := bytes.Clone(good); b[at] = to; return b }
	for _, c := range []struct {
		name, says string
		src        []byte
	}{
		{"nothing", "cut short", nil},
		{"another magic", "opens no frame", change(0, 0)},
		{"another version", "flags", change(4, good[4]&^lz4Version)},
		{"a dictionary", "flags", change(4, good[4]|lz4DictID)},
		{"a reserved flag", "flags", change(4, good[4]|lz4Reserved)},
		{"a block size too small", "flags", change(5, 3<<4)},
		{"a reserved bit in the block size", "flags", change(5, good[5]|1)},
		{"a length without the length", "cut short", change(4, good[4]|lz4ContentSize)[:9]},
		{"a block past the frame's size of blocks", "allows 65536", change(9, 0x7f)},
		{"a stored one", "allows 65536", change(10, 0xff)},
		{"a block that reaches before its start", "undoing lz4", change(16, 0xff)},
	} {
		d := testDecompressor(t)
		if _, err := d.own(codecLZ4, c.src); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error that says %q", c.name, err, c.says)
		}
	}
}

// FuzzLZ4 compares with the library's reader, which checks the sums besides.
func FuzzLZ4(f *testing.F) {
	for _, with := range lz4Options() {
		for _, content := range lz4Contents() {
			f.Add(lz4Frames(f, content[:min(len(content), 3000)], with...))
		}
	}
	linked, _ := lz4Linked()
	f.Add(linked)
	d := newDecompressor(1 << 20)
	f.Fuzz(func(t *testing.T, src []byte) {
		ours, err := d.own(codecLZ4, src)
		if len(ours) > d.limit {
			t.Fatalf("%d bytes, past the limit", len(ours))
		}
		theirs, want := io.ReadAll(io.LimitReader(lz4.NewReader(bytes.NewReader(src)), int64(d.limit)+1))
		switch {
		case len(src) < 4 || binary.LittleEndian.Uint32(src) != lz4Magic:
			if err == nil {
				t.Fatal("no frame, no error")
			}
		case want == nil && len(theirs) <= d.limit:
			if err != nil || !bytes.Equal(ours, theirs) {
				t.Fatalf("%d bytes, %v; the library has %d", len(ours), err, len(theirs))
			}
		case err == nil && !sumsOnly(want):
			t.Fatalf("%d bytes; the library says: %v", len(ours), want)
		}
	})
}

// sumsOnly says whether the library only minds what the batch's own checksum stands for, or the length in the header.
func sumsOnly(err error) bool {
	return errors.Is(err, lz4.ErrInvalidHeaderChecksum) || errors.Is(err, lz4.ErrInvalidFrameChecksum) ||
		errors.Is(err, lz4.ErrInvalidBlockChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, lz4.ErrInvalidContentSize)
}
