package kafka

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// OffsetSpec says which offset of a partition is wanted.
type OffsetSpec struct {
	timestamp  int64
	lastStable bool
}

// The ends of a partition's log.
var (
	Earliest   = OffsetSpec{timestamp: -2}                   // the log start
	Latest     = OffsetSpec{timestamp: -1}                   // the high watermark, past all that is replicated
	LastStable = OffsetSpec{timestamp: -1, lastStable: true} // what a reader of committed records can reach
)

// ReadableEnd is up to where a reader gets, of committed records alone or of all.
func ReadableEnd(committed bool) OffsetSpec {
	if committed {
		return LastStable
	}
	return Latest
}

// AtTime is the first offset whose record has this time or a later one, in milliseconds.
func AtTime(ms int64) OffsetSpec { return OffsetSpec{timestamp: ms} }

// OffsetAt is the answer for one partition.
type OffsetAt struct {
	Offset      int64
	Timestamp   int64 // of the record found by AtTime; -1 otherwise
	LeaderEpoch int32 // of the batch at Offset, -1 if not told
	// NoneThatLate says that no record is as late as asked; Offset is then the end (LastStable or Latest, as
	// Config.ReadCommitted says).
	NoneThatLate bool
	Err          error
}

// ListOffsets asks the leaders. Leaders that move or don't answer are asked again until ctx ends or a minute is
// over; what is then still open has Err set. The error is that of ctx.
func (c *Client) ListOffsets(ctx context.Context, tps []TopicPartition, at OffsetSpec) (map[TopicPartition]OffsetAt, error) {
	found := map[TopicPartition]OffsetAt{}
	var mu sync.Mutex
	failed := c.byLeader(ctx, tps, func(ctx context.Context, broker int32, parts []ledPart) map[TopicPartition]error {
		got, errs := c.listOffsets(ctx, broker, parts, at)
		mu.Lock()
		defer mu.Unlock()
		maps.Copy(found, got)
		return errs
	})
	for tp, err := range failed {
		found[tp] = OffsetAt{Offset: -1, Timestamp: -1, LeaderEpoch: -1, Err: fmt.Errorf("asking for an offset of %s: %w", tp, err)}
	}
	if at.timestamp < 0 {
		return found, ctx.Err()
	}
	var late []TopicPartition
	for tp, o := range found {
		if o.Err == nil && o.Offset < 0 {
			late = append(late, tp)
		}
	}
	if len(late) == 0 {
		return found, ctx.Err()
	}
	end := Latest
	end.lastStable = c.cfg.ReadCommitted
	ends, err := c.ListOffsets(ctx, late, end)
	for tp, o := range ends {
		o.NoneThatLate = o.Err == nil
		found[tp] = o
	}
	return found, err
}

func (c *Client) listOffsets(ctx context.Context, broker int32, parts []ledPart, at OffsetSpec) (map[TopicPartition]OffsetAt, map[TopicPartition]error) {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID = -1
	if at.lastStable {
		req.IsolationLevel = 1
	}
	topics := map[string]int{}
	errs := map[TopicPartition]error{}
	for _, p := range parts {
		i, ok := topics[p.Topic]
		if !ok {
			i = len(req.Topics)
			topics[p.Topic] = i
			t := kmsg.NewListOffsetsRequestTopic()
			t.Topic = p.Topic
			req.Topics = append(req.Topics, t)
		}
		rp := kmsg.NewListOffsetsRequestTopicPartition()
		rp.Partition, rp.Timestamp, rp.CurrentLeaderEpoch = p.Partition, at.timestamp, p.epoch
		req.Topics[i].Partitions = append(req.Topics[i].Partitions, rp)
		errs[p.TopicPartition] = errMissing
	}
	kresp, err := c.do(ctx, broker, req, wantListOffsets)
	if err != nil {
		for tp := range errs {
			errs[tp] = err
		}
		return nil, errs
	}
	found := map[TopicPartition]OffsetAt{}
	for _, t := range kresp.(*kmsg.ListOffsetsResponse).Topics {
		for _, p := range t.Partitions {
			tp := TopicPartition{t.Topic, p.Partition}
			if errs[tp] = codeError(p.ErrorCode); errs[tp] == nil {
				found[tp] = OffsetAt{Offset: p.Offset, Timestamp: p.Timestamp, LeaderEpoch: p.LeaderEpoch}
			}
		}
	}
	return found, errs
}
