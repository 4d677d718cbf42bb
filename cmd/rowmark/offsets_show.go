package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

// showOptions are the flags.
type showOptions struct {
	topics []string
	watch  bool
	format string
}

func newOffsetsShow(a *app) *cobra.Command {
	o := &showOptions{}
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show each partition's checkpoint, log and lag",
		Long: "show lists the partitions that the file has read, and those that have a checkpoint all the same. LAG counts\n" +
			"offsets: where a log is compacted or holds transactions there are fewer records. BEHIND is the age of the first\n" +
			"record that is not resolved. What an owner last gave as a sign of life is told by the clock of HBase.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				if o.watch {
					return s.watch(ctx, cmd.OutOrStdout(), o)
				}
				return s.show(ctx, cmd.OutOrStdout(), o)
			})
		},
	}
	cmd.Flags().StringArrayVar(&o.topics, "topic", nil, "only the partitions of this topic; may be repeated")
	cmd.Flags().BoolVar(&o.watch, "watch", false, "show it anew every 2 seconds, until Ctrl-C")
	addOutput(cmd, &o.format)
	return cmd
}

func (o *showOptions) check() error {
	if o.watch && o.format == "json" {
		return configError(errors.New("--watch shows text; for programs, call offsets show -o json as often as you like"))
	}
	return checkFormat(o.format)
}

// positions joins the checkpoints with what the brokers say.
func (s *sides) positions(ctx context.Context, topics []string) ([]position, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.HBase.CallTimeout)
	defer cancel()
	cks, written, err := s.store.ListWritten(ctx)
	if err != nil {
		return nil, err
	}
	mapped, err := s.mapped(ctx)
	if err != nil {
		return nil, err
	}
	tps := joined(cks, mapped, topics)
	logs, err := s.logs(ctx, tps)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	out := make([]position, 0, len(tps))
	waiting := map[kafka.TopicPartition]connector.Span{}
	for _, tp := range tps {
		log := logs[tp]
		p := position{Topic: tp.Topic, Partition: tp.Partition, Mapped: mapped[tp]}
		p.ofLog(s, log)
		if ck := cks[tp]; ck != nil {
			p.ofCheckpoint(s, ck, log)
			p.owned(s, ck, now.Sub(time.UnixMilli(written[tp])))
			if log.err == nil && ck.Offset < p.End {
				waiting[tp] = connector.Span{From: max(ck.Offset, log.start), Until: p.End}
			}
		}
		out = append(out, p)
	}
	times, failed := connector.RecordTimes(ctx, s.kafka, waiting)
	for i := range out {
		out[i].late(times, waiting, now, failed)
	}
	return out, nil
}

// mapped are the partitions that the file has read.
func (s *sides) mapped(ctx context.Context) (map[kafka.TopicPartition]bool, error) {
	names, patterns := s.config.Mappings.Topics()
	if len(patterns) > 0 {
		names = nil
	}
	topics, err := s.kafka.Topics(ctx, names)
	if err != nil {
		return nil, err
	}
	out := map[kafka.TopicPartition]bool{}
	for _, tp := range connector.Sources(topics, s.config.Mappings, s.config.Kafka.Partitions) {
		out[tp] = true
	}
	return out, nil
}

// joined are the partitions that have a checkpoint or are read, of the topics named or of all, sorted.
func joined(cks map[kafka.TopicPartition]*core.Checkpoint, mapped map[kafka.TopicPartition]bool, topics []string) []kafka.TopicPartition {
	var out []kafka.TopicPartition
	for tp := range cks {
		out = append(out, tp)
	}
	for tp := range mapped {
		if cks[tp] == nil {
			out = append(out, tp)
		}
	}
	if topics != nil {
		out = slices.DeleteFunc(out, func(tp kafka.TopicPartition) bool { return !slices.Contains(topics, tp.Topic) })
	}
	connector.SortPartitions(out)
	return out
}
