package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"rowmark/connector"
	"rowmark/connector/rebuild"
	"rowmark/kafka"
)

// mayRebuild refuses a sink without marks, and to read again what may have none any more.
func (s *sides) mayRebuild(from string, now time.Time) error {
	if s.config.AtLeastOnce() {
		return errors.New("delivery is at-least-once, which writes no marks: kafka.start says where a partition without a checkpoint begins")
	}
	ttl := s.config.Marks.TTL
	if ttl == 0 {
		return nil
	}
	if at, ok := parseTime(from, now); !ok || now.Sub(at) > ttl/2 {
		return fmt.Errorf("--from %s: marks expire after %s (marks.ttl), and records whose marks are gone would be applied twice: name a time within the last %s", from, ttl, ttl/2)
	}
	return nil
}

// lost are the partitions to be rebuilt: all that the file has read, or those chosen. None has a checkpoint.
func (s *sides) lost(ctx context.Context, o *rebuildOptions, from *target) ([]rebuild.Partition, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.HBase.CallTimeout)
	defer cancel()
	tps, err := s.chosenLost(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := s.bindable(ctx); err != nil {
		return nil, err
	}
	logs, err := s.logs(ctx, tps)
	if err != nil {
		return nil, err
	}
	for _, tp := range tps {
		if err := logs[tp].err; err != nil {
			return nil, err
		}
	}
	offsets, err := from.in(ctx, s.kafka, logs)
	if err != nil {
		return nil, err
	}
	var out []rebuild.Partition
	for _, tp := range tps {
		out = append(out, rebuild.Partition{
			TopicPartition: tp, TopicID: logs[tp].topic, LogEnd: logs[tp].end, From: offsets[tp], Opening: o.opening,
		})
	}
	return out, nil
}

// bindable says whether the sink is bound to these brokers, or can be.
func (s *sides) bindable(ctx context.Context) error {
	cluster, err := s.kafka.ClusterID(ctx)
	if err != nil {
		return err
	}
	return s.store.CheckBinding(ctx, cluster)
}

func (s *sides) chosenLost(ctx context.Context, o *rebuildOptions) ([]kafka.TopicPartition, error) {
	cks, err := s.store.List(ctx)
	if err != nil {
		return nil, err
	}
	mapped, err := s.mapped(ctx)
	if err != nil {
		return nil, err
	}
	if len(o.partitions) == 0 {
		if len(cks) > 0 && len(o.topics) == 0 {
			return nil, fmt.Errorf("sink %s has %s, which tell more than marks do: rowmark offsets show names them; rebuild those that are missing with --topic or --partition", s.config.Sink, count(len(cks), "checkpoint"))
		}
		for tp := range cks {
			delete(mapped, tp)
		}
		tps := joined(nil, mapped, o.topics)
		if len(tps) == 0 {
			return nil, errors.New("no partition that the file has read is without a checkpoint")
		}
		return tps, nil
	}
	_, tps, err := choose(o.topics, o.partitions)
	if err != nil {
		return nil, configError(err)
	}
	for _, tp := range tps {
		switch {
		case !mapped[tp]:
			return nil, configError(fmt.Errorf("--partition %s: it is none that the file has read", tp))
		case cks[tp] != nil:
			return nil, fmt.Errorf("%s has a checkpoint, at offset %d: rowmark offsets set moves it", tp, cks[tp].Offset)
		}
	}
	return tps, nil
}

// quiet waits until no connector can be writing: one whose checkpoint is gone sends nothing after its lease.
func (s *sides) quiet(ctx context.Context, notes io.Writer) error {
	lease := s.config.Checkpoint.Lease
	_, _ = fmt.Fprintf(notes, "waiting %s (checkpoint.lease): a connector that still runs sends nothing after that, or shows itself\n", lease)
	_, err := s.store.Quiet(ctx, lease, true)
	if errors.Is(err, connector.ErrOwnerAlive) {
		return fmt.Errorf("%w; stop it first", err)
	}
	return err
}
