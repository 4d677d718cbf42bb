package kafka

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/test/cluster"
)

// real is the shared Kafka with an admin client of the other library.
type real struct {
	brokers []string
	adm     *kadm.Client
}

func realKafka(t testing.TB) real {
	t.Helper()
	r := real{brokers: cluster.SharedKafka(t)}
	r.adm = kadm.NewClient(producer(t, r.brokers))
	return r
}

// topic makes a topic of its own with settings given as key, value, ….
func (r real) topic(t testing.TB, partitions int32, settings ...string) string {
	t.Helper()
	return makeTopic(t, r.adm, partitions, 1, settings...)
}

func makeTopic(t testing.TB, adm *kadm.Client, partitions int32, replicas int16, settings ...string) string {
	t.Helper()
	name := cluster.UniqueName(t)
	createTopic(t, adm, name, partitions, replicas, settings...)
	return name
}

func createTopic(t testing.TB, adm *kadm.Client, name string, partitions int32, replicas int16, settings ...string) {
	t.Helper()
	conf := map[string]*string{}
	for i := 0; i < len(settings); i += 2 {
		conf[settings[i]] = &settings[i+1]
	}
	if _, err := adm.CreateTopic(testContext(t), partitions, replicas, conf, name); err != nil {
		t.Fatal(err)
	}
}

// oracle reads [0, to) of a partition with franz-go. Deadlines, not counts, end it, as gaps hold no records.
func oracle(t testing.TB, brokers []string, tp TopicPartition, to int64, opts ...kgo.Opt) []*kgo.Record {
	t.Helper()
	c, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(brokers...), kgo.KeepControlRecords(),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{tp.Topic: {tp.Partition: kgo.NewOffset().AtStart()}}),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var recs []*kgo.Record
	ctx := testContext(t)
	for {
		// At the end, what is left of the log gives nothing more for a while.
		wait, cancel := context.WithTimeout(ctx, 2*time.Second)
		fs := c.PollFetches(wait)
		cancel()
		if ctx.Err() != nil {
			t.Fatal("the other client does not reach the end")
		}
		if len(fs.Records()) == 0 && wait.Err() != nil {
			return recs
		}
		fs.EachRecord(func(r *kgo.Record) {
			if !r.Attrs.IsControl() && r.Offset < to {
				recs = append(recs, r)
			}
		})
	}
}

func end(t testing.TB, c *Client, tp TopicPartition, spec OffsetSpec) int64 {
	t.Helper()
	got, err := c.ListOffsets(testContext(t), []TopicPartition{tp}, spec)
	if err == nil {
		err = got[tp].Err
	}
	if err != nil {
		t.Fatal(err)
	}
	return got[tp].Offset
}

