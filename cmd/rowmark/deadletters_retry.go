package main

import (
	"context"
	"errors"
	"fmt"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/connector/deadletter"

	"github.com/spf13/cobra"
)

func newDeadLettersRetry(a *app) *cobra.Command {
	var chosen letterFlags
	var all, remove bool
	cmd := &cobra.Command{
		Use:   "retry [topic/partition/offset...]",
		Short: "Write dead letters by the current mapping, each exactly once",
		Long: "retry maps the records of dead letters by the mapping of today and writes their rows, each once, whatever\n" +
			"crashes. A letter that is written counts as resolved and is kept, unless --delete is given; one that fails again\n" +
			"stays, with the new reason. Rows that were written already are left out.\n\n" +
			"The order of the log does not count here: cells get the record's own time, so what a row holds of a later time\n" +
			"stays. Increments and appends are added.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chosen.check(); err != nil {
				return err
			}
			if filtered := chosen.Topic != "" || all; filtered == (len(args) > 0) {
				return configError(errors.New("name letters as topic/partition/offset, or choose them by --topic or --all"))
			}
			return a.withLetters(cmd, func(ctx context.Context, c *config.Config, t *deadletter.Table) error {
				keys, err := chosen.keys(ctx, t, args)
				if err != nil {
					return err
				}
				return retryLetters(ctx, cmd, c, t, keys, remove)
			})
		},
	}
	chosen.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "all letters that are not resolved")
	cmd.Flags().BoolVar(&remove, "delete", false, "delete letters once they are written")
	return cmd
}

// keys are the letters named, or those that the flags choose.
func (l *letterFlags) keys(ctx context.Context, t *deadletter.Table, args []string) ([]deadletter.Key, error) {
	var out []deadletter.Key
	for _, arg := range args {
		key, err := deadletter.ParseKey(t.Sink, arg)
		if err != nil {
			return nil, configError(err)
		}
		out = append(out, key)
	}
	if len(args) > 0 {
		return out, nil
	}
	letters, err := t.List(ctx, l.Filter)
	for _, letter := range letters {
		out = append(out, letter.Key)
	}
	return out, err
}

func retryLetters(ctx context.Context, cmd *cobra.Command, c *config.Config, t *deadletter.Table, keys []deadletter.Key, remove bool) error {
	if err := connector.OpenRegistry(c); err != nil {
		return configError(err)
	}
	if err := connector.HonoursConditions(ctx, t.Client, c.HBase.CheckpointTable); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	written, failed := 0, 0
	r := deadletter.Retry{
		Table: t, Mappings: c.Mappings, MarkFamily: c.HBase.MarkFamily, AtLeastOnce: c.AtLeastOnce(), Delete: remove,
		Told: func(key deadletter.Key, err error) {
			if err == nil {
				written++
				_, _ = fmt.Fprintf(out, "%s: written\n", key)
				return
			}
			failed++
			_, _ = fmt.Fprintf(out, "%s: %v\n", key, err)
		},
	}
	if c.Schemas != nil {
		r.Schemas = c.Schemas
	}
	err := r.Run(ctx, keys)
	_, _ = fmt.Fprintf(out, "%s written, %d not\n", count(written, "letter"), failed)
	if err != nil {
		return fmt.Errorf("%w; what was begun is finished by the next retry", err)
	}
	if failed > 0 {
		return &core.StopError{Cause: core.CauseRecord, Err: fmt.Errorf("%s could not be written", count(failed, "dead letter"))}
	}
	return nil
}
