package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"rowmark/connector/deadletter"
	"rowmark/hbase"

	"github.com/spf13/cobra"
)

// setOptions are the flags.
type setOptions struct {
	to                 string
	topics, partitions []string
	force, yes, dry    bool
	newIncarnation     bool
	format             string
}

func newOffsetsSet(a *app) *cobra.Command {
	o := &setOptions{}
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Move a partition's checkpoint, or those of all partitions",
		Long: "set says where each checkpoint goes and what comes of it, asks, and moves them. Moving back never doubles: rows\n" +
			"that hold a record already pass it by. Moving on skips records for good. Counts are of offsets: where a log is\n" +
			"compacted or holds transactions there are fewer records. While a connector runs it is refused, unless --force\n" +
			"fences that connector, which ends with exit code 5.\n\n" +
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
			if err := o.check(cmd); err != nil {
				return err
			}
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				return s.set(ctx, cmd, o, to)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "an offset (1234 or offset:1234), a time (RFC 3339), a day, how long ago (-2h), earliest or latest")
	f.StringArrayVar(&o.topics, "topic", nil, "all partitions of this topic that have a checkpoint; may be repeated")
	f.StringArrayVar(&o.partitions, "partition", nil, "topic/partition, or partition of the one --topic; may be repeated; without it and --topic, all that have a checkpoint")
	f.BoolVar(&o.force, "force", false, "fence a running connector")
	f.BoolVar(&o.yes, "yes", false, "do not ask")
	f.BoolVar(&o.dry, "dry-run", false, "say what would be moved, and move nothing")
	f.BoolVar(&o.newIncarnation, "new-incarnation", false, "go on in a log that is not the one of before, under marks of its own")
	addOutput(cmd, &o.format)
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func (o *setOptions) check(cmd *cobra.Command) error {
	return checkAsking(cmd, o.format, o.yes || o.dry, "moved")
}

func (s *sides) set(ctx context.Context, cmd *cobra.Command, o *setOptions, to target) error {
	p, err := s.planWithin(ctx, o, to)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.format == "json" {
		w = io.Discard
	}
	if err := p.print(w, o.force); err != nil {
		return err
	}
	if !o.dry {
		err = s.carryOut(ctx, cmd, w, o, p)
	}
	if o.format == "json" {
		err = errors.Join(err, printJSON(cmd.OutOrStdout(), p))
	}
	return err
}

// carryOut asks, moves and says what came of it.
func (s *sides) carryOut(ctx context.Context, cmd *cobra.Command, w io.Writer, o *setOptions, p *plan) error {
	if !o.yes {
		if err := confirm(ctx, cmd.InOrStdin(), w, fmt.Sprintf("Move %s of sink %s?", count(len(p.Changes), "checkpoint"), s.config.Sink)); err != nil {
			return err
		}
	}
	if !o.force && p.owned() {
		_, _ = fmt.Fprintf(w, "some partitions have an owner; waiting %s (checkpoint.lease) to see whether it is alive\n", s.config.Checkpoint.Lease)
	}
	s.move(ctx, p, o.force)
	_, _ = fmt.Fprintf(w, "%s moved\n", count(p.moved(), "checkpoint"))
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

// letters counts those that stand for records which are read again.
func (s *sides) letters(ctx context.Context, c *change) (int, error) {
	if s.config.Mappings.Letters() == "" || c.ReadAgain == 0 {
		return 0, nil
	}
	t := deadletter.Table{Client: s.hbase, Name: s.config.DeadLetters.Table, Sink: s.config.Sink}
	letters, err := t.List(ctx, deadletter.Filter{Topic: c.tp.Topic, Partition: c.tp.Partition, From: c.To, To: c.From})
	if hbase.FaultOf(err) == hbase.FaultTable {
		return 0, nil // none was ever written
	}
	n := 0
	for _, l := range letters {
		if l.Key.Incarnation == c.Incarnation {
			n++
		}
	}
	return n, err
}
