package work

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/kafka"
)

// fetchBytes is what both readers ask of a partition at a time.
const fetchBytes = 1 << 20

// source is a topic whose records lie evenly in its partitions.
type source struct {
	brokers             []string
	topic               string
	partitions, records int
}

func sourceOf(o Order) (source, error) {
	s := source{brokers: strings.Split(o.Args["brokers"], ","), topic: o.Args["topic"]}
	err := o.numbers(map[string]*int{"partitions": &s.partitions, "records": &s.records})
	if err == nil && s.records%s.partitions != 0 {
		err = fmt.Errorf("reading topic %s: %d records do not lie evenly in %d partitions", s.topic, s.records, s.partitions)
	}
	return s, err
}

// tally counts what was read. Its rate is that from when every partition has begun: how long a client takes to get
// there is told apart, and what one answer brings for all partitions counts for nobody.
type tally struct {
	records, bytes           int
	start, begun             time.Time
	begunRecords, begunBytes int          // that had come by then
	waiting                  map[int]bool // partitions without records yet
}

func newTally(partitions int) *tally {
	t := &tally{start: time.Now(), waiting: map[int]bool{}}
	for p := range partitions {
		t.waiting[p] = true
	}
	return t
}

// add counts what a partition has delivered.
func (t *tally) add(partition int32, records, bytes int) {
	t.records += records
	t.bytes += bytes
	if len(t.waiting) == 0 || records == 0 {
		return
	}
	delete(t.waiting, int(partition))
	if len(t.waiting) == 0 {
		t.begun, t.begunRecords, t.begunBytes = time.Now(), t.records, t.bytes
	}
}

// check demands all records, and completes the answer.
func (s source) check(t *tally, a Answer, err error) (Answer, error) {
	if err != nil {
		return nil, err
	}
	if t.records != s.records {
		return nil, fmt.Errorf("reading topic %s: %d records, want %d", s.topic, t.records, s.records)
	}
	begun := t.begun.Sub(t.start).Seconds()
	a["first"] = begun
	a["records"], a["bytes"] = float64(t.records), float64(t.bytes)
	if t.begunRecords < t.records { // else there is no rest to take the rate of
		a["seconds"] -= begun
		a["records"] -= float64(t.begunRecords)
		a["bytes"] -= float64(t.begunBytes)
	}
	return a, nil
}

// readOurs reads the topic once by rowmark's range reader, from opening the client on.
func readOurs(ctx context.Context, o Order) (Answer, error) {
	s, err := sourceOf(o)
	if err != nil {
		return nil, err
	}
	var t *tally
	a, err := timed(func() error {
		t = newTally(s.partitions)
		c, err := kafka.Open(ctx, kafka.Config{Brokers: s.brokers, ReadCommitted: true})
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() // nothing is left to lose
		return s.readRanges(c, t)
	})
	return s.check(t, a, err)
}

func (s source) readRanges(c *kafka.Client, t *tally) error {
	var mu sync.Mutex
	end := int64(s.records / s.partitions)
	done := make(chan error, s.partitions)
	var r *kafka.Reader
	r = c.NewReader(func(ch kafka.Chunk) {
		size := 0
		for i := range ch.Records {
			size += len(ch.Records[i].Key) + len(ch.Records[i].Value)
		}
		count := len(ch.Records)
		r.Recycle(ch.Records)
		mu.Lock()
		t.add(ch.Partition, count, size)
		mu.Unlock()
		if ch.Err != nil || ch.Next >= end {
			done <- ch.Err
			return
		}
		r.Request(ch.TopicPartition, kafka.FetchAt{Offset: ch.Next, LeaderEpoch: ch.LeaderEpoch, MaxBytes: fetchBytes})
	})
	for p := range s.partitions {
		r.Request(kafka.TopicPartition{Topic: s.topic, Partition: int32(p)}, kafka.FetchAt{LeaderEpoch: -1, MaxBytes: fetchBytes})
	}
	var failed error
	for range s.partitions {
		if failed = <-done; failed != nil {
			break
		}
	}
	return errors.Join(failed, r.Close())
}

// readFranz does the same by franz-go.
func readFranz(ctx context.Context, o Order) (Answer, error) {
	s, err := sourceOf(o)
	if err != nil {
		return nil, err
	}
	starts := map[int32]kgo.Offset{}
	for p := range s.partitions {
		starts[int32(p)] = kgo.NewOffset().AtStart()
	}
	var t *tally
	a, err := timed(func() error {
		t = newTally(s.partitions)
		c, err := kgo.NewClient(kgo.SeedBrokers(s.brokers...), kgo.FetchIsolationLevel(kgo.ReadCommitted()),
			kgo.FetchMaxPartitionBytes(fetchBytes), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{s.topic: starts}))
		if err != nil {
			return err
		}
		defer c.Close()
		for t.records < s.records {
			fs := c.PollFetches(ctx)
			if err := fs.Err(); err != nil {
				return err
			}
			fs.EachPartition(func(p kgo.FetchTopicPartition) {
				size := 0
				for _, r := range p.Records {
					size += len(r.Key) + len(r.Value)
				}
				t.add(p.Partition, len(p.Records), size)
			})
		}
		return nil
	})
	return s.check(t, a, err)
}
