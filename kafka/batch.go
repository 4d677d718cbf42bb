package kafka

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// CorruptError says that bytes of the log don't make sense. What lies before Offset was delivered.
type CorruptError struct {
	TopicPartition
	Offset int64
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: the batch at offset %d can't be read: %s", e.TopicPartition, e.Offset, e.Reason)
}

// Layout of a record batch of magic 2 (Kafka 0.11 and later): offsets of its fields from its start.
const (
	atLength       = 8
	atLeaderEpoch  = 12
	atMagic        = 16
	atCRC          = 17
	atAttributes   = 21
	atLastDelta    = 23
	atBaseTime     = 27
	atMaxTime      = 35
	atProducerID   = 43
	atCount        = 57
	headerSize     = 61
	lengthCounts   = 12 // the length field counts what follows it
	minBatchLength = headerSize - lengthCounts
)

const (
	attrCodec         = 0x07
	attrLogAppendTime = 0x08
	attrTransactional = 0x10
	attrControl       = 0x20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// batch is the header of a record batch and its bytes behind it.
type batch struct {
	base        int64
	lastDelta   int32
	leaderEpoch int32
	attributes  int16
	baseTime    int64
	maxTime     int64
	producerID  int64
	count       int32
	payload     []byte
}

func (b *batch) next() int64         { return b.base + int64(b.lastDelta) + 1 }
func (b *batch) transactional() bool { return b.attributes&attrTransactional != 0 }
func (b *batch) control() bool       { return b.attributes&attrControl != 0 }

// cutBatch takes the first batch off src. With ok false it is cut short, as the last one of an answer may be;
// its whole size, if it is known, is then returned.
func cutBatch(src []byte) (b batch, rest []byte, size int, ok bool, err error) {
	if len(src) < atMagic+1 {
		return b, src, 0, false, nil
	}
	b.base = int64(binary.BigEndian.Uint64(src))
	length := int32(binary.BigEndian.Uint32(src[atLength:]))
	if magic := src[atMagic]; magic != 2 {
		return b, nil, 0, false, fmt.Errorf("it has the old format %d, of before Kafka 0.11, which is not supported; "+
			"have the topic's records written again", magic)
	}
	if length < minBatchLength || b.base < 0 {
		return b, nil, 0, false, fmt.Errorf("its header says %d bytes", length)
	}
	size = lengthCounts + int(length)
	if len(src) < size {
		return b, src, size, false, nil
	}
	raw := src[:size:size]
	if want, is := binary.BigEndian.Uint32(raw[atCRC:]), crc32.Checksum(raw[atAttributes:], castagnoli); want != is {
		return b, nil, size, false, fmt.Errorf("its checksum is %08x, its header says %08x", is, want)
	}
	b.leaderEpoch = int32(binary.BigEndian.Uint32(raw[atLeaderEpoch:]))
	b.attributes = int16(binary.BigEndian.Uint16(raw[atAttributes:]))
	b.lastDelta = int32(binary.BigEndian.Uint32(raw[atLastDelta:]))
	b.baseTime = int64(binary.BigEndian.Uint64(raw[atBaseTime:]))
	b.maxTime = int64(binary.BigEndian.Uint64(raw[atMaxTime:]))
	b.producerID = int64(binary.BigEndian.Uint64(raw[atProducerID:]))
	b.count = int32(binary.BigEndian.Uint32(raw[atCount:]))
	b.payload = raw[headerSize:]
	if b.lastDelta < 0 || b.count < 0 {
		return b, nil, size, false, fmt.Errorf("its header says %d records up to %d past its first", b.count, b.lastDelta)
	}
	return b, src[size:], size, true, nil
}
