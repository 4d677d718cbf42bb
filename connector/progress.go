package connector

import (
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// progressEvery is the time between two progress lines of the log.
const progressEvery = 10 * time.Second

// progress is what the last line said.
type progress struct {
	stats core.Stats
	at    time.Time
}

// tell logs how far the run is, if anything moved since the last line.
func (e *Engine) tell(last progress) progress {
	now := progress{stats: e.core.Stats(), at: time.Now()}
	since := last.at
	if since.IsZero() {
		since = e.born
	}
	e.tellPaused()
	moved := now.stats.Records - last.stats.Records
	if moved == 0 {
		return now
	}
	var lag int64
	for _, s := range e.core.Statuses() {
		if s.End >= 0 {
			lag += max(0, s.End-s.Checkpoint)
		}
	}
	e.log.Info().Int64("records", now.stats.Records).Int64("rows", now.stats.Rows).
		Int64("records_per_s", int64(float64(moved)/now.at.Sub(since).Seconds())).
		Int64("lag", lag).Int("partitions", e.core.Live()).Msg("progress")
	return now
}

// tellPaused says why a run that is to end by itself does not.
func (e *Engine) tellPaused() {
	if !e.opts.Core.Once {
		return
	}
	var paused []kafka.TopicPartition
	for _, s := range e.core.Statuses() {
		if s.Paused && s.State != "stopped" {
			paused = append(paused, s.TopicPartition)
		}
	}
	if len(paused) > 0 {
		e.log.Warn().Strs("partitions", tpString(paused)).Msg("--once does not end while these are paused; rowmark resume lets them go on")
	}
}
