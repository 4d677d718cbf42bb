package connector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// assign gives partitions to the core: all that match, or those that the group hands to this member. The
// channel tells when no more will come, and is nil at once for --once.
func (e *Engine) assign(ctx context.Context) <-chan error {
	done := make(chan error, 1)
	go func() {
		if e.opts.Group != "" {
			done <- e.runGroup(ctx)
			return
		}
		done <- e.watch(ctx)
	}()
	return done
}

// watch looks for topics and partitions, and goes on looking unless the run is --once.
func (e *Engine) watch(ctx context.Context) error {
	known := map[kafka.TopicPartition]bool{}
	for try := 1; ; try++ {
		wait := e.opts.WatchEvery
		tps, err := e.partitions(ctx)
		switch {
		case err == nil:
			for _, tp := range tps {
				if !known[tp] {
					known[tp] = true
					e.post(core.Assigned{TopicPartition: tp})
				}
			}
			if e.opts.Core.Once {
				if err = e.missing(known); err == nil || try == onceTries {
					return err
				}
				wait = connectPause // a topic just made may take a moment to be known
			}
		case ctx.Err() != nil:
			return nil
		case len(known) == 0 && errors.Is(err, ErrNoTopic):
			return err
		default:
			e.noise.warn("watch", err, "looking for topics and partitions")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// onceTries is how often --once looks for a named topic.
const onceTries = 3

// missing says which named topics have no partition here: --once must not end as if it had read them.
func (e *Engine) missing(known map[kafka.TopicPartition]bool) error {
	found := map[string]bool{}
	for tp := range known {
		found[tp.Topic] = true
	}
	if r := e.opts.Replay; r != nil {
		for tp := range r.Ranges {
			if !known[tp] {
				return &core.StopError{Cause: core.CauseTopic, Err: fmt.Errorf("%s can't be read", tp)}
			}
		}
		return nil
	}
	named, _ := e.opts.Mappings.Topics()
	named = slices.DeleteFunc(named, func(name string) bool {
		only, some := e.opts.Partitions[name]
		return found[name] || some && len(only) == 0
	})
	if len(named) == 0 {
		return nil
	}
	return &core.StopError{Cause: core.CauseTopic, Err: fmt.Errorf("topics that can't be read: %s", strings.Join(named, ", "))}
}

// ErrNoTopic says that no topic of the configuration exists.
var ErrNoTopic = &core.StopError{Cause: core.CauseTopic, Err: errors.New("none of the configured topics exists")}

// partitions gives all partitions of the configured topics, sorted. Topics that are missing are told about.
func (e *Engine) partitions(ctx context.Context) ([]kafka.TopicPartition, error) {
	var names []string
	named, patterns := e.opts.Mappings.Topics()
	if len(patterns) == 0 {
		names = named
	}
	topics, err := e.kafka.Topics(ctx, names)
	e.seen.kafka.answered(err)
	if err != nil {
		return nil, err
	}
	out := Sources(topics, e.opts.Mappings, e.opts.Partitions)
	if r := e.opts.Replay; r != nil {
		out = slices.DeleteFunc(out, func(tp kafka.TopicPartition) bool { return !r.takes(tp) })
	}
	for _, name := range named {
		if t, ok := topics[name]; !ok || t.Err != nil {
			err := t.Err
			if err == nil {
				err = errors.New("the brokers know no such topic")
			}
			e.noise.warn("topic "+name, err, "topic "+name+" can't be read; its partitions wait until it can")
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoTopic, strings.Join(append(named, patterns...), ", "))
	}
	return out, nil
}

// Sources gives the partitions that a connector reads of the topics that are there, sorted: those of only, and all those of
// topics that it does not name.
func Sources(topics map[string]kafka.TopicInfo, mappings *mapping.Set, only map[string][]int32) []kafka.TopicPartition {
	var out []kafka.TopicPartition
	for name, t := range topics {
		if t.Internal || t.Err != nil || !mappings.Matches(name) {
			continue
		}
		some := only[name]
		for _, p := range t.Partitions {
			if some == nil || slices.Contains(some, p) {
				out = append(out, kafka.TopicPartition{Topic: name, Partition: p})
			}
		}
	}
	SortPartitions(out)
	return out
}

// PartitionsOf gives the keys of a map, sorted by topic and partition.
func PartitionsOf[V any](m map[kafka.TopicPartition]V) []kafka.TopicPartition {
	out := slices.Collect(maps.Keys(m))
	SortPartitions(out)
	return out
}

// SortPartitions sorts by topic and partition.
func SortPartitions(tps []kafka.TopicPartition) {
	slices.SortFunc(tps, func(a, b kafka.TopicPartition) int {
		return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
}

func isUnknownTopic(err error) bool {
	var u *kafka.UnknownTopicError
	return errors.As(err, &u)
}
