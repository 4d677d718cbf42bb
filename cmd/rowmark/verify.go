package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/connector/audit"
	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	chosen   setOptions // topics and partitions
	from, to string
	sample   string
	rows     int
	mapping  string
	list     int
	values   bool
	format   string
}

func newVerify(a *app) *cobra.Command {
	o := &verifyOptions{}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Compare rows with the log that they were written from",
		Long: "verify reads a range of each partition below its checkpoint, folds it as the connector does, and compares the\n" +
			"rows: right, lost, doubled, stale, unexplained, or not judged and why. It writes nothing, and may run beside a\n" +
			"connector. It ends with 13 if records were lost or doubled, or are hidden by older ones.",
		Example: "  rowmark verify\n  rowmark verify --from -2h --sample 5%\n  rowmark verify --partition orders/0 --from earliest -o json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := &audit.Verify{}
			if err := o.fill(v); err != nil {
				return configError(err)
			}
			return a.withSides(cmd, func(ctx context.Context, s *sides) error {
				report, err := s.verify(ctx, v, o)
				if err != nil {
					return err
				}
				if o.format == "json" {
					err = printJSON(cmd.OutOrStdout(), report)
				} else {
					err = printReport(cmd.OutOrStdout(), report)
				}
				return errors.Join(err, verdictOf(report))
			})
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.chosen.topics, "topic", nil, "only these topics; may be given several times")
	f.StringSliceVar(&o.chosen.partitions, "partition", nil, "only this topic/partition, or partition of the one --topic; may be given several times")
	f.StringVar(&o.from, "from", "", fmt.Sprintf("an offset, a time, -2h or earliest; %d offsets below --to if not given", audit.DefaultRecords))
	f.StringVar(&o.to, "to", "", "as --from, or now; the checkpoint if not given, and never past it")
	f.StringVar(&o.sample, "sample", "100%", "judge this share of the rows, chosen by chance")
	f.IntVar(&o.rows, "rows", 0, "judge at most so many rows, chosen by chance; 0 is all")
	f.StringVar(&o.mapping, "mapping", "", "current or stored: which mapping to judge by where the checkpoint holds another one; current if not given")
	f.IntVar(&o.list, "list", 20, "list so many of the findings")
	f.BoolVar(&o.values, "show-values", false, "list what cells hold, and what they should")
	addOutput(cmd, &o.format)
	return cmd
}

// fill checks the flags, and sets what they say.
func (o *verifyOptions) fill(v *audit.Verify) error {
	share, err := strconv.ParseFloat(strings.TrimSuffix(o.sample, "%"), 64)
	now := time.Now()
	var from, to error
	v.From, from = parseBound("--from", o.from, now)
	v.To, to = parseBound("--to", o.to, now)
	switch {
	case err != nil || !strings.HasSuffix(o.sample, "%") || !(share > 0 && share <= 100):
		return fmt.Errorf("--sample %q: a share above 0%% and up to 100%%, as in 5%%", o.sample)
	case o.rows < 0:
		return fmt.Errorf("--rows %d: 0 (all) or more", o.rows)
	case o.list < 0:
		return fmt.Errorf("--list %d: 0 or more", o.list)
	case from != nil:
		return from
	case to != nil:
		return to
	case o.mapping != "" && o.mapping != "current" && o.mapping != "stored":
		return fmt.Errorf("--mapping %q: use current or stored", o.mapping)
	}
	if _, _, err := choose(o.chosen.topics, o.chosen.partitions); err != nil {
		return err
	}
	v.Share, v.Rows, v.Findings, v.Values = share/100, o.rows, o.list, o.values
	return checkFormat(o.format)
}

// parseBound reads a place as offsets set does; the latest one is the checkpoint.
func parseBound(flag, text string, now time.Time) (audit.Bound, error) {
	if text == "" {
		return audit.Bound{}, nil
	}
	at, err := parsePlace(flag, text, now)
	switch {
	case err != nil:
		return audit.Bound{}, err
	case at.offset >= 0:
		return audit.At(at.offset), nil
	case at.spec == kafka.Earliest:
		return audit.Earliest, nil
	case at.spec == kafka.Latest:
		return audit.Checkpoint, nil
	}
	return audit.Since(at.spec), nil
}

// Bounds of verify: the columns that it holds in memory, some 200 bytes each, and the wait before a second look.
const (
	verifyHeld  = 500_000
	verifyAgain = 500 * time.Millisecond
)

func (s *sides) verify(ctx context.Context, v *audit.Verify, o *verifyOptions) (*audit.Report, error) {
	c := s.config
	if c.AtLeastOnce() {
		return nil, configError(errors.New("delivery: at-least-once writes no marks, so that there is nothing to verify rows by"))
	}
	if err := connector.OpenRegistry(c); err != nil {
		return nil, configError(err)
	}
	v.Kafka, v.HBase, v.Checkpoint = s.kafka, s.hbase, s.store.Read
	v.Sink, v.MarkFamily, v.MarksTTL, v.LetterTable = c.Sink, c.HBase.MarkFamily, c.Marks.TTL, c.DeadLetters.Table
	v.Timeout, v.Again, v.Held = c.HBase.CallTimeout, verifyAgain, verifyHeld
	v.Mapping = func(tp kafka.TopicPartition, ck *core.Checkpoint) (*mapping.Set, []string, error) {
		return s.mappingOf(ck, o.mapping)
	}
	cks, err := s.store.List(ctx)
	if err != nil {
		return nil, err
	}
	if v.Partitions, err = o.chosen.chosen(cks); err != nil {
		return nil, err
	}
	if len(v.Partitions) == 0 {
		return nil, fmt.Errorf("sink %s has no checkpoint: nothing was written yet", c.Sink)
	}
	return v.Run(ctx)
}

// mappingOf gives the mapping to judge by, and says where the checkpoint holds another one.
func (s *sides) mappingOf(ck *core.Checkpoint, wanted string) (*mapping.Set, []string, error) {
	current := s.config.Mappings
	if ck.Mapping == nil || ck.MappingHash == current.Hash() || wanted != "stored" && current.Continues(ck.Mapping) {
		return current, nil, nil
	}
	if wanted == "stored" {
		set, err := mapping.CompileCanonical(ck.Mapping, s.config.Schemas)
		return set, []string{"judged by the mapping stored with the checkpoint, which is not the current one"}, err
	}
	return current, []string{"the checkpoint holds another mapping than the current one: what that one wrote is judged by --mapping stored"}, nil
}

// verdictOf is the error of a report.
func verdictOf(r *audit.Report) error {
	if n := r.Wrong(); n > 0 {
		return &codedError{connector.ExitWrong, fmt.Errorf("%s lost or doubled records, or hold older cells than they should", count(int(n), "row"))}
	}
	return r.Err()
}
