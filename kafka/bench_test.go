package kafka

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const benchRecords = 1_000_000

// benchTopic holds benchRecords records of 200 bytes in one partition.
func benchTopic(b *testing.B, r real, codec kgo.CompressionCodec) TopicPartition {
	b.Helper()
	tp := TopicPartition{r.topic(b, 1), 0}
	p := producer(b, r.brokers, kgo.ProducerBatchCompression(codec), kgo.ProducerLinger(5*time.Millisecond), kgo.MaxBufferedRecords(20_000))
	rng := rand.New(rand.NewPCG(1, 1))
	fail := make(chan error, benchRecords)
	for range benchRecords {
		v := make([]byte, 192)
		for i := range v {
			v[i] = "abcdefgh"[rng.IntN(8)]
		}
		p.Produce(context.Background(), &kgo.Record{Topic: tp.Topic, Key: v[:8], Value: v}, func(_ *kgo.Record, err error) {
			if err != nil {
				fail <- err
			}
		})
	}
	if err := p.Flush(testContext(b)); err != nil {
		b.Fatal(err)
	}
	if len(fail) > 0 {
		b.Fatal(<-fail)
	}
	return tp
}

// BenchmarkRead compares one partition's reading with franz-go's in the same run. Each asks for 1 MiB at a time.
func BenchmarkRead(b *testing.B) {
	r := realKafka(b)
	for name, codec := range map[string]kgo.CompressionCodec{"plain": kgo.NoCompression(), "zstd": kgo.ZstdCompression()} {
		tp := benchTopic(b, r, codec)
		b.Run(name+"/rowmark", func(b *testing.B) {
			c := open(b, Config{Brokers: r.brokers, ReadCommitted: true})
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				done := make(chan error, 1)
				var rd *Reader
				rd = c.NewReader(func(ch Chunk) {
					n += len(ch.Records)
					if ch.Err != nil || ch.Next >= benchRecords {
						done <- ch.Err
						return
					}
					rd.Request(tp, FetchAt{Offset: ch.Next, LeaderEpoch: ch.LeaderEpoch})
				})
				rd.Request(tp, FetchAt{LeaderEpoch: -1})
				if err := <-done; err != nil || n != benchRecords {
					b.Fatal(n, err)
				}
				if err := rd.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(benchRecords)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
		b.Run(name+"/franz-go", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.FetchMaxPartitionBytes(1<<20),
					kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{tp.Topic: {tp.Partition: kgo.NewOffset().AtStart()}}))
				if err != nil {
					b.Fatal(err)
				}
				for n := 0; n < benchRecords; {
					fs := c.PollFetches(context.Background())
					if err := fs.Err(); err != nil {
						b.Fatal(err)
					}
					n += fs.NumRecords()
				}
				c.Close()
			}
			b.ReportMetric(float64(benchRecords)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// TestRealLateRequests measures how long a request for waiting records takes while other partitions of the same
// leader wait at their ends.
func TestRealLateRequests(t *testing.T) {
	const idle = 40
	r := realKafka(t)
	topic := r.topic(t, idle+1)
	p := producer(t, r.brokers)
	produce(t, p, &kgo.Record{Topic: topic, Partition: idle, Value: []byte("v")})
	c := open(t, Config{Brokers: r.brokers})
	late := make(chan Chunk, 1)
	var rd *Reader
	rd = c.NewReader(func(ch Chunk) {
		if ch.Partition == idle {
			late <- ch
			return
		}
		rd.Request(ch.TopicPartition, FetchAt{Offset: ch.Next, LeaderEpoch: ch.LeaderEpoch})
	})
	t.Cleanup(func() { _ = rd.Close() })
	for i := range int32(idle) {
		rd.Request(TopicPartition{topic, i}, FetchAt{LeaderEpoch: -1})
		time.Sleep(20 * time.Millisecond)
	}
	var took []time.Duration
	for range 100 {
		start := time.Now()
		rd.Request(TopicPartition{topic, idle}, FetchAt{LeaderEpoch: -1})
		if ch := <-late; ch.Err != nil || len(ch.Records) != 1 {
			t.Fatalf("%+v", ch)
		}
		took = append(took, time.Since(start))
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
	}
	slices.Sort(took)
	t.Logf("median %v, 99%% %v, with %v of wait", took[50], took[98], c.cfg.FetchMaxWait)
	if took[50] > c.cfg.FetchMaxWait/2 {
		t.Errorf("half of the late requests took more than %v", took[50])
	}
}
