package connector

import (
	"bufio"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"rowmark/connector/metrics"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/twmb/franz-go/pkg/kgo"
)

const watched = `sink: s
kafka: {brokers: ["%s"]}
hbase: {zookeeper: ["%s"]}
tables:
  - topics: [t]
    table: shop:t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns: [{field: value.n, to: "d:n", as: int64}]
    on_error: %s
    on_tombstone: ignore
`

// scrape gives what Prometheus would get.
func scrape(t *testing.T, e *Engine) string {
	t.Helper()
	w := httptest.NewRecorder()
	e.Metrics().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// ours tells rowmark's metrics from those of the runtime.
func ours(name string) bool { return strings.HasPrefix(name, "rowmark_") }

// What the documentation says, and what Prometheus gets of an engine that carried a record, are the same metrics.
func TestMetricsAreThoseOfTheDocumentation(t *testing.T) {
	var w running
	w.start(t, nil, "t")
	w.configure(t, watched, "fail")
	w.produce(t, &kgo.Record{Key: []byte("a"), Value: []byte(`{"n":1}`)})
	e := w.whole(t)
	text := scrape(t, e)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	got, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, d := range metrics.Descriptions() {
		documented[d.Name] = true
		f := got[d.Name]
		if f == nil {
			t.Errorf("%s is documented, and not served", d.Name)
			continue
		}
		if kind := strings.ToLower(f.GetType().String()); kind != d.Type || f.GetHelp() != d.Help {
			t.Errorf("%s is a %s, %q", d.Name, kind, f.GetHelp())
		}
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName())
			}
			if want := slices.Sorted(slices.Values(d.Labels)); !slices.Equal(labels, want) {
				t.Errorf("%s has the labels %v, want %v", d.Name, labels, want)
			}
		}
	}
	for name := range got {
		if ours(name) && !documented[name] {
			t.Errorf("%s is served, and not documented", name)
		}
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if ours(p.Metric) {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

// lines gives the samples of rowmark's own metrics.
func lines(text string) map[string]bool {
	out := map[string]bool{}
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		if ours(s.Text()) {
			out[s.Text()] = true
		}
	}
	return out
}

// Figures that the log and the mapping tell beforehand.
func TestMetricsCount(t *testing.T) {
	for _, c := range []struct {
		onError string
		want    []string
	}{
		{"skip", []string{`rowmark_skipped_records_total{partition="0",topic="t"} 2`, `rowmark_dead_letters_total{partition="0",topic="t"} 0`, `rowmark_rows_total{table="shop:t"} 3`}},
		{"dead-letter", []string{`rowmark_dead_letters_total{partition="0",topic="t"} 2`, `rowmark_skipped_records_total{partition="0",topic="t"} 0`, `rowmark_rows_total{table="default:rowmark_dead_letters"} 2`}},
	} {
		t.Run(c.onError, func(t *testing.T) {
			var w running
			w.start(t, nil, "t")
			w.configure(t, watched, c.onError)
			for _, v := range []string{`{"n":1}`, `{"n":"x"}`, `{"n":2}`, `broken`, `{"n":3}`} {
				w.produce(t, &kgo.Record{Key: []byte("k" + v), Value: []byte(v)})
			}
			have := lines(scrape(t, w.whole(t)))
			// 5 records: the keys are k and the value, so that 2*(7+9+7+6+7)+5 bytes are read.
			for _, want := range append(c.want,
				`rowmark_records_total{partition="0",topic="t"} 5`,
				`rowmark_read_bytes_total{partition="0",topic="t"} 77`,
				`rowmark_checkpoint_offset{partition="0",topic="t"} 5`,
				`rowmark_end_offset{partition="0",topic="t"} 5`,
				`rowmark_lag_records{partition="0",topic="t"} 0`,
				`rowmark_lag_seconds{partition="0",topic="t"} 0`,
				`rowmark_owner_epoch{partition="0",topic="t"} 1`,
				`rowmark_source_state{partition="0",state="finished",topic="t"} 1`,
				`rowmark_table_mode{mode="region",table="shop:t"} 1`,
				`rowmark_retries_total{cause="busy"} 0`,
				`rowmark_service_reachable{service="hbase"} 1`,
				`rowmark_service_reachable{service="kafka"} 1`,
				`rowmark_sink_info{delivery="exactly-once",sink="s"} 1`,
			) {
				if !have[want] {
					t.Errorf("not served: %s; but %v", want, slices.Sorted(maps.Keys(have)))
				}
			}
		})
	}
}

// whole runs to the end of the log, and gives the engine as it then stands.
func (w *running) whole(t *testing.T) *Engine {
	t.Helper()
	e, err := New(t.Context(), w.opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Run(t.Context()); err != nil {
		t.Fatalf("%v: %s", err, w.log.String())
	}
	return e
}
