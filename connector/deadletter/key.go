package deadletter

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// Key says which record a letter is of.
type Key struct {
	Sink        string
	Topic       string
	Partition   int32
	Incarnation int // of the log, see core.SourceName
	Offset      int64
}

// A source's letters begin with one of 16 hashes, which changes every 1024 offsets: a run of bad records spreads over
// regions, and the letters of a partition are still found by 16 short scans.
const (
	buckets      = 16
	bucketShift  = 10
	prefixLen    = 2
	offsetDigits = 19
)

func prefix(base string, bucket int) []byte {
	sum := sha256.Sum256([]byte(base + "/" + strconv.Itoa(bucket)))
	return sum[:prefixLen]
}

// Row is the letter's row key: two bytes of a hash, then sink/topic/partition/offset as text, the offset in 19 digits.
// A later incarnation of the log has #n behind the partition.
func (k Key) Row() []byte {
	base := core.SourceName(k.Sink, k.Topic, k.Partition, 0)
	row := bytes.Clone(prefix(base, int(k.Offset>>bucketShift)%buckets))
	row = append(row, core.SourceName(k.Sink, k.Topic, k.Partition, k.Incarnation)...)
	return fmt.Appendf(row, "/%0*d", offsetDigits, k.Offset)
}

// String is topic/partition/offset, with #n behind the partition in a later incarnation of the log.
func (k Key) String() string {
	return fmt.Sprintf("%s/%d", strings.TrimPrefix(core.SourceName(k.Sink, k.Topic, k.Partition, k.Incarnation), k.Sink+"/"), k.Offset)
}

// ParseKey reads what String wrote, of a sink.
func ParseKey(sink, text string) (Key, error) {
	i := strings.LastIndexByte(text, '/')
	if i > 0 {
		if offset, err := strconv.ParseInt(text[i+1:], 10, 64); err == nil && offset >= 0 {
			if k, ok := parseText(sink + "/" + text); ok && k.String() == text {
				return k, nil
			}
		}
	}
	return Key{}, fmt.Errorf("dead letter %q: write topic/partition/offset, as in orders/0/1234", text)
}

// ParseRow reads a row key; false: it is not that of a letter.
func ParseRow(row []byte) (Key, bool) {
	if len(row) < prefixLen {
		return Key{}, false
	}
	k, ok := parseText(string(row[prefixLen:]))
	return k, ok && bytes.Equal(k.Row(), row)
}

func parseText(text string) (Key, bool) {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		return Key{}, false
	}
	number, incarnation, later := strings.Cut(parts[2], "#")
	k := Key{Sink: parts[0], Topic: parts[1]}
	partition, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return Key{}, false
	}
	k.Partition = int32(partition)
	if later {
		if k.Incarnation, err = strconv.Atoi(incarnation); err != nil {
			return Key{}, false
		}
	}
	if k.Offset, err = strconv.ParseInt(parts[3], 10, 64); err != nil {
		return Key{}, false
	}
	return k, true
}

// ranges are the scans that find all letters of a partition, of every incarnation of its log.
func ranges(sink, topic string, partition int32) []hbase.Scan {
	base := core.SourceName(sink, topic, partition, 0)
	scans := make([]hbase.Scan, buckets)
	for b := range scans {
		start := append(bytes.Clone(prefix(base, b)), base...)
		// Behind the partition stands / or #, which lie below every digit.
		scans[b] = hbase.Scan{Start: start, Stop: append(bytes.Clone(start), '0')}
	}
	return scans
}

// hash tells letters apart in marks of a retry.
func (k Key) hash() int64 {
	sum := sha256.Sum256(k.Row())
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}
