package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// maker fills in key and value of the i-th record of all, and may move it to another partition.
type maker func(i int, r *kgo.Record)

// produce makes a topic with per records in each partition.
func (s *session) produce(ctx context.Context, topic string, partitions, per int, codec kgo.CompressionCodec, fill maker, more ...kgo.Opt) error {
	c, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(s.kafka.Brokers()...), kgo.ProducerBatchCompression(codec), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerLinger(5 * time.Millisecond), kgo.MaxBufferedRecords(20_000),
		// The new topic is soon known: ask often, up to 10 s in all.
		kgo.MetadataMinAge(250 * time.Millisecond), kgo.UnknownTopicRetries(40),
	}, more...)...)
	if err != nil {
		return fmt.Errorf("opening the producer: %w", err)
	}
	defer c.Close()
	if err := createTopic(ctx, c, topic, partitions); err != nil {
		return err
	}
	s.say("producing %d records to %s", per*partitions, topic)
	var mu sync.Mutex
	var failed error
	for i := range per * partitions {
		r := &kgo.Record{Topic: topic, Partition: int32(i % partitions)}
		fill(i, r)
		c.Produce(ctx, r, func(_ *kgo.Record, err error) {
			if err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
			}
		})
	}
	err = c.Flush(ctx)
	mu.Lock()
	defer mu.Unlock()
	if err := errors.Join(failed, err); err != nil {
		return fmt.Errorf("producing to topic %s: %w", topic, err)
	}
	return nil
}

func createTopic(ctx context.Context, c *kgo.Client, topic string, partitions int) error {
	if _, err := kadm.NewClient(c).CreateTopic(ctx, int32(partitions), 1, nil, topic); err != nil {
		return fmt.Errorf("creating topic %s: %w", topic, err)
	}
	return nil
}

// letters makes records of size bytes in key and value together, which compress to less than half.
func letters(size int) maker {
	rng := rand.New(rand.NewPCG(1, 1))
	return func(_ int, r *kgo.Record) {
		b := make([]byte, size)
		var bits uint64
		for i := range b {
			if i%21 == 0 {
				bits = rng.Uint64()
			}
			b[i] = "abcdefgh"[bits&7]
			bits >>= 3
		}
		r.Key, r.Value = b[:8], b[8:]
	}
}
