package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// errMissing stands for a partition that an answer passes over.
var errMissing = errors.New("the broker's answer leaves the partition out")

// EpochEnd is the end of a leader epoch in the leader's log.
type EpochEnd struct {
	Epoch     int32 // the asked epoch, or the largest below it that the log knows; -1 if it knows none
	EndOffset int64 // first offset past that epoch; -1 if Epoch is
}

// EpochEnd asks the leader of tp where an epoch ends in its log (OffsetForLeaderEpoch). A position whose last batch
// had that epoch is in doubt if Epoch is smaller than asked or EndOffset is below the position.
func (c *Client) EpochEnd(ctx context.Context, tp TopicPartition, epoch int32) (EpochEnd, error) {
	var mu sync.Mutex
	var end EpochEnd
	failed := c.byLeader(ctx, []TopicPartition{tp}, func(ctx context.Context, broker int32, parts []ledPart) map[TopicPartition]error {
		e, err := c.epochEnd(ctx, broker, parts[0], epoch)
		mu.Lock()
		defer mu.Unlock()
		end = e
		return map[TopicPartition]error{tp: err}
	})
	if err := failed[tp]; err != nil {
		return EpochEnd{}, fmt.Errorf("asking where leader epoch %d of %s ends: %w", epoch, tp, err)
	}
	return end, nil
}

func (c *Client) epochEnd(ctx context.Context, broker int32, p ledPart, epoch int32) (EpochEnd, error) {
	rp := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
	rp.Partition, rp.LeaderEpoch, rp.CurrentLeaderEpoch = p.Partition, epoch, p.epoch
	t := kmsg.NewOffsetForLeaderEpochRequestTopic()
	t.Topic = p.Topic
	t.Partitions = append(t.Partitions, rp)
	req := kmsg.NewPtrOffsetForLeaderEpochRequest()
	req.ReplicaID = -1
	req.Topics = append(req.Topics, t)
	kresp, err := c.do(ctx, broker, req, wantLeaderEpoch)
	if err != nil {
		return EpochEnd{}, err
	}
	for _, t := range kresp.(*kmsg.OffsetForLeaderEpochResponse).Topics {
		for _, a := range t.Partitions {
			if t.Topic == p.Topic && a.Partition == p.Partition {
				return EpochEnd{Epoch: a.LeaderEpoch, EndOffset: a.EndOffset}, codeError(a.ErrorCode)
			}
		}
	}
	return EpochEnd{}, errMissing
}
