package connector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/status"
	"rowmark/kafka"
)

// ErrNotRunning says that the engine takes no orders: it is not connected yet, or has ended.
var ErrNotRunning = errors.New("the connector takes no orders: it is not connected yet, or has ended")

// order is something that the core is told from outside; done is closed when it was.
type order struct {
	events []core.Event
	done   chan struct{}
}

// Pause has partitions read nothing until Resume, and gives those that it means and that are here now. What was read is
// written, and the leases are kept. Names are topic or topic/partition; without any, all are meant. It holds as long as
// the engine, also for partitions that are not here yet, or go and come back. It may be called by any goroutine.
func (e *Engine) Pause(ctx context.Context, names []string) ([]status.Source, error) {
	return e.order(ctx, names, func(tp kafka.TopicPartition) core.Event { return core.Pause{TopicPartition: tp} })
}

// Resume lets partitions go on that were paused, and gives those that it means and that are here now.
func (e *Engine) Resume(ctx context.Context, names []string) ([]status.Source, error) {
	return e.order(ctx, names, func(tp kafka.TopicPartition) core.Event { return core.Resume{TopicPartition: tp} })
}

func (e *Engine) order(ctx context.Context, names []string, event func(kafka.TopicPartition) core.Event) ([]status.Source, error) {
	meant := []kafka.TopicPartition{{Partition: core.AllPartitions}}
	if len(names) > 0 {
		meant = nil
	}
	for _, name := range names {
		tp, err := e.partitionOf(name)
		if err != nil {
			return nil, err
		}
		meant = append(meant, tp)
	}
	o := order{done: make(chan struct{})}
	for _, tp := range meant {
		o.events = append(o.events, event(tp))
	}
	for wait := (chan<- order)(e.orders); ; wait = nil {
		select {
		case wait <- o:
		case <-o.done:
			return here(e.Snapshot().Sources, meant), nil
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (%w)", ErrNotRunning, ctx.Err())
		}
	}
}

// obey carries an order out. It belongs to the goroutine of the core.
func (e *Engine) obey(o order) {
	for _, ev := range o.events {
		e.step(ev)
	}
	e.tellPaused()
	e.show(e.phase())
	close(o.done)
}

// partitionOf reads topic or topic/partition, of a topic that a mapping takes.
func (e *Engine) partitionOf(name string) (kafka.TopicPartition, error) {
	topic, number, one := strings.Cut(name, "/")
	tp := kafka.TopicPartition{Topic: topic, Partition: core.AllPartitions}
	if !e.opts.Mappings.Matches(topic) {
		return tp, fmt.Errorf("%q: no mapping of this connector takes topic %q", name, topic)
	}
	if one {
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil || n < 0 {
			return tp, fmt.Errorf("%q: name topic or topic/partition, and partitions count from 0", name)
		}
		tp.Partition = int32(n)
	}
	return tp, nil
}

// here gives the sources that the names mean.
func here(all []status.Source, names []kafka.TopicPartition) []status.Source {
	out := []status.Source{}
	for i := range all {
		tp := kafka.TopicPartition{Topic: all[i].Topic, Partition: all[i].Partition}
		if slices.ContainsFunc(names, func(name kafka.TopicPartition) bool { return core.Covers(name, tp) }) {
			out = append(out, all[i])
		}
	}
	return out
}
