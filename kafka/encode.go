package kafka

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// encodeBatch makes one batch of magic 2 of the records at these places, uncompressed.
func encodeBatch(recs []Record, places []int) []byte {
	first := recs[places[0]].Timestamp
	b := kmsg.RecordBatch{
		PartitionLeaderEpoch: -1, Magic: 2, LastOffsetDelta: int32(len(places) - 1), NumRecords: int32(len(places)),
		FirstTimestamp: first, MaxTimestamp: first,
		ProducerID: -1, ProducerEpoch: -1, FirstSequence: -1,
	}
	for i, place := range places {
		r := &recs[place]
		b.MaxTimestamp = max(b.MaxTimestamp, r.Timestamp)
		k := kmsg.Record{TimestampDelta64: r.Timestamp - first, OffsetDelta: int32(i), Key: r.Key, Value: r.Value}
		for _, h := range r.Headers {
			k.Headers = append(k.Headers, kmsg.Header(h))
		}
		body := k.AppendTo(nil)[1:] // behind its length, one byte while that is nought
		b.Records = binary.AppendVarint(b.Records, int64(len(body)))
		b.Records = append(b.Records, body...)
	}
	return seal(b.AppendTo(nil))
}

// seal sets the length and the checksum of a batch.
func seal(raw []byte) []byte {
	binary.BigEndian.PutUint32(raw[atLength:], uint32(len(raw)-lengthCounts))
	binary.BigEndian.PutUint32(raw[atCRC:], crc32.Checksum(raw[atAttributes:], castagnoli))
	return raw
}
