package kafka

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

var codecNames = map[int16]string{codecNone: "none", codecGzip: "gzip", codecSnappy: "snappy", codecLZ4: "lz4", codecZstd: "zstd"}

// The buffers of answers and those to decompress into are used again, so no record may have a part of one.
func TestRecordsOwnTheirBytes(t *testing.T) {
	z := testDecompressor(t)
	for codec, name := range codecNames {
		src := func(value string) []byte {
			return testBatch{attrs: codec, lastDelta: -1, records: []testRecord{{key: []byte("key"), value: []byte(value)}}}.encode(t)
		}
		first := src("value")
		out := decoding{tp: testTP, src: first, z: z}.run()
		clear(first)
		for range 8 { // the next batches
			if other := (decoding{tp: testTP, src: src("other"), z: z}).run(); other.err != nil {
				t.Fatal(other.err)
			}
		}
		if out.err != nil || string(out.records[0].Key) != "key" || string(out.records[0].Value) != "value" {
			t.Errorf("%s: %v, %+v", name, out.err, out.records)
		}
	}
}

// What a window counts of records is their bytes: a buffer with much more room than that would hold the rest unseen.
func TestRecordsHoldNoMoreThanTheirBytes(t *testing.T) {
	z := testDecompressor(t)
	content := bytes.Repeat([]byte(`{"id":1,"name":"one"}`), 5000)
	for codec, name := range codecNames {
		got, err := z.own(codec, compress(t, codec, false, content))
		if err != nil || !bytes.Equal(got, content) {
			t.Fatal(name, err)
		}
		if cap(got) > len(got)+len(got)/4 {
			t.Errorf("%s: %d bytes in a buffer of %d", name, len(got), cap(got))
		}
	}
}

// A batch costs the buffer of its records, a record nothing.
func TestDecodingAllocatesByTheBatch(t *testing.T) {
	const batches, each = 60, 50
	for _, codec := range []int16{codecNone, codecSnappy, codecLZ4, codecZstd} {
		var all []testBatch
		for i := range batches {
			b := testBatch{base: int64(i * each), lastDelta: -1, attrs: codec}
			for j := range each {
				value := bytes.Repeat(fmt.Appendf(nil, "value %d of %d;", j, i), 20)
				b.records = append(b.records, testRecord{delta: int32(j), key: fmt.Appendf(nil, "key-%d", j), value: value})
			}
			all = append(all, b)
		}
		r := &Reader{lists: pool[Record]{largest: listsLargest}}
		d := decoding{tp: testTP, src: encodeAll(t, all...), committed: true, z: testDecompressor(t), lists: &r.lists}
		allocs := testing.AllocsPerRun(20, func() {
			out := d.run()
			if out.err != nil || len(out.records) != batches*each {
				t.Fatal(out.err, len(out.records))
			}
			r.Recycle(out.records)
		})
		if allocs > batches*each/8 { // one a batch, and what pools lose, which under the race detector they do at random
			t.Errorf("%s: %v allocations for %d batches of %d records", codecNames[codec], allocs, batches, each)
		}
	}
}

func TestRecycledListKeepsNoBytes(t *testing.T) {
	r := &Reader{lists: pool[Record]{largest: listsLargest}}
	recs := []Record{{Key: []byte("key"), Headers: []Header{{Key: "h"}}}, {Value: []byte("value")}}
	r.Recycle(recs)
	for _, rec := range recs {
		if rec.Key != nil || rec.Value != nil || rec.Headers != nil {
			t.Errorf("%+v", rec)
		}
	}
}

// All buffers and lists are used many times over while the bytes of all records are kept.
func TestBytesOutliveTheirAnswer(t *testing.T) {
	const partitions, n = 3, 300
	k := fake(t, kfake.SeedTopics(partitions, "orders"))
	value := func(p, i int) string { return fmt.Sprintf("partition %d record %d %0200d", p, i, i*p) }
	for _, codec := range []kgo.CompressionCodec{kgo.NoCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()} {
		p := producer(t, k.ListenAddrs(), kgo.ProducerBatchCompression(codec))
		for i := 0; i < n/3; i += 10 {
			var recs []*kgo.Record
			for part := range partitions {
				for j := range 10 {
					recs = append(recs, &kgo.Record{Topic: "orders", Partition: int32(part), Value: []byte(value(part, i+j))})
				}
			}
			produce(t, p, recs...)
		}
	}
	c := open(t, Config{Brokers: k.ListenAddrs()})
	chunks := make(chan Chunk, 1000)
	r := c.NewReader(func(ch Chunk) { chunks <- ch })
	t.Cleanup(func() { _ = r.Close() })
	var kept [partitions][]Record
	for part := range int32(partitions) {
		r.Request(TopicPartition{"orders", part}, FetchAt{LeaderEpoch: -1, MaxBytes: 4000})
	}
	for left := partitions * n; left > 0; {
		select {
		case ch := <-chunks:
			if ch.Err != nil {
				t.Fatal(ch.Err)
			}
			kept[ch.Partition] = append(kept[ch.Partition], ch.Records...)
			left -= len(ch.Records)
			r.Recycle(ch.Records)
			r.Request(ch.TopicPartition, FetchAt{Offset: ch.Next, LeaderEpoch: ch.LeaderEpoch, MaxBytes: 4000})
		case <-time.After(testLimit):
			t.Fatalf("%d records are missing", left)
		}
	}
	for part, recs := range kept {
		for i, rec := range recs {
			if want := value(part, i%(n/3)); string(rec.Value) != want || rec.Offset != int64(i) {
				t.Fatalf("partition %d, offset %d: %q, want %q", part, rec.Offset, rec.Value, want)
			}
		}
	}
}
