package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"rowmark/connector/config"
	"rowmark/connector/deadletter"

	"github.com/spf13/cobra"
)

func newDeadLettersList(a *app) *cobra.Command {
	var chosen letterFlags
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List dead letters: which records, since which stage and why",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := chosen.check(cmd); err != nil {
				return err
			}
			if err := checkFormat(format); err != nil {
				return err
			}
			err := a.withLetters(cmd, func(ctx context.Context, c *config.Config, t *deadletter.Table) error {
				letters, err := t.List(ctx, chosen.Filter)
				if err != nil {
					return err
				}
				return printLetters(cmd.OutOrStdout(), letters, format)
			})
			if errors.Is(err, errNoLetters) {
				return printNoLetters(cmd.OutOrStdout(), []letterLine{}, format)
			}
			return err
		},
	}
	chosen.add(cmd)
	cmd.Flags().BoolVar(&chosen.Resolved, "resolved", false, "those, too, that a retry has written")
	addOutput(cmd, &format)
	return cmd
}

// letterLine is a letter without its record.
type letterLine struct {
	Letter      string           `json:"letter"`
	Topic       string           `json:"topic"`
	Partition   int32            `json:"partition"`
	Incarnation int              `json:"incarnation,omitempty"`
	Offset      int64            `json:"offset"`
	Time        string           `json:"time"` // of the record
	Stage       deadletter.Stage `json:"stage"`
	Table       string           `json:"table,omitempty"`
	State       string           `json:"state"`
	Reason      string           `json:"reason"`
	Retried     string           `json:"retried,omitempty"`
	Resolved    string           `json:"resolved,omitempty"`
	Mapping     string           `json:"mapping"`
}

func lineOf(l *deadletter.Letter) letterLine {
	return letterLine{
		Letter: l.Key.String(), Topic: l.Key.Topic, Partition: l.Key.Partition, Incarnation: l.Key.Incarnation, Offset: l.Key.Offset,
		Time: time.UnixMilli(l.Timestamp).UTC().Format(time.RFC3339Nano), Stage: l.Stage, Table: l.Table, State: l.State(), Reason: l.Reason,
		Retried: l.Retried, Resolved: l.Resolved, Mapping: l.Mapping,
	}
}

// printNoLetters says why there are none. Programs get the empty answer.
func printNoLetters(w io.Writer, empty any, format string) error {
	if format == "json" {
		return printJSON(w, empty)
	}
	_, err := fmt.Fprintln(w, errNoLetters)
	return err
}

func printLetters(w io.Writer, letters []*deadletter.Letter, format string) error {
	if format == "json" {
		lines := make([]letterLine, len(letters))
		for i, l := range letters {
			lines[i] = lineOf(l)
		}
		return printJSON(w, lines)
	}
	if len(letters) == 0 {
		_, _ = fmt.Fprintln(w, "no dead letters")
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "LETTER\tTIME\tSTAGE\tTABLE\tSTATE\tREASON")
	for _, l := range letters {
		line := lineOf(l)
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", line.Letter, line.Time, line.Stage, line.Table, line.State, l.Why())
	}
	return t.Flush()
}
