package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/test/bench/report"
)

// point is a place on an axis: what lies in the topic, and what it is written to.
type point struct {
	name       string
	stock      *stock
	regions    int
	counted    bool // records are counted in a column beside the puts
	size       int  // of the one raw value; 0: JSON of five fields
	slowServer bool
}

// stock is a topic, and what was put into it once it is made.
type stock struct {
	topic      string
	partitions int
	per        int // records of a partition, before the maker moves them
	fill       func() maker

	records map[string]int // by key
	bytes   float64        // of keys and values
}

// largeBatches has room for a record of a million bytes, and stays below what a broker takes by default.
var largeBatches = kgo.ProducerBatchMaxBytes(1 << 20)

// produceStock makes the topic and counts what goes in.
func (s *session) produceStock(ctx context.Context, st *stock) error {
	st.records, st.bytes = map[string]int{}, 0
	fill := st.fill()
	return s.produce(ctx, st.topic, st.partitions, st.per, kgo.Lz4Compression(), func(i int, r *kgo.Record) {
		fill(i, r)
		st.records[string(r.Key)]++
		st.bytes += float64(len(r.Key) + len(r.Value))
	}, largeBatches)
}

// puts are the columns that a row gets, without the counter.
func (p point) puts() int {
	switch {
	case p.size > 0:
		return 1
	case p.counted:
		return len(orderColumns) - 1
	}
	return len(orderColumns)
}

func (p point) settings(table string) settings {
	c := settings{name: table, topic: p.stock.topic, rowKey: saltedKey(p.regions)}
	switch {
	case p.size > 0:
		c.value, c.columns = "raw", []string{`{field: value, to: "` + putFamily + `:value"}`}
	case p.counted:
		c.columns = append(append(c.columns, orderColumns[:p.puts()]...), `{literal: "1", to: "`+counterFamily+`:records", op: increment}`)
	}
	return c
}

// runPoint measures one run into a new table.
func (s *session) runPoint(ctx context.Context, p point, table string, round int) (sample report.Sample, err error) {
	file, err := s.configure(p.settings(table))
	if err != nil {
		return sample, err
	}
	if err := s.initialize(ctx, file); err != nil {
		return sample, err
	}
	end := func() error { return nil }
	if p.slowServer {
		if end, err = s.startTrain(ctx, table); err != nil {
			return sample, err
		}
	}
	sample, err = s.follow(ctx, table, "run", "-c", file, "--once", "--log-format", "json")
	if err = errors.Join(err, end()); err != nil {
		return sample, err
	}
	sample.Records, sample.Bytes = float64(p.stock.per*p.stock.partitions), p.stock.bytes
	if round == 0 {
		if err := s.checkPoint(ctx, table, p); err != nil {
			return sample, err
		}
	}
	return sample, s.dropTable(ctx, table)
}

// pointRace prepares the topics of an axis and runs its points.
func (s *session) pointRace(name, table string, points []point) race {
	var stocks []*stock
	seen := map[*stock]bool{}
	for _, p := range points {
		if !seen[p.stock] {
			stocks = append(stocks, p.stock)
		}
		seen[p.stock] = true
	}
	r := race{
		name: name,
		prepare: func(ctx context.Context) error {
			if err := errors.Join(s.needKafka(ctx), s.needHBase(ctx), s.build(ctx)); err != nil {
				return err
			}
			for _, st := range stocks {
				if err := s.produceStock(ctx, st); err != nil {
					return err
				}
			}
			return nil
		},
		cleanUp: func(ctx context.Context) error {
			var errs []error
			for _, st := range stocks {
				st.records = nil
				errs = append(errs, s.deleteTopic(ctx, st.topic))
			}
			return errors.Join(errs...)
		},
	}
	for i, p := range points {
		r.contestants = append(r.contestants, contestant{p.name, func(ctx context.Context, round int) (report.Sample, error) {
			return s.runPoint(ctx, p, fmt.Sprintf("bench_%s_%d_%d", table, i, round), round)
		}})
	}
	return r
}
