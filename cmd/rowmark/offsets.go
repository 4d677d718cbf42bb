package main

import (
	"context"
	"fmt"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

func newOffsets(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "offsets", Short: "Show or move the checkpoints"}
	cmd.AddCommand(newOffsetsShow(a), newOffsetsSet(a))
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
	k, err := connector.KafkaConfig(c, a.log)
	if err != nil {
		return nil, configError(err)
	}
	s := &sides{config: c}
	if s.hbase, err = a.openHBase(ctx, c); err != nil {
		return nil, err
	}
	reach, cancel := context.WithTimeout(ctx, c.HBase.StartTimeout)
	defer cancel()
	if s.kafka, err = kafka.Open(reach, k); err != nil {
		s.hbase.Close()
		return nil, fmt.Errorf("%w: kafka: %w", connector.ErrUnreached, err)
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
