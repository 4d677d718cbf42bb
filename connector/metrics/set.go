package metrics

import (
	"net/http"
	"strings"
	"time"

	"rowmark/connector/status"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// scrapesAtOnce bounds the scrapes that are answered at a time.
const scrapesAtOnce = 4

// durations are the histograms, which are observed as calls end.
var (
	commitOpts = prometheus.HistogramOpts{
		Name: prefix + "commit_duration_seconds", Buckets: buckets,
		Help: "Time from sending a batch of rows, or its part for one region, to its answer, whatever that was.",
	}
	commitLabels   = []string{"table", "mode"}
	checkpointOpts = prometheus.HistogramOpts{
		Name: prefix + "checkpoint_write_duration_seconds", Buckets: buckets,
		Help: "Time from sending a checkpoint to its answer, whatever that was.",
	}
)

// buckets reach from a write into memory to a call that hangs until its timeout, in seconds.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// Set is the metrics of one connector. Its methods may be used by several goroutines at once.
type Set struct {
	registry    *prometheus.Registry
	commits     *prometheus.HistogramVec
	checkpoints prometheus.Histogram
}

// New gives the metrics of the connector that now tells of.
func New(now func() *status.Snapshot) *Set {
	s := &Set{
		registry: prometheus.NewRegistry(), commits: prometheus.NewHistogramVec(commitOpts, commitLabels),
		checkpoints: prometheus.NewHistogram(checkpointOpts),
	}
	s.registry.MustRegister(
		newCollector(now), s.commits, s.checkpoints,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return s
}

// Committed notes how long one call that wrote rows took; mode is as in status.Table.
func (s *Set) Committed(table, mode string, took time.Duration) {
	s.commits.WithLabelValues(table, mode).Observe(took.Seconds())
}

// CheckpointWritten notes how long the write of a checkpoint took.
func (s *Set) CheckpointWritten(took time.Duration) { s.checkpoints.Observe(took.Seconds()) }

// Handler serves them in the formats of Prometheus.
func (s *Set) Handler() http.Handler {
	return promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce})
}

// Description is what docs/metrics.md says of a metric.
type Description struct {
	Name, Type, Help string
	Labels           []string
}

// Unit is what the metric's name says of it: seconds, bytes, offset or, of what is counted or a flag, nothing.
func (d Description) Unit() string {
	name := strings.TrimSuffix(d.Name, "_total")
	for _, unit := range []string{"seconds", "bytes", "offset"} {
		if strings.HasSuffix(name, "_"+unit) {
			return unit
		}
	}
	return ""
}

// Descriptions are those of all metrics, but of Go's runtime and the process.
func Descriptions() []Description {
	var out []Description
	kinds := map[prometheus.ValueType]string{counter: "counter", gauge: "gauge"}
	for _, f := range families {
		out = append(out, Description{prefix + f.name, kinds[f.kind], f.help, f.labels})
	}
	return append(out,
		Description{commitOpts.Name, "histogram", commitOpts.Help, commitLabels},
		Description{checkpointOpts.Name, "histogram", checkpointOpts.Help, nil})
}