// A log of transactions, some aborted, of several producers at once, in all codecs, reads as franz-go reads it,
// committed and uncommitted, also in many small answers.
func TestRealTransactions(t *testing.T) {
	r := realKafka(t)
	tp := TopicPartition{r.topic(t, 1), 0}
	codecs := []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}
	type writer struct {
		c    *kgo.Client
		open bool
	}
	var writers []*writer
	for i, codec := range codecs {
		writers = append(writers, &writer{c: producer(t, r.brokers, kgo.ProducerBatchCompression(codec),
			kgo.TransactionalID(fmt.Sprint(tp.Topic, i)))})
	}
	plain := producer(t, r.brokers)
	rng := rand.New(rand.NewPCG(1, 2))
	committed := map[string]bool{}
	pending := map[*writer][]string{}
	n := 0
	record := func() *kgo.Record {
		n++
		rec := &kgo.Record{Topic: tp.Topic, Key: []byte(strconv.Itoa(n)), Value: make([]byte, rng.IntN(300)), Headers: []kgo.RecordHeader{{Key: "n", Value: []byte{1}}}}
		switch rng.IntN(6) {
		case 0:
			rec.Value = nil
		case 1:
			rec.Value = []byte{}
		}
		return rec
	}
	finish := func(w *writer, commit kgo.TransactionEndTry) {
		if err := w.c.EndTransaction(testContext(t), commit); err != nil {
			t.Fatal(err)
		}
		for _, k := range pending[w] {
			if commit == kgo.TryCommit {
				committed[k] = true
			}
		}
		pending[w], w.open = nil, false
	}
	for range 150 {
		if rng.IntN(5) == 0 {
			rec := record()
			committed[string(rec.Key)] = true
			produce(t, plain, rec)
			continue
		}
		w := writers[rng.IntN(len(writers))]
		if !w.open {
			if err := w.c.BeginTransaction(); err != nil {
				t.Fatal(err)
			}
			w.open = true
		}
		var recs []*kgo.Record
		for range 1 + rng.IntN(5) {
			rec := record()
			pending[w] = append(pending[w], string(rec.Key))
			recs = append(recs, rec)
		}
		produce(t, w.c, recs...)
		if rng.IntN(3) == 0 {
			finish(w, kgo.TransactionEndTry(rng.IntN(2) == 0))
		}
	}
	for _, w := range writers[1:] {
		if w.open {
			finish(w, kgo.TryAbort)
		}
	}
	// One stays open: its records and all behind them must not be passed.
	hanging := writers[0]
	if !hanging.open {
		if err := hanging.c.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		produce(t, hanging.c, record())
		hanging.open = true
	}
	rec := record()
	produce(t, plain, rec)
	rc := open(t, Config{Brokers: r.brokers, ReadCommitted: true})
	stable, high := end(t, rc, tp, LastStable), end(t, rc, tp, Latest)
	if stable >= high {
		t.Fatalf("last stable offset %d, high watermark %d, with a transaction open", stable, high)
	}
	p := newPuller(t, rc)
	p.readTo(t, tp, 0, stable)
	if ch := p.next(t, tp, FetchAt{Offset: stable, LeaderEpoch: -1}); ch.Err != nil || ch.Next != stable || ch.LastStable != stable || ch.HighWatermark != high {
		t.Errorf("at the last stable offset %d: %+v", stable, ch)
	}
	finish(hanging, kgo.TryAbort)
	committed[string(rec.Key)] = true
	for deadline := time.Now().Add(testLimit); ; {
		if stable, high = end(t, rc, tp, LastStable), end(t, rc, tp, Latest); stable == high {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("last stable offset stays at %d", stable)
		}
	}
	for _, committedOnly := range []bool{true, false} {
		c := open(t, Config{Brokers: r.brokers, ReadCommitted: committedOnly})
		var opts []kgo.Opt
		if committedOnly {
			opts = append(opts, kgo.FetchIsolationLevel(kgo.ReadCommitted()))
		}
		theirs := oracle(t, r.brokers, tp, high, opts...)
		ours := newPuller(t, c).readTo(t, tp, 0, high)
		if err := sameRecords(ours, theirs); err != nil {
			t.Errorf("committed %v: %v", committedOnly, err)
		}
		if committedOnly {
			for _, rec := range ours {
				if !committed[string(rec.Key)] {
					t.Errorf("aborted record %s at %d is delivered", rec.Key, rec.Offset)
				}
			}
			if len(ours) != len(committed) {
				t.Errorf("%d records, committed were %d", len(ours), len(committed))
			}
		}
		small := newPuller(t, c)
		var recs []Record
		for at := (FetchAt{LeaderEpoch: -1, MaxBytes: 1}); at.Offset < high; {
			ch := small.next(t, tp, at)
			if ch.Err != nil {
				t.Fatal(ch.Err)
			}
			recs = append(recs, ch.Records...)
			at.Offset, at.LeaderEpoch = ch.Next, ch.LeaderEpoch
		}
		if err := sameRecords(recs, theirs); err != nil {
			t.Errorf("committed %v, one batch an answer: %v", committedOnly, err)
		}
	}
}

func TestRealLogAppendTime(t *testing.T) {
	r := realKafka(t)
	topic := r.topic(t, 1, "message.timestamp.type", "LogAppendTime")
	tp := TopicPartition{topic, 0}
	p := producer(t, r.brokers, kgo.ProducerBatchCompression(kgo.ZstdCompression()))
	before := time.Now().Add(-time.Minute).UnixMilli()
	for range 3 {
		produce(t, p, &kgo.Record{Topic: topic, Timestamp: time.UnixMilli(1000)}, &kgo.Record{Topic: topic, Timestamp: time.UnixMilli(2000)})
	}
	c := open(t, Config{Brokers: r.brokers})
	recs := newPuller(t, c).readTo(t, tp, 0, 6)
	for _, rec := range recs {
		if rec.Timestamp < before {
			t.Errorf("offset %d has the producer's time %d", rec.Offset, rec.Timestamp)
		}
	}
	if err := sameRecords(recs, oracle(t, r.brokers, tp, 6)); err != nil {
		t.Error(err)
	}
	conf, err := c.TopicConfig(testContext(t), topic)
	if err != nil || conf["message.timestamp.type"] != "LogAppendTime" || conf["cleanup.policy"] != "delete" || conf["delete.retention.ms"] != "86400000" {
		t.Errorf("settings %v, %v", conf, err)
	}
	var unknown *UnknownTopicError
	if _, err := c.TopicConfig(testContext(t), topic+"x"); !errors.As(err, &unknown) {
		t.Errorf("settings of no topic: %v", err)
	}
}

