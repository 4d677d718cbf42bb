package deadletter

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// close writes down what became of a letter: resolved, or why not. The letter's row bears a mark like those it became, so
// that of two retries the slower one changes nothing.
func (r *Retry) close(ctx context.Context, l *Letter, why error, number int64) error {
	now := time.Now()
	put := func(name string, value []byte) hbase.MutationCell {
		return hbase.MutationCell{Column: (*hbase.Column)(column(name)), Timestamp: hbase.LatestTimestamp, Value: value}
	}
	w := hbase.RowWrite{Row: l.Key.Row()}
	switch {
	case why == nil && r.job.Delete:
		// The mark stays: what is read again from Kafka finds it, and writes no second letter.
		at := max(l.Timestamp, now.UnixMilli())
		w.Mutations = []hbase.Mutation{{Kind: hbase.KindDelete, Cells: []hbase.MutationCell{
			{Column: &hbase.Column{Family: familyName}, Timestamp: at, Type: hbase.CellDeleteFamily},
		}}}
	case why == nil:
		w.Mutations = []hbase.Mutation{{Kind: hbase.KindPut, Cells: []hbase.MutationCell{
			put(colNumber, strconv.AppendInt(nil, number, 10)), put(colResolved, []byte(now.UTC().Format(time.RFC3339))),
		}}}
	default:
		cells := []hbase.MutationCell{put(colNumber, strconv.AppendInt(nil, number, 10)), put(colRetried, []byte(reason(why)))}
		if l.Done != nil {
			cells = append(cells, put(colDone, marshal(l.Done)))
		}
		w.Mutations = []hbase.Mutation{{Kind: hbase.KindPut, Cells: cells}}
	}
	err := r.send(ctx, r.Table.Name, w, core.Mark{Next: number + 1, Floor: l.Key.hash(), LeaderEpoch: -1})
	if err != nil && !errors.Is(err, errRefused) {
		return fmt.Errorf("writing down what became of the letter: %w", err)
	}
	return nil
}
