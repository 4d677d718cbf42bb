package main

import (
	"context"
	"os"
	"runtime/debug"

	"rowmark/connector"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newRun(a *app) *cobra.Command {
	var once, force, failFast bool
	var window reprocessFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Carry records from Kafka to HBase",
		Long:  "run takes the partitions, goes on where their checkpoints stand, and works until it is told to stop\n(SIGTERM or SIGINT): then it writes what it has read and releases the checkpoints.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			c, err := a.config()
			if err != nil {
				return err
			}
			if err := window.check(cmd); err != nil {
				return err
			}
			if window.window != "" {
				window.force = force
				return a.reprocess(ctx, cmd, c, &window)
			}
			opts, err := connector.OptionsOf(c, a.log)
			if err != nil {
				return configError(err)
			}
			opts.Core.Once, opts.Core.Force, opts.FailFast = once, force, failFast
			if once {
				opts.Group = ""
			}
			opts.Version = version
			e := connector.Unconnected(opts)
			closeAdmin, err := a.admin(c, e, c.Sets)
			if err != nil {
				return err
			}
			defer closeAdmin()
			return runEngine(ctx, e, opts.Log)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&once, "once", false, "stop at the end of the log as it is now (assignment is static then)")
	f.BoolVar(&force, "force", false, "go on after a pause longer than tombstones or marks live, on a table older than its checkpoint, or without finishing what was sent under a stored mapping: records can be missed or doubled; with --reprocess, go on where rows can come back that a record of another partition deleted")
	f.BoolVar(&failFast, "fail-fast", false, "stop everything when one partition fails")
	window.add(cmd)
	return cmd
}

// gcPercent halves the memory that the collector lets grow: rows live shortly, and a sidecar shares its machine.
const gcPercent = 50

func runEngine(ctx context.Context, e *connector.Engine, log zerolog.Logger) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	err := e.Connect(ctx)
	if err != nil && ctx.Err() != nil {
		log.Info().Err(err).Msg("stopped before the start was over")
		return nil
	}
	if err != nil {
		return err
	}
	defer e.Close()
	err = e.Run(ctx)
	s, t := e.Stats(), e.Traffic()
	log.Info().Int64("records", s.Records).Int64("rows", s.Rows).Int64("skipped", s.Skipped).Int64("already_applied", s.Replayed).Int64("dead_letters", s.Letters).
		Int64("refused", s.Refused).Int64("unknown", s.Unknown).Int64("looks", s.Looks).
		Int64("hbase_calls", t.HBaseCalls).Int64("kafka_ranges", t.KafkaRanges).Msg("stopped")
	return err
}
