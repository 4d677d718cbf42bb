package main

import (
	"strings"

	"rowmark/test/bench/report"
)

// Of the points of all axes, unless the axis is about it.
const (
	shapeRecords    = 200_000
	shapePartitions = 4
	shapeRegions    = 4
)

// axis is a thing that the cost of the whole pipeline depends on.
type axis struct {
	name   string // of the race, behind "shape/"
	label  string // of the plot's axis
	about  string
	points []point
	bytes  bool // cost is told by bytes: records differ in size
	hdfs   bool // needs several region servers
}

// shape is a suite for each axis.
func (s *session) shape() []suite {
	n := s.opts.size(shapeRecords) / shapePartitions * shapePartitions
	var out []suite
	for _, a := range []axis{partitionsAxis(n), regionsAxis(n), rowsAxis(n), hotAxis(n), valuesAxis(n), serversAxis(n)} {
		name := "shape/" + a.name
		su := suite{
			name: name + " on " + s.opts.storage(), page: "docs/performance.md", asked: true, figure: report.Sample.Rate,
			about: a.about + " Each point is `rowmark run --once` with the default settings into a new table, exactly once, from the start of the process to its end.",
			races: []race{s.pointRace(name, "shape_"+a.name, a.points)},
		}
		if a.hdfs && !s.opts.hdfs {
			su.lacks = "--hdfs"
		}
		a.figures(&su)
		su.plot.file = "shape-" + a.name + "-" + strings.ReplaceAll(s.opts.storage(), " ", "-") + ".svg"
		out = append(out, su)
	}
	return out
}
