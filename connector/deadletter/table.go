package deadletter

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rowmark/hbase"
)

// Table is the table of dead letters, as one sink sees it.
type Table struct {
	Client *hbase.Client
	Name   string
	Sink   string
}

// Filter chooses letters.
type Filter struct {
	Topic     string // empty: all
	Partition int32  // negative: all
	From, To  int64  // offsets [From, To)
	Resolved  bool   // those, too, that a retry has written
}

func (f *Filter) takes(l *Letter) bool {
	return (f.Topic == "" || l.Key.Topic == f.Topic) && (f.Partition < 0 || l.Key.Partition == f.Partition) &&
		l.Key.Offset >= f.From && l.Key.Offset < f.To && (f.Resolved || l.Resolved == "")
}

// listed are the columns that a list reads: those of the record are left where they are.
var listed = []string{colStage, colReason, colTable, colMapping, colTimestamp, colRetried, colResolved}

// List gives the letters that a filter takes, by topic, partition and offset, without their records. A whole partition
// is found by a few short scans, everything else by a scan of the table.
func (t *Table) List(ctx context.Context, f Filter) ([]*Letter, error) {
	scans := []hbase.Scan{{}}
	if f.Topic != "" && f.Partition >= 0 {
		scans = ranges(t.Sink, f.Topic, f.Partition)
	}
	var out []*Letter
	for _, scan := range scans {
		for _, name := range listed {
			scan.Columns = append(scan.Columns, hbase.Column(*column(name)))
		}
		err := t.Client.Scan(ctx, t.Name, scan, func(row hbase.Row) error {
			l, ok, err := parse(row)
			if err == nil && ok && l.Key.Sink == t.Sink && f.takes(l) {
				out = append(out, l)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("listing the dead letters in %s: %w", t.Name, hinted(err))
		}
	}
	slices.SortFunc(out, func(a, b *Letter) int { return a.Key.compare(b.Key) })
	return out, nil
}

// hinted adds to the error of a table that can't be read what makes one.
func hinted(err error) error {
	if hbase.FaultOf(err) == hbase.FaultTable {
		return fmt.Errorf("%w; rowmark init makes the table", err)
	}
	return err
}

func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Topic, o.Topic), cmp.Compare(k.Partition, o.Partition), cmp.Compare(k.Incarnation, o.Incarnation), cmp.Compare(k.Offset, o.Offset))
}

// Undecoded gives those of the records, offsets rising, of which a letter stands since the same mappings could not decode
// them.
func Undecoded(ctx context.Context, client *hbase.Client, raws []*Raw) ([]*Raw, error) {
	var out []*Raw
	for part := range slices.Chunk(raws, getsAtOnce) {
		gets := make([]hbase.Get, len(part))
		for i, r := range part {
			gets[i] = hbase.Get{Row: r.key().Row(), Columns: []hbase.Column{hbase.Column(*column(colStage)), hbase.Column(*column(colMapping)), hbase.Column(*column(colTimestamp))}}
		}
		rows, errs := client.GetAll(ctx, part[0].Source.Table, gets)
		for i, r := range part {
			if errs[i] != nil {
				return nil, fmt.Errorf("reading dead letter %s in %s: %w", r.key(), r.Source.Table, errs[i])
			}
			l, ok, err := parse(rows[i])
			if err != nil {
				return nil, err
			}
			if ok && l.Stage == StageDecode && l.Mapping == r.Source.Mapping {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// getsAtOnce is the most letters asked for in one go.
const getsAtOnce = 2000

// Read gives a letter with its record; nil: there is none.
func (t *Table) Read(ctx context.Context, key Key) (*Letter, error) {
	row, err := t.Client.Get(ctx, t.Name, hbase.Get{Row: key.Row(), Columns: []hbase.Column{{Family: familyName}}})
	if err != nil {
		return nil, fmt.Errorf("reading dead letter %s in %s: %w", key, t.Name, hinted(err))
	}
	l, ok, err := parse(row)
	if !ok {
		return nil, err
	}
	return l, err
}
