package kafka

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

var testTP = TopicPartition{"orders", 3}

type abortedTxn = kmsg.FetchResponseTopicPartitionAbortedTransaction

func offsetsOf(recs []Record) []int64 {
	offs := []int64{}
	for _, r := range recs {
		offs = append(offs, r.Offset)
	}
	return offs
}

func TestDecodesBatches(t *testing.T) {
	rec := func(delta int32) testRecord { return testRecord{delta: delta, value: []byte("v")} }
	old := testBatch{base: 4, records: []testRecord{rec(0)}}.encode(t)
	old[atMagic] = 1
	for _, c := range []struct {
		name    string
		batches []testBatch
		aborted []abortedTxn
		from    int64
		all     bool // read_uncommitted
		want    []int64
		next    int64
	}{
		{name: "plain", batches: []testBatch{{base: 0, lastDelta: -1, records: []testRecord{rec(0), rec(1)}}}, want: []int64{0, 1}, next: 2},
		{name: "from the middle of a batch", from: 1, batches: []testBatch{{base: 0, lastDelta: -1, records: []testRecord{rec(0), rec(1), rec(2)}}}, want: []int64{1, 2}, next: 3},
		{name: "compacted tail", batches: []testBatch{{base: 0, lastDelta: 9, records: []testRecord{rec(2)}}}, want: []int64{2}, next: 10},
		{name: "empty batches", batches: []testBatch{{base: 0, lastDelta: 4}, {base: 5, lastDelta: 0}, {base: 9, lastDelta: 2}}, want: []int64{}, next: 12},
		{name: "a hole between batches", batches: []testBatch{{base: 7, lastDelta: -1, records: []testRecord{rec(0)}}}, want: []int64{7}, next: 8},
		{name: "batch before the wanted offset", from: 5, batches: []testBatch{{base: 0, lastDelta: 3, records: []testRecord{rec(0)}}, {base: 5, lastDelta: -1, records: []testRecord{rec(0)}}}, want: []int64{5}, next: 6},
		{name: "markers move the position", batches: []testBatch{txn(0, 7, 2), marker(2, 7, controlCommit)}, want: []int64{0, 1}, next: 3},
		{
			name: "aborted", batches: []testBatch{txn(0, 7, 2), marker(2, 7, controlAbort), txn(3, 7, 1), marker(4, 7, controlCommit)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 0}}, want: []int64{3}, next: 5,
		},
		{
			name: "aborted but uncommitted is wanted", all: true, batches: []testBatch{txn(0, 7, 2), marker(2, 7, controlAbort)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 0}}, want: []int64{0, 1}, next: 3,
		},
		{
			name: "another producer inside", batches: []testBatch{txn(0, 7, 1), txn(1, 8, 1), txn(2, 7, 1), marker(3, 7, controlAbort), marker(4, 8, controlCommit)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 0}}, want: []int64{1}, next: 5,
		},
		{
			name: "a commit of another does not end it", batches: []testBatch{txn(0, 7, 1), txn(1, 8, 1), marker(2, 8, controlCommit), txn(3, 7, 1), marker(4, 7, controlAbort)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 0}}, want: []int64{1}, next: 5,
		},
		{
			name: "several in a row, list unsorted", batches: []testBatch{
				txn(0, 7, 1), marker(1, 7, controlAbort), txn(2, 7, 1), marker(3, 7, controlCommit),
				txn(4, 7, 1), marker(5, 7, controlAbort), txn(6, 7, 1), marker(7, 7, controlCommit),
			},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 4}, {ProducerID: 7, FirstOffset: 0}}, want: []int64{2, 6}, next: 8,
		},
		{
			name: "began before the answer", from: 10, batches: []testBatch{txn(10, 7, 2), marker(12, 7, controlAbort), txn(13, 7, 1), marker(14, 7, controlCommit)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 2}}, want: []int64{13}, next: 15,
		},
		{
			name: "goes on after the answer", batches: []testBatch{txn(0, 7, 2), txn(2, 7, 2)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 0}}, want: []int64{}, next: 4,
		},
		{
			name: "aborted list ahead of a committed one", batches: []testBatch{txn(0, 7, 1), marker(1, 7, controlCommit), txn(2, 7, 1), marker(3, 7, controlAbort)},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 2}}, want: []int64{0}, next: 4,
		},
		{
			name: "no transaction of an aborted producer", batches: []testBatch{{base: 0, lastDelta: -1, producer: 7, records: []testRecord{rec(0)}}},
			aborted: []abortedTxn{{ProducerID: 7, FirstOffset: 0}}, want: []int64{0}, next: 1,
		},
		{name: "compacted marker", batches: []testBatch{{base: 0, lastDelta: 0, attrs: attrTransactional | attrControl, producer: 7}, txn(1, 7, 1)}, want: []int64{1}, next: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := decoding{
				tp: testTP, src: encodeAll(t, c.batches...), from: c.from, epoch: -1, committed: !c.all,
				aborted: c.aborted, z: testDecompressor(t),
			}.run()
			if out.err != nil {
				t.Fatal(out.err)
			}
			if got := offsetsOf(out.records); !reflect.DeepEqual(got, c.want) || out.next != c.next {
				t.Errorf("offsets %v, next %d; want %v, next %d", got, out.next, c.want, c.next)
			}
		})
	}
}

