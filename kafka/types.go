package kafka

import (
	"encoding/hex"
	"fmt"
)

// TopicPartition names a partition.
type TopicPartition struct {
	Topic     string
	Partition int32
}

// String gives topic/partition, or the topic alone where the partition is negative.
func (tp TopicPartition) String() string {
	if tp.Partition < 0 {
		return tp.Topic
	}
	return fmt.Sprintf("%s/%d", tp.Topic, tp.Partition)
}

// TopicID is the broker's id of one life of a topic; zero where the broker gives none.
type TopicID [16]byte

func (id TopicID) String() string { return hex.EncodeToString(id[:]) }

// Differs says that both ids are known, and that they are not those of one topic.
func (id TopicID) Differs(other TopicID) bool {
	return id != TopicID{} && other != TopicID{} && id != other
}

// ParseTopicID reads what TopicID.String wrote.
func ParseTopicID(text string) (TopicID, error) {
	var id TopicID
	if n, err := hex.Decode(id[:], []byte(text)); err != nil || n != len(id) || len(text) != 2*len(id) {
		return id, fmt.Errorf("reading topic id %q: want 32 hex digits", text)
	}
	return id, nil
}

// Record is one record of the log. Key, Value and header values alias a buffer of its batch's records; nil is null,
// empty is empty.
type Record struct {
	Offset      int64
	Timestamp   int64 // milliseconds: CreateTime, or LogAppendTime where the topic says so
	LeaderEpoch int32 // of its batch, -1 if not known
	Key         []byte
	Value       []byte
	Headers     []Header
}

// Header is one record header.
type Header struct {
	Key   string
	Value []byte
}

// FetchAt is where a fetch starts.
type FetchAt struct {
	Offset      int64
	LeaderEpoch int32   // epoch of the last batch read before Offset, -1 if not known
	TopicID     TopicID // zero: not checked
	MaxBytes    int     // wanted size of the answer in bytes; one batch may exceed it
}

// Chunk is the answer to one Request: the records of [From, Next), with the offsets that hold none left out.
// With Err set it holds no records and Next is From.
type Chunk struct {
	TopicPartition
	From, Next    int64
	Records       []Record
	Bytes         int   // decompressed size of the records, what they hold in memory
	LeaderEpoch   int32 // of the last batch before Next, -1 if not known
	HighWatermark int64
	LastStable    int64
	LogStart      int64
	Err           error
}

// OutOfRangeError says that the wanted offset is not in the log. LogStart and LogEnd were asked after it.
type OutOfRangeError struct {
	TopicPartition
	Wanted, LogStart, LogEnd int64
}

func (e *OutOfRangeError) Error() string {
	return fmt.Sprintf("%s: offset %d is outside the log [%d, %d)", e.TopicPartition, e.Wanted, e.LogStart, e.LogEnd)
}

// DivergedError says that the log was truncated below the position by an unclean election:
// epoch Epoch ends at EndOffset in the leader's log.
type DivergedError struct {
	TopicPartition
	Wanted    int64
	Epoch     int32
	EndOffset int64
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("%s: the log was truncated: leader epoch %d ends at offset %d, the position is %d", e.TopicPartition, e.Epoch, e.EndOffset, e.Wanted)
}

// TopicChangedError says that the topic was deleted and created again.
type TopicChangedError struct {
	TopicPartition
	Was, Is TopicID
}

func (e *TopicChangedError) Error() string {
	return fmt.Sprintf("%s: the topic was created again: its id was %s and is %s", e.TopicPartition, e.Was, e.Is)
}

// UnknownTopicError says that the brokers know no such topic or partition.
type UnknownTopicError struct{ TopicPartition }

func (e *UnknownTopicError) Error() string {
	return fmt.Sprintf("%s: the brokers know no such topic or partition", e.TopicPartition)
}
