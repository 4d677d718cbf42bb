package cluster

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// startKafkas gives three nodes, a client for admin and one that produces to
// partition 0 with acknowledgements of all.
func startKafkas(t *testing.T) (context.Context, *Kafka, *KafkaAdmin, *kgo.Client) {
	t.Helper()
	ctx := needReal(t)
	began := time.Now()
	k, err := StartKafkas(ctx, KafkaOptions{Options: TestOptions()}, 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("three brokers served after %v", time.Since(began))
	t.Cleanup(func() {
		if err := k.Stop(); err != nil {
			t.Error(err)
		}
	})
	a, err := NewKafkaAdmin(k.Bootstrap())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return ctx, k, a, producer(t, k)
}

func producer(t *testing.T, k *Kafka) *kgo.Client {
	t.Helper()
	c, err := kgo.NewClient(kgo.SeedBrokers(k.Bootstrap()...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.MetadataMinAge(100*time.Millisecond), kgo.ProducerLinger(0), kgo.ProduceRequestTimeout(time.Second),
		kgo.RequestTimeoutOverhead(time.Second), kgo.RequestRetries(1), kgo.DisableIdempotentWrite())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func produce(t *testing.T, ctx context.Context, c *kgo.Client, topic string, n int) int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var last int64
	for i := range n {
		r, err := c.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: fmt.Appendf(nil, "value %d", i)}).First()
		if err != nil {
			t.Fatalf("producing to %s: %v", topic, err)
		}
		last = r.Offset
	}
	return last
}

func TestKafkasUnderFaults(t *testing.T) {
	ctx, k, a, c := startKafkas(t)
	if err := a.CreateTopic(ctx, "t", 2, 3); err != nil {
		t.Fatal(err)
	}
	produce(t, ctx, c, "t", 1)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	leader := func(not int32) int32 {
		t.Helper()
		began := time.Now()
		id, err := a.Leader(ctx, "t", 0, not)
		must(err)
		led := time.Since(began)
		produce(t, ctx, c, "t", 1)
		t.Logf("broker %d was seen to lead after %v, and took a record after %v", id, led, time.Since(began))
		return id
	}
	first := leader(-1)
	must(k.NodeOf(first).Kill())
	second := leader(first)
	// A node may come back while another is away.
	must(k.NodeOf(second).Pause())
	must(k.NodeOf(first).Restart(ctx))
	third := leader(second)
	must(k.NodeOf(second).Resume())
	must(a.MoveLeader(ctx, "t", 0, first))
	if got := leader(-1); got != first {
		t.Errorf("broker %d leads (before it %d), want broker %d, which it was moved to", got, third, first)
	}
	must(a.AddPartitions(ctx, "t", 5))
	if ps, err := a.Partitions(ctx, "t"); err != nil || len(ps) != 5 || len(ps[4].Replicas) != 3 {
		t.Errorf("partitions = %v, %v; want 5 with 3 replicas each", ps, err)
	}
	last := produce(t, ctx, c, "t", 5)
	if low, err := a.DeleteRecords(ctx, "t", 0, last); err != nil || low != last {
		t.Errorf("after deleting records the first offset is %d (%v), want %d", low, err, last)
	}
	retentionBites(t, ctx, a, c)
	electUnclean(t, ctx, k, a, c)
	must(a.DeleteTopic(ctx, "t"))
	must(a.CreateTopic(ctx, "t", 1, 3))
	// A client that knew the old topic refuses the new one.
	if off := produce(t, ctx, producer(t, k), "t", 1); off != 0 {
		t.Errorf("the first record of the topic made again has offset %d, want 0", off)
	}
	if err := a.CreateTopic(ctx, "t", 1, 3); !errors.Is(err, kerr.TopicAlreadyExists) {
		t.Errorf("making a topic that is there gave %v, want TOPIC_ALREADY_EXISTS", err)
	}
}

// retentionBites waits until a tiny topic has lost its beginning.
func retentionBites(t *testing.T, ctx context.Context, a *KafkaAdmin, c *kgo.Client) {
	t.Helper()
	if err := a.CreateTopic(ctx, "short", 1, 3, "retention.ms", "500", "segment.ms", "200"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for {
		produce(t, ctx, c, "short", 1)
		low, err := a.adm.ListStartOffsets(ctx, "short")
		if o, ok := low.Lookup("short", 0); err == nil && ok && o.Offset > 0 {
			t.Logf("retention removed records after %v", time.Since(began))
			return
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("retention of 500 ms removed nothing in a minute (%v)", err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// electUnclean loses records by an unclean election, on purpose.
func electUnclean(t *testing.T, ctx context.Context, k *Kafka, a *KafkaAdmin, c *kgo.Client) {
	t.Helper()
	if err := a.CreateTopic(ctx, "u", 1, 2, "min.insync.replicas", "1"); err != nil {
		t.Fatal(err)
	}
	ps, err := a.Partitions(ctx, "u")
	if err != nil {
		t.Fatal(err)
	}
	leader := ps[0].Leader
	other := ps[0].Replicas[0] + ps[0].Replicas[1] - leader
	produce(t, ctx, c, "u", 3)
	// The other replica falls behind, then the leader goes: nobody in sync is left.
	if err := k.NodeOf(other).Kill(); err != nil {
		t.Fatal(err)
	}
	waitISR(t, ctx, a, "u", leader)
	produce(t, ctx, c, "u", 3)
	if err := k.NodeOf(leader).Kill(); err != nil {
		t.Fatal(err)
	}
	if err := k.NodeOf(other).Restart(ctx); err != nil {
		t.Fatal(err)
	}
	if err := a.AlterTopic(ctx, "u", "unclean.leader.election.enable", "true"); err != nil {
		t.Fatal(err)
	}
	if err := a.ElectUnclean(ctx, "u", 0); err != nil {
		t.Fatal(err)
	}
	if off := produce(t, ctx, c, "u", 1); off != 3 {
		t.Errorf("the next record has offset %d, want 3: an unclean leader has lost those after it", off)
	}
	if err := k.NodeOf(leader).Restart(ctx); err != nil {
		t.Fatal(err)
	}
	waitISR(t, ctx, a, "u", other, leader)
}

func waitISR(t *testing.T, ctx context.Context, a *KafkaAdmin, topic string, want ...int32) {
	t.Helper()
	began := time.Now()
	for {
		ps, err := a.Partitions(ctx, topic)
		if err == nil && len(ps[0].ISR) == len(want) {
			t.Logf("in sync after %v: %v", time.Since(began), ps[0].ISR)
			return
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("in sync are %v (%v) after a minute, want %v", ps, err, want)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