func TestNullAndEmptyAreApart(t *testing.T) {
	b := testBatch{lastDelta: -1, records: []testRecord{
		{delta: 0},
		{delta: 1, key: []byte{}, value: []byte{}},
		{delta: 2, headers: []kmsg.Header{{Key: "n"}, {Key: "e", Value: []byte{}}, {Key: "", Value: []byte("x")}}},
	}}
	out := decoding{tp: testTP, src: b.encode(t), z: testDecompressor(t)}.run()
	if out.err != nil || len(out.records) != 3 {
		t.Fatal(out.err, len(out.records))
	}
	r := out.records
	if r[0].Key != nil || r[0].Value != nil {
		t.Errorf("null: %v %v", r[0].Key, r[0].Value)
	}
	if r[1].Key == nil || r[1].Value == nil || len(r[1].Key)+len(r[1].Value) != 0 {
		t.Errorf("empty: %v %v", r[1].Key, r[1].Value)
	}
	want := []Header{{"n", nil}, {"e", []byte{}}, {"", []byte("x")}}
	if !reflect.DeepEqual(r[2].Headers, want) {
		t.Errorf("headers %#v", r[2].Headers)
	}
}

func TestTimes(t *testing.T) {
	b := testBatch{lastDelta: -1, baseTime: 1000, maxTime: 5000, records: []testRecord{{delta: 0, timeDelta: -7}, {delta: 1, timeDelta: 1 << 40}}}
	z := testDecompressor(t)
	out := decoding{tp: testTP, src: b.encode(t), z: z}.run()
	if out.records[0].Timestamp != 993 || out.records[1].Timestamp != 1000+1<<40 {
		t.Errorf("create time: %+v", out.records)
	}
	b.attrs = attrLogAppendTime
	out = decoding{tp: testTP, src: b.encode(t), z: z}.run()
	if out.records[0].Timestamp != 5000 || out.records[1].Timestamp != 5000 {
		t.Errorf("log append time: %+v", out.records)
	}
}

