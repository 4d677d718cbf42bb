package kafka

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// answerFetch makes the fake answer Fetches of tp with what fn returns; nil lets the fake answer itself.
func answerFetch(k *kfake.Cluster, topic string, fn func(p *kmsg.FetchResponseTopicPartition, r *kmsg.FetchRequest) bool) {
	k.ControlKey(int16(kmsg.Fetch), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		req := kreq.(*kmsg.FetchRequest)
		p := kmsg.NewFetchResponseTopicPartition()
		if !fn(&p, req) {
			return nil, nil, false
		}
		p.Partition = req.Topics[0].Partitions[0].Partition
		t := kmsg.NewFetchResponseTopic()
		t.Topic, t.TopicID = req.Topics[0].Topic, req.Topics[0].TopicID
		t.Partitions = append(t.Partitions, p)
		resp := req.ResponseKind().(*kmsg.FetchResponse)
		resp.Topics = append(resp.Topics, t)
		return resp, nil, true
	})
}

func TestEmptyAndAbortedBatchesMoveOn(t *testing.T) {
	k := fake(t, kfake.SeedTopics(1, "orders"))
	src := encodeAll(t, testBatch{base: 0, lastDelta: 2}, txn(3, 7, 2), marker(5, 7, controlAbort), testBatch{base: 6, lastDelta: 3})
	answerFetch(k, "orders", func(p *kmsg.FetchResponseTopicPartition, r *kmsg.FetchRequest) bool {
		if r.Topics[0].Partitions[0].FetchOffset != 0 {
			return false
		}
		p.RecordBatches, p.HighWatermark, p.LastStableOffset = src, 10, 10
		p.AbortedTransactions = []abortedTxn{{ProducerID: 7, FirstOffset: 3}}
		return true
	})
	c := open(t, Config{Brokers: k.ListenAddrs(), ReadCommitted: true})
	ch := newPuller(t, c).next(t, TopicPartition{"orders", 0}, FetchAt{LeaderEpoch: -1})
	if ch.Err != nil || ch.Next != 10 || len(ch.Records) != 0 || ch.LastStable != 10 {
		t.Errorf("%+v", ch)
	}
}

func TestCorruptBatchIsTriedAgainAndThenTold(t *testing.T) {
	k := fake(t, kfake.SeedTopics(1, "orders"))
	good := testBatch{base: 0, lastDelta: -1, epoch: 2, records: []testRecord{{value: []byte("a")}}}.encode(t)
	bad := testBatch{base: 1, lastDelta: -1, records: []testRecord{{value: []byte("b")}}}.encode(t)
	bad[len(bad)-1] ^= 1
	var fetches, healed atomic.Int32
	answerFetch(k, "orders", func(p *kmsg.FetchResponseTopicPartition, r *kmsg.FetchRequest) bool {
		fetches.Add(1)
		p.RecordBatches, p.HighWatermark = slices.Concat(good, bad), 2
		if healed.Load() == 1 {
			p.RecordBatches = testBatch{base: 1, lastDelta: -1, records: []testRecord{{value: []byte("b")}}}.encode(t)
		}
		return true
	})
	c := open(t, Config{Brokers: k.ListenAddrs()})
	p := newPuller(t, c)
	tp := TopicPartition{"orders", 0}
	if ch := p.next(t, tp, FetchAt{LeaderEpoch: -1}); ch.Err != nil || ch.Next != 1 || len(ch.Records) != 1 || ch.LeaderEpoch != 2 {
		t.Fatalf("the good batch: %+v", ch)
	}
	var corrupt *CorruptError
	ch := p.next(t, tp, FetchAt{Offset: 1, LeaderEpoch: 2})
	if !errors.As(ch.Err, &corrupt) || corrupt.Offset != 1 || ch.Next != 1 || len(ch.Records) != 0 {
		t.Fatalf("the bad batch: %+v", ch)
	}
	if n := fetches.Load(); n != 1+corruptTries {
		t.Errorf("%d fetches", n)
	}
	healed.Store(1)
	if ch := p.next(t, tp, FetchAt{Offset: 1, LeaderEpoch: 2}); ch.Err != nil || ch.Next != 2 {
		t.Errorf("healed: %+v", ch)
	}
}

