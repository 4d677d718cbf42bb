package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

func newOffsets(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "offsets", Short: "Show or move the checkpoints"}
	cmd.AddCommand(newOffsetsShow(a), newOffsetsSet(a))
	return cmd
}

// sides are the two services, as the offsets commands need them.
type sides struct {
	config *config.Config
	store  *connector.Store
	hbase  *hbase.Client
	kafka  *kafka.Client
}

func (a *app) connect(ctx context.Context) (*sides, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	k, err := connector.KafkaConfig(c, a.log)
	if err != nil {
		return nil, configError(err)
	}
	s := &sides{config: c}
	if s.hbase, err = a.openHBase(ctx, c); err != nil {
		return nil, err
	}
	reach, cancel := context.WithTimeout(ctx, c.HBase.StartTimeout)
	defer cancel()
	if s.kafka, err = kafka.Open(reach, k); err != nil {
		s.hbase.Close()
		return nil, fmt.Errorf("%w: kafka: %w", connector.ErrUnreached, err)
	}
	s.store = &connector.Store{Client: s.hbase, Table: c.HBase.CheckpointTable, Sink: c.Sink}
	return s, nil
}

func (s *sides) close() {
	_ = s.kafka.Close()
	s.hbase.Close()
}

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
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			s, err := a.connect(ctx)
			if err != nil {
				return err
			}
			defer s.close()
			out, err := s.positions(ctx)
			if err != nil {
				return err
			}
			if len(out) == 0 && format == "text" {
				_, _ = fmt.Fprintf(cmd.OutOrStdout(), "sink %s has no checkpoint yet; rowmark run makes them\n", s.config.Sink)
				return nil
			}
			return printPositions(cmd.OutOrStdout(), out, format)
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
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(out)
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

func newOffsetsSet(a *app) *cobra.Command {
	var to, source string
	var force bool
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Move a partition's checkpoint, or those of all partitions",
		Long:  "set takes the checkpoint's epoch, which fences an owner, and then moves it. Moving back never doubles: rows\nthat hold a record already pass it by. Moving on skips records for good. While a connector runs it is refused,\nunless --force fences that connector.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			s, err := a.connect(ctx)
			if err != nil {
				return err
			}
			defer s.close()
			return s.set(ctx, cmd.OutOrStdout(), source, to, force)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "an offset, a time (RFC 3339), earliest or latest")
	cmd.Flags().StringVar(&source, "partition", "", "topic/partition; all that have a checkpoint if not given")
	cmd.Flags().BoolVar(&force, "force", false, "fence a running connector")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func (s *sides) set(ctx context.Context, w io.Writer, source, to string, force bool) error {
	cks, err := s.store.List(ctx)
	if err != nil {
		return err
	}
	tps := sortedPartitions(cks)
	if source != "" {
		tp, err := parsePartition(source)
		if err != nil {
			return configError(err)
		}
		tps = []kafka.TopicPartition{tp}
	}
	if len(tps) == 0 {
		return fmt.Errorf("sink %s has no checkpoint yet: start the connector once, or set kafka.start", s.config.Sink)
	}
	targets, err := s.targets(ctx, tps, to)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(tps, func(tp kafka.TopicPartition) bool { return cks[tp] != nil && cks[tp].Owner != (core.Owner{}) }) && !force {
		_, _ = fmt.Fprintf(w, "some partitions have an owner; waiting %s (checkpoint.lease) for each to see whether it is alive\n", s.config.Checkpoint.Lease)
	}
	for _, tp := range tps {
		was, err := s.store.SetOffset(ctx, tp, targets[tp], s.config.Checkpoint.Lease, force)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%d offsets will be read again; records that their rows hold already are not applied again", was-targets[tp])
		if targets[tp] > was {
			what = fmt.Sprintf("%d offsets are skipped for good", targets[tp]-was)
		} else if targets[tp] == was {
			what = "unchanged"
		}
		_, _ = fmt.Fprintf(w, "%s: %d -> %d: %s\n", tp, was, targets[tp], what)
	}
	return nil
}

func parsePartition(text string) (kafka.TopicPartition, error) {
	i := strings.LastIndexByte(text, '/')
	if i > 0 {
		if n, err := strconv.ParseInt(text[i+1:], 10, 32); err == nil && n >= 0 {
			return kafka.TopicPartition{Topic: text[:i], Partition: int32(n)}, nil
		}
	}
	return kafka.TopicPartition{}, fmt.Errorf("--partition %q: write topic/partition, as in orders/0", text)
}

// targets resolves --to for each partition, inside its log.
func (s *sides) targets(ctx context.Context, tps []kafka.TopicPartition, to string) (map[kafka.TopicPartition]int64, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.HBase.CallTimeout)
	defer cancel()
	starts, err := s.kafka.ListOffsets(ctx, tps, kafka.Earliest)
	if err != nil {
		return nil, err
	}
	ends, err := s.kafka.ListOffsets(ctx, tps, kafka.Latest)
	if err != nil {
		return nil, err
	}
	out := map[kafka.TopicPartition]int64{}
	offset, offsetErr := strconv.ParseInt(to, 10, 64)
	at, timeErr := time.Parse(time.RFC3339, to)
	var times map[kafka.TopicPartition]kafka.OffsetAt
	if timeErr == nil {
		if times, err = s.kafka.ListOffsets(ctx, tps, kafka.AtTime(at.UnixMilli())); err != nil {
			return nil, err
		}
	}
	for _, tp := range tps {
		if err := starts[tp].Err; err != nil {
			return nil, err
		}
		switch {
		case to == "earliest":
			out[tp] = starts[tp].Offset
		case to == "latest":
			out[tp] = ends[tp].Offset
		case offsetErr == nil:
			out[tp] = offset
		case timeErr == nil:
			out[tp] = times[tp].Offset
		default:
			return nil, configError(fmt.Errorf("--to %q: use an offset, a time such as 2026-11-01T00:00:00Z, earliest or latest", to))
		}
		if out[tp] < starts[tp].Offset || out[tp] > ends[tp].Offset {
			return nil, configError(fmt.Errorf("%s: offset %d is outside the log [%d, %d]", tp, out[tp], starts[tp].Offset, ends[tp].Offset))
		}
	}
	return out, nil
}
