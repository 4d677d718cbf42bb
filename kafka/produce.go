package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Reasons why brokers refuse one record, which trying again does not change.
var (
	ErrTooLarge = errors.New("the record is larger than the topic takes (max.message.bytes)")
	ErrBadTime  = errors.New("the topic does not take the record's timestamp (message.timestamp.before.max.ms, message.timestamp.after.max.ms)")
)

// batchBytes is the size of a batch that takes no further record; half of what topics take unless set otherwise.
const batchBytes = 512 << 10

// acksAll has the leader answer when all replicas in sync have the records.
const acksAll = -1

// Produce appends records to a topic and waits until all replicas in sync have them, trying again until ctx ends. Their
// Offset and LeaderEpoch count for nothing. The partition is that which Kafka's own producer takes for the key, any one
// for a null key. There is an error for each record, nil once it is in the log; ErrTooLarge and ErrBadTime are of that
// record alone. A record whose answer was lost may be in the log twice, or once in spite of its error.
func (c *Client) Produce(ctx context.Context, topic string, recs []Record) []error {
	p := &producing{c: c, topic: topic, recs: recs, errs: make([]error, len(recs)), lanes: map[TopicPartition]*lane{}}
	infos, err := c.Topics(ctx, []string{topic})
	if err == nil {
		err = infos[topic].Err
	}
	if err == nil && len(infos[topic].Partitions) == 0 {
		err = fmt.Errorf("finding the partitions of topic %s: %w", topic, errNoLeader)
	}
	if err != nil {
		for i := range p.errs {
			p.errs[i] = err
		}
		return p.errs
	}
	p.share(infos[topic].Partitions)
	for len(p.lanes) > 0 {
		failed := c.byLeader(ctx, slices.Collect(maps.Keys(p.lanes)), p.send)
		for tp, l := range p.lanes {
			p.settle(l, failed[tp])
			if len(l.batches) == 0 {
				delete(p.lanes, tp)
			}
		}
	}
	return p.errs
}

// producing is one call of Produce.
type producing struct {
	c     *Client
	topic string
	recs  []Record
	errs  []error
	lanes map[TopicPartition]*lane // with batches left
}

// lane is what is left to go to one partition, batch by batch.
type lane struct {
	batches [][]int // places of records
	bytes   int     // of the last batch
	refused error   // what the broker says of the records of the first batch
}

// share deals the records out to partitions and batches.
func (p *producing) share(partitions []int32) {
	numbers := make([]int, len(partitions))
	for i, n := range partitions {
		numbers[i] = int(n)
	}
	var balancer kafkago.Murmur2Balancer
	for i := range p.recs {
		r := &p.recs[i]
		tp := TopicPartition{p.topic, int32(balancer.Balance(kafkago.Message{Key: r.Key}, numbers...))}
		l := p.lanes[tp]
		if l == nil {
			l = &lane{}
			p.lanes[tp] = l
		}
		size := r.size()
		if len(l.batches) == 0 || l.bytes+size > batchBytes {
			l.batches, l.bytes = append(l.batches, nil), 0
		}
		last := &l.batches[len(l.batches)-1]
		*last, l.bytes = append(*last, i), l.bytes+size
	}
}

// size is the bytes that a record brings.
func (r *Record) size() int {
	n := len(r.Key) + len(r.Value)
	for _, h := range r.Headers {
		n += len(h.Key) + len(h.Value)
	}
	return n
}

// send sends the first batch of each of a broker's partitions.
func (p *producing) send(ctx context.Context, broker int32, parts []ledPart) map[TopicPartition]error {
	errs := map[TopicPartition]error{}
	t := kmsg.NewProduceRequestTopic()
	t.Topic = p.topic
	for _, part := range parts {
		errs[part.TopicPartition] = errMissing
		to := kmsg.NewProduceRequestTopicPartition()
		to.Partition, to.Records = part.Partition, encodeBatch(p.recs, p.lanes[part.TopicPartition].batches[0])
		t.Partitions = append(t.Partitions, to)
	}
	req := kmsg.NewPtrProduceRequest()
	req.Acks, req.Topics = acksAll, append(req.Topics, t)
	// The broker tells that replicas are late before it is given up on.
	req.TimeoutMillis = int32((p.c.cfg.RequestTimeout / 2).Milliseconds())
	kresp, err := p.c.do(ctx, broker, req, wantProduce)
	if err != nil {
		for tp := range errs {
			errs[tp] = err
		}
		return errs
	}
	for _, topic := range kresp.(*kmsg.ProduceResponse).Topics {
		for _, part := range topic.Partitions {
			tp := TopicPartition{topic.Topic, part.Partition}
			err := codeError(part.ErrorCode)
			if l := p.lanes[tp]; l != nil {
				l.refused = ofRecord(err)
				if l.refused != nil {
					err = nil
				}
			}
			if err != nil {
				err = fmt.Errorf("writing to %s: %w", tp, err)
			}
			errs[tp] = err
		}
	}
	return errs
}

// ofRecord says what is wrong with a record of the batch; nil: nothing that is known.
func ofRecord(err error) error {
	switch {
	case isCode(err, kafkago.MessageSizeTooLarge, kafkago.RecordListTooLarge):
		return ErrTooLarge
	case isCode(err, kafkago.InvalidTimestamp):
		return ErrBadTime
	}
	return nil
}

// settle takes the first batch off a lane. One that the broker refused for a record is halved until it is that record
// alone; one that failed leaves nothing to be hoped for the others.
func (p *producing) settle(l *lane, failed error) {
	first := l.batches[0]
	switch {
	case failed != nil:
		for _, i := range slices.Concat(l.batches...) {
			p.errs[i] = failed
		}
		l.batches = nil
	case l.refused != nil && len(first) > 1:
		half := len(first) / 2
		l.batches = slices.Replace(l.batches, 0, 1, first[:half], first[half:])
	default:
		p.errs[first[0]] = l.refused
		l.batches = l.batches[1:]
	}
	l.refused = nil
}
