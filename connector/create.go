package connector

import (
	"context"
	"fmt"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Create writes the checkpoint of a source that has none. The error is ErrOwnerAlive if another was faster.
func (s *Store) Create(ctx context.Context, tp kafka.TopicPartition, put core.Checkpoint) error {
	res := s.Swap(ctx, tp, nil, put)
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
	if now != nil && now.Position == put.Position && now.Who == put.Who {
		return nil
	}
	if now != nil {
		return fmt.Errorf("%s: %w: %s made its checkpoint meanwhile", tp, ErrOwnerAlive, now.Who)
	}
	return fmt.Errorf("writing the checkpoint of %s: %w; nothing is there yet, try again", tp, res.Err)
}
