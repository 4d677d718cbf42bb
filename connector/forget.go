package connector

import (
	"context"
	"fmt"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Forget removes the checkpoints of the sink, and what binds it to a Kafka cluster. While an owner shows signs of life within
// lease it is refused (ErrOwnerAlive).
func (s *Store) Forget(ctx context.Context, lease time.Duration) error {
	held, err := s.Quiet(ctx, lease, false)
	if err != nil {
		return err
	}
	for tp, ck := range held {
		res := s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{
			Row: s.key(tp), Mutations: EmptiedRow(),
			Condition: &hbase.Condition{Family: []byte(CheckpointFamily), Qualifier: []byte(colPosition), Op: hbase.CompareEqual, Value: ck.Position.Encode()},
		})
		if res.Outcome == hbase.Applied {
			continue
		}
		now, err := s.Read(ctx, tp)
		switch {
		case err != nil:
			return err
		case now != nil && res.Err != nil:
			return fmt.Errorf("removing the checkpoint of %s: %w", tp, res.Err)
		case now != nil:
			return fmt.Errorf("%s: %w: the checkpoint changed meanwhile", tp, ErrOwnerAlive)
		}
	}
	binding := []byte("@" + s.Sink)
	if res := s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{Row: binding, Mutations: EmptiedRow()}); res.Outcome != hbase.Applied {
		return fmt.Errorf("removing row %s of the checkpoint table %s: %w", binding, s.Table, res.Err)
	}
	return nil
}

// EmptiedRow deletes all of a row of the checkpoint table.
func EmptiedRow() []hbase.Mutation {
	cell := hbase.MutationCell{Column: &hbase.Column{Family: []byte(CheckpointFamily)}, Type: hbase.CellDeleteFamily, Timestamp: hbase.LatestTimestamp}
	return []hbase.Mutation{{Kind: hbase.KindDelete, Cells: []hbase.MutationCell{cell}}}
}

// Quiet gives the checkpoints once none of them has an owner that is alive (else ErrOwnerAlive). The lease is waited out where
// one has an owner; with unseen in any case, since an owner whose checkpoint is gone sends nothing after its lease.
func (s *Store) Quiet(ctx context.Context, lease time.Duration, unseen bool) (map[kafka.TopicPartition]*core.Checkpoint, error) {
	first, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	owned := unseen
	for _, ck := range first {
		owned = owned || ck.Owner != (core.Owner{})
	}
	if !owned {
		return first, nil
	}
	select {
	case <-time.After(lease):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	for tp, ck := range now {
		if was := first[tp]; ck.Owner != (core.Owner{}) && (was == nil || was.Position != ck.Position) {
			return nil, fmt.Errorf("%s: %w: %s", tp, ErrOwnerAlive, ck.Who)
		}
	}
	return now, nil
}
