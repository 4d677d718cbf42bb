package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// logged reads n records of a topic with another client.
func logged(t testing.TB, k *kfake.Cluster, topic string, n int) []*kgo.Record {
	t.Helper()
	c, err := kgo.NewClient(kgo.SeedBrokers(k.ListenAddrs()...), kgo.ConsumeTopics(topic))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out []*kgo.Record
	for ctx := testContext(t); len(out) < n; {
		fetches := c.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatalf("%d of %d records: %v", len(out), n, err)
		}
		out = append(out, fetches.Records()...)
	}
	return out
}

func noErrors(t testing.TB, errs []error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Null and empty stay apart, times stay what they are, and a key goes where Kafka's own partitioner has it.
func TestProducedRecordsAreAsGiven(t *testing.T) {
	k := fake(t, kfake.NumBrokers(3), kfake.SeedTopics(7, "letters"))
	c := open(t, Config{Brokers: k.ListenAddrs()})
	recs := []Record{
		{Key: []byte{}, Value: []byte{}},
		{},
		{Key: []byte("null header"), Headers: []Header{{Key: "a"}, {Key: "", Value: []byte{}}, {Key: "a", Value: []byte{0, 255}}}},
		{Key: []byte("no time"), Timestamp: -1},
		{Key: []byte("1970")},
		{Key: []byte("future"), Timestamp: 4102444800000},
	}
	for i := range 200 {
		recs = append(recs, Record{Key: fmt.Appendf(nil, "key-%d", i), Value: bytes.Repeat([]byte{byte(i)}, i*50), Timestamp: int64(1764400000000 - i*7919)})
	}
	noErrors(t, c.Produce(testContext(t), "letters", recs))
	own := kgo.StickyKeyPartitioner(nil).ForTopic("letters")
	found := map[string]*kgo.Record{}
	for _, r := range logged(t, k, "letters", len(recs)) {
		if r.Key != nil && int(r.Partition) != own.Partition(&kgo.Record{Key: r.Key}, 7) {
			t.Errorf("key %q is in partition %d", r.Key, r.Partition)
		}
		found[fmt.Sprintf("%q %t", r.Key, r.Key == nil)] = r
	}
	for i := range recs {
		want := &recs[i]
		got := found[fmt.Sprintf("%q %t", want.Key, want.Key == nil)]
		if got == nil {
			t.Errorf("no record with key %q", want.Key)
			continue
		}
		is := Record{Timestamp: got.Timestamp.UnixMilli(), Key: got.Key, Value: got.Value}
		for _, h := range got.Headers {
			is.Headers = append(is.Headers, Header{h.Key, h.Value})
		}
		if !reflect.DeepEqual(is, *want) {
			t.Errorf("got %+v, want %+v", is, *want)
		}
	}
}

// answerProduce changes what brokers say of batches; false: the broker answers itself.
func answerProduce(k *kfake.Cluster, code func(times int64, batch []byte) int16) {
	var times atomic.Int64
	k.ControlKey(int16(kmsg.Produce), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		req := kreq.(*kmsg.ProduceRequest)
		resp := req.ResponseKind().(*kmsg.ProduceResponse)
		n, any := times.Add(1), false
		for _, t := range req.Topics {
			rt := kmsg.NewProduceResponseTopic()
			rt.Topic = t.Topic
			for _, p := range t.Partitions {
				rp := kmsg.NewProduceResponseTopicPartition()
				rp.Partition, rp.ErrorCode = p.Partition, code(n, p.Records)
				any = any || rp.ErrorCode != 0
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, any
	})
}

// A record that the topic refuses is found in its batch, and the others are written, once.
func TestRefusedRecordsAreToldApart(t *testing.T) {
	k := fake(t, kfake.SeedTopics(1, "ignored"))
	admin := kadm.NewClient(producer(t, k.ListenAddrs()))
	largest := "2000"
	if _, err := admin.CreateTopic(testContext(t), 1, 1, map[string]*string{"max.message.bytes": &largest}, "letters"); err != nil {
		t.Fatal(err)
	}
	answerProduce(k, func(_ int64, batch []byte) int16 {
		if bytes.Contains(batch, []byte("wrong time")) && len(batch) <= 2000 {
			return kerr.InvalidTimestamp.Code
		}
		return 0
	})
	var recs []Record
	var want []error
	var keys []string
	for i := range 100 {
		r, err := Record{Key: fmt.Appendf(nil, "%d", i), Value: make([]byte, 100)}, error(nil)
		switch i {
		case 17, 18, 99:
			r.Value, err = make([]byte, 2000), ErrTooLarge
		case 0, 60:
			r.Value, err = []byte("wrong time"), ErrBadTime
		default:
			keys = append(keys, string(r.Key))
		}
		recs, want = append(recs, r), append(want, err)
	}
	c := open(t, Config{Brokers: k.ListenAddrs()})
	if got := c.Produce(testContext(t), "letters", recs); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var got []string
	for _, r := range logged(t, k, "letters", len(keys)) {
		got = append(got, string(r.Key))
	}
	if !slices.Equal(got, keys) {
		t.Errorf("written are %v, want %v", got, keys)
	}
}

func TestProduceRidesOutPassingErrors(t *testing.T) {
	for _, e := range []*kerr.Error{
		kerr.NotLeaderForPartition, kerr.NotEnoughReplicas, kerr.NotEnoughReplicasAfterAppend, kerr.LeaderNotAvailable, kerr.RequestTimedOut, kerr.KafkaStorageError,
	} {
		t.Run(e.Message, func(t *testing.T) {
			t.Parallel()
			k := fake(t, kfake.SeedTopics(1, "letters"))
			answerProduce(k, func(times int64, _ []byte) int16 {
				if times == 1 {
					return e.Code
				}
				return 0
			})
			c := open(t, Config{Brokers: k.ListenAddrs()})
			noErrors(t, c.Produce(testContext(t), "letters", []Record{{Value: []byte("v")}}))
			logged(t, k, "letters", 1)
		})
	}
}

// What does not pass is told of every record, at once or when the context ends.
func TestProduceTellsWhatIsWrong(t *testing.T) {
	k := fake(t, kfake.SeedTopics(1, "letters", "forbidden"))
	c := open(t, Config{Brokers: k.ListenAddrs()})
	recs := []Record{{Value: make([]byte, batchBytes)}, {Value: make([]byte, batchBytes)}, {}}
	try := func(topic string, wait time.Duration) []error {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		return c.Produce(ctx, topic, recs)
	}
	for _, err := range try("none", testLimit) {
		if unknown := new(UnknownTopicError); !errors.As(err, &unknown) {
			t.Errorf("an unknown topic: %v", err)
		}
	}
	code := kerr.TopicAuthorizationFailed.Code
	answerProduce(k, func(int64, []byte) int16 { return code })
	for _, err := range try("forbidden", testLimit) {
		if err == nil || !strings.Contains(err.Error(), "Authorization") {
			t.Errorf("a forbidden topic: %v", err)
		}
	}
	code = kerr.NotEnoughReplicas.Code
	for _, err := range try("letters", 200*time.Millisecond) {
		if err == nil || !strings.Contains(err.Error(), "letters/0") {
			t.Errorf("too few replicas: %v", err)
		}
	}
}
