package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"rowmark/connector/admin"

	"github.com/spf13/cobra"
)

func newPause(a *app) *cobra.Command {
	return newFlow(a, &cobra.Command{
		Use:   "pause [topic[/partition]]...",
		Short: "Have a running connector read nothing of some partitions, or of all",
		Long: "pause tells the connector that runs at admin.listen to read no more of the topics and partitions named, or of\n" +
			"all. It writes what it has read, and keeps its leases, so that no other connector takes the partitions. That\n" +
			"holds until resume, or until the connector ends: one that is started anew reads everything. Partitions that\n" +
			"come later are meant too.",
		Example: "  rowmark pause orders\n  rowmark pause orders/3 payments",
	}, "pause")
}

func newResume(a *app) *cobra.Command {
	return newFlow(a, &cobra.Command{
		Use:   "resume [topic[/partition]]...",
		Short: "Let a running connector go on with partitions that were paused",
		Long: "resume tells the connector that runs at admin.listen to go on with the topics and partitions named, or with all.\n" +
			"It looks at the log first, as at a start: what was deleted or compacted away meanwhile stops the partition.",
		Example: "  rowmark resume\n  rowmark resume orders/3",
	}, "resume")
}

func newFlow(a *app, cmd *cobra.Command, order string) *cobra.Command {
	var format string
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if err := checkFormat(format); err != nil {
			return err
		}
		c, err := a.config()
		if err != nil {
			return err
		}
		var answer admin.FlowAnswer
		if err := postAdmin(cmd.Context(), c, "/"+order, admin.FlowOrder{Sink: c.Sink, Partitions: append([]string{}, names...)}, &answer); err != nil {
			return err
		}
		if format == "json" {
			return printJSON(cmd.OutOrStdout(), answer)
		}
		return printFlow(cmd.OutOrStdout(), order, &answer)
	}
	addOutput(cmd, &format)
	return cmd
}

// printFlow shows the partitions that were meant.
func printFlow(out io.Writer, order string, answer *admin.FlowAnswer) error {
	if len(answer.Sources) == 0 {
		have := ""
		if len(answer.Here) > 0 {
			have = ", but " + strings.Join(answer.Here, ", ")
		}
		_, err := fmt.Fprintf(out, "no such partition is here now%s; %s holds for those that come\n", have, order)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "PARTITION\tFLOW\tSTATE\tCHECKPOINT")
	for _, s := range answer.Sources {
		flow := "on"
		if s.Paused {
			flow = "paused"
		}
		_, _ = fmt.Fprintf(w, "%s/%d\t%s\t%s\t%d\n", s.Topic, s.Partition, flow, s.State, s.Checkpoint)
	}
	return w.Flush()
}
