package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"rowmark/test/bench/report"
)

// Of the time from a record's production to its row.
const (
	latencyRecords    = 150_000
	latencyRate       = 5000 // records a second
	latencyPartitions = 4
	aloneShare        = 100 // one of so many records is enough where each waits for the one before
)

// pace is how the records come, and what rowmark is set to.
type pace struct {
	name     string
	alone    bool // each is produced when the one before is seen
	settings string
}

func (s *session) latency() suite {
	n := s.opts.size(latencyRecords)
	su := suite{
		name: "latency on " + s.opts.storage(),
		about: fmt.Sprintf("From the moment a record is due to the moment its row is seen in HBase, by a reader that looks every %v; the producer does not linger. "+
			"%s records at %s a second, or %s one at a time, each produced when the one before is seen; the first tenth is left out. Exactly once, %d partitions, %d regions.",
			watchEvery, report.Count(float64(n)), report.Count(latencyRate), report.Count(float64(max(n/aloneShare, 100))), latencyPartitions, latencyPartitions),
		columns: []report.Column{
			{Head: "p50, ms", Figure: report.Delay(0.5), Format: report.Decimals(1)},
			{Head: "p99, ms", Figure: report.Delay(0.99), Format: report.Decimals(1)},
			{Head: "p99.9, ms", Figure: report.Delay(0.999), Format: report.Decimals(1)},
			{Head: "rowmark CPU", Figure: func(s report.Sample) float64 { return s.CPU }, Format: report.Decimals(2), Narrow: true},
			{Head: "server CPU", Figure: func(s report.Sample) float64 { return s.ServerCPU }, Format: report.Decimals(1), Narrow: true},
		},
	}
	r := race{name: "latency", prepare: func(ctx context.Context) error {
		return errors.Join(s.needKafka(ctx), s.needHBase(ctx), s.build(ctx))
	}}
	for i, p := range []pace{
		{name: "one record at a time", alone: true},
		{name: "default settings"},
		{name: "batch.linger: 1ms", settings: "batch: {linger: 1ms}\n"},
		{name: "batch.linger: 100ms, batch.rows: 5000", settings: "batch: {linger: 100ms, rows: 5000}\n"},
	} {
		r.contestants = append(r.contestants, contestant{p.name, func(ctx context.Context, round int) (report.Sample, error) {
			records := n
			if p.alone {
				records = max(n/aloneShare, 100)
			}
			return s.timeRecords(ctx, p, records, fmt.Sprintf("bench_delays_%d_%d", i, round))
		}})
	}
	su.races = []race{r}
	return su
}

// timeRecords runs rowmark on a new topic and a new table while records come in.
func (s *session) timeRecords(ctx context.Context, p pace, n int, name string) (sample report.Sample, err error) {
	sample = report.Unmeasured()
	topic := strings.ReplaceAll(name, "_", "-")
	file, err := s.configure(settings{name: name, topic: topic, rowKey: saltedKey(1), more: p.settings})
	if err != nil {
		return sample, err
	}
	// rowmark init completes what is there; by itself it would not cut the table by these keys.
	if err := s.createTable(ctx, name, true, watchedSplits()...); err != nil {
		return sample, err
	}
	if err := s.initialize(ctx, file); err != nil {
		return sample, err
	}
	w, err := s.newWatch(ctx, topic, name, n)
	if err != nil {
		return sample, err
	}
	defer w.close()
	servers := append(s.brokers(), s.hbases()...)
	before, err := usageOf(servers)
	if err != nil {
		return sample, err
	}
	sample.CPU, err = s.beside(ctx, name, file, func(ctx context.Context) error { return w.run(ctx, p.alone) })
	if err != nil {
		return sample, err
	}
	after, err := usageOf(servers)
	if err != nil {
		return sample, err
	}
	sample.Records, sample.Seconds, sample.ServerCPU = float64(n), w.took.Seconds(), after.cpu-before.cpu
	sample.Delays = w.delays()
	slices.Sort(sample.Delays)
	return sample, errors.Join(s.dropTable(ctx, name), s.deleteTopic(ctx, topic))
}

// beside runs rowmark while do runs, stops it, and gives the processor time it took.
func (s *session) beside(ctx context.Context, name, file string, do func(context.Context) error) (cpu float64, err error) {
	p, err := s.launch(name, "run", "-c", file, "--log-format", "json")
	if err != nil {
		return 0, err
	}
	doing, end := context.WithCancel(ctx)
	defer end()
	go func() { // without rowmark there is nothing to wait for
		<-p.done
		end()
	}()
	failed := do(doing)
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	stopping, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	if err := errors.Join(p.wait(stopping), failed); err != nil {
		return 0, err
	}
	return p.cpu(), nil
}

// watchedSplits cut a table between the partitions' keys.
func watchedSplits() [][]byte {
	var out [][]byte
	for p := 1; p < latencyPartitions; p++ {
		out = append(out, watchedKey(p, 0)[:2])
	}
	return out
}
