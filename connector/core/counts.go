package core

import (
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// Counts are what came of a partition's records since the start of the process, over all its lives.
type Counts struct {
	Read     int64 // bytes of keys and values, read
	Records  int64 // resolved
	Skipped  int64 // passed by on_error: skip
	Letters  int64 // dead letters made
	Replayed int64 // found below a row's mark: already applied
}

// TableCounts are what came of the writes to a table's rows.
type TableCounts struct {
	Rows    int64 // applied
	Refused int64 // refused by their condition
	Looks   int64 // rows of which the mark was read
}

func (c *Core) resolved(s *source, n int) {
	c.stats.Records += int64(n)
	s.counts.Records += int64(n)
}

func (c *Core) replayed(s *source, n int) {
	c.stats.Replayed += int64(n)
	s.counts.Replayed += int64(n)
}

// Retry sorts what is tried again.
type Retry uint8

// Causes of a retry: of a row write, unless another thing is named.
const (
	RetryUnreached  Retry = iota // no connection to the region server
	RetryMoved                   // the region is not where it was
	RetryBusy                    // the server is overloaded, or throttles
	RetryUnknown                 // no answer came; the mark tells whether it was applied
	RetryOther                   // what is not told apart, and a region transaction that the table does not take
	RetryMark                    // a mark that could not be read
	RetryCheckpoint              // a checkpoint that could not be read or written
	RetryLog                     // a log of which the brokers could not tell, or which is not as it was
	retryEnd
)

var retryNames = [retryEnd]string{"unreached", "moved", "busy", "unknown", "other", "mark", "checkpoint", "log"}

func (r Retry) String() string { return retryNames[r] }

// putOff says which faults put a row write off.
var putOff = map[hbase.Fault]Retry{hbase.FaultConnect: RetryUnreached, hbase.FaultRelocate: RetryMoved, hbase.FaultBusy: RetryBusy}

// Retries gives how often there was one, by its cause.
func (c *Core) Retries() map[string]int64 {
	out := map[string]int64{}
	for cause, n := range c.tried {
		out[Retry(cause).String()] = n
	}
	return out
}

// retry counts and reports one.
func (c *Core) retry(tp kafka.TopicPartition, cause Retry, r Report) {
	c.tried[cause]++
	r.Kind = ReportRetry
	c.report(tp, r)
}

// waiting adds up the time in which something was waited for.
type waiting struct {
	sum   time.Duration
	since time.Duration
	on    bool
}

func (w *waiting) note(now time.Duration, on bool) {
	if w.on {
		w.sum += now - w.since
	}
	w.on, w.since = on, now
}

// at is the time until now.
func (w *waiting) at(now time.Duration) time.Duration {
	if w.on {
		return w.sum + now - w.since
	}
	return w.sum
}
