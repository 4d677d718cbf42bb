package main

import (
	"context"
	"errors"
	"slices"

	"rowmark/kafka"
)

// logEnds is what the brokers say of a partition's log.
type logEnds struct {
	start, end int64
	stable     int64 // what a reader of committed records can reach
	topic      kafka.TopicID
	err        error
}

// unknown says that the brokers have no such partition.
func (l *logEnds) unknown() bool {
	var e *kafka.UnknownTopicError
	return errors.As(l.err, &e)
}

// logs asks for the logs of partitions. What is wrong with one is in its err.
func (s *sides) logs(ctx context.Context, tps []kafka.TopicPartition) (map[kafka.TopicPartition]logEnds, error) {
	topics, err := s.topicsOf(ctx, tps)
	if err != nil {
		return nil, err
	}
	out := map[kafka.TopicPartition]logEnds{}
	var there []kafka.TopicPartition
	for _, tp := range tps {
		t := topics[tp.Topic]
		switch {
		case t.Err != nil:
			out[tp] = logEnds{err: t.Err}
		case !slices.Contains(t.Partitions, tp.Partition):
			out[tp] = logEnds{err: &kafka.UnknownTopicError{TopicPartition: tp}}
		default:
			there = append(there, tp)
		}
	}
	var ends [3]map[kafka.TopicPartition]kafka.OffsetAt
	for i, spec := range []kafka.OffsetSpec{kafka.Earliest, kafka.Latest, kafka.LastStable} {
		if ends[i], err = s.kafka.ListOffsets(ctx, there, spec); err != nil {
			return nil, err
		}
	}
	for _, tp := range there {
		l := logEnds{start: ends[0][tp].Offset, end: ends[1][tp].Offset, stable: ends[2][tp].Offset, topic: topics[tp.Topic].ID}
		for _, found := range ends {
			if l.err == nil {
				l.err = found[tp].Err
			}
		}
		out[tp] = l
	}
	return out, nil
}

func (s *sides) topicsOf(ctx context.Context, tps []kafka.TopicPartition) (map[string]kafka.TopicInfo, error) {
	names := []string{}
	for _, tp := range tps {
		if !slices.Contains(names, tp.Topic) {
			names = append(names, tp.Topic)
		}
	}
	return s.kafka.Topics(ctx, names)
}
