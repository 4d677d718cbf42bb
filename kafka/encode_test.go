package kafka

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// testBatch describes a batch for the decoder, as a broker could serve it.
type testBatch struct {
	base      int64
	lastDelta int32 // -1: of the last record
	attrs     int16 // with the codec
	xerial    bool  // snappy in the Java library's framing
	baseTime  int64
	maxTime   int64
	producer  int64
	epoch     int32
	records   []testRecord
}

type testRecord struct {
	delta      int32
	timeDelta  int64
	key, value []byte
	headers    []kmsg.Header
}

func (b testBatch) encode(t interface{ Fatal(...any) }) []byte {
	var payload []byte
	last := int32(0)
	for _, r := range b.records {
		last = r.delta
		k := kmsg.Record{TimestampDelta64: r.timeDelta, OffsetDelta: r.delta, Key: r.key, Value: r.value, Headers: r.headers}
		// Its length is what follows the length field, which is one byte while the length is zero.
		k.Length = int32(len(k.AppendTo(nil)) - 1)
		payload = k.AppendTo(payload)
	}
	if b.lastDelta >= 0 {
		last = b.lastDelta
	}
	rb := kmsg.RecordBatch{
		FirstOffset: b.base, PartitionLeaderEpoch: b.epoch, Magic: 2, Attributes: b.attrs, LastOffsetDelta: last,
		FirstTimestamp: b.baseTime, MaxTimestamp: b.maxTime, ProducerID: b.producer, FirstSequence: -1,
		NumRecords: int32(len(b.records)), Records: compress(t, b.attrs&attrCodec, b.xerial, payload),
	}
	return seal(rb.AppendTo(nil))
}

func compress(t interface{ Fatal(...any) }, codec int16, xerial bool, src []byte) []byte {
	var buf bytes.Buffer
	var err error
	switch codec {
	case codecGzip:
		w := gzip.NewWriter(&buf)
		_, err = w.Write(src)
		if err == nil {
			err = w.Close()
		}
	case codecSnappy:
		if !xerial {
			return s2.EncodeSnappy(nil, src)
		}
		buf.Write(xerialMagic)
		buf.Write([]byte{0, 0, 0, 1, 0, 0, 0, 1})
		for len(src) > 0 {
			n := min(len(src), 100)
			block := s2.EncodeSnappy(nil, src[:n])
			buf.Write(binary.BigEndian.AppendUint32(nil, uint32(len(block))))
			buf.Write(block)
			src = src[n:]
		}
	case codecLZ4:
		w := lz4.NewWriter(&buf)
		_, err = w.Write(src)
		if err == nil {
			err = w.Close()
		}
	case codecZstd:
		w, zerr := zstd.NewWriter(nil)
		if zerr != nil {
			t.Fatal(zerr)
		}
		defer func() { _ = w.Close() }()
		return w.EncodeAll(src, nil)
	default:
		return src
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// marker is the control batch that ends a transaction.
func marker(base, producer int64, kind int16) testBatch {
	return testBatch{
		base: base, lastDelta: -1, attrs: attrTransactional | attrControl, producer: producer, epoch: 1,
		records: []testRecord{{key: []byte{0, 0, 0, byte(kind)}, value: []byte{0, 0, 0, 0, 0, 0}}},
	}
}

const controlCommit = 1

// txn is a transactional batch of n records.
func txn(base, producer int64, n int) testBatch {
	b := testBatch{base: base, lastDelta: -1, attrs: attrTransactional, producer: producer, epoch: 1}
	for i := range n {
		b.records = append(b.records, testRecord{delta: int32(i), value: []byte("v")})
	}
	return b
}

func encodeAll(t testing.TB, bs ...testBatch) []byte {
	var src []byte
	for _, b := range bs {
		src = append(src, b.encode(t)...)
	}
	return src
}

func testDecompressor(t testing.TB) *decompressor {
	z := newDecompressor(1 << 20)
	t.Cleanup(z.close)
	return z
}
