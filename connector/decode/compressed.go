package decode

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxInflated bounds what a compressed key or value may become, in bytes: a few bytes of gzip can stand for gigabytes.
const maxInflated = 64 << 20

// gzipRatio is more than deflate can gain.
const gzipRatio = 1040

var errInflated = fmt.Errorf("it is larger than %d MiB when decompressed", maxInflated>>20)

// Gzip reads what the format inner does, from gzip.
func Gzip(inner Format) Format { return gzipFormat{inner, false} }

// AutoGzip reads what the format inner does, from gzip where the bytes begin as gzip does, else as they are.
func AutoGzip(inner Format) Format { return gzipFormat{inner, true} }

type gzipFormat struct {
	Format
	auto bool
}

// inflater is a reader of gzip, and what it reads from.
type inflater struct {
	gzip gzip.Reader
	data bytes.Reader
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

func (f gzipFormat) Decode(t *Tree, data []byte) (Value, error) {
	if f.auto && !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return f.Format.Decode(t, data)
	}
	plain, err := gunzip(data)
	if err != nil {
		return Value{}, fmt.Errorf("decompressing gzip: %w", err)
	}
	t.inflated = cap(plain)
	return f.Format.Decode(t, plain)
}

// gunzip decompresses into memory of its own, since the text of fields lasts as long as the record.
func gunzip(data []byte) ([]byte, error) {
	r := inflaters.Get().(*inflater)
	defer func() {
		r.data.Reset(nil)
		inflaters.Put(r)
	}()
	r.data.Reset(data)
	if err := r.gzip.Reset(&r.data); err != nil {
		return nil, unwrapEOF(err)
	}
	size := 0 // what the end of the data says, if it can be so
	if n := len(data); n >= 4 {
		size = int(min(uint64(binary.LittleEndian.Uint32(data[n-4:])), maxInflated, uint64(n)*gzipRatio))
	}
	out := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := out.ReadFrom(io.LimitReader(&r.gzip, maxInflated+1)); err != nil {
		return nil, unwrapEOF(err)
	}
	if out.Len() > maxInflated {
		return nil, errInflated
	}
	return out.Bytes(), nil
}

func unwrapEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errEnd
	}
	return err
}
