package main

import (
	"context"
	"errors"
	"time"

	"rowmark/hbase"
	"rowmark/test/bench/report"
)

// lookEvery is how often a running program's memory, and the table for its first row, are looked at.
const lookEvery = 10 * time.Millisecond

// follow runs rowmark to its end, and measures it, the servers' work, and when the table's first row is there.
func (s *session) follow(ctx context.Context, table string, args ...string) (sample report.Sample, err error) {
	sample = report.Unmeasured()
	servers := append(s.brokers(), s.hbases()...)
	before, err := usageOf(servers)
	if err != nil {
		return sample, err
	}
	p, err := s.launch(table, args...)
	if err != nil {
		return sample, err
	}
	looking, end := context.WithCancel(ctx)
	defer end()
	first, peak := make(chan float64, 1), make(chan float64, 1)
	go func() { first <- s.firstRow(looking, table, p.start) }()
	go func() { peak <- peakOf(looking, p.cmd.Process.Pid) }()
	err = p.wait(ctx)
	sample.Seconds = time.Since(p.start).Seconds()
	end()
	sample.RSS, sample.First = <-peak, <-first
	if err != nil {
		return sample, err
	}
	after, err := usageOf(servers)
	sample.CPU, sample.ServerCPU = p.cpu(), after.cpu-before.cpu
	if err != nil {
		return sample, err
	}
	sample.Calls, sample.Ranges, err = p.totals()
	return sample, err
}

// firstRow polls until the table holds a row; NaN if it never does.
func (s *session) firstRow(ctx context.Context, table string, start time.Time) float64 {
	errFound := errors.New("found")
	for ctx.Err() == nil {
		err := s.client.Scan(ctx, table, hbase.Scan{Limit: 1}, func(hbase.Row) error { return errFound })
		if errors.Is(err, errFound) {
			return time.Since(start).Seconds()
		}
		time.Sleep(lookEvery)
	}
	return report.Unmeasured().First
}

// peakOf polls the peak of a process's memory to its end. The system's own account of an ended child would not do: it
// begins with the memory of the program that started it.
func peakOf(ctx context.Context, pid int) float64 {
	peak := report.Unmeasured().RSS
	for ctx.Err() == nil {
		if u, err := usageOf([]int{pid}); err == nil { // between its end and ours it has no memory any more
			peak = u.peak
		}
		time.Sleep(lookEvery)
	}
	return peak
}
