package kafka

import (
	"encoding/binary"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// aborted knows the aborted transactions of one answer: per producer the first offsets, ascending.
// A transaction ends at its producer's abort marker, which is in the log like a record.
type aborted map[int64][]int64

func newAborted(list []kmsg.FetchResponseTopicPartitionAbortedTransaction) aborted {
	if len(list) == 0 {
		return nil
	}
	a := aborted{}
	for _, t := range list {
		a[t.ProducerID] = append(a[t.ProducerID], t.FirstOffset)
	}
	for _, firsts := range a { // brokers send them in any order
		slices.Sort(firsts)
	}
	return a
}

// hides says whether the records of b are part of an aborted transaction.
func (a aborted) hides(b *batch) bool {
	if !b.transactional() || b.control() {
		return false
	}
	firsts := a[b.producerID]
	return len(firsts) > 0 && firsts[0] <= b.base
}

// pass takes note of a control batch: an abort marker ends the producer's oldest transaction that is aborted.
func (a aborted) pass(b *batch) {
	firsts := a[b.producerID]
	if len(firsts) > 0 && firsts[0] <= b.base && controlType(b) == controlAbort {
		a[b.producerID] = firsts[1:]
	}
}

const controlAbort = 0

// controlType reads the type out of the key of a control batch's record: a version and the type, 2 bytes each.
// It is -1 for a batch without records, as compaction leaves.
func controlType(b *batch) int16 {
	c := cursor{src: b.payload}
	c.varint() // length
	c.skip(1)
	c.varint()
	c.varint()
	key := c.bytes()
	if b.count == 0 || c.bad || len(key) < 4 {
		return -1
	}
	return int16(binary.BigEndian.Uint16(key[2:]))
}
