package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// tail reads one topic's committed log into the truth while it grows, by a client of its own: what is deleted later
// has been read by then.
type tail struct {
	truth *truth
	topic string
	life  int // the topic's incarnation

	client *kgo.Client
	stop   context.CancelFunc
	done   chan struct{}
	fail   func(error)
}

func startTail(ctx context.Context, brokers []string, t *truth, topic string, life, partitions int, fail func(error)) (*tail, error) {
	from := map[int32]kgo.Offset{}
	for p := range partitions {
		from[int32(p)] = kgo.NewOffset().At(0)
	}
	// Control records are kept, so that the end is seen also where a marker is the last. The log must never be
	// shorter than what was read of it.
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(),
		kgo.FetchMaxWait(250*time.Millisecond), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: from}),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()), kgo.MetadataMinAge(250*time.Millisecond), kgo.MetadataMaxAge(5*time.Second))
	if err != nil {
		return nil, fmt.Errorf("reading topic %s for the count: %w", topic, err)
	}
	ctx, stop := context.WithCancel(ctx)
	r := &tail{truth: t, topic: topic, life: life, client: client, stop: stop, done: make(chan struct{}), fail: fail}
	go r.run(ctx)
	return r, nil
}

func (r *tail) source(p int32) source { return source{r.topic, p, r.life} }

// grow reads a partition more.
func (r *tail) grow(p int32) {
	r.client.AddConsumePartitions(map[string]map[int32]kgo.Offset{r.topic: {p: kgo.NewOffset().At(0)}})
}

func (r *tail) close() {
	r.stop()
	<-r.done
}

func (r *tail) run(ctx context.Context) {
	defer close(r.done)
	defer r.client.Close()
	for {
		got := r.client.PollFetches(ctx)
		if ctx.Err() != nil {
			return
		}
		got.EachError(func(topic string, p int32, err error) {
			if hurt := (*kgo.ErrDataLoss)(nil); errors.As(err, &hurt) {
				r.fail(fmt.Errorf("reading %s/%d for the count: the brokers lost records: %w", topic, p, err))
			}
		})
		for _, rec := range got.Records() {
			s := r.source(rec.Partition)
			if rec.Attrs.IsControl() {
				r.truth.read(s, rec.Offset+1)
				continue
			}
			e, err := parse(rec.Offset, rec.Key, rec.Value)
			if err != nil {
				r.fail(fmt.Errorf("reading %s/%d for the count: %w", r.topic, rec.Partition, err))
				return
			}
			r.truth.add(s, string(rec.Key), e)
			r.truth.read(s, rec.Offset+1)
		}
	}
}

// reach waits until the truth holds a log up to an offset.
func (t *truth) reach(ctx context.Context, s source, offset int64, within time.Duration) error {
	return until(ctx, within, fmt.Sprintf("the log of %s to be read up to offset %d", s.name(), offset), func() (bool, error) {
		return t.position(s) >= offset, nil
	})
}

// until polls for a condition. Errors of a look count as not yet.
func until(ctx context.Context, within time.Duration, what string, look func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var last error
	for {
		ok, err := look()
		if ok {
			return nil
		}
		if err != nil {
			last = err
		}
		select {
		case <-ctx.Done():
			if last != nil {
				return fmt.Errorf("waiting for %s: not within %v: %w", what, within, last)
			}
			return fmt.Errorf("waiting for %s: not within %v", what, within)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// sleep ends with an error where ctx does, also when both are over.
func sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
