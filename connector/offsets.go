package connector

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// ErrOwnerAlive says that a running connector holds the source.
var ErrOwnerAlive = errors.New("a running connector holds the partition")

// Place is where a checkpoint is moved to.
type Place struct {
	Offset int64
	// Incarnation is that of the log which Offset speaks of: the checkpoint's own, or the next one, which is opened.
	Incarnation int
	TopicID     kafka.TopicID // of that log; zero: not known
}

// SetOffset moves a source's checkpoint. It takes the epoch first, which fences an owner, and then writes the
// offset and lets go. While an owner shows signs of life within lease it is refused, unless force is set.
//
// Moving back never doubles: rows whose marks are newer pass the records by. Moving on skips records; what a fenced owner
// had sent of them may still land, and hide a later record of an earlier time. Below the start of the log's current
// incarnation it is refused, unless that one is of another topic than those before. Marks of one incarnation say nothing
// of the next: its records are applied whatever the rows hold of those before.
func (s *Store) SetOffset(ctx context.Context, tp kafka.TopicPartition, to Place, lease time.Duration, force bool) (was int64, err error) {
	held, err := s.Read(ctx, tp)
	if err != nil {
		return 0, err
	}
	if held == nil {
		return 0, fmt.Errorf("%s has no checkpoint for sink %s: start the connector once, or set kafka.start", tp, s.Sink)
	}
	if held.Owner != (core.Owner{}) && !force {
		if held, err = s.waitOut(ctx, tp, held, lease); err != nil {
			return 0, err
		}
	}
	if err := to.Fits(tp, held); err != nil {
		return 0, err
	}
	taken := *held
	taken.Mapping = nil
	taken.Epoch++
	if _, err := rand.Read(taken.Owner[:]); err != nil {
		return 0, fmt.Errorf("drawing an owner id: %w", err)
	}
	taken.Who, taken.Beat = "rowmark offsets set", 0
	if err := s.mustSwap(ctx, tp, held, taken); err != nil {
		return 0, err
	}
	return held.Offset, s.mustSwap(ctx, tp, &taken, placed(taken, to))
}

// placed is the checkpoint at its new place, with nobody for its owner.
func placed(taken core.Checkpoint, to Place) core.Checkpoint {
	put := taken
	put.Owner, put.Beat = core.Owner{}, 1
	put.AdvancedAt = time.Now().UnixMilli()
	if to.Incarnation > taken.Incarnation() {
		put.Open(core.Segment{Start: to.Offset, TopicID: to.TopicID, Floor: taken.Newest})
		return put
	}
	put.Offset = to.Offset // the ceiling stays: nothing at or past it was sent
	if to.Offset > taken.Offset {
		put.LeaderEpoch, put.EpochOffset = -1, to.Offset // nothing is known of what is passed by
	}
	put.Witness = nil // a table restored to an older state is what this is for
	put.Segments = reaching(put.Segments, to.Offset)
	return put
}

// reaching has the last segment begin at the offset at the latest.
func reaching(segments []core.Segment, offset int64) []core.Segment {
	if n := len(segments); n > 0 && offset < segments[n-1].Start {
		segments = slices.Clone(segments)
		segments[n-1].Start = offset
	}
	return segments
}

// Fits refuses a place in another log than that of the checkpoint, and one before the log's current incarnation: the marks
// of the records there bear an earlier number, so that they would be applied again.
func (to Place) Fits(tp kafka.TopicPartition, held *core.Checkpoint) error {
	at := held.Incarnation()
	switch {
	case to.Incarnation == at+1:
		return nil
	case to.Incarnation != at:
		return fmt.Errorf("%s: incarnation %d of the log was opened meanwhile; try again", tp, at)
	case held.TopicID.Differs(to.TopicID):
		return &core.StopError{Cause: core.CauseLogChanged, Err: fmt.Errorf("%s: the topic was created again, or is that of another cluster (its id is %s, that of the checkpoint %s): the marks speak of other records than its offsets do. rowmark offsets set --new-incarnation goes on in it under marks of its own, which apply the records from the place that --to names on, whatever rows hold of the topic before", tp, to.TopicID, held.TopicID)}
	}
	if at > 0 {
		if last := held.Segments[len(held.Segments)-1]; to.Offset < last.Start && !last.Anew {
			return fmt.Errorf("%s: offset %d lies before %d, where incarnation %d of the log begins: records before it are marked under an earlier one and would be applied twice; name an offset from there on", tp, to.Offset, last.Start, at)
		}
	}
	return nil
}

// waitOut watches the cell for a lease, as a connector that wants to take the source does.
func (s *Store) waitOut(ctx context.Context, tp kafka.TopicPartition, held *core.Checkpoint, lease time.Duration) (*core.Checkpoint, error) {
	select {
	case <-time.After(lease):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now, err := s.Read(ctx, tp)
	if err != nil {
		return nil, err
	}
	if now == nil || now.Position != held.Position && now.Owner != (core.Owner{}) {
		return nil, fmt.Errorf("%s: %w: %s; stop it, or use --force to fence it", tp, ErrOwnerAlive, held.Who)
	}
	return now, nil
}

// Create writes the checkpoint of a source that has none. The error is ErrOwnerAlive if another was faster.
func (s *Store) Create(ctx context.Context, tp kafka.TopicPartition, put core.Checkpoint) error {
	return s.mustSwap(ctx, tp, nil, put)
}

// mustSwap writes a checkpoint over what was, nil if nothing, and settles a lost answer by reading the cell.
func (s *Store) mustSwap(ctx context.Context, tp kafka.TopicPartition, was *core.Checkpoint, put core.Checkpoint) error {
	var expect []byte
	if was != nil {
		expect = was.Position.Encode()
	}
	res := s.Swap(ctx, tp, expect, put)
	switch {
	case res.Outcome == hbase.Applied:
		return nil
	case res.Outcome == hbase.Refused && res.Err != nil:
		return fmt.Errorf("writing the checkpoint of %s: %w", tp, res.Err)
	}
	now, err := s.Read(ctx, tp)
	if err != nil {
		return fmt.Errorf("reading back the checkpoint of %s, whose write ended unknown: %w", tp, err)
	}
	if now != nil && now.Position == put.Position {
		return nil
	}
	return fmt.Errorf("%s: %w: the checkpoint changed meanwhile; try again", tp, ErrOwnerAlive)
}
