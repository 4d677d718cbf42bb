package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rowmark/connector/admin/admintest"

	"github.com/twmb/franz-go/pkg/kgo"
)

var addressRE = regexp.MustCompile(`"address":"([^"]+)"[^\n]*serving admin.listen`)

// adminAddress waits until the process says where it serves its metrics.
func (p *process) adminAddress() string {
	p.t.Helper()
	address := ""
	eventually(p.t, "the admin address", func() bool {
		if m := addressRE.FindStringSubmatch(p.output()); m != nil {
			address = m[1]
		}
		return address != ""
	})
	return address
}

// samples gives the values of a metric, by their labels.
func samples(text, metric string) map[string]float64 {
	out := map[string]float64{}
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, " ")
		labels, ok := strings.CutPrefix(name, metric)
		if !ok || labels != "" && labels[0] != '{' {
			continue
		}
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			out[labels] = v
		}
	}
	return out
}

func sum(values map[string]float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// TestMetricsFollowTheRun scrapes a connector while it catches up, and one that waits beside it.
func TestMetricsFollowTheRun(t *testing.T) {
	const records, partitions = 20_000, 2
	w := newWorld(t)
	topic, config := w.topic("in", partitions, nil), w.config(putTables)
	w.init(config)
	batch := make([]*kgo.Record, records)
	for i := range batch {
		batch[i] = record(topic, int32(i%partitions), fmt.Sprintf("k%06d", i), fmt.Sprintf(`{"v":"%d"}`, i))
	}
	w.produce(batch...)
	const free = "--set=admin.listen=127.0.0.1:0"
	p := w.start(config, free)
	at := p.adminAddress()
	last := map[string]float64{}
	eventually(t, "no lag", func() bool {
		_, text := admintest.Get(t, "http://"+at+"/metrics")
		for _, counter := range []string{"rowmark_records_total", "rowmark_rows_total", "rowmark_commit_duration_seconds_count"} {
			if now := sum(samples(text, counter)); now < last[counter] {
				t.Fatalf("%s fell from %v to %v", counter, last[counter], now)
			} else {
				last[counter] = now
			}
		}
		lag, age := samples(text, "rowmark_lag_records"), samples(text, "rowmark_lag_seconds")
		return len(lag) == partitions && sum(lag) == 0 && len(age) == partitions && sum(age) == 0
	})
	_, text := admintest.Get(t, "http://"+at+"/metrics")
	for metric, want := range map[string]float64{
		"rowmark_records_total": records, "rowmark_rows_total": records, "rowmark_end_offset": records, "rowmark_checkpoint_offset": records,
		"rowmark_owner_epoch": partitions, "rowmark_dead_letters_total": 0, "rowmark_window_bytes": 0, "rowmark_in_flight_bytes": 0,
		"rowmark_service_reachable": 2,
	} {
		if got := samples(text, metric); sum(got) != want {
			t.Errorf("%s: %v, want %v together", metric, got, want)
		}
	}
	for _, histogram := range []string{"rowmark_commit_duration_seconds", "rowmark_checkpoint_write_duration_seconds"} {
		n, took := sum(samples(text, histogram+"_count")), sum(samples(text, histogram+"_sum"))
		if n == 0 || took <= 0 {
			t.Errorf("%s: %v observed, %v s", histogram, n, took)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if code, body := admintest.Get(t, "http://"+at+path); code != http.StatusOK {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}

	second := w.start(config, free)
	beside := second.adminAddress()
	eventually(t, "the second waits", func() bool {
		_, text := admintest.Get(t, "http://"+beside+"/metrics")
		return strings.Count(text, `state="waiting"`) == partitions
	})
	if _, text = admintest.Get(t, "http://"+beside+"/metrics"); len(samples(text, "rowmark_lag_records"))+len(samples(text, "rowmark_checkpoint_offset")) > 0 {
		t.Error("one that waits tells of lag and checkpoints, which are another's")
	}
	if code, body := admintest.Get(t, "http://"+beside+"/readyz"); code != http.StatusOK {
		t.Errorf("one that waits: %d %s", code, body)
	}
}