func TestErrorsThatTheCallerDecides(t *testing.T) {
	for _, c := range []struct {
		code  int16
		check func(error) bool
	}{
		{kerr.TopicAuthorizationFailed.Code, func(err error) bool { return err != nil && !retriable(err) }},
		{kerr.UnsupportedCompressionType.Code, func(err error) bool { return err != nil }},
	} {
		k := fake(t, kfake.SeedTopics(1, "orders"))
		answerFetch(k, "orders", func(p *kmsg.FetchResponseTopicPartition, _ *kmsg.FetchRequest) bool {
			p.ErrorCode = c.code
			return true
		})
		ch := newPuller(t, open(t, Config{Brokers: k.ListenAddrs()})).next(t, TopicPartition{"orders", 0}, FetchAt{Offset: 4, LeaderEpoch: 3})
		if !c.check(ch.Err) || ch.Next != 4 || ch.From != 4 || ch.LeaderEpoch != 3 {
			t.Errorf("code %d: %+v", c.code, ch)
		}
	}
	k := fake(t, kfake.SeedTopics(1, "orders"))
	answerFetch(k, "orders", func(p *kmsg.FetchResponseTopicPartition, _ *kmsg.FetchRequest) bool {
		p.DivergingEpoch.Epoch, p.DivergingEpoch.EndOffset = 2, 3
		return true
	})
	var div *DivergedError
	tp := TopicPartition{"orders", 0}
	ch := newPuller(t, open(t, Config{Brokers: k.ListenAddrs()})).next(t, tp, FetchAt{Offset: 4, LeaderEpoch: 3})
	if !errors.As(ch.Err, &div) || *div != (DivergedError{tp, 4, 2, 3}) {
		t.Errorf("diverged: %+v", ch)
	}
}

// Errors that pass are ridden out, each once.
func TestRidesOutPassingErrors(t *testing.T) {
	codes := []*kerr.Error{
		kerr.NotLeaderForPartition, kerr.FencedLeaderEpoch, kerr.UnknownLeaderEpoch, kerr.KafkaStorageError, kerr.ReplicaNotAvailable,
		kerr.LeaderNotAvailable, kerr.OffsetNotAvailable, kerr.UnknownTopicOrPartition, kerr.UnknownTopicID, kerr.UnknownServerError, kerr.OffsetOutOfRange,
	}
	for _, code := range codes {
		t.Run(code.Message, func(t *testing.T) {
			t.Parallel()
			k := fake(t, kfake.SeedTopics(1, "orders"))
			produce(t, producer(t, k.ListenAddrs()), &kgo.Record{Topic: "orders", Value: []byte("v")})
			var n atomic.Int32
			answerFetch(k, "orders", func(p *kmsg.FetchResponseTopicPartition, _ *kmsg.FetchRequest) bool {
				p.ErrorCode = code.Code
				return n.Add(1) <= 2
			})
			c := open(t, Config{Brokers: k.ListenAddrs()})
			if recs := newPuller(t, c).readTo(t, TopicPartition{"orders", 0}, 0, 1); len(recs) != 1 {
				t.Errorf("%d records", len(recs))
			}
			if n.Load() < 3 {
				t.Errorf("%d fetches", n.Load())
			}
		})
	}
}

func TestLeaderMoves(t *testing.T) {
	k := fake(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "orders"))
	p := producer(t, k.ListenAddrs())
	c := open(t, Config{Brokers: k.ListenAddrs()})
	pull := newPuller(t, c)
	tp := TopicPartition{"orders", 0}
	for i := range int64(6) {
		if err := k.MoveTopicPartition("orders", 0, int32(i%3)); err != nil {
			t.Fatal(err)
		}
		produce(t, p, &kgo.Record{Topic: "orders", Value: fmt.Append(nil, i)})
		if recs := pull.readTo(t, tp, i, i+1); len(recs) != 1 || string(recs[0].Value) != fmt.Sprint(i) {
			t.Fatalf("round %d: %+v", i, recs)
		}
	}
}

