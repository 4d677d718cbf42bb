package rowkey

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// hashNames lists the hashes, for error messages.
const hashNames = "md5, sha1, sha256, murmur3, crc32"

// hashSize is the digest's length in bytes, 0 for an unknown name.
func hashSize(name string) int {
	switch name {
	case "md5":
		return md5.Size
	case "sha1":
		return sha1.Size
	case "sha256":
		return sha256.Size
	case "murmur3", "crc32":
		return 4
	}
	return 0
}

// appendDigest adds the digest; the 32-bit ones are big-endian.
func appendDigest(dst []byte, name string, data []byte) []byte {
	switch name {
	case "md5":
		sum := md5.Sum(data)
		return append(dst, sum[:]...)
	case "sha1":
		sum := sha1.Sum(data)
		return append(dst, sum[:]...)
	case "sha256":
		sum := sha256.Sum256(data)
		return append(dst, sum[:]...)
	case "crc32":
		return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(data))
	}
	return binary.BigEndian.AppendUint32(dst, Murmur3(data))
}

// Murmur3 is MurmurHash3 x86_32 with seed 0, the hash behind salts. It never changes: rows would move.
func Murmur3(data []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	var h uint32
	n := len(data)
	for ; len(data) >= 4; data = data[4:] {
		h ^= bits.RotateLeft32(binary.LittleEndian.Uint32(data)*c1, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(data) - 1; i >= 0; i-- {
		k = k<<8 | uint32(data[i])
	}
	h ^= bits.RotateLeft32(k*c1, 15) * c2
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
