package kafka

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkDecode measures what becomes of an answer's batches once they are here: records of about 300 bytes, 50 a batch.
func BenchmarkDecode(b *testing.B) {
	const batches, each = 60, 50
	for name, codec := range map[string]int16{"plain": codecNone, "lz4": codecLZ4, "zstd": codecZstd} {
		b.Run(name, func(b *testing.B) {
			var all []testBatch
			for i := range batches {
				t := testBatch{base: int64(i * each), lastDelta: -1, epoch: 1, attrs: codec}
				for j := range each {
					value := append(fmt.Appendf(nil, `{"id":%d,"total":%d`, i*each+j, i*j), bytes.Repeat(fmt.Appendf(nil, `,"f%d":%d`, j, i), 24)...)
					t.records = append(t.records, testRecord{delta: int32(j), key: fmt.Appendf(nil, "key-%d", j), value: value})
				}
				all = append(all, t)
			}
			d := decoding{tp: testTP, src: encodeAll(b, all...), committed: true, z: testDecompressor(b)}
			b.ReportAllocs()
			for b.Loop() {
				if out := d.run(); out.err != nil || len(out.records) != batches*each {
					b.Fatal(out.err, len(out.records))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(batches*each), "ns/record")
		})
	}
}
