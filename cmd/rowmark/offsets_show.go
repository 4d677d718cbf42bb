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

// position is one line of offsets show.
type position struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`

	Checkpoint *int64 `json:"checkpoint"` // every record below is resolved; null: there is none yet
	LogStart   int64  `json:"log_start"`
	LogEnd     int64  `json:"log_end"`
	LastStable int64  `json:"last_stable"` // records from there on belong to transactions that are open
	End        int64  `json:"end"`         // of what the connector can read
	// Lag is in offsets: a compacted log, or one with transactions, holds fewer records. Null: not known.
	Lag *int64 `json:"lag"`
	// LagSeconds is the age of the first record that is not resolved, 0 at the end. Null: not known.
	LagSeconds *float64 `json:"lag_seconds"`

	Incarnation int    `json:"incarnation"` // of the log
	Epoch       int64  `json:"epoch"`       // rises with each taking
	Ceiling     int64  `json:"ceiling"`     // no record from there on was ever sent
	Owner       string `json:"owner,omitempty"`
	// BeatSeconds is how long ago the checkpoint was last written, by the clock of HBase; an owner does that every third of
	// its lease at the latest.
	BeatSeconds *float64 `json:"beat_seconds"`
	LeaseOver   bool     `json:"lease_over"`      // the owner shows no sign of life
	AsOf        string   `json:"as_of,omitempty"` // when it last advanced, or was seen to be at the end
	// Mapping says whether the stored one is that of the file: same or other.
	Mapping string `json:"mapping,omitempty"`
	Mapped  bool   `json:"mapped"` // the file has it read
	// AnotherLog says that the topic is not the one that the checkpoint speaks of.
	AnotherLog bool   `json:"another_log"`
	Error      string `json:"error,omitempty"`
}

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

func (p *position) ofLog(s *sides, log logEnds) {
	p.LogStart, p.LogEnd, p.LastStable = log.start, log.end, log.stable
	p.End = log.stable
	if s.config.Kafka.Isolation != "read_committed" {
		p.End = log.end
	}
	if log.err != nil {
		p.Error = log.err.Error()
	}
}

func (p *position) ofCheckpoint(s *sides, ck *core.Checkpoint, log logEnds) {
	p.Checkpoint, p.Epoch, p.Ceiling, p.Incarnation = &ck.Offset, ck.Epoch, ck.Ceiling, ck.Incarnation()
	p.AnotherLog = ck.TopicID.Differs(log.topic)
	p.Mapping = "other"
	if ck.MappingHash == s.config.Mappings.Hash() {
		p.Mapping = "same"
	}
	if ck.AdvancedAt > 0 {
		p.AsOf = time.UnixMilli(ck.AdvancedAt).UTC().Format(time.RFC3339)
	}
	if log.err == nil {
		lag := max(0, p.End-ck.Offset)
		p.Lag = &lag
	}
}

func (p *position) owned(s *sides, ck *core.Checkpoint, beat time.Duration) {
	if ck.Owner == (core.Owner{}) {
		return
	}
	p.Owner = ck.Who
	seconds := max(0, beat.Seconds()) // the clocks may differ
	p.BeatSeconds, p.LeaseOver = &seconds, beat >= s.config.Checkpoint.Lease
}

// late says how old the first record is that waits.
func (p *position) late(times map[kafka.TopicPartition]int64, waiting map[kafka.TopicPartition]connector.Span, now time.Time, failed error) {
	if p.Checkpoint == nil || p.Error != "" {
		return
	}
	tp := kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition}
	seconds := 0.0
	if at, ok := times[tp]; ok {
		seconds = max(0, now.Sub(time.UnixMilli(at)).Seconds())
	} else if _, waits := waiting[tp]; waits && failed != nil {
		return
	}
	p.LagSeconds = &seconds
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
