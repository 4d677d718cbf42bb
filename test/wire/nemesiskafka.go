package main

import (
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rowmark/connector/core"
)

// kafkaCodes are answers with an error code instead of what was asked for.
type kafkaCodes struct {
	mu      sync.Mutex
	handles map[string][]*kfake.FaultHandle
}

var (
	unknownCode = &kerr.Error{Message: "SOME_NEW_ERROR", Code: 3333, Description: "a code that no client knows"}
	fetchCodes  = []*kerr.Error{
		kerr.NotLeaderForPartition, kerr.LeaderNotAvailable, kerr.ReplicaNotAvailable, kerr.FencedLeaderEpoch, kerr.UnknownLeaderEpoch,
		kerr.KafkaStorageError, kerr.OffsetOutOfRange, kerr.RequestTimedOut, kerr.UnknownServerError, kerr.UnknownTopicOrPartition,
		kerr.UnknownTopicID, kerr.CorruptMessage, unknownCode,
	}
	askCodes = []*kerr.Error{
		kerr.NotLeaderForPartition, kerr.LeaderNotAvailable, kerr.FencedLeaderEpoch, kerr.UnknownLeaderEpoch, kerr.UnknownServerError,
		kerr.RequestTimedOut, unknownCode,
	}
)

func (w *world) failCode(key kmsg.Key, err *kerr.Error, count int) {
	h := w.kafka.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Topic: topic, Err: err, Count: count})
	w.codes.mu.Lock()
	defer w.codes.mu.Unlock()
	if w.codes.handles == nil {
		w.codes.handles = map[string][]*kfake.FaultHandle{}
	}
	kind := "kafka: " + key.Name() + " answered " + err.Message
	w.codes.handles[kind] = append(w.codes.handles[kind], h)
	w.logf("%s, %d times", kind, count)
}

func (c *kafkaCodes) heal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, all := range c.handles {
		for _, h := range all {
			h.Remove()
		}
	}
}

func (c *kafkaCodes) count(v *verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for kind, all := range c.handles {
		for _, h := range all {
			v.bite(kind, h.Hits())
		}
	}
}

// goneBroker is one that was taken out, to come back at its address.
type goneBroker struct {
	node int32
	port int
	left int
}

// kafka moves leaders, answers with error codes, breaks connections, takes brokers away, and lets old records go.
func (m *nemesis) kafka() {
	w := m.w
	part := int32(w.rand.IntN(w.partitions))
	switch w.rand.IntN(14) {
	case 0:
		w.failCode(kmsg.Fetch, fetchCodes[w.rand.IntN(len(fetchCodes))], 1+w.rand.IntN(3))
	case 1:
		w.failCode(kmsg.Fetch, fetchCodes[w.rand.IntN(3)], 1+w.rand.IntN(6))
	case 2:
		w.failCode(kmsg.ListOffsets, askCodes[w.rand.IntN(len(askCodes))], 1+w.rand.IntN(2))
	case 3:
		w.failCode(kmsg.OffsetForLeaderEpoch, askCodes[w.rand.IntN(len(askCodes))], 1+w.rand.IntN(2))
	case 4, 5:
		node := int32(w.rand.IntN(len(w.brokers)))
		if err := w.kafka.MoveTopicPartition(topic, part, node); err == nil { // the broker may be away
			w.bite("kafka: leader changed", part, node)
		}
	case 6:
		w.verdict.bite("kafka: connections reset", min(1, w.net.reset()))
	case 7:
		m.brokerGone()
	case 8, 9:
		if m.retains {
			m.retain(int(part))
		}
	}
}

// brokerGone takes a broker away; its partitions get other leaders. Not where transactions are: it may be their
// coordinator, and an end of one that was lost would leave it open.
func (m *nemesis) brokerGone() {
	w := m.w
	if len(w.brokers) == 1 || m.broker != nil || w.producer.trans != nil {
		return
	}
	n := w.rand.IntN(len(w.brokers))
	_, port, err := net.SplitHostPort(w.brokers[n])
	if err == nil {
		err = w.kafka.RemoveNode(int32(n))
	}
	if err != nil {
		w.fail(ran, "taking broker %d away: %v", n, err)
		return
	}
	w.bite("kafka: broker away", n)
	w.net.resetBroker(w.brokers[n])
	number, _ := strconv.Atoi(port) // it was a listener's
	m.broker = &goneBroker{int32(n), number, 1 + w.rand.IntN(4)}
}

func (m *nemesis) brokerBack(now bool) {
	b := m.broker
	if b == nil {
		return
	}
	if b.left--; b.left > 0 && !now {
		return
	}
	if _, _, err := m.w.kafka.AddNode(b.node, b.port); err != nil {
		if !now {
			return // somebody may have taken the port
		}
		_, port, err := m.w.kafka.AddNode(b.node, 0)
		if err != nil {
			m.w.fail(ran, "bringing broker %d back: %v", b.node, err)
			return
		}
		m.w.brokers[b.node] = net.JoinHostPort(m.w.host, strconv.Itoa(port))
	}
	m.w.logf("broker %d is back", b.node)
	m.broker = nil
}

// retain lets go of records below the checkpoint, as retention does.
func (m *nemesis) retain(part int) {
	w := m.w
	cell, ok := w.content("rowmark")[w.source(part)]["c:position"]
	if !ok {
		return
	}
	pos, err := core.DecodePosition(cell.Value)
	if err == nil && pos.Offset > 0 {
		err = w.kafka.DeleteRecords(topic, int32(part), pos.Offset)
	}
	if err != nil {
		w.fail(ran, "deleting records: %v", err)
		return
	}
	m.retained = true
	w.bite("kafka: records below the checkpoint deleted", fmt.Sprint(part, " below ", pos.Offset))
}
