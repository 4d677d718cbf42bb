package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rowmark/test/bench/report"
)

// contestant does one measured piece of work. Round 0 warms up, and is where the result is checked.
type contestant struct {
	name string
	run  func(ctx context.Context, round int) (report.Sample, error)
}

// ratio compares two contestants of one race, round by round.
type ratio struct{ over, under string }

// race is what is run in turn, so that all contestants see the same machine.
type race struct {
	name        string
	prepare     func(ctx context.Context) error // nil: nothing is needed
	cleanUp     func(ctx context.Context) error
	contestants []contestant
	ratios      []ratio
}

// suite is races with one table.
type suite struct {
	name    string // also that of its part of the page
	page    string // what --readme rewrites
	asked   bool   // runs only when --only names it
	lacks   string // the flag without which it can't run; empty: none
	about   string // what the columns and contestants are
	races   []race
	columns []report.Column
	figure  func(report.Sample) float64 // what ratios are taken of
	plot    *drawing                    // nil: none
}

// play runs a race: all contestants once to warm up, then reps rounds of all of them.
func (r race) play(ctx context.Context, reps int, say func(string, ...any)) (results []report.Result, err error) {
	if r.prepare != nil {
		if err := r.prepare(ctx); err != nil {
			return nil, fmt.Errorf("preparing %s: %w", r.name, err)
		}
	}
	if r.cleanUp != nil {
		defer func() { err = errors.Join(err, r.cleanUp(context.WithoutCancel(ctx))) }()
	}
	for _, c := range r.contestants {
		results = append(results, report.Result{Race: r.name, Name: c.name})
	}
	for round := range reps + 1 {
		for i, c := range r.contestants {
			s, err := c.run(ctx, round)
			if err != nil {
				return nil, fmt.Errorf("running %s, %s, round %d: %w", r.name, c.name, round, err)
			}
			what := "warm-up"
			if round > 0 {
				what = fmt.Sprintf("round %d of %d", round, reps)
				results[i].Samples = append(results[i].Samples, s)
			}
			say("%s, %s: %s: %s records/s", r.name, what, c.name, report.Count(s.Rate()))
		}
	}
	return results, nil
}

// compare makes the table of ratios of a race's results.
func (s suite) compare(r race, results []report.Result) ([][]string, error) {
	find := func(name string) ([]float64, error) {
		i := slices.IndexFunc(results, func(x report.Result) bool { return x.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("comparing in %s: there is no contestant %q", r.name, name)
		}
		return results[i].Values(s.figure), nil
	}
	var rows [][]string
	for _, q := range r.ratios {
		over, err := find(q.over)
		if err != nil {
			return nil, err
		}
		under, err := find(q.under)
		if err != nil {
			return nil, err
		}
		spread, err := report.RatioOf(over, under)
		if err != nil {
			return nil, fmt.Errorf("comparing %s with %s: %w", q.over, q.under, err)
		}
		rows = append(rows, []string{r.name, q.over, q.under, spread.Format(report.Decimals(2))})
	}
	return rows, nil
}
