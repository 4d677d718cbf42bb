package reprocess

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/hbase"
)

// cleanRows is how many rows are rid of marks in one call.
const cleanRows = 1000

// Clean removes a run's checkpoints, while no process goes on with it; with a family of marks also its marks, from all tables
// that it wrote to, and its row. It gives how many rows held one. Without, the row stays as Cleaned, and bars the id. What the
// run did to the rows stays. Of a run without a row it removes the checkpoints.
func (r *Runs) Clean(ctx context.Context, id string, lease time.Duration, markFamily string) (int64, error) {
	e, err := r.existing(ctx, id)
	if err != nil {
		return 0, err
	}
	if e == nil {
		return 0, r.Store(id).Forget(ctx, lease)
	}
	if err := r.Store(id).Forget(ctx, lease); err != nil {
		return 0, err
	}
	// This comes before the marks go: where that is broken off, nobody goes on by the half of them.
	barred := e.Run
	barred.State = Cleaned
	if err := r.write(ctx, e, barred); err != nil || markFamily == "" {
		return 0, err
	}
	var rows int64
	for _, table := range e.Tables {
		n, err := r.cleanTable(ctx, &e.Run, table, markFamily)
		rows += n
		if err != nil {
			return rows, fmt.Errorf("removing the marks of run %s from table %s: %w", id, table, err)
		}
	}
	return rows, r.remove(ctx, e)
}

// there fails where a run was removed. A process looks once it owns a partition, since none can remove the run then, and
// before it writes: one that was removed between its start and that would write without a trace.
func (r *Runs) there(ctx context.Context, id string) error {
	e, err := r.read(ctx, id)
	if err == nil && (e == nil || e.State == Cleaned) {
		err = &EndedError{fmt.Errorf("run %s was removed by rowmark reprocess clean after this process had started it, and ends here; rowmark reprocess clean %s removes the checkpoints that it has made since", id, id)}
	}
	return err
}

// Look fails where there is no such run.
func (r *Runs) Look(ctx context.Context, id string) error {
	_, err := r.existing(ctx, id)
	return err
}

// existing reads a run; nil: only checkpoints are left of it.
func (r *Runs) existing(ctx context.Context, id string) (*entry, error) {
	e, err := r.read(ctx, id)
	if err != nil || e != nil {
		return e, err
	}
	left, err := r.Store(id).List(ctx)
	if err == nil && len(left) == 0 {
		err = fmt.Errorf("sink %s has no run %s; rowmark reprocess list shows those that there are", r.Sink, id)
	}
	return nil, err
}

// remove deletes the run's row as it was read.
func (r *Runs) remove(ctx context.Context, e *entry) error {
	res := r.Client.WriteRow(ctx, r.Table, hbase.RowWrite{
		Row: r.row(e.ID), Mutations: connector.EmptiedRow(),
		Condition: &hbase.Condition{Family: []byte(connector.CheckpointFamily), Qualifier: []byte(colRun), Op: hbase.CompareEqual, Value: e.cell},
	})
	switch {
	case res.Outcome == hbase.Applied:
		return nil
	case res.Err != nil:
		return fmt.Errorf("removing run %s from the checkpoint table %s: %w", e.ID, r.Table, res.Err)
	}
	return fmt.Errorf("run %s: %w", e.ID, errChanged)
}

// cleanTable deletes the marks of a run from one table.
func (r *Runs) cleanTable(ctx context.Context, run *Run, table, markFamily string) (int64, error) {
	scan := hbase.Scan{}
	for i := range run.Parts {
		p := &run.Parts[i]
		name := core.SourceName(r.Sink+"~"+run.ID, p.Topic, p.Partition, 0)
		scan.Columns = append(scan.Columns, hbase.Column{Family: []byte(markFamily), Qualifier: []byte(name)})
	}
	if len(scan.Columns) == 0 {
		return 0, nil
	}
	var rows int64
	var batch []hbase.RowWrite
	flush := func() error {
		var failed error
		r.Client.Write(ctx, table, hbase.ModeBatch, batch, func(_ []int, res []hbase.WriteResult) {
			for i := range res {
				if res[i].Outcome == hbase.Applied {
					rows++
				} else if res[i].Err != nil {
					failed = res[i].Err
				}
			}
		})
		batch = batch[:0]
		return failed
	}
	err := r.Client.Scan(ctx, table, scan, func(row hbase.Row) error {
		w := hbase.RowWrite{Row: bytes.Clone(row.Row)}
		del := hbase.Mutation{Kind: hbase.KindDelete}
		for _, c := range row.Cells {
			column := &hbase.Column{Family: bytes.Clone(c.Family), Qualifier: bytes.Clone(c.Qualifier)}
			del.Cells = append(del.Cells, hbase.MutationCell{Column: column, Type: hbase.CellDeleteColumn, Timestamp: c.Timestamp})
		}
		w.Mutations = []hbase.Mutation{del}
		if batch = append(batch, w); len(batch) < cleanRows {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	if hbase.FaultOf(err) == hbase.FaultTable {
		return rows, nil // the table is gone, and its marks with it
	}
	return rows, err
}
