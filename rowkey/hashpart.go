package rowkey

import (
	"encoding/binary"
	"fmt"
)

// appendHash adds a salt or hash of the part's fields.
func (p *part) appendHash(dst []byte, src Source) ([]byte, error) {
	start := len(dst)
	out := dst
	for i := range p.of {
		v := src.Resolve(&p.of[i])
		if v.Empty() {
			return dst, fmt.Errorf("%s: %w", p.of[i].text, emptiness(v))
		}
		from := len(out)
		var err error
		if out, err = String.Append(out, v); err != nil {
			return dst, fmt.Errorf("%s: %w", p.of[i].text, err)
		}
		if i < len(p.of)-1 {
			for _, b := range out[from:] {
				if b == 0 {
					return dst, fmt.Errorf("%s: the value holds a zero byte, which joins the fields of a hash", p.of[i].text)
				}
			}
			out = append(out, 0)
		}
	}
	// The input is built behind dst and then overwritten.
	data := out[start:]
	var room [32]byte
	digest := appendDigest(room[:0], p.hash, data)
	out = out[:start]
	if p.buckets > 0 {
		return p.appendBucket(out, bucket(digest, p.buckets)), nil
	}
	if p.spec.Hex > 0 {
		digits := lowerDigits
		if p.spec.Upper {
			digits = upperDigits
		}
		for i := range p.spec.Hex {
			out = append(out, digits[digest[i/2]>>(4*(1-i%2))&15])
		}
		return out, nil
	}
	return append(out, digest[:p.hashWidth()]...), nil
}

const (
	lowerDigits = "0123456789abcdef"
	upperDigits = "0123456789ABCDEF"
)

func (p *part) hashWidth() int {
	switch {
	case p.buckets > 0:
		return p.bucketWidth()
	case p.spec.Hex > 0:
		return p.spec.Hex
	case p.spec.Bytes > 0:
		return p.spec.Bytes
	}
	return hashSize(p.hash)
}

// bucket is the digest as a big-endian number without a sign, modulo buckets. Every digest is a multiple of four
// bytes.
func bucket(digest []byte, buckets int) int {
	rest := uint64(0)
	for ; len(digest) > 0; digest = digest[4:] {
		rest = (rest<<32 | uint64(binary.BigEndian.Uint32(digest))) % uint64(buckets)
	}
	return int(rest)
}

// bucketWidth is the length of a bucket number: of its bytes, or of the digits of the highest one.
func (p *part) bucketWidth() int {
	switch {
	case p.spec.As == "string":
		width := 1
		for high := p.buckets - 1; high >= 10; high /= 10 {
			width++
		}
		return width
	case p.buckets > 256:
		return 2
	}
	return 1
}

func (p *part) appendBucket(dst []byte, n int) []byte {
	switch {
	case p.spec.As == "string":
		start := len(dst)
		for range p.bucketWidth() {
			dst = append(dst, '0')
		}
		for at := len(dst) - 1; at >= start; at-- {
			dst[at] += byte(n % 10)
			n /= 10
		}
		return dst
	case p.buckets > 256:
		dst = append(dst, byte(n>>8))
	}
	return append(dst, byte(n))
}