func TestBadBatchesAreNamed(t *testing.T) {
	good := testBatch{base: 0, lastDelta: -1, records: []testRecord{{value: []byte("ok")}}}.encode(t)
	next := func(change func([]byte) []byte) []byte {
		b := testBatch{base: 1, lastDelta: -1, records: []testRecord{{value: []byte("aaaa")}, {delta: 1, value: []byte("b")}}}.encode(t)
		return append(slices.Clone(good), change(b)...)
	}
	big := testBatch{base: 1, lastDelta: -1, records: []testRecord{{value: make([]byte, 2<<20)}}}
	with := func(codec int16, xerial bool) []byte {
		b := big
		b.attrs, b.xerial = codec, xerial
		return append(slices.Clone(good), b.encode(t)...)
	}
	for _, c := range []struct {
		name, says string
		src        []byte
	}{
		{"a bit", "checksum", next(func(b []byte) []byte { b[len(b)-1] ^= 1; return b })},
		{"old format", "old format 1", next(func(b []byte) []byte { b[atMagic] = 1; return b })},
		{"length", "header says", next(func(b []byte) []byte { binary.BigEndian.PutUint32(b[atLength:], 5); return b })},
		{"count", "header says 900", next(func(b []byte) []byte { binary.BigEndian.PutUint32(b[atCount:], 900); return seal(b) })},
		{"one less", "follow its last record", next(func(b []byte) []byte { binary.BigEndian.PutUint32(b[atCount:], 1); return seal(b) })},
		{"delta", "past its first", next(func(b []byte) []byte { binary.BigEndian.PutUint32(b[atLastDelta:], 0); return seal(b) })},
		{"negative delta", "header says", next(func(b []byte) []byte { binary.BigEndian.PutUint32(b[atLastDelta:], 1<<31); return seal(b) })},
		{"record length", "cut short", next(func(b []byte) []byte { b[headerSize] = 126; return seal(b) })},
		{"codec", "compression 5", next(func(b []byte) []byte { b[atAttributes+1] = 5; return seal(b) })},
		{"no gzip", "gzip", next(func(b []byte) []byte { b[atAttributes+1] = codecGzip; return seal(b) })},
		{"no snappy", "snappy", next(func(b []byte) []byte { b[atAttributes+1] = codecSnappy; return seal(b) })},
		{"no lz4", "lz4", next(func(b []byte) []byte { b[atAttributes+1] = codecLZ4; return seal(b) })},
		{"no zstd", "zstd", next(func(b []byte) []byte { b[atAttributes+1] = codecZstd; return seal(b) })},
		{"overlap", "before the end", append(slices.Clone(good), append(testBatch{base: 1, lastDelta: 5}.encode(t), testBatch{base: 3, lastDelta: 5}.encode(t)...)...)},
		{"gzip bomb", "larger than", with(codecGzip, false)},
		{"snappy bomb", "larger than", with(codecSnappy, false)},
		{"xerial bomb", "larger than", with(codecSnappy, true)},
		{"lz4 bomb", "larger than", with(codecLZ4, false)},
		{"zstd bomb", "larger than", with(codecZstd, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := decoding{tp: testTP, src: c.src, z: testDecompressor(t)}.run()
			if out.err == nil {
				t.Fatalf("no error, offsets %v", offsetsOf(out.records))
			}
			if !strings.HasPrefix(out.err.Error(), "orders/3: the batch at offset ") || !strings.Contains(out.err.Error(), c.says) {
				t.Errorf("error %q, want one that says %q", out.err, c.says)
			}
			if c.name != "overlap" && (out.err.Offset != 1 || out.next != 1 || !reflect.DeepEqual(offsetsOf(out.records), []int64{0})) {
				t.Errorf("offset %d, next %d, delivered %v", out.err.Offset, out.next, offsetsOf(out.records))
			}
		})
	}
}

func TestCutShortIsNoError(t *testing.T) {
	one := testBatch{base: 0, lastDelta: -1, records: []testRecord{{value: []byte("ok")}}}.encode(t)
	two := testBatch{base: 1, lastDelta: -1, records: []testRecord{{value: []byte("more")}}}.encode(t)
	z := testDecompressor(t)
	for n := range two {
		out := decoding{tp: testTP, src: append(slices.Clone(one), two[:n]...), z: z}.run()
		if out.err != nil || out.next != 1 || len(out.records) != 1 || out.short != 0 {
			t.Fatalf("with %d bytes of the second: next %d, short %d, %v", n, out.next, out.short, out.err)
		}
	}
	if out := (decoding{tp: testTP, src: one[:40], z: z}).run(); out.short != len(one) || out.next != 0 {
		t.Errorf("the first cut short: %+v, want its size %d", out, len(one))
	}
}

