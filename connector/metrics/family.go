package metrics

import (
	"strconv"
	"strings"

	"rowmark/connector/status"

	"github.com/prometheus/client_golang/prometheus"
)

// prefix begins the name of every metric.
const prefix = "rowmark_"

// family is a metric that is read from a snapshot. Its values come with those of its labels.
type family struct {
	name   string // without the prefix
	kind   prometheus.ValueType
	help   string
	labels []string
	read   func(s *status.Snapshot, put func(value float64, labels ...string))
}

func (f *family) desc() *prometheus.Desc {
	return prometheus.NewDesc(prefix+f.name, f.help, f.labels, nil)
}

// collector reads all families from one snapshot.
type collector struct {
	now   func() *status.Snapshot
	descs []*prometheus.Desc // of families, in their order
}

func newCollector(now func() *status.Snapshot) *collector {
	c := &collector{now: now}
	for i := range families {
		c.descs = append(c.descs, families[i].desc())
	}
	return c
}

// Describe tells what may be collected.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		out <- d
	}
}

// Collect reads the snapshot.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	s := c.now()
	for i := range families {
		families[i].read(s, func(value float64, labels ...string) {
			out <- prometheus.MustNewConstMetric(c.descs[i], families[i].kind, value, text(labels)...)
		})
	}
}

// text makes labels of names that need not be UTF-8.
func text(labels []string) []string {
	for i, l := range labels {
		labels[i] = strings.ToValidUTF8(l, "�")
	}
	return labels
}

type reader = func(*status.Snapshot, func(float64, ...string))

// bySource reads a value of each partition.
func bySource(value func(*status.Source) float64) reader {
	return func(s *status.Snapshot, put func(float64, ...string)) {
		for i := range s.Sources {
			src := &s.Sources[i]
			put(value(src), src.Topic, strconv.Itoa(int(src.Partition)))
		}
	}
}

// bySourceHere reads a value of each partition that is this connector's, and of which it is known: another connector tells
// of those that it has.
func bySourceHere(value func(*status.Source) (v float64, known bool)) reader {
	return func(s *status.Snapshot, put func(float64, ...string)) {
		for i := range s.Sources {
			src := &s.Sources[i]
			if v, known := value(src); known && !elsewhere[src.State] {
				put(v, src.Topic, strconv.Itoa(int(src.Partition)))
			}
		}
	}
}

// elsewhere are the states of partitions that another connector has, or may have by now.
var elsewhere = map[string]bool{"waiting": true, "fenced": true, "released": true}

// byTable reads a value of each table.
func byTable(value func(*status.Table) float64) reader {
	return func(s *status.Snapshot, put func(float64, ...string)) {
		for i := range s.Tables {
			put(value(&s.Tables[i]), s.Tables[i].Name)
		}
	}
}

// byName reads counts by their names.
func byName(counts func(*status.Snapshot) map[string]int64) reader {
	return func(s *status.Snapshot, put func(float64, ...string)) {
		for name, n := range counts(s) {
			put(float64(n), name)
		}
	}
}

// one reads a value of the process.
func one(value func(*status.Snapshot) int64) reader {
	return func(s *status.Snapshot, put func(float64, ...string)) { put(float64(value(s))) }
}
