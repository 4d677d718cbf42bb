package kafka

import (
	"encoding/binary"
	"unsafe"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// inflation is how much larger than wanted an answer may get by decompression; what is past it stays in the answer
// undecoded and is fetched again.
const inflation = 8

// decoding is one partition's part of an answer and what is wanted of it.
type decoding struct {
	tp        TopicPartition
	src       []byte // batches; no record keeps a part of it
	from      int64
	epoch     int32 // of the last batch before from
	committed bool
	aborted   []kmsg.FetchResponseTopicPartitionAbortedTransaction
	maxBytes  int
	z         *decompressor
	lists     *pool[Record]
}

// decoded is what came out. err is about the batch at next; what is before it is good.
// short is the size of a batch that the answer holds the beginning of, if it is the first one.
type decoded struct {
	records []Record
	next    int64
	epoch   int32
	bytes   int
	short   int
	err     *CorruptError
}

func (d decoding) run() decoded {
	out := decoded{next: d.from, epoch: d.epoch}
	hidden := newAborted(d.aborted)
	out.records = d.lists.get(d.estimate())
	var hdrs []Header
	fail := func(b *batch, err error) decoded {
		out.err = &CorruptError{d.tp, max(b.base, out.next), err.Error()}
		return out
	}
	for src := d.src; len(src) > 0; {
		b, rest, size, ok, err := cutBatch(src)
		if err != nil {
			return fail(&b, err)
		}
		if !ok {
			if out.next == d.from {
				out.short = size
			}
			break
		}
		src = rest
		if b.control() && d.committed {
			hidden.pass(&b)
		}
		if b.next() <= d.from { // before the wanted offset
			continue
		}
		if b.base < out.next && out.next > d.from {
			return fail(&b, errOverlap)
		}
		if !b.control() && !(d.committed && hidden.hides(&b)) && b.count > 0 {
			if d.maxBytes > 0 && out.bytes > inflation*d.maxBytes {
				break
			}
			raw, err := d.z.own(b.attributes&attrCodec, b.payload)
			if err != nil {
				return fail(&b, err)
			}
			before := len(out.records)
			recs, moreHdrs, err := appendRecords(out.records, hdrs, &b, raw, d.from)
			if err != nil {
				clear(recs[before:])
				out.records = recs[:before]
				return fail(&b, err)
			}
			out.records, hdrs = recs, moreHdrs
			out.bytes += len(raw) + (len(recs)-before)*int(unsafe.Sizeof(Record{}))
		}
		out.next, out.epoch = b.next(), b.leaderEpoch
	}
	return out
}

// estimate adds up the counts of the batches' headers, so that the records are allocated once. The headers are not
// checked yet: what they say counts only as far as the bytes behind them could hold it.
func (d *decoding) estimate() int {
	n := 0
	for src := d.src; len(src) >= headerSize; {
		size := lengthCounts + int(int32(binary.BigEndian.Uint32(src[atLength:])))
		if size < headerSize || size > len(src) {
			break
		}
		limit := size / minRecord
		if src[atAttributes+1]&attrCodec != codecNone {
			limit *= inflation
		}
		base, last := binary.BigEndian.Uint64(src), binary.BigEndian.Uint32(src[atLastDelta:])
		if src[atAttributes+1]&attrControl == 0 && int64(base)+int64(last) >= d.from {
			n += min(int(binary.BigEndian.Uint32(src[atCount:])), limit)
		}
		src = src[size:]
	}
	return n
}
