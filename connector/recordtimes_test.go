package connector

import (
	"maps"
	"testing"
	"time"

	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Of each span the first record counts, behind what a transaction that was aborted left, and none past the span.
func TestRecordTimes(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(5, "t"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	produce := func(aborted bool, partition int32, times ...int64) {
		opts := []kgo.Opt{kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner())}
		if aborted {
			opts = append(opts, kgo.TransactionalID("x"))
		}
		client, err := kgo.NewClient(opts...)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if aborted {
			if err := client.BeginTransaction(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := client.EndTransaction(t.Context(), kgo.TryAbort); err != nil {
					t.Error(err)
				}
			}()
		}
		for _, at := range times {
			r := &kgo.Record{Topic: "t", Partition: partition, Value: []byte("v"), Timestamp: time.UnixMilli(at)}
			if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
	}
	produce(false, 0, 10, 20, 30)
	produce(true, 1, 40, 50) // and the marker of its end
	produce(false, 1, 60)
	produce(true, 2, 70)
	client, err := kafka.Open(t.Context(), kafka.Config{Brokers: cluster.ListenAddrs(), ReadCommitted: true, FetchMaxWait: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	at := func(n int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: n} }
	got, err := RecordTimes(t.Context(), client, map[kafka.TopicPartition]Span{
		at(0): {1, 3}, at(1): {0, 4}, at(2): {0, 2}, at(3): {0, 0},
	})
	if err != nil || !maps.Equal(got, map[kafka.TopicPartition]int64{at(0): 20, at(1): 60}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := RecordTimes(t.Context(), client, map[kafka.TopicPartition]Span{at(1): {0, 3}}); err != nil || len(got) != 0 {
		t.Errorf("of a span that ends before the record: %v, %v", got, err)
	}
	// What can't be read does not hide the others.
	if got, err := RecordTimes(t.Context(), client, map[kafka.TopicPartition]Span{at(0): {0, 3}, at(4): {7, 9}}); err == nil || got[at(0)] != 10 {
		t.Errorf("beside an offset that is not there: %v, %v", got, err)
	}
}
