package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rowmark/hbase"
)

// lookRows is how many rows are asked for at once.
const lookRows = 200

// judge reads the rows of a pass and judges them. What looks wrong is read a second time after a moment, since HBase
// does not fence reads; the ceilings are read after the rows, for a running connector raises them.
func (p *pass) judge(ctx context.Context) error {
	wrong, err := p.look(ctx, p.sorted(), func(j *judgement) bool {
		if j.suspect() {
			return true
		}
		p.keep(j)
		return false
	})
	if err != nil || len(wrong) == 0 {
		return err
	}
	select {
	case <-time.After(p.Again):
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, s := range p.sources {
		if err := p.ceiling(ctx, s); err != nil {
			return err
		}
	}
	_, err = p.look(ctx, wrong, func(j *judgement) bool {
		p.keep(j)
		return false
	})
	return err
}

// ceiling takes a ceiling that was raised meanwhile.
func (p *pass) ceiling(ctx context.Context, s *source) error {
	ctx, cancel := p.call(ctx)
	defer cancel()
	ck, err := p.Checkpoint(ctx, s.TopicPartition)
	if err != nil {
		return err
	}
	if ck != nil {
		s.ck.Ceiling = max(s.ck.Ceiling, ck.Ceiling)
	}
	return nil
}

// sorted gives the rows by table and key, so that findings come in one order.
func (p *pass) sorted() []*row {
	out := make([]*row, 0, len(p.rows))
	for _, r := range p.rows {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *row) int {
		if n := strings.Compare(a.table.name, b.table.name); n != 0 {
			return n
		}
		return slices.Compare(a.key, b.key)
	})
	return out
}

// look reads rows, judges each, and gives those of which done says so.
func (p *pass) look(ctx context.Context, rows []*row, done func(*judgement) bool) (again []*row, err error) {
	for len(rows) > 0 {
		n := 1
		for n < min(len(rows), lookRows) && rows[n].table == rows[0].table {
			n++
		}
		if err := p.describe(ctx, rows[0].table); err != nil {
			return nil, err
		}
		got, err := p.get(ctx, rows[:n])
		if err != nil {
			return nil, err
		}
		now := time.Now().UnixMilli()
		for i, r := range rows[:n] {
			if r.broken() {
				continue
			}
			j := &judgement{Verify: p.Verify, row: r, have: got[i].Cells, now: now}
			j.run()
			if done(j) {
				again = append(again, r)
			}
		}
		rows = rows[n:]
	}
	return again, nil
}

// broken says that a source of the row could not be read to its end, so that what is expected of the row is not known.
func (r *row) broken() bool {
	return slices.ContainsFunc(r.parts, func(p *part) bool { return p.source.broken })
}

func (p *pass) get(ctx context.Context, rows []*row) ([]hbase.Row, error) {
	ctx, cancel := p.call(ctx)
	defer cancel()
	t := rows[0].table
	columns := append(slices.Clone(t.families), hbase.Column{Family: []byte(p.MarkFamily)})
	gets := make([]hbase.Get, len(rows))
	for i, r := range rows {
		gets[i] = hbase.Get{Row: r.key, Columns: columns}
	}
	got, errs := p.HBase.GetAll(ctx, t.name, gets)
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("reading row %x of table %s: %w", rows[i].key, t.name, err)
		}
	}
	return got, nil
}

// keep counts what was found of a row, and keeps the first findings.
func (p *pass) keep(j *judgement) {
	for i, part := range j.row.parts {
		rep, o := part.source.report, &j.outcomes[i]
		rep.Rows++
		worst := o.worst()
		switch {
		case worst != "":
			rep.count(worst)
		case len(o.open) > 0:
			rep.NotJudged++
		default:
			rep.Right++
		}
		for _, reason := range o.open {
			add(&rep.Reasons, reason)
		}
		for _, reason := range o.excused {
			add(&rep.Excused, reason)
		}
		for _, f := range o.findings {
			p.report.keep(f, p.Findings)
		}
	}
}

// keep keeps a finding while there is room, or in place of one that is less bad.
func (r *Report) keep(f Finding, most int) {
	r.Found++
	if len(r.Findings) < most {
		r.Findings = append(r.Findings, f)
		return
	}
	mildest := -1
	for i := range r.Findings {
		if mildest < 0 || r.Findings[i].Kind.rank() >= r.Findings[mildest].Kind.rank() {
			mildest = i
		}
	}
	if mildest >= 0 && f.Kind.rank() < r.Findings[mildest].Kind.rank() {
		r.Findings[mildest] = f
	}
}
