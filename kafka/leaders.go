package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// leaderCallLimit bounds the tries of a call to leaders whose context has no earlier end.
const leaderCallLimit = time.Minute

var errNoLeader = errors.New("the partition has no leader now")

// ledPart is a partition at its leader.
type ledPart struct {
	TopicPartition
	epoch int32
}

// byLeader sends one call per leader for the given partitions and tries again, with fresh metadata, those that
// came back with a retriable error. The call returns an error for each partition, nil if it is settled.
func (c *Client) byLeader(ctx context.Context, tps []TopicPartition,
	call func(ctx context.Context, broker int32, parts []ledPart) map[TopicPartition]error,
) map[TopicPartition]error {
	ctx, cancel := context.WithTimeout(ctx, leaderCallLimit)
	defer cancel()
	left := map[TopicPartition]error{}
	topics := map[string]bool{}
	for _, tp := range tps {
		left[tp] = errNoLeader
		topics[tp.Topic] = true
	}
	failed := map[TopicPartition]error{}
	unknown := map[TopicPartition]time.Time{}
	for try := 0; len(left) > 0; try++ {
		if try > 0 && !sleep(ctx, backoff(try-1)) {
			break
		}
		got, err := c.refresh(ctx, slices.Collect(maps.Keys(topics)))
		if err != nil {
			for tp := range left {
				left[tp] = err
				if !retriable(err) {
					failed[tp] = err
					delete(left, tp)
				}
			}
			continue
		}
		groups := map[int32][]ledPart{}
		for tp := range left {
			p, err := got[tp.Topic].leaderOf(tp)
			if err != nil {
				left[tp] = err
				if !retriable(err) || c.stayedUnknown(err, tp, unknown) {
					failed[tp] = err
					delete(left, tp)
				}
				continue
			}
			groups[p.leader] = append(groups[p.leader], ledPart{tp, p.epoch})
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for broker, parts := range groups {
			wg.Go(func() {
				errs := call(ctx, broker, parts)
				mu.Lock()
				defer mu.Unlock()
				for _, p := range parts {
					err := errs[p.TopicPartition]
					if err != nil && retriable(err) {
						left[p.TopicPartition] = err
						continue
					}
					delete(left, p.TopicPartition)
					if err != nil {
						failed[p.TopicPartition] = err
					}
				}
			})
		}
		wg.Wait()
	}
	maps.Copy(failed, left)
	return failed
}

// newTopicGrace is how long brokers may not know of a topic before it counts as missing: one that was made just
// now is not yet known to all of them.
const newTopicGrace = 3 * time.Second

func (c *Client) stayedUnknown(err error, tp TopicPartition, since map[TopicPartition]time.Time) bool {
	var unknown *UnknownTopicError
	if !errors.As(err, &unknown) {
		return false
	}
	if since[tp].IsZero() {
		since[tp] = time.Now()
	}
	return time.Since(since[tp]) >= newTopicGrace
}

// leaderOf returns the leader of tp, or errNoLeader, an *UnknownTopicError or what the brokers said of the topic.
func (t *topicMeta) leaderOf(tp TopicPartition) (partMeta, error) {
	if t == nil {
		return partMeta{}, &UnknownTopicError{tp}
	}
	if t.info.Err != nil {
		var unknown *UnknownTopicError
		if errors.As(t.info.Err, &unknown) {
			return partMeta{}, &UnknownTopicError{tp}
		}
		return partMeta{}, t.info.Err
	}
	p, ok := t.parts[tp.Partition]
	switch {
	case !ok && len(t.parts) > 0:
		return partMeta{}, &UnknownTopicError{tp}
	case !ok || p.leader < 0:
		return partMeta{}, fmt.Errorf("finding the leader of %s: %w", tp, errNoLeader)
	}
	return p, nil
}

func isCode(err error, codes ...kafkago.Error) bool {
	var code kafkago.Error
	return errors.As(err, &code) && slices.Contains(codes, code)
}
