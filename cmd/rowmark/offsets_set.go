package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"rowmark/connector/deadletter"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

// setOptions are the flags.
type setOptions struct {
	to                 string
	topics, partitions []string
	force, yes         bool
	newIncarnation     bool
}

func newOffsetsSet(a *app) *cobra.Command {
	o := &setOptions{}
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Move a partition's checkpoint, or those of all partitions",
		Long: "set takes the checkpoint's epoch, which fences an owner, and then moves it. Moving back never doubles: rows\n" +
			"that hold a record already pass it by. Moving on skips records for good. While a connector runs it is refused,\n" +
			"unless --force fences that connector.\n\n" +
			"Marks speak of the offsets of one log. Where a topic was created again, or other brokers with other offsets took\n" +
			"the place of the old ones, --new-incarnation goes on in the new log at --to, under marks of its own. Records from\n" +
			"there on are applied even if rows hold them from the old log, and those before are not: choose the place with\n" +
			"care. Partitions whose log is the old one are moved as without it. For other brokers all partitions go at once,\n" +
			"and the sink is bound to these brokers then.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			to, err := parseTarget(o.to, time.Now())
			if err != nil {
				return err
			}
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				return s.set(ctx, cmd.OutOrStdout(), o, to)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "an offset, a time (RFC 3339), a day, how long ago (-2h), earliest or latest")
	f.StringArrayVar(&o.topics, "topic", nil, "all partitions of this topic that have a checkpoint; may be repeated")
	f.StringArrayVar(&o.partitions, "partition", nil, "topic/partition; may be repeated; without it and --topic, all that have a checkpoint")
	f.BoolVar(&o.force, "force", false, "fence a running connector")
	f.BoolVar(&o.yes, "yes", false, "do not ask")
	f.BoolVar(&o.newIncarnation, "new-incarnation", false, "go on in a log that is not the one of before, under marks of its own")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func (s *sides) set(ctx context.Context, w io.Writer, o *setOptions, to target) error {
	p, err := s.planWithin(ctx, o, to)
	if err != nil {
		return err
	}
	for _, text := range p.Left {
		_, _ = fmt.Fprintf(w, "%s: these brokers do not have it; it is left as it is\n", text)
	}
	if !o.force && slices.ContainsFunc(p.Changes, func(c *change) bool { return c.Owner != "" }) {
		_, _ = fmt.Fprintf(w, "some partitions have an owner; waiting %s (checkpoint.lease) to see whether it is alive\n", s.config.Checkpoint.Lease)
	}
	s.move(ctx, p, o.force)
	for _, c := range p.Changes {
		if c.err != nil {
			continue
		}
		_, _ = fmt.Fprintf(w, "%s: %d -> %d: %s\n", c.tp, c.From, c.To, c.what())
		if err := s.tellLetters(ctx, w, c.tp, c.To, c.From); err != nil {
			return err
		}
	}
	if err := p.errors(); err != nil || p.Cluster == "" {
		return err
	}
	if err := s.store.Rebind(ctx, p.Was, p.Cluster); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(w, "sink %s belongs to the Kafka cluster %s now\n", s.config.Sink, p.Cluster)
	return nil
}

// planWithin bounds the questions, but not the operator's thoughts.
func (s *sides) planWithin(ctx context.Context, o *setOptions, to target) (*plan, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.HBase.CallTimeout)
	defer cancel()
	return s.plan(ctx, o, to)
}

// movesAtOnce bounds the moves under way, each of which may wait for a lease.
const movesAtOnce = 64

// move makes the changes, and notes in each what came of it.
func (s *sides) move(ctx context.Context, p *plan, force bool) {
	var all sync.WaitGroup
	slots := make(chan struct{}, movesAtOnce)
	for _, c := range p.Changes {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			c.done(s.store.SetOffset(ctx, c.tp, c.place, s.config.Checkpoint.Lease, force))
		})
	}
	all.Wait()
}

// tellLetters says how many letters stand for records that are read again: a record that can be written now is, and its
// letter stays.
func (s *sides) tellLetters(ctx context.Context, w io.Writer, tp kafka.TopicPartition, from, to int64) error {
	if s.config.Mappings.Letters() == "" || from >= to {
		return nil
	}
	t := deadletter.Table{Client: s.hbase, Name: s.config.DeadLetters.Table, Sink: s.config.Sink}
	letters, err := t.List(ctx, deadletter.Filter{Topic: tp.Topic, Partition: tp.Partition, From: from, To: to})
	if hbase.FaultOf(err) == hbase.FaultTable {
		return nil // none was ever written
	}
	if n := len(letters); n > 0 {
		_, _ = fmt.Fprintf(w, "%s: %d of them have dead letters: what the mapping of now can write is written when it is read again, so that a retry of its letter would write it twice\n", tp, n)
	}
	return err
}
