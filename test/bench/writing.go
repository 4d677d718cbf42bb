package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector"
	"rowmark/hbase"
	"rowmark/test/bench/report"
	"rowmark/test/bench/work"
)

// writingRows is how many rows a measurement writes.
const writingRows = 200_000

// Contestants of writing that are compared.
const (
	plainPuts      = "plain puts (at least once)"
	javaPuts       = "plain puts, Java BufferedMutator"
	markedPuts     = "puts and marks, no condition"
	regionMode     = "region transaction (exactly once)"
	rowMode        = "row mode (exactly once)"
	javaConditions = "Java checkAndMutate, same conditions"
	limitPuts      = "limit: plain puts encoded beforehand"
	limitMarks     = "limit: puts and marks encoded beforehand"
	limitRegion    = "limit: region transactions encoded beforehand"
	limitRow       = "limit: conditional rows encoded beforehand"
)

// hand is one way to write: who, how, and how much at a time.
type hand struct {
	name           string
	java           bool
	order          string // "write" unless given
	how            string
	batch, writers int
}

// rowCalls are the calls of ModeRow, as rowmark's client cuts and limits them: so the Java peer of row mode has as many
// rows in a call, and as many calls on the way.
const rowCallRows, rowCallsAtOnce = 100, 8

func (s *session) hands() []hand {
	b, w := s.opts.batch, s.opts.writers
	return []hand{
		{name: plainPuts, how: "plain", batch: b, writers: w},
		{name: "plain puts, MutateRows without conditions", how: "plain-region", batch: b, writers: w},
		{name: javaPuts, java: true, how: "plain", batch: b, writers: w},
		{name: markedPuts, how: "marked", batch: b, writers: w},
		{name: regionMode, how: "region", batch: b, writers: w},
		{name: rowMode, how: "row", batch: b, writers: w},
		{name: javaConditions, java: true, how: "row", batch: rowCallRows, writers: rowCallsAtOnce},
		{name: "increments under marks, region transaction", how: "counters", batch: b, writers: w},
		{name: limitPuts, order: "limit", how: "plain", batch: b, writers: 2 * w},
		{name: limitMarks, order: "limit", how: "marked", batch: b, writers: 2 * w},
		{name: limitRegion, order: "limit", how: "region", batch: b, writers: 2 * w},
		{name: limitRow, order: "limit", how: "row", batch: b, writers: 2 * w},
	}
}

func (s *session) writing() suite {
	n := s.opts.size(writingRows)
	su := suite{
		name:   "writing on " + s.opts.storage(),
		figure: report.Sample.Rate,
		about: fmt.Sprintf("%s rows of %d columns of 30 bytes, a new table for each measurement, %d writers with %d rows at a time. "+
			"Java's mutators cut calls by their defaults; its checkAndMutate has %d threads with %d rows each, as many as row mode has on the way. "+
			"The limit is what the servers take from %d connections to each that only send: frames encoded before the clock starts, of up to 2,000 rows of one region (100 where each goes under its own condition), the next when the last is answered. "+
			"Client and servers share the cores. CPU in seconds of one measurement.",
			report.Count(float64(n)), work.Columns, s.opts.writers, s.opts.batch, rowCallsAtOnce, rowCallRows, 2*s.opts.writers),
		columns: []report.Column{
			{Head: "rows/s", Figure: report.Sample.Rate, Format: report.Count},
			{Head: "client CPU", Figure: func(s report.Sample) float64 { return s.CPU }, Format: report.Decimals(2)},
			{Head: "server CPU", Figure: func(s report.Sample) float64 { return s.ServerCPU }, Format: report.Decimals(1)},
			{Head: "client MB", Figure: func(s report.Sample) float64 { return s.RSS / 1e6 }, Format: report.Count, Narrow: true},
			{Head: "server MB", Figure: func(s report.Sample) float64 { return s.ServerRSS / 1e6 }, Format: report.Count, Narrow: true},
		},
	}
	for _, regions := range []int{4, 64} {
		r := race{
			name: fmt.Sprintf("writing/%d-regions", regions), prepare: s.needHBase,
			ratios: []ratio{
				{regionMode, markedPuts},
				{regionMode, plainPuts},
				{plainPuts, javaPuts},
				{rowMode, javaConditions},
				{plainPuts, limitPuts},
				{regionMode, limitRegion},
				{regionMode, limitMarks},
				{rowMode, limitRow},
			},
		}
		for _, h := range s.hands() {
			r.contestants = append(r.contestants, contestant{h.name, func(ctx context.Context, round int) (report.Sample, error) {
				return s.writeTable(ctx, h, n, regions, round)
			}})
		}
		su.races = append(su.races, r)
	}
	return su
}

// writeTable lets a hand fill a new table, and deletes it. The warm-up's table is read and compared first.
func (s *session) writeTable(ctx context.Context, h hand, rows, regions, round int) (sample report.Sample, err error) {
	p, err := s.writerOf(ctx, h)
	if err != nil {
		return sample, err
	}
	kind := work.KindOf(h.how)
	table := fmt.Sprintf("bench_%d_%d_%s_%t_%s", regions, round, h.how, h.java, h.order)
	if err := s.createTable(ctx, table, kind.Mark, work.Splits(regions)...); err != nil {
		return sample, err
	}
	order := h.order
	if order == "" {
		order = "write"
	}
	sample, err = p.measure(ctx, work.Order{What: order, Args: map[string]string{
		"zookeeper": strings.Join(s.hbase.ZooKeeper(), ","), "table": table, "how": h.how,
		"rows": strconv.Itoa(rows), "batch": strconv.Itoa(h.batch), "writers": strconv.Itoa(h.writers),
	}}, s.hbases())
	if err != nil {
		return sample, err
	}
	sample.Records = float64(rows)
	if h.order == "limit" {
		sample.RSS = report.Unmeasured().RSS // it holds all rows, encoded
	}
	if round == 0 {
		if err := work.Check(ctx, s.client, table, rows, kind); err != nil {
			return sample, err
		}
	}
	return sample, s.dropTable(ctx, table)
}

func (s *session) writerOf(ctx context.Context, h hand) (*peer, error) {
	if h.java {
		return s.javaClient(ctx)
	}
	return s.goPeer(ctx)
}

// createTable makes what each way needs, and no more: a plain sink's table has no family of marks.
func (s *session) createTable(ctx context.Context, table string, marks bool, splits ...[]byte) error {
	schema := hbase.TableSchema{Name: table, Families: []hbase.FamilySchema{{Name: "d"}}}
	if marks {
		schema.Families = append(schema.Families, hbase.FamilySchema{
			Name: string(work.MarkFamily), Attributes: connector.MarkFamilySettings(0).Attributes(),
		})
	}
	schema.AddCoprocessor(hbase.CoprocessorMultiRowMutation)
	return s.client.Admin().CreateTable(ctx, schema, splits...)
}

func (s *session) dropTable(ctx context.Context, table string) error {
	if err := s.client.Admin().DisableTable(ctx, table); err != nil {
		return err
	}
	return s.client.Admin().DeleteTable(ctx, table)
}
