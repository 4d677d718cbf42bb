package connector

import (
	"time"

	"rowmark/connector/core"
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