func TestRealOffsets(t *testing.T) {
	r := realKafka(t)
	topic := r.topic(t, 2)
	tp, empty := TopicPartition{topic, 0}, TopicPartition{topic, 1}
	p := producer(t, r.brokers)
	base := time.Now().Add(-time.Hour).UnixMilli()
	for i := range 20 {
		produce(t, p, &kgo.Record{Topic: topic, Timestamp: time.UnixMilli(base + int64(i)*1000), Value: []byte("v")})
	}
	if _, err := r.adm.DeleteRecords(testContext(t), kadm.Offsets{topic: {0: {Topic: topic, At: 5}}}); err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{Brokers: r.brokers})
	ctx := testContext(t)
	for _, w := range []struct {
		spec       OffsetSpec
		want, none OffsetAt
	}{
		{Earliest, OffsetAt{Offset: 5, Timestamp: -1}, OffsetAt{Timestamp: -1}},
		{Latest, OffsetAt{Offset: 20, Timestamp: -1}, OffsetAt{Timestamp: -1}},
		{AtTime(base + 9500), OffsetAt{Offset: 10, Timestamp: base + 10000}, OffsetAt{Timestamp: -1, NoneThatLate: true}},
		{AtTime(base + 19001), OffsetAt{Offset: 20, Timestamp: -1, NoneThatLate: true}, OffsetAt{Timestamp: -1, NoneThatLate: true}},
		{AtTime(0), OffsetAt{Offset: 5, Timestamp: base + 5000}, OffsetAt{Timestamp: -1, NoneThatLate: true}},
	} {
		got, err := c.ListOffsets(ctx, []TopicPartition{tp, empty}, w.spec)
		if err != nil {
			t.Fatal(err)
		}
		for tp, want := range map[TopicPartition]OffsetAt{tp: w.want, empty: w.none} {
			is := got[tp]
			is.LeaderEpoch = 0
			if is != want {
				t.Errorf("%+v of %s: %+v, not %+v", w.spec, tp, is, want)
			}
		}
	}
	e, err := c.EpochEnd(ctx, tp, 0)
	if err != nil || e != (EpochEnd{0, 20}) {
		t.Errorf("epoch 0 ends at %+v: %v", e, err)
	}
	pull := newPuller(t, c)
	for _, at := range []int64{3, 21} {
		var out *OutOfRangeError
		ch := pull.next(t, tp, FetchAt{Offset: at, LeaderEpoch: -1})
		if !errors.As(ch.Err, &out) || *out != (OutOfRangeError{tp, at, 5, 20}) || ch.Next != at {
			t.Errorf("from %d: %+v", at, ch)
		}
	}
	// An epoch of the future: the log knows nothing of it.
	var div *DivergedError
	if ch := pull.next(t, tp, FetchAt{Offset: 10, LeaderEpoch: 9}); !errors.As(ch.Err, &div) {
		t.Errorf("with an unknown epoch: %+v", ch)
	}
	missing := TopicPartition{topic, 7}
	got, err := c.ListOffsets(ctx, []TopicPartition{missing}, Latest)
	var unknown *UnknownTopicError
	if err != nil || !errors.As(got[missing].Err, &unknown) {
		t.Errorf("of a missing partition: %+v %v", got, err)
	}
}

func TestRealTopicCreatedAgain(t *testing.T) {
	r := realKafka(t)
	topic := r.topic(t, 1)
	tp := TopicPartition{topic, 0}
	p := producer(t, r.brokers)
	produce(t, p, &kgo.Record{Topic: topic, Value: []byte("old")}, &kgo.Record{Topic: topic, Value: []byte("old")})
	c := open(t, Config{Brokers: r.brokers})
	infos, err := c.Topics(testContext(t), []string{topic})
	if err != nil {
		t.Fatal(err)
	}
	was := infos[topic].ID
	pull := newPuller(t, c)
	at := FetchAt{Offset: 1, LeaderEpoch: 0, TopicID: was}
	if ch := pull.next(t, tp, at); ch.Err != nil || len(ch.Records) != 1 {
		t.Fatalf("before: %+v", ch)
	}
	if _, err := r.adm.DeleteTopic(testContext(t), topic); err != nil {
		t.Fatal(err)
	}
	createTopic(t, r.adm, topic, 1, 1)
	p2 := producer(t, r.brokers)
	for range 3 {
		produce(t, p2, &kgo.Record{Topic: topic, Value: []byte("new")})
	}
	var changed *TopicChangedError
	ch := pull.next(t, tp, at)
	if !errors.As(ch.Err, &changed) || changed.Was != was || changed.Is == was || changed.Is == (TopicID{}) {
		t.Fatalf("after: %+v", ch)
	}
	if ch := pull.next(t, tp, FetchAt{Offset: 0, LeaderEpoch: -1, TopicID: changed.Is}); ch.Err != nil || string(ch.Records[0].Value) != "new" {
		t.Errorf("with the new id: %+v", ch)
	}
	if _, err := r.adm.DeleteTopic(testContext(t), topic); err != nil {
		t.Fatal(err)
	}
	var unknown *UnknownTopicError
	if ch := pull.next(t, tp, FetchAt{Offset: 0, LeaderEpoch: -1, TopicID: changed.Is}); !errors.As(ch.Err, &unknown) {
		t.Errorf("deleted: %+v", ch)
	}
}