// A broker that takes requests and never answers holds up its own partitions only.
func TestSlowBrokerHoldsUpNoOther(t *testing.T) {
	k := fake(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "orders"))
	for i := range int32(2) {
		if err := k.MoveTopicPartition("orders", i, i); err != nil {
			t.Fatal(err)
		}
	}
	p := producer(t, k.ListenAddrs())
	produce(t, p, &kgo.Record{Topic: "orders", Partition: 0}, &kgo.Record{Topic: "orders", Partition: 1})
	release := make(chan struct{})
	k.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		if k.CurrentNode() == 0 {
			k.SleepControl(func() { <-release })
		}
		return nil, nil, false
	})
	c := open(t, Config{Brokers: k.ListenAddrs()})
	pull := newPuller(t, c)
	pull.r.Request(TopicPartition{"orders", 0}, FetchAt{LeaderEpoch: -1})
	for range 3 {
		if ch := pull.next(t, TopicPartition{"orders", 1}, FetchAt{LeaderEpoch: -1}); ch.Err != nil || ch.Partition != 1 || ch.Next != 1 {
			t.Fatalf("%+v", ch)
		}
	}
	close(release)
	if ch := <-pull.ch; ch.Err != nil || ch.Partition != 0 || ch.Next != 1 {
		t.Fatalf("%+v", ch)
	}
}

// A request that comes while other Fetches wait for data does not wait for their end.
func TestLateRequestIsQuick(t *testing.T) {
	const parts = 8
	k := fake(t, kfake.SeedTopics(parts, "orders"))
	p := producer(t, k.ListenAddrs())
	produce(t, p, &kgo.Record{Topic: "orders", Partition: parts - 1})
	c := open(t, Config{Brokers: k.ListenAddrs(), FetchMaxWait: 20 * time.Second})
	pull := newPuller(t, c)
	for i := range int32(parts - 1) {
		pull.r.Request(TopicPartition{"orders", i}, FetchAt{LeaderEpoch: -1})
		time.Sleep(10 * time.Millisecond) // let it be a Fetch of its own
	}
	start := time.Now()
	ch := pull.next(t, TopicPartition{"orders", parts - 1}, FetchAt{LeaderEpoch: -1})
	for ch.Partition != parts-1 {
		ch = <-pull.ch
	}
	if ch.Err != nil || ch.Next != 1 {
		t.Fatalf("%+v", ch)
	}
	// The third Fetch waits 800 ms here, the first would have waited 20 s.
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("the late request took %v", d)
	}
}

func TestShowsTheEndWithoutProgress(t *testing.T) {
	k := fake(t, kfake.SeedTopics(1, "orders"))
	c := open(t, Config{Brokers: k.ListenAddrs(), FetchMaxWait: 100 * time.Millisecond})
	pull := newPuller(t, c)
	tp := TopicPartition{"orders", 0}
	for range 3 {
		if ch := pull.next(t, tp, FetchAt{LeaderEpoch: 5}); ch.Err != nil || ch.Next != 0 || ch.HighWatermark != 0 || ch.LogStart != 0 || ch.LeaderEpoch != 5 {
			t.Fatalf("%+v", ch)
		}
	}
}

func TestCancelAndClose(t *testing.T) {
	k := fake(t, kfake.SeedTopics(20, "orders"))
	p := producer(t, k.ListenAddrs())
	for i := range int32(20) {
		produce(t, p, &kgo.Record{Topic: "orders", Partition: i})
	}
	c := open(t, Config{Brokers: k.ListenAddrs()})
	var mu sync.Mutex
	cancelled := map[TopicPartition]bool{}
	var r *Reader
	r = c.NewReader(func(ch Chunk) {
		mu.Lock()
		if cancelled[ch.TopicPartition] {
			t.Errorf("%s: a chunk after Cancel", ch.TopicPartition)
		}
		mu.Unlock()
		r.Request(ch.TopicPartition, FetchAt{Offset: 0, LeaderEpoch: -1})
	})
	for i := range int32(20) {
		r.Request(TopicPartition{"orders", i}, FetchAt{LeaderEpoch: -1})
	}
	for i := range int32(20) {
		tp := TopicPartition{"orders", i}
		// The callback may ask again between Cancel and the mark, so cancel until a mark holds.
		mu.Lock()
		cancelled[tp] = false
		mu.Unlock()
		time.Sleep(3 * time.Millisecond)
		r.Cancel(tp)
		r.Cancel(tp) // what a running delivery asked for
		mu.Lock()
		cancelled[tp] = true
		mu.Unlock()
	}
	time.Sleep(50 * time.Millisecond)
	start := time.Now()
	if err := r.Close(); err != nil || time.Since(start) > 10*time.Second {
		t.Errorf("closing took %v: %v", time.Since(start), err)
	}
	r.Request(TopicPartition{"orders", 0}, FetchAt{LeaderEpoch: -1}) // has no effect
}

