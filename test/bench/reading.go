package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/test/bench/report"
	"rowmark/test/bench/work"
)

// readingBytes is about how much a measurement reads.
const readingBytes = 200_000_000

// Contestants of reading.
const (
	rangeReader = "rowmark"
	franz       = "franz-go"
)

// codec is how the producer compresses.
type codec struct {
	name  string
	codec kgo.CompressionCodec
}

func (s *session) reading() suite {
	su := suite{
		name:   "reading",
		figure: report.Sample.Rate,
		about: fmt.Sprintf("%s records of 200 bytes, or %s of 1 kB, in one topic, read-committed, 1 MiB of a partition at a time. "+
			"The rate is that from when every partition has delivered its first records to the last record; the time until then, from opening the client, stands beside it. "+
			"Batches of the producer have up to 1 MB; values are letters drawn from eight. CPU in seconds of one measurement.",
			report.Count(float64(s.opts.size(readingBytes/200))), report.Count(float64(s.opts.size(readingBytes/1000)))),
		columns: []report.Column{
			{Head: "records/s", Figure: report.Sample.Rate, Format: report.Count},
			{Head: "MB/s", Figure: report.Sample.Megabytes, Format: report.Count},
			{Head: "client CPU", Figure: func(s report.Sample) float64 { return s.CPU }, Format: report.Decimals(2)},
			{Head: "begun after, ms", Figure: func(s report.Sample) float64 { return s.First * 1e3 }, Format: report.Count, Narrow: true},
			{Head: "allocations/record", Figure: func(s report.Sample) float64 { return s.Allocs }, Format: report.Decimals(3), Narrow: true},
			{Head: "client MB", Figure: func(s report.Sample) float64 { return s.RSS / 1e6 }, Format: report.Count, Narrow: true},
		},
	}
	codecs := []codec{{"none", kgo.NoCompression()}, {"lz4", kgo.Lz4Compression()}, {"zstd", kgo.ZstdCompression()}}
	for _, partitions := range []int{1, 16} {
		for _, size := range []int{200, 1000} {
			for _, c := range codecs {
				su.races = append(su.races, s.readingRace(partitions, size, c))
			}
		}
	}
	return su
}

func (s *session) readingRace(partitions, size int, c codec) race {
	per := max(1, s.opts.size(readingBytes/size)/partitions)
	topic := fmt.Sprintf("bench-%d-%d-%s", partitions, size, c.name)
	r := race{
		name: fmt.Sprintf("reading/%dp/%dB/%s", partitions, size, c.name),
		prepare: func(ctx context.Context) error {
			if err := s.needKafka(ctx); err != nil {
				return err
			}
			return s.produce(ctx, topic, partitions, per, c.codec, letters(size))
		},
		cleanUp: func(ctx context.Context) error { return s.deleteTopic(ctx, topic) },
		ratios:  []ratio{{rangeReader, franz}},
	}
	for _, by := range []struct{ name, order string }{{rangeReader, "read"}, {franz, "read-franz"}} {
		r.contestants = append(r.contestants, contestant{by.name, func(ctx context.Context, _ int) (report.Sample, error) {
			p, err := s.goPeer(ctx)
			if err != nil {
				return report.Sample{}, err
			}
			sample, err := p.measure(ctx, work.Order{What: by.order, Args: map[string]string{
				"brokers": strings.Join(s.kafka.Brokers(), ","), "topic": topic,
				"partitions": strconv.Itoa(partitions), "records": strconv.Itoa(per * partitions),
			}}, s.brokers())
			sample.Allocs /= float64(per * partitions)
			if err == nil && sample.Bytes != sample.Records*float64(size) {
				err = fmt.Errorf("reading topic %s: %v bytes of keys and values, want %d a record", topic, sample.Bytes, size)
			}
			return sample, err
		}})
	}
	return r
}

func (s *session) deleteTopic(ctx context.Context, topic string) error {
	if s.kafka == nil {
		return nil
	}
	c, err := kgo.NewClient(kgo.SeedBrokers(s.kafka.Brokers()...))
	if err != nil {
		return fmt.Errorf("deleting topic %s: %w", topic, err)
	}
	defer c.Close()
	if _, err := kadm.NewClient(c).DeleteTopic(ctx, topic); err != nil {
		return fmt.Errorf("deleting topic %s: %w", topic, err)
	}
	return nil
}
