package chart

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rowmark/test/bench/report"
)

// bars draws one series: a bar up to each median, and a whisker from the least to the most.
type bars struct {
	values    []report.Spread
	ink       color.Color
	place, of int // which of how many bars at a point
}

// groupWidth is the part of the way from point to point that bars fill.
const groupWidth = 0.7

// Plot draws the bars.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	half := groupWidth / float64(b.of) / 2
	line := draw.LineStyle{Color: color.Black, Width: vg.Points(0.8)}
	for i, v := range b.values {
		if math.IsNaN(v.Median) {
			continue
		}
		middle := float64(i) - groupWidth/2 + half*float64(2*b.place+1)
		left, right := x(middle-half*0.95), x(middle+half*0.95)
		c.FillPolygon(b.ink, []vg.Point{{X: left, Y: y(0)}, {X: right, Y: y(0)}, {X: right, Y: y(v.Median)}, {X: left, Y: y(v.Median)}})
		c.StrokeLine2(line, x(middle), y(v.Min), x(middle), y(v.Max))
		for _, end := range []float64{v.Min, v.Max} {
			c.StrokeLine2(line, x(middle)-2.5, y(end), x(middle)+2.5, y(end))
		}
	}
}

// Thumbnail draws the series' square in the legend, with room before it: another font than ours may be wider.
func (b bars) Thumbnail(c *draw.Canvas) {
	left, low, high := c.Max.X-9, c.Min.Y+1, c.Max.Y-1
	c.FillPolygon(b.ink, []vg.Point{{X: left, Y: low}, {X: c.Max.X, Y: low}, {X: c.Max.X, Y: high}, {X: left, Y: high}})
}

// grouped writes the usual ticks, as short as they can be, with commas between thousands.
type grouped struct{}

// Ticks of an axis.
func (grouped) Ticks(least, most float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(least, most)
	for i, t := range ticks {
		switch {
		case t.Label == "":
		case t.Value >= 1000:
			ticks[i].Label = report.Count(t.Value)
		default:
			ticks[i].Label = strconv.FormatFloat(t.Value, 'g', 4, 64)
		}
	}
	return ticks
}
