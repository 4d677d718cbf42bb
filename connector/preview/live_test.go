package preview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// produce writes records n of a partition, at the time n.
func produce(t *testing.T, client *kgo.Client, partition int32, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		r := &kgo.Record{Topic: "t", Partition: partition, Value: fmt.Append(nil, n), Timestamp: time.UnixMilli(int64(n))}
		must(t, client.ProduceSync(t.Context(), r).FirstErr())
	}
}

func TestReadOfALiveTopic(t *testing.T) {
	fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "t"))
	must(t, err)
	defer fake.Close()
	seeds := []kgo.Opt{kgo.SeedBrokers(fake.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner())}
	writer, err := kgo.NewClient(seeds...)
	must(t, err)
	defer writer.Close()
	produce(t, writer, 0, 10, 30, 50, 70)
	produce(t, writer, 1, 5, 20, 40, 60, 80)
	// Partition 1 loses its first record, and ends with 20 aborted ones.
	_, err = kadm.NewClient(writer).DeleteRecords(t.Context(), kadm.Offsets{"t": {1: {Topic: "t", Partition: 1, At: 1}}})
	must(t, err)
	aborting, err := kgo.NewClient(append(seeds, kgo.TransactionalID("x"))...)
	must(t, err)
	defer aborting.Close()
	must(t, aborting.BeginTransaction())
	for n := range 20 {
		produce(t, aborting, 1, 1000+n)
	}
	must(t, aborting.EndTransaction(t.Context(), kgo.TryAbort))

	tp := func(n int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: n} }
	all := []kafka.TopicPartition{tp(0), tp(1), tp(2)}
	first, last := From{Offset: -1, At: kafka.Earliest}, From{Last: true, Offset: -1}
	for _, c := range []struct {
		from  From
		tps   []kafka.TopicPartition
		count int
		want  string
	}{
		{first, all, 3, "10 20 30"},
		{last, all, 3, "60 70 80"},
		{first, all, 100, "10 20 30 40 50 60 70 80"},
		{last, all, 100, "10 20 30 40 50 60 70 80"},
		{first, all[1:2], 2, "20 40"},
		{last, all[1:2], 2, "60 80"},
		{last, all[1:2], 4, "20 40 60 80"},
		{From{Offset: 2}, all[:1], 1, "50"},
		{From{Offset: 2}, all[:1], 10, "50 70"},
		{From{Offset: 4}, all[:1], 10, ""},
		{From{Offset: 4}, all[1:2], 10, "80"},
		{first, all[2:], 10, ""},
		{last, all[2:], 10, ""},
	} {
		t.Run(fmt.Sprintf("%+v of %d, %d", c.from, len(c.tps), c.count), func(t *testing.T) {
			client, err := kafka.Open(t.Context(), kafka.Config{Brokers: fake.ListenAddrs(), ReadCommitted: true})
			must(t, err)
			defer func() { _ = client.Close() }()
			topic := &Topic{Client: client, ReadCommitted: true, Timeout: time.Minute}
			recs, err := topic.Read(t.Context(), c.tps, c.from, c.count)
			must(t, err)
			var got []string
			for _, r := range recs {
				got = append(got, string(r.Value))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}

	client, err := kafka.Open(t.Context(), kafka.Config{Brokers: fake.ListenAddrs()})
	must(t, err)
	defer func() { _ = client.Close() }()
	topic := &Topic{Client: client, Timeout: time.Minute}
	recs, err := topic.Read(t.Context(), all[1:2], From{Last: true}, 2)
	must(t, err)
	if len(recs) != 2 || string(recs[1].Value) != "1019" {
		t.Errorf("uncommitted ones: %+v", recs)
	}
	var outside *kafka.OutOfRangeError
	if _, err := topic.Read(t.Context(), all[1:2], From{Offset: 0}, 1); !errors.As(err, &outside) || outside.LogStart != 1 {
		t.Errorf("before the log: %v", err)
	}
	if _, err := topic.Read(t.Context(), all[:1], From{Offset: 5}, 1); !errors.As(err, &outside) || outside.LogEnd != 4 {
		t.Errorf("past the log: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := topic.Read(ctx, all, From{Offset: -1, At: kafka.Earliest}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
