package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/connector/deadletter"

	"github.com/spf13/cobra"
)

// retried is what retry answers.
type retried struct {
	Letters []retriedLetter `json:"letters"`
	Written int             `json:"written"`
	Failed  int             `json:"failed"`
	Error   string          `json:"error,omitempty"` // what ended it before all were tried
}

type retriedLetter struct {
	Letter  string `json:"letter"`
	Written bool   `json:"written"`
	Error   string `json:"error,omitempty"`
}

func newDeadLettersRetry(a *app) *cobra.Command {
	var chosen letterFlags
	var all, remove bool
	var format string
	cmd := &cobra.Command{
		Use:   "retry [topic/partition/offset...]",
		Short: "Write dead letters by the current mapping, each exactly once",
		Long: "retry maps the records of dead letters by the mapping of today and writes their rows, each once, whatever\n" +
			"crashes. A letter that is written counts as resolved and is kept, unless --delete is given; one that fails again\n" +
			"stays, with the new reason. Rows that were written already are left out.\n\n" +
			"The order of the log does not count here: cells get the record's own time, so what a row holds of a later time\n" +
			"stays. Increments and appends are added.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chosen.check(cmd); err != nil {
				return err
			}
			if filtered := chosen.Topic != "" || all; filtered == (len(args) > 0) {
				return configError(errors.New("name letters as topic/partition/offset, or choose them by --topic or --all"))
			}
			if err := checkFormat(format); err != nil {
				return err
			}
			err := a.withLetters(cmd, func(ctx context.Context, c *config.Config, t *deadletter.Table) error {
				keys, err := chosen.keys(ctx, t, args)
				if err != nil {
					return err
				}
				if format == "text" {
					_, err := retryLetters(ctx, cmd.OutOrStdout(), c, t, keys, remove)
					return err
				}
				did, err := retryLetters(ctx, io.Discard, c, t, keys, remove)
				return errors.Join(err, printJSON(cmd.OutOrStdout(), did))
			})
			if errors.Is(err, errNoLetters) && len(args) == 0 {
				return printNoLetters(cmd.OutOrStdout(), retried{Letters: []retriedLetter{}}, format)
			}
			return err
		},
	}
	chosen.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "all letters that are not resolved")
	cmd.Flags().BoolVar(&remove, "delete", false, "delete letters once they are written")
	addOutput(cmd, &format)
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

// retryLetters says of each letter what came of it.
func retryLetters(ctx context.Context, out io.Writer, c *config.Config, t *deadletter.Table, keys []deadletter.Key, remove bool) (did retried, err error) {
	did.Letters = []retriedLetter{}
	if err := connector.OpenRegistry(c); err != nil {
		return did, configError(err)
	}
	if err := connector.HonoursConditions(ctx, t.Client, c.HBase.CheckpointTable); err != nil {
		return did, err
	}
	r := deadletter.Retry{
		Table: t, Mappings: c.Mappings, MarkFamily: c.HBase.MarkFamily, AtLeastOnce: c.AtLeastOnce(), Delete: remove,
		Told: func(key deadletter.Key, err error) {
			_, _ = fmt.Fprintln(out, did.tell(key, err))
		},
	}
	if c.Schemas != nil {
		r.Schemas = c.Schemas
	}
	err = r.Run(ctx, keys)
	_, _ = fmt.Fprintf(out, "%s written, %d not\n", count(did.Written, "letter"), did.Failed)
	if err != nil {
		did.Error = err.Error()
		return did, fmt.Errorf("%w; what was begun is finished by the next retry", err)
	}
	if did.Failed > 0 {
		return did, &core.StopError{Cause: core.CauseRecord, Err: fmt.Errorf("%s could not be written", count(did.Failed, "dead letter"))}
	}
	return did, nil
}

// tell counts a letter, and puts it into words.
func (r *retried) tell(key deadletter.Key, err error) string {
	l := retriedLetter{Letter: key.String(), Written: err == nil}
	if err == nil {
		r.Written++
		r.Letters = append(r.Letters, l)
		return l.Letter + ": written"
	}
	r.Failed++
	l.Error = err.Error()
	r.Letters = append(r.Letters, l)
	return l.Letter + ": " + l.Error
}
