package reprocess

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"
)

// pass has an engine write up to where the run stands, and then finds out whether the live connector wrote meanwhile what
// must be followed.
func (r *Runner) pass(ctx context.Context, e *entry, stage *Stage, stats *core.Stats) error {
	met := stage.Counts().Followers
	if _, err := r.fits(ctx, e, stage); err != nil {
		return err
	}
	if len(e.Parts) > 0 {
		if err := r.engine(ctx, e, stage, stats); err != nil || ctx.Err() != nil {
			return err
		}
	}
	next := e.Run
	next.Parts = append([]Part(nil), e.Parts...)
	live, err := r.fits(ctx, e, stage)
	if err != nil {
		return err
	}
	again, err := r.tails(ctx, next.Parts, live)
	if err != nil {
		return err
	}
	// A record that was sent again for its timestamp may have come behind a later one of the live connector's.
	if e.State == Following && stage.Counts().Followers == met {
		again = false
	}
	next.State = Following
	if !again {
		next.Parts, next.State, next.Ended = e.Parts, Done, time.Now().UTC()
	}
	err = r.runs().write(ctx, e, next)
	if !errors.Is(err, errChanged) {
		return err
	}
	// Another process was faster, or a write of one that is gone landed late: what stands there counts.
	now, err := r.runs().read(ctx, e.ID)
	if err != nil || now == nil || now.State == Cleaned {
		return errors.Join(err, errChanged)
	}
	*e = *now
	return nil
}

// engine runs an engine up to the tails of the parts.
func (r *Runner) engine(ctx context.Context, e *entry, stage *Stage, stats *core.Stats) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	stage.there = func(asking context.Context) error {
		err := r.runs().there(asking, e.ID)
		var ended *EndedError
		if errors.As(err, &ended) {
			stop(err) // an engine would try again
		}
		return err
	}
	opts := r.Options
	opts.Core.Sink = r.Options.Core.Sink + "~" + e.ID
	opts.Core.Once, opts.Core.OutOfRange, opts.Core.LogChanged = true, core.RangeFail, core.LogFail
	opts.Group, opts.MirrorGroup, opts.Partitions = "", "", nil // the group's positions are the live connector's
	replay := &connector.Replay{Stage: stage, Ranges: map[kafka.TopicPartition]connector.Range{}}
	for _, p := range e.Parts {
		replay.Ranges[p.Source()] = connector.Range{First: p.First, Until: p.Tail}
	}
	run := e.Run
	replay.Progress = (&progress{run: &run, stage: stage}).status
	opts.Replay = replay
	engine := connector.Unconnected(opts)
	if r.Serving != nil {
		r.Serving(engine)
	}
	if err := engine.Connect(ctx); err != nil {
		return err
	}
	defer engine.Close()
	err := engine.Run(ctx)
	add(stats, engine.Stats())
	var ended *EndedError
	if cause := context.Cause(ctx); errors.As(cause, &ended) {
		return cause
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	return r.reached(ctx, e)
}

// reached sees that all parts were written up to their tails.
func (r *Runner) reached(ctx context.Context, e *entry) error {
	at, err := r.runs().Store(e.ID).List(ctx)
	if err != nil {
		return err
	}
	for _, p := range e.Parts {
		if ck := at[p.Source()]; ck == nil || ck.Offset < p.Tail {
			return fmt.Errorf("run %s: %s did not reach offset %d; start it again", e.ID, p.Source(), p.Tail)
		}
	}
	return nil
}

// tails moves the parts' tails up to where the live connector can have written by now: below its ceiling, and what the log
// holds. True: there is more.
func (r *Runner) tails(ctx context.Context, parts []Part, live map[kafka.TopicPartition]*core.Checkpoint) (bool, error) {
	var tps []kafka.TopicPartition
	for i := range parts {
		tps = append(tps, parts[i].Source())
	}
	ends, err := r.Kafka.ListOffsets(ctx, tps, kafka.ReadableEnd(r.Options.Kafka.ReadCommitted))
	if err != nil {
		return false, err
	}
	more := false
	for i := range parts {
		p := &parts[i]
		ck, at := live[p.Source()], ends[p.Source()]
		if at.Err != nil {
			return false, at.Err
		}
		if ck == nil {
			continue // it was removed: nobody writes
		}
		if tail := min(ck.Ceiling, at.Offset); tail > p.Tail {
			p.Tail, more = tail, true
		}
	}
	return more, nil
}

// add sums up what several engines did.
func add(to *core.Stats, s core.Stats) {
	to.Records += s.Records
	to.Rows += s.Rows
	to.Skipped += s.Skipped
	to.Letters += s.Letters
	to.Replayed += s.Replayed
	to.Retries += s.Retries
}
