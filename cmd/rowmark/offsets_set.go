package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

func newOffsetsSet(a *app) *cobra.Command {
	var to, source string
	var force bool
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Move a partition's checkpoint, or those of all partitions",
		Long:  "set takes the checkpoint's epoch, which fences an owner, and then moves it. Moving back never doubles: rows\nthat hold a record already pass it by. Moving on skips records for good. While a connector runs it is refused,\nunless --force fences that connector.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				return s.set(ctx, cmd.OutOrStdout(), source, to, force)
			})
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
		if err := s.tellLetters(ctx, w, tp, targets[tp], was); err != nil {
			return err
		}
	}
	return nil
}

// tellLetters says how many letters stand for records that are read again: a record that can be written now is, and its
// letter stays.
func (s *sides) tellLetters(ctx context.Context, w io.Writer, tp kafka.TopicPartition, from, to int64) error {
	if s.config.Mappings.Letters() == "" || from >= to {
		return nil
	}
	t := deadletter.Table{Client: s.hbase, Name: s.config.DeadLetters.Table, Sink: s.config.Sink}
	letters, err := t.List(ctx, deadletter.Filter{Topic: tp.Topic, Partition: tp.Partition, From: from, To: to})
	if hbase.FaultOf(err) == hbase.FaultTable {
		return nil // none was ever written
	}
	if n := len(letters); n > 0 {
		_, _ = fmt.Fprintf(w, "%s: %d of them have dead letters: what the mapping of now can write is written when it is read again, so that a retry of its letter would write it twice\n", tp, n)
	}
	return err
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