func TestReadsFromOldBrokers(t *testing.T) {
	for _, c := range []struct {
		v        *kversion.Versions
		warnings int
	}{{kversion.V2_3_0(), 2}, {kversion.V2_7_0(), 1}, {kversion.V2_8_0(), 0}, {kversion.V3_0_0(), 0}, {kversion.V3_7_0(), 0}} {
		t.Run(c.v.VersionGuess(), func(t *testing.T) {
			k := fake(t, kfake.SeedTopics(1, "orders"), kfake.MaxVersions(c.v))
			produce(t, producer(t, k.ListenAddrs()), &kgo.Record{Topic: "orders", Value: []byte("v")})
			cl := open(t, Config{Brokers: k.ListenAddrs()})
			if w := cl.Warnings(); len(w) != c.warnings {
				t.Errorf("warnings: %q", w)
			}
			if recs := newPuller(t, cl).readTo(t, TopicPartition{"orders", 0}, 0, 1); len(recs) != 1 {
				t.Errorf("%d records", len(recs))
			}
		})
	}
}

func TestTopicThatComesLate(t *testing.T) {
	k := fake(t)
	c := open(t, Config{Brokers: k.ListenAddrs()})
	pull := newPuller(t, c)
	tp := TopicPartition{"late", 0}
	pull.r.Request(tp, FetchAt{LeaderEpoch: -1})
	time.Sleep(300 * time.Millisecond)
	if err := k.CreateTopic("late", 1, nil); err != nil {
		t.Fatal(err)
	}
	if ch := <-pull.ch; ch.Err != nil || ch.Next != 0 {
		t.Errorf("%+v", ch)
	}
}

func TestOpenWaitsForBrokers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	opened := make(chan error, 1)
	go func() {
		c, err := Open(testContext(t), Config{Brokers: []string{addr}})
		if err == nil {
			err = c.Close()
		}
		opened <- err
	}()
	time.Sleep(300 * time.Millisecond)
	fake(t, kfake.Ports(l.Addr().(*net.TCPAddr).Port))
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestNoTopicIsCreated(t *testing.T) {
	k := fake(t, kfake.AllowAutoTopicCreation())
	c := open(t, Config{Brokers: k.ListenAddrs()})
	if _, err := c.Topics(testContext(t), []string{"orders"}); err != nil {
		t.Fatal(err)
	}
	all, err := c.Topics(testContext(t), nil)
	if err != nil || len(all) != 0 {
		t.Errorf("topics %v, %v", all, err)
	}
}

// A broker that throttles is left alone for as long as it says.
func TestThrottled(t *testing.T) {
	const pause = 400 * time.Millisecond
	k := fake(t, kfake.SeedTopics(1, "orders"))
	produce(t, producer(t, k.ListenAddrs()), &kgo.Record{Topic: "orders"})
	var first, second time.Time
	k.ControlKey(int16(kmsg.Fetch), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		if first.IsZero() {
			first = time.Now()
			resp := kreq.ResponseKind().(*kmsg.FetchResponse)
			resp.ThrottleMillis = int32(pause / time.Millisecond)
			return resp, nil, true
		}
		second = time.Now()
		return nil, nil, false
	})
	c := open(t, Config{Brokers: k.ListenAddrs()})
	if recs := newPuller(t, c).readTo(t, TopicPartition{"orders", 0}, 0, 1); len(recs) != 1 {
		t.Errorf("%d records", len(recs))
	}
	if d := second.Sub(first); d < pause {
		t.Errorf("asked again after %v", d)
	}
}
