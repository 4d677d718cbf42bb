package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rowmark/test/bench/chart"
	"rowmark/test/bench/report"
)

// plotsFolder is where --readme puts plots.
const plotsFolder = "docs/plots"

// drawing is a plot of a suite's results, whose contestants are the points.
type drawing struct {
	file   string
	title  string
	axis   string
	panels []panel
}

// panel is one figure or several of one unit.
type panel struct {
	title  string
	series []series
}

type series struct {
	name   string
	figure func(report.Sample) float64
}

// draw writes a suite's plot, and gives the Markdown that shows it; both only where plots are wanted.
func (s *session) draw(su suite, results []report.Result) (string, error) {
	if su.plot == nil || s.opts.plots == "" {
		return "", nil
	}
	svg, err := su.plot.chart(results).SVG()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.opts.plots, 0o755); err != nil {
		return "", fmt.Errorf("making the folder of the plots: %w", err)
	}
	file := filepath.Join(s.opts.plots, su.plot.file)
	if err := os.WriteFile(file, svg, 0o644); err != nil {
		return "", fmt.Errorf("writing a plot: %w", err)
	}
	if s.opts.readme { // a page names its pictures from where it stands
		if file, err = filepath.Rel(filepath.Dir(su.page), file); err != nil {
			return "", fmt.Errorf("naming a plot in %s: %w", su.page, err)
		}
	}
	return fmt.Sprintf("\n![%s](%s)\n", su.plot.alt(results), filepath.ToSlash(file)), nil
}

func (d drawing) chart(results []report.Result) chart.Chart {
	c := chart.Chart{Title: d.title, Axis: d.axis}
	for _, r := range results {
		c.Points = append(c.Points, r.Name)
	}
	for _, p := range d.panels {
		drawn := chart.Panel{Title: p.title}
		for _, s := range p.series {
			line := chart.Series{Name: s.name}
			for _, r := range results {
				line.Values = append(line.Values, report.SpreadOf(r.Values(s.figure)))
			}
			drawn.Series = append(drawn.Series, line)
		}
		c.Panels = append(c.Panels, drawn)
	}
	return c
}

// alt says what the first panel shows, for those who don't see it.
func (d drawing) alt(results []report.Result) string {
	var points []string
	for _, r := range results {
		points = append(points, fmt.Sprintf("%s at %s", report.Count(report.SpreadOf(r.Values(d.panels[0].series[0].figure)).Median), r.Name))
	}
	return fmt.Sprintf("%s. %s: %s.", d.title, d.panels[0].title, strings.Join(points, ", "))
}