func TestInflationIsBounded(t *testing.T) {
	var src []byte
	for i := range 20 {
		src = append(src, testBatch{base: int64(i), lastDelta: -1, attrs: codecZstd, records: []testRecord{{value: make([]byte, 100_000)}}}.encode(t)...)
	}
	z := testDecompressor(t)
	at, rounds := int64(0), 0
	for at < 20 {
		out := decoding{tp: testTP, src: src, from: at, maxBytes: 50_000, z: z}.run()
		if out.err != nil || out.next <= at || out.bytes > 600_000 {
			t.Fatalf("from %d: next %d, %d bytes, %v", at, out.next, out.bytes, out.err)
		}
		at = out.next
		rounds++
	}
	if rounds < 2 {
		t.Errorf("all in %d round", rounds)
	}
}

// drawBatches makes a log of batches with gaps, transactions and all codecs, and the aborted transactions of it.
// Times stay below the year 2262, past which the other client overflows.
func drawBatches(t *rapid.T) ([]testBatch, []abortedTxn) {
	var batches []testBatch
	var list []abortedTxn
	open := map[int64]int64{} // producer: first offset
	at := rapid.Int64Range(0, 50).Draw(t, "start")
	for range rapid.IntRange(1, 12).Draw(t, "batches") {
		at += rapid.Int64Range(0, 2).Draw(t, "hole")
		producer := rapid.Int64Range(1, 3).Draw(t, "producer")
		if first, ok := open[producer]; ok && rapid.Bool().Draw(t, "end") {
			kind := int16(rapid.IntRange(controlAbort, controlCommit).Draw(t, "kind"))
			batches = append(batches, marker(at, producer, kind))
			if kind == controlAbort {
				list = append(list, abortedTxn{ProducerID: producer, FirstOffset: first})
			}
			delete(open, producer)
			at++
			continue
		}
		b := testBatch{
			base: at, producer: producer, epoch: rapid.Int32Range(0, 5).Draw(t, "epoch"), xerial: rapid.Bool().Draw(t, "xerial"),
			attrs: int16(rapid.IntRange(codecNone, codecZstd).Draw(t, "codec")), baseTime: rapid.Int64Range(-1, 1<<42).Draw(t, "time"), maxTime: 77,
		}
		_, isOpen := open[producer]
		if isOpen || rapid.Bool().Draw(t, "transactional") {
			b.attrs |= attrTransactional
			if !isOpen {
				open[producer] = at
			}
		}
		if rapid.Bool().Draw(t, "append time") {
			b.attrs |= attrLogAppendTime
		}
		delta := int32(0)
		maybe := func(name string) []byte {
			if rapid.Bool().Draw(t, name+" is null") {
				return nil
			}
			return rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, name)
		}
		for range rapid.IntRange(0, 6).Draw(t, "records") {
			delta += rapid.Int32Range(0, 2).Draw(t, "skip")
			r := testRecord{delta: delta, timeDelta: rapid.Int64Range(-9, 1<<40).Draw(t, "time delta"), key: maybe("key"), value: maybe("value")}
			for range rapid.IntRange(0, 3).Draw(t, "headers") {
				r.headers = append(r.headers, kmsg.Header{Key: rapid.StringN(0, 5, -1).Draw(t, "name"), Value: maybe("header")})
			}
			b.records = append(b.records, r)
			delta++
		}
		if len(b.records) == 0 {
			b.attrs &^= attrCodec // a cleaner leaves empty batches uncompressed
		}
		b.lastDelta = delta + rapid.Int32Range(0, 3).Draw(t, "tail")
		batches = append(batches, b)
		at += int64(b.lastDelta) + 1
	}
	// The last transactions are still open: a reader of committed records would not be served them. End them.
	for producer, first := range open {
		batches = append(batches, marker(at, producer, controlAbort))
		list = append(list, abortedTxn{ProducerID: producer, FirstOffset: first})
		at++
	}
	return batches, rapid.Permutation(list).Draw(t, "order")
}

