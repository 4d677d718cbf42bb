package connector

import (
	"sync"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"

	"github.com/rs/zerolog"
)

// quiet lets the same kind of line through once in a while.
type quiet struct {
	mu   sync.Mutex
	log  *zerolog.Logger
	last map[string]time.Time
	held map[string]int
}

// quietFor is the least time between two lines of a kind.
const quietFor = 10 * time.Second

// take says whether a line of this kind may go, and how many were held back since the last.
func (q *quiet) take(kind string) (bool, int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last == nil {
		q.last, q.held = map[string]time.Time{}, map[string]int{}
	}
	if time.Since(q.last[kind]) < quietFor {
		q.held[kind]++
		return false, 0
	}
	held := q.held[kind]
	q.last[kind], q.held[kind] = time.Now(), 0
	return true, held
}

func (q *quiet) warn(kind string, err error, msg string) {
	if ok, held := q.take(kind); ok {
		ev := q.log.Warn().Err(err)
		if held > 0 {
			ev = ev.Int("more_of_these", held)
		}
		ev.Msg(msg)
	}
}

// report logs what happened to a partition, and remembers its end.
func (e *Engine) report(r core.Report) {
	e.seen.note(r)
	log := e.log.With().Str("topic", r.Topic).Int32("partition", r.Partition).Logger()
	switch r.Kind {
	case core.ReportWaiting:
		log.Warn().Int64("offset", r.Offset).Msgf("waiting for the lease of the owner before to end (checkpoint.lease), or for it to let go: %v", r.Err)
	case core.ReportTaken:
		delete(e.ends, r.TopicPartition)
		e.group.take([]kafka.TopicPartition{r.TopicPartition})
		log.Info().Int64("offset", r.Offset).Msg("partition taken")
	case core.ReportCaughtUp:
		log.Info().Int64("offset", r.Offset).Msg("caught up with the end of the log")
	case core.ReportSkipped:
		if ok, held := e.noise.take("skip " + r.TopicPartition.String()); ok {
			log.Warn().Err(r.Err).Int64("offset", r.Offset).Int("more_of_these", held).Msg("record skipped (on_error: skip)")
		}
	case core.ReportLetter:
		if ok, held := e.noise.take("letter " + r.TopicPartition.String()); ok {
			log.Warn().Err(r.Err).Int64("offset", r.Offset).Int("more_of_these", held).Msg("record becomes a dead letter (on_error: dead-letter)")
		}
	case core.ReportRowMode:
		log.Warn().Err(r.Err).Str("table", r.Table).Msg("writing this table row by row from here")
	case core.ReportRetry:
		e.retry(&log, r)
	case core.ReportMapping:
		log.Warn().Int64("offset", r.Offset).Msg("the mapping changed: records below this offset go by the stored one, those from it on by the new one; rows of before stay as they are")
	case core.ReportSegment:
		log.Warn().Err(r.Err).Int64("offset", r.Offset).Msg("opening a new incarnation of the log")
	case core.ReportFinished:
		log.Info().Int64("offset", r.Offset).Msg("reached the end seen at start; checkpoint released")
		e.mirror.release(r.TopicPartition, r.Offset)
		e.ended(r)
	case core.ReportReleased:
		if was := e.ends[r.TopicPartition]; e.stopping && bad(was) && (!was.Retry || e.opts.FailFast) {
			e.group.ended(r.TopicPartition) // it had ended before the stop, and that is its end
			return
		}
		if r.Offset < 0 {
			log.Info().Msg("given up before it was taken")
		} else {
			log.Info().Int64("offset", r.Offset).Msg("checkpoint released")
			e.mirror.release(r.TopicPartition, r.Offset)
		}
		e.ended(r)
	case core.ReportFenced:
		if e.opts.Group != "" && !e.opts.FailFast {
			// The group thought this member dead, and will say whose it is now; until then it waits as any other would.
			log.Warn().Int64("offset", r.Offset).Msg("another connector took this partition; waiting for it to let go, or for the group to say whose it is")
			e.calls.Go(func() { e.assigned(r.TopicPartition) })
			return
		}
		log.Error().Int64("offset", r.Offset).Msg("another connector took this partition; stopped it here")
		e.ended(r)
	case core.ReportPaused:
		log.Info().Int64("offset", r.Offset).Msg("paused: reading no more, and keeping the lease")
	case core.ReportResumed:
		log.Info().Int64("offset", r.Offset).Msg("resumed")
	case core.ReportFailed:
		log.Error().Err(r.Err).Int64("offset", r.Offset).Bool("retried", r.Retry).Msg("partition stopped")
		e.ended(r)
	}
}

func (e *Engine) retry(log *zerolog.Logger, r core.Report) {
	kind := "retry " + r.TopicPartition.String() + " " + r.Table
	if ok, held := e.noise.take(kind); ok {
		log.Warn().Err(r.Err).Str("table", r.Table).Int("more_of_these", held).Msg("trying again")
	}
}

func (e *Engine) ended(r core.Report) {
	e.ends[r.TopicPartition] = r
	e.group.ended(r.TopicPartition)
}

func tpString(tps []kafka.TopicPartition) []string {
	out := make([]string, len(tps))
	for i, tp := range tps {
		out[i] = tp.String()
	}
	return out
}
