package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// CreateTopic makes a topic with settings given as name, value, name, value…
// and returns when each partition has a leader. A topic of that name left by an
// attempt whose answer was lost counts as made.
func (a *KafkaAdmin) CreateTopic(ctx context.Context, topic string, partitions int32, replicas int16, settings ...string) error {
	conf := map[string]*string{}
	for i := 0; i+1 < len(settings); i += 2 {
		conf[settings[i]] = &settings[i+1]
	}
	tried := false
	return until(ctx, "creating topic "+topic, func(ctx context.Context) (bool, error) {
		_, err := a.adm.CreateTopic(ctx, partitions, replicas, conf, topic)
		if err != nil && (!tried || !errors.Is(err, kerr.TopicAlreadyExists)) {
			tried = true
			return false, err
		}
		return true, a.led(ctx, topic, partitions)
	})
}

// led waits until the topic has so many partitions, each with a leader.
func (a *KafkaAdmin) led(ctx context.Context, topic string, partitions int32) error {
	return until(ctx, "waiting for the leaders of topic "+topic, func(ctx context.Context) (bool, error) {
		ps, err := a.Partitions(ctx, topic)
		if err != nil || len(ps) < int(partitions) {
			return false, err
		}
		for _, p := range ps {
			if p.Leader < 0 {
				return false, nil
			}
		}
		return true, nil
	})
}

// DeleteTopic removes a topic and returns when no broker asked shows it.
func (a *KafkaAdmin) DeleteTopic(ctx context.Context, topic string) error {
	return until(ctx, "deleting topic "+topic, func(ctx context.Context) (bool, error) {
		r, err := a.adm.DeleteTopic(ctx, topic)
		if err == nil {
			err = r.Err
		}
		if errors.Is(err, kerr.UnknownTopicOrPartition) {
			return true, nil
		}
		return false, err
	})
}

// AddPartitions grows a topic to so many partitions in all.
func (a *KafkaAdmin) AddPartitions(ctx context.Context, topic string, total int) error {
	return until(ctx, fmt.Sprintf("growing topic %s to %d partitions", topic, total), func(ctx context.Context) (bool, error) {
		if ps, err := a.Partitions(ctx, topic); err != nil || len(ps) >= total {
			return err == nil, err
		}
		rs, err := a.adm.UpdatePartitions(ctx, total, topic)
		if err == nil {
			err = rs.Error()
		}
		if err != nil {
			return false, err
		}
		return true, a.led(ctx, topic, int32(total))
	})
}

// AlterTopic sets settings of a topic, given as name, value, name, value…
func (a *KafkaAdmin) AlterTopic(ctx context.Context, topic string, settings ...string) error {
	var alter []kadm.AlterConfig
	for i := 0; i+1 < len(settings); i += 2 {
		alter = append(alter, kadm.AlterConfig{Op: kadm.SetConfig, Name: settings[i], Value: &settings[i+1]})
	}
	return until(ctx, "altering topic "+topic, func(ctx context.Context) (bool, error) {
		rs, err := a.adm.AlterTopicConfigs(ctx, alter, topic)
		for _, r := range rs {
			err = errors.Join(err, r.Err)
		}
		return err == nil, err
	})
}

// DeleteRecords removes what lies below offset of a partition, and returns the
// partition's first offset afterwards.
func (a *KafkaAdmin) DeleteRecords(ctx context.Context, topic string, partition int32, offset int64) (int64, error) {
	var first int64
	err := until(ctx, fmt.Sprintf("deleting records of %s/%d below offset %d", topic, partition, offset), func(ctx context.Context) (bool, error) {
		var o kadm.Offsets
		o.AddOffset(topic, partition, offset, -1)
		rs, err := a.adm.DeleteRecords(ctx, o)
		if err == nil {
			err = rs.Error()
		}
		if err != nil {
			return false, err
		}
		r, ok := rs.Lookup(topic, partition)
		first = r.LowWatermark
		return ok, nil
	})
	return first, err
}
