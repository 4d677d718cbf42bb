package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"rowmark/test/bench/report"
)

func chartOf(values ...report.Spread) Chart {
	return Chart{Title: "rows & regions", Axis: "regions", Points: []string{"1", "64"}, Panels: []Panel{
		{Title: "records a second", Series: []Series{{"all", values}}},
		{Title: "seconds", Series: []Series{{"rowmark", values}, {"servers", values}}},
	}}
}

// paths counts the shapes of a picture, which is well-formed or the test ends.
func paths(t *testing.T, svg []byte) (n int, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n, text
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if x.Name.Local == "path" {
				n++
			}
		case xml.CharData:
			text += string(x)
		}
	}
}

func TestChart(t *testing.T) {
	full := report.Spread{Median: 50_000, Min: 40_000, Max: 60_000}
	svg, err := chartOf(full, full).SVG()
	if err != nil {
		t.Fatal(err)
	}
	all, text := paths(t, svg)
	for _, want := range []string{"rows & regions", "records a second", "seconds", "regions", "64", "60,000", "rowmark", "servers"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture says nothing of %q", want)
		}
	}
	for _, never := range []string{"<script", "http:", "https:", "url("} {
		if strings.Contains(strings.ReplaceAll(string(svg), "http://www.w3.org/", ""), never) {
			t.Errorf("the picture has %q: it may fetch nothing and run nothing", never)
		}
	}
	nothing := report.Spread{Median: math.NaN(), Min: math.NaN(), Max: math.NaN()}
	svg, err = chartOf(full, nothing).SVG()
	if err != nil {
		t.Fatal(err)
	}
	// Three series lose a bar, a whisker and its two ends each.
	if part, _ := paths(t, svg); all-part != 12 {
		t.Errorf("%d shapes with a point unmeasured, %d with all, want 12 fewer", part, all)
	}
}

func TestChartWantsAValueForEachPoint(t *testing.T) {
	if _, err := chartOf(report.Spread{}).SVG(); err == nil {
		t.Error("two points were drawn of one value")
	}
}
