package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/connector/reprocess"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

func newReprocess(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "reprocess", Short: "Show the runs that wrote time windows anew, or remove their traces", Long: "rowmark run --reprocess makes a run and goes on with it. Each has a row and checkpoints of its own in the\ncheckpoint table, and marks of its own in the tables that it writes to."}
	cmd.AddCommand(newReprocessList(a), newReprocessClean(a))
	return cmd
}

// runLine is a run as reprocess list shows it.
type runLine struct {
	ID        string            `json:"id"`
	From      time.Time         `json:"from"`
	To        time.Time         `json:"to"`
	Into      map[string]string `json:"into,omitempty"`
	DeleteOld bool              `json:"delete_old_keys,omitempty"`
	Mapping   string            `json:"mapping"`
	State     reprocess.State   `json:"state"`
	Created   time.Time         `json:"created"`
	Ended     time.Time         `json:"ended,omitzero"`
	Owner     string            `json:"owner,omitempty"`
	Offsets   int64             `json:"offsets"` // of its ranges
	Passed    int64             `json:"passed"`  // of those, by its checkpoints
	Parts     []partLine        `json:"parts"`
	Notes     []string          `json:"notes"`
}

type partLine struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	First     int64  `json:"first"`
	Until     int64  `json:"until"`
	Tail      int64  `json:"tail"`
	Records   int64  `json:"records"`
	InWindow  int64  `json:"in_window"`
}

// cleaned is what reprocess clean answers.
type cleaned struct {
	ID string `json:"id"`
	// Marks is how many rows were rid of marks; -1: they stay.
	Marks int64 `json:"marks"`
}

func runsOf(c *config.Config, client *hbase.Client) *reprocess.Runs {
	return &reprocess.Runs{Client: client, Table: c.HBase.CheckpointTable, Sink: c.Sink}
}

func newReprocessList(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs of the sink: window, state and progress",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.withHBase(cmd, func(ctx context.Context, c *config.Config, client *hbase.Client) error {
				lines, err := runLines(ctx, runsOf(c, client))
				if err != nil {
					return err
				}
				if format == "json" {
					return printJSON(cmd.OutOrStdout(), lines)
				}
				return printRuns(cmd.OutOrStdout(), c.Sink, lines)
			})
		},
	}
	addOutput(cmd, &format)
	return cmd
}

func runLines(ctx context.Context, runs *reprocess.Runs) ([]runLine, error) {
	list, err := runs.List(ctx)
	if err != nil {
		return nil, err
	}
	out := []runLine{}
	for _, run := range list {
		at, err := runs.Store(run.ID).List(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, runLineOf(&run, at))
	}
	return out, nil
}

// runLineOf shows a run, and how far it is by its checkpoints.
func runLineOf(run *reprocess.Run, at map[kafka.TopicPartition]*core.Checkpoint) runLine {
	line := runLine{
		ID: run.ID, From: time.UnixMilli(run.Window.From).UTC(), To: time.UnixMilli(run.Window.To).UTC(), Into: run.Into,
		DeleteOld: run.DeleteOld, Mapping: run.Mapping, State: run.State, Created: run.Created, Ended: run.Ended, Notes: run.Notes,
		Parts: []partLine{},
	}
	for i := range run.Parts {
		p := &run.Parts[i]
		line.Parts = append(line.Parts, partLine{p.Topic, p.Partition, p.First, p.Until, p.Tail, p.Records, p.InWindow})
		line.Offsets += p.Tail - p.First
		ck := at[p.Source()]
		if ck == nil {
			continue
		}
		line.Passed += max(0, min(ck.Offset, p.Tail)-p.First)
		if ck.Owner != (core.Owner{}) {
			line.Owner = ck.Who
		}
	}
	return line
}

func printRuns(w io.Writer, sink string, lines []runLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintf(w, "sink %s has no runs; rowmark run --reprocess makes one\n", sink)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "ID\tFROM\tTO\tSTATE\tPASSED\tMADE\tOWNER")
	for i := range lines {
		l := &lines[i]
		owner, passed := l.Owner, "100 %"
		if owner == "" {
			owner = "-"
		}
		switch {
		case l.State == reprocess.Cleaned:
			passed = "-"
		case l.Passed < l.Offsets:
			passed = fmt.Sprintf("%.1f %%", 100*float64(l.Passed)/float64(l.Offsets))
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, l.From.Format(time.RFC3339Nano), l.To.Format(time.RFC3339Nano), l.State, passed, l.Created.UTC().Format(time.RFC3339), owner)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range lines {
		for _, p := range lines[i].Parts {
			_, _ = fmt.Fprintf(w, "%s: %s/%d [%d, %d), %d of %d records in the window\n", lines[i].ID, p.Topic, p.Partition, p.First, p.Until, p.InWindow, p.Records)
		}
	}
	return nil
}

func newReprocessClean(a *app) *cobra.Command {
	var marks, yes bool
	var format string
	cmd := &cobra.Command{
		Use:   "clean ID",
		Short: "Remove the checkpoints of a run, and on request its marks",
		Long:  "clean removes what stands of a run beside the rows that it wrote: its checkpoints and its row in the checkpoint\ntable, and with --marks its marks, for which the tables are scanned. It is refused while a process goes on with the run.\nA run that is not done can't be gone on with then. While the marks stay, no run may have this id again, since it would\ntake its records for written: without --marks the run is still listed, as cleaned, and its id is refused.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkAsking(cmd, format, yes, ""); err != nil {
				return err
			}
			if err := reprocess.CheckID(args[0]); err != nil {
				return configError(err)
			}
			return a.withHBase(cmd, func(ctx context.Context, c *config.Config, client *hbase.Client) error {
				out := cmd.OutOrStdout()
				runs := runsOf(c, client)
				if !yes {
					if err := runs.Look(ctx, args[0]); err != nil {
						return err
					}
					if err := confirm(ctx, cmd.InOrStdin(), cmd.ErrOrStderr(), fmt.Sprintf("remove the traces of run %s of sink %s?", args[0], c.Sink)); err != nil {
						return err
					}
				}
				family := ""
				if marks {
					family = c.HBase.MarkFamily
				}
				n, err := runs.Clean(ctx, args[0], c.Checkpoint.Lease, family)
				if err != nil {
					return err
				}
				what := fmt.Sprintf("its marks stay in the rows, so that id %s must not be used again and is refused: a run would take its records for written. rowmark reprocess clean %s --marks frees it", args[0], args[0])
				if !marks {
					n = -1
				} else {
					what = fmt.Sprintf("%s held its marks", count(int(n), "row"))
				}
				if format == "json" {
					return printJSON(out, cleaned{args[0], n})
				}
				_, err = fmt.Fprintf(out, "run %s is removed; %s\n", args[0], what)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&marks, "marks", false, "remove its marks from the tables too")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	addOutput(cmd, &format)
	return cmd
}
