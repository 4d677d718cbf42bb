package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"rowmark/connector/rebuild"

	"github.com/spf13/cobra"
)

// rebuildOptions are the flags.
type rebuildOptions struct {
	from               string
	topics, partitions []string
	incarnation        string
	yes, dry           bool
	format             string

	opening *rebuild.Opening
}

func newOffsetsRebuild(a *app) *cobra.Command {
	o := &rebuildOptions{}
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Make checkpoints that were lost anew, out of the marks in the tables",
		Long: "rebuild reads the mark family of all mapped tables, and makes a checkpoint for each partition, when none of them\n" +
			"has one. Rows that hold a record pass it by when it is read again, so that --from may lie as far back as the log\n" +
			"goes: earliest is always safe, and a time before the loss saves reading. It must be said, since marks tell of rows\n" +
			"that were written, and not of records that were not: too late a place loses records.\n\n" +
			"Run it under the mapping that wrote the rows, with no connector running.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := parsePlace("--from", o.from, time.Now())
			if err != nil {
				return err
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				if err := a.nameTables(ctx, s.config); err != nil {
					return err
				}
				return s.rebuild(ctx, cmd, o, from)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "where to read on: an offset (1234 or offset:1234), a time (RFC 3339), a day, how long ago (-2h), earliest or latest")
	f.StringArrayVar(&o.topics, "topic", nil, "the partitions of this topic that have no checkpoint, though others have; may be repeated")
	f.StringArrayVar(&o.partitions, "partition", nil, "topic/partition, or partition of the one --topic, that has no checkpoint, though others have; may be repeated")
	f.StringVar(&o.incarnation, "incarnation", "", "number@offset: where the last incarnation of these logs begins, if marks can't tell; a run's log says it when it opens one")
	f.BoolVar(&o.yes, "yes", false, "do not ask")
	f.BoolVar(&o.dry, "dry-run", false, "say what would be written, and write nothing")
	addOutput(cmd, &o.format)
	_ = cmd.MarkFlagRequired("from")
	return cmd
}

func (o *rebuildOptions) check(cmd *cobra.Command) (err error) {
	if o.incarnation != "" {
		if len(o.topics)+len(o.partitions) == 0 {
			return configError(errors.New("--incarnation: it needs --partition or --topic, since each log has incarnations of its own"))
		}
		if o.opening, err = rebuild.ParseOpening(o.incarnation); err != nil {
			return configError(fmt.Errorf("--%w", err))
		}
	}
	return checkAsking(cmd, o.format, o.yes || o.dry, "written")
}

func (s *sides) rebuild(ctx context.Context, cmd *cobra.Command, o *rebuildOptions, from target) error {
	if err := s.mayRebuild(o.from, time.Now()); err != nil {
		return configError(err)
	}
	parts, err := s.lost(ctx, o, &from)
	if err != nil {
		return err
	}
	notes := cmd.ErrOrStderr()
	if !o.dry {
		if err := s.quiet(ctx, notes); err != nil {
			return err
		}
	}
	found := rebuild.Found{}
	for _, t := range s.config.Mappings.Tables() {
		n, err := found.Scan(ctx, s.hbase, t.Name, s.config.HBase.MarkFamily, s.config.Sink)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(notes, "table %s: %d marks\n", t.Name, n)
	}
	made, err := s.checkpoints(parts, found)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if o.format == "json" {
		out = io.Discard
	}
	if err := printRebuilt(out, made); err != nil {
		return err
	}
	if !o.dry {
		err = s.writeRebuilt(ctx, cmd, o, made)
	}
	if o.format == "json" {
		err = errors.Join(err, printJSON(cmd.OutOrStdout(), made))
	}
	return err
}

// writeRebuilt asks, and writes the checkpoints.
func (s *sides) writeRebuilt(ctx context.Context, cmd *cobra.Command, o *rebuildOptions, made []*rebuilt) error {
	if !o.yes {
		if err := confirm(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), fmt.Sprintf("Write %s of sink %s?", count(len(made), "checkpoint"), s.config.Sink)); err != nil {
			return err
		}
	}
	cluster, err := s.kafka.ClusterID(ctx)
	if err != nil {
		return err
	}
	if err := s.store.BindSink(ctx, cluster); err != nil {
		return err
	}
	for _, m := range made {
		if err := s.store.Create(ctx, m.tp, m.checkpoint); err != nil {
			return err
		}
		m.Done = true
	}
	_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s written\n", count(len(made), "checkpoint"))
	return nil
}