// What we decode is what franz-go decodes, at any start and under both isolations.
func TestDecodesAsFranzGo(t *testing.T) {
	z := testDecompressor(t)
	rapid.Check(t, func(t *rapid.T) {
		batches, list := drawBatches(t)
		var src []byte
		for _, b := range batches {
			src = append(src, b.encode(t)...)
		}
		last := batches[len(batches)-1]
		end := last.base + int64(max(last.lastDelta, 0)) + 1
		from := rapid.Int64Range(0, end-1).Draw(t, "from")
		// A broker sends no transaction that ended before the first batch.
		committed := rapid.Bool().Draw(t, "committed")
		if committed {
			from = batches[0].base
		}
		out := decoding{tp: testTP, src: src, from: from, epoch: -1, committed: committed, aborted: list, z: z}.run()
		if out.err != nil || out.next != end {
			t.Fatalf("next %d, want %d: %v", out.next, end, out.err)
		}
		opts := kgo.ProcessFetchPartitionOpts{Offset: from, Topic: "orders", Partition: 3}
		if committed {
			opts.IsolationLevel = kgo.ReadCommitted()
		}
		rp := kmsg.NewFetchResponseTopicPartition()
		rp.Partition, rp.RecordBatches, rp.AbortedTransactions = 3, slices.Clone(src), slices.Clone(list)
		fp, _ := kgo.ProcessFetchPartition(opts, &rp, kgo.DefaultDecompressor(), nil)
		if fp.Err != nil {
			t.Fatal(fp.Err)
		}
		if err := sameRecords(out.records, fp.Records); err != nil {
			t.Fatal(err)
		}
	})
}

// sameRecords compares with the records of the other client, null against empty included.
func sameRecords(ours []Record, theirs []*kgo.Record) error {
	if len(ours) != len(theirs) {
		return fmt.Errorf("%d records, the other client has %d", len(ours), len(theirs))
	}
	same := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	for i, r := range ours {
		o := theirs[i]
		ok := r.Offset == o.Offset && r.Timestamp == o.Timestamp.UnixMilli() && same(r.Key, o.Key) && same(r.Value, o.Value) &&
			len(r.Headers) == len(o.Headers)
		for j := 0; ok && j < len(r.Headers); j++ {
			ok = r.Headers[j].Key == o.Headers[j].Key && same(r.Headers[j].Value, o.Headers[j].Value)
		}
		if !ok {
			return fmt.Errorf("record %d: %+v, the other client has %+v", i, r, o)
		}
	}
	return nil
}

func FuzzDecode(f *testing.F) {
	z := newDecompressor(1 << 20)
	for codec := range int16(codecZstd + 1) {
		f.Add(testBatch{base: 3, lastDelta: -1, attrs: codec, records: []testRecord{{
			key: []byte("k"), value: []byte("v"),
			headers: []kmsg.Header{{Key: "h", Value: []byte("x")}},
		}}}.encode(f), int64(0), true)
	}
	f.Add(append(txn(0, 7, 2).encode(f), marker(2, 7, controlAbort).encode(f)...), int64(1), true)
	f.Add([]byte{}, int64(0), false)
	f.Fuzz(func(t *testing.T, src []byte, from int64, committed bool) {
		src = slices.Clone(src)
		// Past a wrong checksum nothing is looked at, so set it right.
		if len(src) >= headerSize {
			seal(src)
		}
		out := decoding{
			tp: testTP, src: src, from: from, committed: committed, z: z,
			aborted: []abortedTxn{{ProducerID: 7}},
		}.run()
		if out.next < from {
			t.Fatalf("next %d is before %d", out.next, from)
		}
		for i, r := range out.records {
			if r.Offset < from || r.Offset >= out.next || i > 0 && r.Offset <= out.records[i-1].Offset {
				t.Fatalf("record %d has offset %d in [%d, %d)", i, r.Offset, from, out.next)
			}
		}
	})
}
