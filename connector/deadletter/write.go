package deadletter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// rowOps is what a record does to one row.
type rowOps struct {
	table string
	ops   []mapping.RowOps
}

// rows maps a letter's record, and leaves out the rows that are done. bad says why there are none; err is not of the letter.
func (r *Retry) rows(ctx context.Context, set *mapping.Set, l *Letter) (rows []rowOps, bad, err error) {
	if len(l.Missing) > 0 {
		return nil, fmt.Errorf("its %s of %d bytes was too large to be kept: read the record from Kafka", l.Missing[0].Part, l.Missing[0].Size), nil
	}
	res, err := set.MapAsking(l.Record, func(later *decode.Later) error { return later.Wait(ctx) })
	if err != nil {
		return nil, nil, err
	}
	if res.Err != nil {
		return nil, res.Err, nil
	}
	for _, ops := range res.Rows {
		done := func(f RowFate) bool { return f.is(ops.Table, ops.Row) && f.Why == "" }
		if slices.ContainsFunc(l.Rows, done) || slices.ContainsFunc(l.Done, done) {
			continue
		}
		i := slices.IndexFunc(rows, func(o rowOps) bool { return o.table == ops.Table && bytes.Equal(o.ops[0].Row, ops.Row) })
		if i < 0 {
			rows = append(rows, rowOps{table: ops.Table, ops: []mapping.RowOps{ops}})
			continue
		}
		rows[i].ops = append(rows[i].ops, ops)
	}
	return rows, nil, nil
}

// source is the name of the retry's marks. No topic has such a name, so that no partition's marks do.
func (r *Retry) source() string { return RetrySource(r.Table.Sink) + r.job.ID }

// RetrySource is what the names of the marks of all retries of a sink begin with. Their offsets are numbers of letters.
func RetrySource(sink string) string { return sink + "!retry~" }

// Waits between two attempts of a row.
const (
	waitFirst = 100 * time.Millisecond
	waitLast  = 5 * time.Second
)

// write writes one row until it is known to be done, or refused for good, which is why.
func (r *Retry) write(ctx context.Context, row rowOps, key Key, number int64) (why, err error) {
	muts, err := core.Fold(row.ops)
	if err != nil {
		return err, nil
	}
	mark := core.Mark{Next: number + 1, Floor: key.hash(), LeaderEpoch: -1}
	w := hbase.RowWrite{Row: row.ops[0].Row, Mutations: muts}
	err = r.send(ctx, row.table, w, mark)
	if hbase.FaultOf(err) == hbase.FaultRow {
		if r.AtLeastOnce {
			return err, nil
		}
		// An attempt of before may still land: the row's mark bars it, before the letter counts as failed.
		mark.Barred = reason(err)
		err = r.send(ctx, row.table, hbase.RowWrite{Row: w.Row}, mark)
	}
	switch {
	case err == nil:
		return refusal(mark), nil
	case errors.Is(err, errRefused):
		return r.look(ctx, row, mark)
	}
	return nil, err
}

// Ends of a write that are no failures.
var (
	errRefused = errors.New("the row bears a mark of this number or a later one")
	errPassed  = errors.New("another retry was there, and went on")
)

// send writes until the outcome is known: nil, errRefused, or the reason why nothing was written.
func (r *Retry) send(ctx context.Context, table string, plain hbase.RowWrite, mark core.Mark) error {
	for wait := waitFirst; ; wait = min(2*wait, waitLast) {
		w := plain
		if !r.AtLeastOnce {
			w.Mutations = slices.Clone(plain.Mutations)
			core.Guard(&w, []byte(r.MarkFamily), r.source(), mark)
		}
		res := r.Table.Client.WriteRow(ctx, table, w)
		switch {
		case res.Outcome == hbase.Applied:
			return nil
		case res.Outcome == hbase.Refused && res.Err == nil:
			return errRefused
		case res.Outcome == hbase.Refused && !passing(res.Err):
			return res.Err
		case res.Outcome == hbase.Unknown && r.AtLeastOnce:
			return fmt.Errorf("writing row %x of table %s ended unknown, and delivery is at-least-once: the next retry may write it again: %w", w.Row, table, res.Err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), res.Err)
		case <-time.After(wait):
		}
	}
}

// passing says whether a refusal may be none the next time.
func passing(err error) bool {
	switch hbase.FaultOf(err) {
	case hbase.FaultRow, hbase.FaultTable, hbase.FaultSchema, hbase.FaultUnsupported:
		return false
	}
	return true
}

func refusal(m core.Mark) error {
	if m.Barred == "" {
		return nil
	}
	return errors.New(m.Barred)
}

// look reads the mark of a row that refused a write, and tells what became of the letter there. errPassed: a letter after
// it was written there, so that this one is done by another retry.
func (r *Retry) look(ctx context.Context, row rowOps, want core.Mark) (why, err error) {
	key := row.ops[0].Row
	for wait := waitFirst; ; wait = min(2*wait, waitLast) {
		got, err := r.Table.Client.Get(ctx, row.table, hbase.Get{Row: key, Columns: []hbase.Column{{Family: []byte(r.MarkFamily), Qualifier: []byte(r.source())}}})
		if err != nil {
			return nil, err
		}
		var m core.Mark
		if len(got.Cells) > 0 {
			if m, err = core.DecodeMark(got.Cells[0].Value); err != nil {
				return nil, fmt.Errorf("row %x of table %s: %w", key, row.table, err)
			}
		}
		switch {
		case m.Next > r.job.Next+int64(len(r.job.Letters)), m.Next == want.Next && m.Floor != want.Floor:
			return nil, fmt.Errorf("row %x of table %s bears the number %d of another letter: table %s is older than what was retried from it (restored?)", key, row.table, m.Next-1, r.Table.Name)
		case m.Next == want.Next:
			return refusal(m), nil
		case m.Next > want.Next:
			return nil, errPassed
		}
		// It was read from a server that does not have the row any more: see hbase.Client.Get.
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}
