package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Codecs as numbered in a batch's attributes.
const (
	codecNone = iota
	codecGzip
	codecSnappy
	codecLZ4
	codecZstd
)

// decompressor undoes the compression of batches, each up to limit bytes. Safe for concurrent use.
type decompressor struct {
	limit int
	gzip  sync.Pool
	lz4   sync.Pool
	zstd  func() (*zstd.Decoder, error)
}

func newDecompressor(limit int) *decompressor {
	return &decompressor{limit: limit, zstd: sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(uint64(limit)))
	})}
}

func (d *decompressor) close() {
	if z, err := d.zstd(); err == nil {
		z.Close()
	}
}

func (d *decompressor) tooLarge() error {
	return fmt.Errorf("it is larger than %d bytes when decompressed; allow more by the setting for the largest batch", d.limit)
}

func (d *decompressor) decompress(codec int16, src []byte) ([]byte, error) {
	switch codec {
	case codecNone:
		return src, nil
	case codecGzip:
		r, _ := d.gzip.Get().(*gzip.Reader)
		if r == nil {
			r = new(gzip.Reader)
		}
		defer d.gzip.Put(r)
		if err := r.Reset(bytes.NewReader(src)); err != nil {
			return nil, fmt.Errorf("undoing gzip: %w", err)
		}
		return d.readAll(r, "gzip", len(src))
	case codecSnappy:
		return d.snappy(src)
	case codecLZ4:
		r, _ := d.lz4.Get().(*lz4.Reader)
		if r == nil {
			r = lz4.NewReader(nil)
		}
		defer d.lz4.Put(r)
		r.Reset(bytes.NewReader(src))
		return d.readAll(r, "lz4", len(src))
	case codecZstd:
		z, err := d.zstd()
		if err != nil {
			return nil, fmt.Errorf("undoing zstd: %w", err)
		}
		out, err := z.DecodeAll(src, nil)
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
			return nil, d.tooLarge()
		}
		if err != nil {
			return nil, fmt.Errorf("undoing zstd: %w", err)
		}
		return out, nil
	}
	return nil, fmt.Errorf("its compression %d is not known", codec)
}

func (d *decompressor) readAll(r io.Reader, name string, packed int) ([]byte, error) {
	out := make([]byte, 0, min(max(512, 5*packed), d.limit))
	for {
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if len(out) > d.limit {
			return nil, d.tooLarge()
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("undoing %s: %w", name, err)
		}
		if len(out) == cap(out) {
			grown := make([]byte, len(out), min(2*cap(out), d.limit)+1)
			copy(grown, out)
			out = grown
		}
	}
}

// xerialMagic opens the framing of the Java library that Java clients compress with: the magic, two versions of
// 4 bytes, then blocks with their lengths. Other clients send one bare block.
var xerialMagic = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

func (d *decompressor) snappy(src []byte) ([]byte, error) {
	if !bytes.HasPrefix(src, xerialMagic) {
		return d.snappyBlock(nil, src)
	}
	if len(src) < 16 {
		return nil, errors.New("undoing snappy: its framing is cut short")
	}
	var out []byte
	for src = src[16:]; len(src) > 0; {
		if len(src) < 4 {
			return nil, errors.New("undoing snappy: its framing is cut short")
		}
		n := binary.BigEndian.Uint32(src)
		if uint64(n) > uint64(len(src)-4) {
			return nil, errors.New("undoing snappy: its framing is cut short")
		}
		var err error
		if out, err = d.snappyBlock(out, src[4:4+n]); err != nil {
			return nil, err
		}
		src = src[4+n:]
	}
	return out, nil
}

// snappyBlock appends a decompressed block to out.
func (d *decompressor) snappyBlock(out, block []byte) ([]byte, error) {
	n, err := s2.DecodedLen(block)
	if err != nil {
		return nil, fmt.Errorf("undoing snappy: %w", err)
	}
	if n > d.limit-len(out) {
		return nil, d.tooLarge()
	}
	at := len(out)
	if cap(out) < at+n {
		grown := make([]byte, at, max(at+n, 2*cap(out)))
		copy(grown, out)
		out = grown
	}
	if _, err := s2.Decode(out[at:at+n:at+n], block); err != nil {
		return nil, fmt.Errorf("undoing snappy: %w", err)
	}
	return out[:at+n], nil
}
