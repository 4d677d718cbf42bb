package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/test/bench/report"
	"rowmark/test/cluster"
)

// Of the whole way from Kafka to HBase.
const (
	pipelineRecords    = 1_000_000
	pipelinePartitions = 4
	pipelineRegions    = 4
	pipelineTopic      = "bench-orders"
)

// pipeline runs the released program as a process of its own, from a cold start to the end of the topic.
func (s *session) pipeline() suite {
	per := s.opts.size(pipelineRecords) / pipelinePartitions
	n := per * pipelinePartitions
	su := suite{
		name:   "pipeline on " + s.opts.storage(),
		figure: report.Sample.Rate,
		about: fmt.Sprintf("%s JSON records of about 300 bytes, 5 columns, %d partitions, %d regions, a new table for each measurement: `rowmark run --once` with the default settings, "+
			"from the start of the process to its end, the last checkpoint released. CPU in seconds of one measurement.",
			report.Count(float64(n)), pipelinePartitions, pipelineRegions),
		columns: []report.Column{
			{Head: "records/s", Figure: report.Sample.Rate, Format: report.Count},
			{Head: "rowmark CPU", Figure: func(s report.Sample) float64 { return s.CPU }, Format: report.Decimals(2)},
			{Head: "server CPU", Figure: func(s report.Sample) float64 { return s.ServerCPU }, Format: report.Decimals(1)},
			{Head: "rowmark MB", Figure: func(s report.Sample) float64 { return s.RSS / 1e6 }, Format: report.Decimals(0)},
			{Head: "first row after, s", Figure: func(s report.Sample) float64 { return s.First }, Format: report.Decimals(2)},
		},
	}
	const exactly, least = "exactly-once", "at-least-once"
	r := race{
		name: "pipeline",
		prepare: func(ctx context.Context) error {
			if err := errors.Join(s.needKafka(ctx), s.needHBase(ctx), s.build(ctx)); err != nil {
				return err
			}
			return s.produce(ctx, pipelineTopic, pipelinePartitions, per, kgo.Lz4Compression(), orders())
		},
		cleanUp: func(ctx context.Context) error { return s.deleteTopic(ctx, pipelineTopic) },
		ratios:  []ratio{{exactly, least}},
	}
	for _, delivery := range []string{exactly, least} {
		r.contestants = append(r.contestants, contestant{delivery, func(ctx context.Context, round int) (report.Sample, error) {
			return s.runPipeline(ctx, delivery, n, round)
		}})
	}
	su.races = []race{r}
	return su
}

// orders makes JSON records; all but the field "note" become columns.
func orders() maker {
	words := letters(187)
	return func(i int, r *kgo.Record) {
		words(i, r)
		w := string(r.Key) + string(r.Value)
		r.Key = fmt.Appendf(nil, "order-%010d", i)
		r.Value = fmt.Appendf(nil, `{"id":"order-%010d","customer":"%s","street":"%s","city":"%s","status":"%s","amount":"%018d","note":"%s"}`,
			i, w[:30], w[30:60], w[60:90], w[90:110], i, w[110:])
	}
}

// initialize lets rowmark make what a configuration needs.
func (s *session) initialize(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, s.binary, "init", "-c", file)
	cmd.Env = cluster.ChildEnvironment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("making the table: %w:\n%s", err, out)
	}
	return nil
}

// runPipeline measures one run into a new table, under a new sink's name.
func (s *session) runPipeline(ctx context.Context, delivery string, n, round int) (sample report.Sample, err error) {
	name := fmt.Sprintf("bench_%s_%d", strings.ReplaceAll(delivery, "-", "_"), round)
	file, err := s.configure(settings{name: name, delivery: delivery, topic: pipelineTopic, rowKey: saltedKey(pipelineRegions)})
	if err != nil {
		return sample, err
	}
	if err := s.initialize(ctx, file); err != nil {
		return sample, err
	}
	if sample, err = s.follow(ctx, name, "run", "-c", file, "--once", "--log-format", "json"); err != nil {
		return sample, err
	}
	sample.Records = float64(n)
	if round == 0 {
		if err := s.checkOrders(ctx, name, n); err != nil {
			return sample, err
		}
	}
	return sample, s.dropTable(ctx, name)
}
