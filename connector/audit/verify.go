package audit

import (
	"bytes"
	"context"
	"hash/maphash"
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/hbase"
	"rowmark/kafka"
)

// DefaultRecords is how far below its checkpoint a partition is read, if nothing else is said.
const DefaultRecords = 100_000

// Verify compares ranges of the log with the rows that they map to. Its fields are set before Run.
type Verify struct {
	Kafka      *kafka.Client
	HBase      *hbase.Client
	Checkpoint func(context.Context, kafka.TopicPartition) (*core.Checkpoint, error) // nil, nil: there is none
	// Mapping gives the mapping that records of a source are judged by, and what there is to say of it.
	Mapping func(kafka.TopicPartition, *core.Checkpoint) (set *mapping.Set, notes []string, err error)

	Sink        string
	MarkFamily  string
	MarksTTL    time.Duration // 0: marks live as long as their row
	LetterTable string        // of the dead letters

	Partitions []kafka.TopicPartition
	From, To   Bound   // defaults: DefaultRecords below To, and the checkpoint
	Share      float64 // of the rows that are judged, 0 to 1
	Rows       int     // judge at most so many rows, chosen by chance, and about half as many at the least; 0: all
	Findings   int     // so many are kept
	Values     bool    // findings show values

	Timeout time.Duration // of one question to a service
	Again   time.Duration // wait before what looks wrong is read a second time
	Held    int           // columns held in memory at once; with more, the log is read in several passes

	seed    maphash.Seed
	log     *kafka.Ranges
	sources []*source
	tables  map[string]*table
	report  Report
}

// Run reads and judges. The error is of what keeps it from going on; that of a single partition is in the report.
func (v *Verify) Run(ctx context.Context) (*Report, error) {
	v.seed, v.tables = maphash.MakeSeed(), map[string]*table{}
	v.report = Report{Sink: v.Sink, At: time.Now().UTC(), Sources: make([]SourceReport, len(v.Partitions)), Findings: []Finding{}}
	for i, tp := range v.Partitions {
		rep := &v.report.Sources[i]
		rep.Topic, rep.Partition = tp.Topic, tp.Partition
		s, err := v.prepare(ctx, tp, rep)
		if err == nil {
			err = v.readLetters(ctx, s)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			rep.fail(err)
		default:
			v.sources = append(v.sources, s)
		}
	}
	v.log = v.Kafka.NewRanges(v.Timeout)
	defer v.log.Close()
	todo := []shard{{}}
	for first := true; len(todo) > 0; first = false {
		p := &pass{Verify: v, shard: todo[0], first: first, rows: map[place]*row{}}
		for _, s := range v.sources {
			s.names = names{}
		}
		rest, err := p.run(ctx)
		if err != nil {
			return nil, err
		}
		todo = append(rest, todo[1:]...)
	}
	slices.SortStableFunc(v.report.Findings, func(a, b Finding) int { return a.Kind.rank() - b.Kind.rank() })
	if v.Values {
		return &v.report, v.wanted(ctx)
	}
	return &v.report, nil
}

// wanted fills in what the cells of the findings should hold: it reads the records once more that should have put them.
func (v *Verify) wanted(ctx context.Context) error {
	for i := range v.report.Findings {
		f := &v.report.Findings[i]
		if f.name == nil || f.Want != nil || f.Offset < 0 {
			continue
		}
		s := f.part.source
		err := v.log.Read(ctx, s.TopicPartition, s.ck.TopicID, f.Offset, f.Offset+1, func(r *kafka.Record) (bool, error) {
			res, err := s.set.MapAsking(preview.RecordOf(s.TopicPartition, r), func(l *decode.Later) error { return l.Wait(ctx) })
			for k := range res.Rows {
				f.want(&res.Rows[k])
			}
			return true, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// want takes the value from what a mapping makes of the record.
func (f *Finding) want(o *mapping.RowOps) {
	if o.Table != f.Table || !bytes.Equal(o.Row, f.key) {
		return
	}
	for i := range o.Cells {
		if c := &o.Cells[i]; c.Kind == mapping.CellPut && bytes.Equal(c.Qualifier, f.name.Qualifier) && bytes.Equal(c.Family, f.name.Family) {
			text := preview.Readable(c.Value)
			f.Want = &text
		}
	}
}

func (v *Verify) call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, v.Timeout)
}
