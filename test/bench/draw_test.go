package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rowmark/test/bench/report"
)

func TestDraw(t *testing.T) {
	t.Chdir(t.TempDir())
	su := suite{page: "docs/page.md", plot: &drawing{
		file: "a.svg", title: "Cost against regions", axis: "regions",
		panels: []panel{{"records a second", []series{{"", report.Sample.Rate}}}},
	}}
	sample := report.Unmeasured()
	sample.Records, sample.Seconds = 3000, 2
	results := []report.Result{{Name: "4", Samples: []report.Sample{sample}}}
	if text, err := (&session{}).draw(su, results); text != "" || err != nil {
		t.Errorf("without a folder: %q, %v", text, err)
	}
	for _, c := range []struct {
		opts options
		file string // in the Markdown
	}{
		{options{plots: "plots"}, "plots/a.svg"},
		{options{plots: filepath.Join("docs", "plots"), readme: true}, "plots/a.svg"},
	} {
		text, err := (&session{opts: c.opts}).draw(su, results)
		if want := "\n![Cost against regions. records a second: 1,500 at 4.](" + c.file + ")\n"; text != want || err != nil {
			t.Errorf("%q, %v, want %q", text, err, want)
		}
		if svg, err := os.ReadFile(filepath.Join(c.opts.plots, "a.svg")); err != nil || !strings.Contains(string(svg), ">regions<") {
			t.Errorf("the plot holds %q, %v", svg, err)
		}
	}
}
