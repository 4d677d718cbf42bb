package reprocess

import (
	"context"
	"fmt"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/hbase"
)

// candidates is how many rows are looked at for a sample of those that would change.
const candidates = 500

// Plan is what a run would do.
type Plan struct {
	Run
	Counts Counts
	Old    OldKeys
	// Unmapped are the records that would be skipped or become dead letters.
	Unmapped int64
	Sample   []Change
	// More says that rows were left out of the search for the sample.
	More    bool
	Already bool // the run is done, and would do nothing
}

// Change is a row that would show something else.
type Change struct {
	Table string        `json:"table"`
	Row   preview.Bytes `json:"row"`
	Cells []CellChange  `json:"cells"`
}

// CellChange is a column of it: nil is no cell.
type CellChange struct {
	Column string         `json:"column"`
	Was    *preview.Bytes `json:"was"`
	Will   *preview.Bytes `json:"will"`
}

// DryRun plans a run, or takes the one that was made under its id, and goes through its records as the run would, and writes
// nothing. Of the rows that would change it gives up to sample.
func (r *Runner) DryRun(ctx context.Context, req Request, sample int) (*Plan, error) {
	asked := r.asked(req)
	e, err := r.known(ctx, asked)
	if err != nil {
		return nil, err
	}
	if e != nil && e.State == Done {
		return &Plan{Run: e.Run, Already: true}, nil
	}
	if e == nil {
		p, err := r.plan(ctx, req, asked)
		if err != nil {
			return nil, err
		}
		e = &entry{Run: *asked, mappings: p.texts}
	}
	stage, err := r.stage(ctx, e)
	if err != nil {
		return nil, err
	}
	run := &e.Run
	out := &Plan{Run: *run}
	if stage.old != nil {
		out.Old = stage.old.OldKeys
	}
	rows := drafts{at: map[string]*draft{}}
	ask := func(l *decode.Later) error { return l.Wait(ctx) }
	for i := range run.Parts {
		part := &run.Parts[i]
		m, err := stage.Open(ctx, part.Source(), part.First, ask)
		if err != nil {
			return nil, err
		}
		err = stage.log.Each(ctx, part, part.First, part.Until, func(rec decode.Record) error {
			res, err := m.Map(rec, ask)
			if err == nil && res.Err != nil && res.OnError == mapping.OnErrorFail {
				err = fmt.Errorf("the run would stop at %s offset %d: %w", part.Source(), rec.Offset, res.Err)
			}
			if res.Err != nil {
				out.Unmapped++
			}
			for i := range res.Rows {
				rows.add(&res.Rows[i])
			}
			return err
		})
		m.Close(part.Until)
		if err != nil {
			return nil, err
		}
	}
	out.Counts, out.More = stage.Counts(), rows.more
	out.Sample, err = r.changes(ctx, rows.list, sample)
	return out, err
}

// changes reads the rows as they are, and gives the first of those that would show something else.
func (r *Runner) changes(ctx context.Context, rows []*draft, most int) ([]Change, error) {
	var out []Change
	for _, d := range rows {
		if len(out) == most {
			break
		}
		now, err := r.Client.Get(ctx, d.table, hbase.Get{Row: d.row})
		if hbase.FaultOf(err) == hbase.FaultTable {
			now, err = hbase.Row{}, nil // the run makes it
		}
		if err != nil {
			return nil, err
		}
		if cells := d.against(now.Cells, r.Options.MarkFamily); len(cells) > 0 {
			out = append(out, Change{Table: d.table, Row: preview.BytesOf(d.row), Cells: cells})
		}
	}
	return out, nil
}
