package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// pace is how often records are sent.
const pace = 100 * time.Millisecond

// load produces until ctx ends. A good half of the way to length a region server dies and comes back, and near it a record
// comes that its mapping fails on. Some of the payments are of those that become dead letters.
func (s *services) load(ctx context.Context, length time.Duration) error {
	random := rand.New(rand.NewPCG(1, 2))
	begun := time.Now()
	tick := time.NewTicker(pace)
	defer tick.Stop()
	steps := int(length / pace)
	for step := 0; ; step++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		seconds := time.Since(begun).Seconds()
		for p := range int32(orderPartitions) {
			s.send(ctx, "orders", p, recordsAt(seconds, p, random), `{"status": "paid", "items": 3}`, random)
		}
		for p := range int32(paymentPartitions) {
			s.send(ctx, "payments", p, recordsAt(seconds, p+orderPartitions, random)/3, `{"amount": 12.5}`, random)
		}
		s.send(ctx, "returns", 0, 1, `{"items": 1}`, random)
		if step%300 == 150 {
			s.send(ctx, "payments", 1, 1, `{"amount": "a dozen"}`, random)
		}
		switch step {
		case steps * 6 / 10:
			if err := s.hbase.Kill(1); err != nil {
				return err
			}
		case steps * 7 / 10:
			if err := s.hbase.Restart(1); err != nil {
				return err
			}
		case steps * 9 / 10:
			s.send(ctx, "returns", 0, 1, `{"items": "all"}`, random)
		}
	}
}

// recordsAt is how many records one partition gets at a time: some partitions have more than others, all have waves, and
// now and then one has a burst.
func recordsAt(seconds float64, partition int32, random *rand.Rand) int {
	base := 6 + 4*float64(partition%4)
	wave := 1 + 0.6*math.Sin(seconds/9+float64(partition))
	n := base * wave * (0.7 + 0.6*random.Float64())
	if random.IntN(400) == 0 {
		n += 900
	}
	return int(n)
}

// send produces n records of one value.
func (s *services) send(ctx context.Context, topic string, partition int32, n int, value string, random *rand.Rand) {
	for range n {
		key := fmt.Sprintf("%d-%d", partition, random.IntN(20_000))
		s.producer.Produce(ctx, &kgo.Record{Topic: topic, Partition: partition, Key: []byte(key), Value: []byte(value)}, nil)
	}
}
