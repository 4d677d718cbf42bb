package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

// position is one line of offsets show.
type position struct {
	Topic      string `json:"topic"`
	Partition  int32  `json:"partition"`
	Checkpoint int64  `json:"checkpoint"`
	LogStart   int64  `json:"log_start"`
	End        int64  `json:"end"`
	Lag        int64  `json:"lag"`
	Epoch      int64  `json:"epoch"`
	Ceiling    int64  `json:"ceiling"`
	Owner      string `json:"owner,omitempty"`
	AsOf       string `json:"as_of,omitempty"` // when it last advanced, or was seen to be at the end
	Error      string `json:"error,omitempty"`
}

func newOffsetsShow(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show each partition's checkpoint, log and lag",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				out, err := s.positions(ctx)
				if err != nil {
					return err
				}
				if len(out) == 0 && format == "text" {
					_, _ = fmt.Fprintf(cmd.OutOrStdout(), "sink %s has no checkpoint yet; rowmark run makes them\n", s.config.Sink)
					return nil
				}
				return printPositions(cmd.OutOrStdout(), out, format)
			})
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", "text", "text or json")
	return cmd
}

// positions joins the checkpoints with what the brokers say.
func (s *sides) positions(ctx context.Context) ([]position, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.HBase.CallTimeout)
	defer cancel()
	cks, err := s.store.List(ctx)
	if err != nil {
		return nil, err
	}
	tps := sortedPartitions(cks)
	starts, err := s.kafka.ListOffsets(ctx, tps, kafka.Earliest)
	if err != nil {
		return nil, err
	}
	spec := kafka.LastStable
	if s.config.Kafka.Isolation != "read_committed" {
		spec = kafka.Latest
	}
	ends, err := s.kafka.ListOffsets(ctx, tps, spec)
	if err != nil {
		return nil, err
	}
	out := make([]position, 0, len(tps))
	for _, tp := range tps {
		ck := cks[tp]
		p := position{
			Topic: tp.Topic, Partition: tp.Partition, Checkpoint: ck.Offset, LogStart: starts[tp].Offset, End: ends[tp].Offset,
			Lag: max(0, ends[tp].Offset-ck.Offset), Epoch: ck.Epoch, Ceiling: ck.Ceiling,
		}
		if ck.Owner != (core.Owner{}) {
			p.Owner = ck.Who
		}
		if ck.AdvancedAt > 0 {
			p.AsOf = time.UnixMilli(ck.AdvancedAt).UTC().Format(time.RFC3339)
		}
		if err := ends[tp].Err; err != nil {
			p.Error = err.Error()
		}
		out = append(out, p)
	}
	return out, nil
}

func sortedPartitions(cks map[kafka.TopicPartition]*core.Checkpoint) []kafka.TopicPartition {
	var tps []kafka.TopicPartition
	for tp := range cks {
		tps = append(tps, tp)
	}
	slices.SortFunc(tps, func(a, b kafka.TopicPartition) int {
		if c := strings.Compare(a.Topic, b.Topic); c != 0 {
			return c
		}
		return int(a.Partition - b.Partition)
	})
	return tps
}

func printPositions(w io.Writer, out []position, format string) error {
	switch format {
	case "json":
		return printJSON(w, out)
	case "text":
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(t, "TOPIC\tPARTITION\tCHECKPOINT\tLOG START\tEND\tLAG\tEPOCH\tOWNER\tAS OF")
		for _, p := range out {
			owner := p.Owner
			if owner == "" {
				owner = "-"
			}
			lag := strconv.FormatInt(p.Lag, 10)
			switch {
			case p.Error != "":
				lag = "?"
			case p.Checkpoint > p.End:
				lag = "past the end"
			case p.Checkpoint < p.LogStart:
				lag += ", " + strconv.FormatInt(p.LogStart-p.Checkpoint, 10) + " gone"
			}
			_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%d\t%s\t%s\n", p.Topic, p.Partition, p.Checkpoint, p.LogStart, p.End, lag, p.Epoch, owner, p.AsOf)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		for _, p := range out {
			if p.Error != "" {
				_, _ = fmt.Fprintf(w, "%s/%d: %s\n", p.Topic, p.Partition, p.Error)
			}
		}
		return nil
	default:
		return configError(fmt.Errorf("output format %q: use text or json", format))
	}
}
