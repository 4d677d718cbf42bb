package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"rowmark/test/bench/report"
)

// Chart is panels over one axis.
type Chart struct {
	Title  string
	Axis   string   // what the points are, with the unit
	Points []string // along the axis, evenly apart
	Panels []Panel
}

// Panel has a bar for each of its series at each point.
type Panel struct {
	Title  string // with the unit
	Series []Series
}

// Series is one figure, point by point. A point without a measurement has no bar.
type Series struct {
	Name   string
	Values []report.Spread
}

// Size of a panel, and how many stand side by side.
const (
	panelWidth  vg.Length = 330 // points
	panelHeight vg.Length = 200
	across                = 2
)

// inks tell series apart in print and for the colour-blind.
var inks = []color.Color{color.NRGBA{0x1f, 0x6f, 0xb4, 0xff}, color.NRGBA{0xe6, 0x9f, 0x2e, 0xff}, color.NRGBA{0x50, 0x50, 0x50, 0xff}}

// SVG draws the chart.
func (c Chart) SVG() ([]byte, error) {
	rows := (len(c.Panels) + across - 1) / across
	canvas := vgsvg.New(across*panelWidth, panelHeight*vg.Length(rows))
	whole := draw.New(canvas)
	whole.SetColor(color.White) // the page may be dark
	whole.Fill(whole.Rectangle.Path())
	tiles := draw.Tiles{Rows: rows, Cols: across, PadX: 14, PadY: 14, PadTop: 8, PadBottom: 8, PadLeft: 8, PadRight: 8}
	for i, p := range c.Panels {
		drawn, err := c.panel(p)
		if err != nil {
			return nil, fmt.Errorf("drawing %q of %q: %w", p.Title, c.Title, err)
		}
		drawn.Draw(tiles.At(whole, i%across, i/across))
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
	}
	return c.finish(b.String())
}

// finish names the picture for readers of screens, and the fonts to take where the first is not there.
func (c Chart) finish(svg string) ([]byte, error) {
	var title strings.Builder
	if err := xml.EscapeText(&title, []byte(c.Title)); err != nil {
		return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
	}
	svg = strings.ReplaceAll(svg, "font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;")
	const group = "\n<g "
	head, rest, ok := strings.Cut(svg, group)
	if !ok {
		return nil, fmt.Errorf("drawing %q: the picture is empty", c.Title)
	}
	return []byte(head + "\n<title>" + title.String() + "</title>" + group + rest), nil
}

func (c Chart) panel(p Panel) (*plot.Plot, error) {
	n := plot.New()
	n.Title.Text = p.Title
	n.X.Label.Text = c.Axis
	for _, style := range []*draw.TextStyle{&n.Title.TextStyle, &n.X.Label.TextStyle, &n.X.Tick.Label, &n.Y.Tick.Label, &n.Legend.TextStyle} {
		style.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: style.Font.Size}
	}
	n.Title.TextStyle.Font.Size, n.X.Label.TextStyle.Font.Size, n.Legend.TextStyle.Font.Size = 12, 10, 10
	n.Title.Padding = 6
	n.Legend.Top, n.Legend.YOffs = true, 4
	grid := plotter.NewGrid()
	grid.Vertical.Width, grid.Horizontal.Color = 0, color.Gray{0xdd}
	n.Add(grid)
	top := 0.0
	for i, s := range p.Series {
		if len(s.Values) != len(c.Points) {
			return nil, fmt.Errorf("%q has %d values for %d points", s.Name, len(s.Values), len(c.Points))
		}
		b := bars{values: s.Values, ink: inks[i%len(inks)], place: i, of: len(p.Series)}
		n.Add(b)
		if len(p.Series) > 1 {
			n.Legend.Add(s.Name, b)
		}
		for _, v := range s.Values {
			if !math.IsNaN(v.Max) {
				top = max(top, v.Max)
			}
		}
	}
	n.NominalX(c.Points...)
	n.X.Min, n.X.Max = -0.6, float64(len(c.Points))-0.4
	room := 1.1
	if len(p.Series) > 1 {
		room = 1.35 // for the legend
	}
	n.Y.Min, n.Y.Max = 0, max(top*room, 1e-9)
	n.Y.Tick.Marker = grouped{}
	return n, nil
}
