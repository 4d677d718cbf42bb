package connector

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// logTimeout bounds one look at the log.
const logTimeout = 30 * time.Second

// readLog asks the brokers what a partition looks like now.
func (e *Engine) readLog(a core.ReadLog) {
	ctx, cancel := context.WithTimeout(e.ctx, logTimeout)
	defer cancel()
	info, err := e.logInfo(ctx, a)
	e.post(core.LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: info, Err: err})
}

func (e *Engine) logInfo(ctx context.Context, a core.ReadLog) (core.LogInfo, error) {
	info := core.LogInfo{EpochEnd: -1, EndedEpoch: -1, DeleteRetention: -1}
	topics, err := e.kafka.Topics(ctx, []string{a.Topic})
	if err != nil {
		return info, err
	}
	t, ok := topics[a.Topic]
	if !ok || t.Err != nil && isUnknownTopic(t.Err) {
		return info, &kafka.UnknownTopicError{TopicPartition: a.TopicPartition}
	}
	if t.Err != nil {
		return info, t.Err
	}
	info.TopicID = t.ID
	if err := e.tablesOf(a.Topic); err != nil {
		return info, err
	}
	if info.LogStart, err = e.offset(ctx, a.TopicPartition, kafka.Earliest); err != nil {
		return info, err
	}
	if info.LogEnd, err = e.offset(ctx, a.TopicPartition, kafka.Latest); err != nil {
		return info, err
	}
	info.End = info.LogEnd
	if e.opts.Kafka.ReadCommitted {
		if info.End, err = e.offset(ctx, a.TopicPartition, kafka.LastStable); err != nil {
			return info, err
		}
	}
	if info.DeleteRetention, err = e.deleteRetention(ctx, a.Topic); err != nil {
		return info, err
	}
	if err := e.mayCount(a.Topic, info.DeleteRetention); err != nil {
		return info, err
	}
	if a.NeedStart {
		info.Start, err = e.startOffset(ctx, a.TopicPartition, info)
		return info, err
	}
	if a.LeaderEpoch >= 0 {
		end, err := e.kafka.EpochEnd(ctx, a.TopicPartition, a.LeaderEpoch)
		if err != nil {
			return info, err
		}
		if end.Epoch <= a.LeaderEpoch { // of a later one its end says nothing
			info.EpochEnd, info.EndedEpoch = end.EndOffset, end.Epoch
		}
		return info, e.sameTopic(ctx, a.Topic, t.ID)
	}
	return info, nil
}

// mayCount refuses to sum up a topic that is compacted, as a retention of its tombstones shows.
func (e *Engine) mayCount(topic string, retention int64) error {
	if retention < 0 || !e.opts.Mappings.Counts(topic) || e.opts.Core.AtLeastOnce {
		return nil
	}
	return &core.StopError{Cause: core.CauseTopic, Err: fmt.Errorf("topic %s is compacted, and its mapping increments or appends: compaction drops records, so that a sum would depend on when they were read; take the counting out, or read a topic that keeps its records", topic)}
}

// sameTopic sees that what was asked meanwhile was not answered for a topic created anew: its log would look cut.
func (e *Engine) sameTopic(ctx context.Context, topic string, id kafka.TopicID) error {
	topics, err := e.kafka.Topics(ctx, []string{topic})
	if err != nil {
		return err
	}
	if now := topics[topic].ID; now != id {
		return fmt.Errorf("topic %s changed while its log was asked for: its id was %s and is %s", topic, id, now)
	}
	return nil
}

func (e *Engine) offset(ctx context.Context, tp kafka.TopicPartition, at kafka.OffsetSpec) (int64, error) {
	got, err := e.kafka.ListOffsets(ctx, []kafka.TopicPartition{tp}, at)
	if err != nil {
		return 0, err
	}
	return got[tp].Offset, got[tp].Err
}

// startOffset resolves the start policy, inside the log.
func (e *Engine) startOffset(ctx context.Context, tp kafka.TopicPartition, info core.LogInfo) (int64, error) {
	if e.opts.Replay != nil {
		return e.opts.Replay.Ranges[tp].First, nil
	}
	switch e.opts.Start.Kind {
	case StartLatest:
		return info.End, nil
	case StartOffset:
		return min(max(e.opts.Start.Offset, info.LogStart), info.LogEnd), nil
	case StartTime:
		at, err := e.offset(ctx, tp, kafka.AtTime(e.opts.Start.Time))
		if at < 0 {
			at = info.LogEnd
		}
		return at, err
	default:
		return info.LogStart, nil
	}
}

// deleteRetention is how long a compacted topic keeps tombstones, in milliseconds, -1 for other topics.
func (e *Engine) deleteRetention(ctx context.Context, topic string) (int64, error) {
	conf, err := e.kafka.TopicConfig(ctx, topic)
	if err != nil {
		// Describing a topic's configuration is a right of its own: without it, the stop can't be made.
		e.noise.warn("topic-config "+topic, err, "reading the topic's configuration; a compacted topic's retention of tombstones is not checked")
		return -1, nil
	}
	if !strings.Contains(conf["cleanup.policy"], "compact") {
		return -1, nil
	}
	n, err := strconv.ParseInt(conf["delete.retention.ms"], 10, 64)
	if err != nil {
		return -1, nil
	}
	return n, nil
}
