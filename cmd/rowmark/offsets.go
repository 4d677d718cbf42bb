package main

import (
	"context"
	"errors"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

func newOffsets(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "offsets", Short: "Show or move the checkpoints"}
	cmd.AddCommand(newOffsetsShow(a), newOffsetsSet(a), newOffsetsRebuild(a))
	return cmd
}

// sides are the two services, as the offsets commands need them.
type sides struct {
	config *config.Config
	store  *connector.Store
	hbase  *hbase.Client
	kafka  *kafka.Client
}

func (a *app) connect(ctx context.Context) (*sides, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	s := &sides{config: c}
	if s.kafka, err = a.openKafka(ctx, c); err != nil {
		return nil, err
	}
	if s.hbase, err = a.openHBase(ctx, c); err != nil {
		return nil, errors.Join(err, s.kafka.Close())
	}
	s.store = &connector.Store{Client: s.hbase, Table: c.HBase.CheckpointTable, Sink: c.Sink}
	return s, nil
}

func (s *sides) close() {
	_ = s.kafka.Close()
	s.hbase.Close()
}

// withSides runs f with both services at hand.
func (a *app) withSides(cmd *cobra.Command, f func(context.Context, *sides) error) error {
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	s, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	return f(ctx, s)
}
