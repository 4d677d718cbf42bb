package admin

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rowmark/connector/status"
)

// ask gives the answer to a probe, beside the code that is wanted.
func ask(t *testing.T, h http.Handler, want int) answered {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	var v verdict
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return answered{w.Body.String(), w.Code, want, v.OK}
}

type answered struct {
	body       string
	code, want int
	ok         bool
}

func TestProbes(t *testing.T) {
	now := time.Now()
	away := status.Side{Error: "connection refused by 10.0.0.7", Since: now}
	in := func(states ...string) []status.Source {
		var out []status.Source
		for _, s := range states {
			out = append(out, status.Source{State: s})
		}
		return out
	}
	for _, c := range []struct {
		name          string
		now           status.Snapshot
		health, ready int
		why           string // it is not ready
	}{
		{"at work", status.Snapshot{At: now, Phase: status.Running, Sources: in("running", "running")}, 200, 200, ""},
		{"without partitions", status.Snapshot{At: now, Phase: status.Running}, 200, 200, ""},
		{"waiting for a lease", status.Snapshot{At: now, Phase: status.Running, Sources: in("running", "waiting")}, 200, 200, ""},
		{"a partition failed", status.Snapshot{At: now, Phase: status.Running, Sources: in("running", "failed", "retrying", "fenced", "finished")}, 200, 200, ""},
		{"taking partitions", status.Snapshot{At: now, Phase: status.Running, Sources: in("reading", "taking", "checking log", "checking witness", "running")}, 200, 503, "4 of 5 partitions"},
		{"one is tried again", status.Snapshot{At: now, Phase: status.Running, Sources: in("running", "retrying")}, 200, 200, ""},
		{"all are tried again", status.Snapshot{At: now, Phase: status.Running, Sources: in("retrying", "retrying")}, 200, 503, "none of 2 partitions"},
		{"connecting for long", status.Snapshot{At: now.Add(-time.Hour), Phase: status.Connecting}, 200, 503, "connecting"},
		{"stopping", status.Snapshot{At: now, Phase: status.Stopping}, 200, 503, "stopping"},
		{"kafka away", status.Snapshot{At: now, Phase: status.Running, Kafka: away}, 200, 503, "kafka does not answer since"},
		{"hbase away", status.Snapshot{At: now, Phase: status.Running, HBase: away}, 200, 503, "hbase does not answer since"},
		{"a long turn", status.Snapshot{At: now.Add(-29 * time.Second), Phase: status.Running}, 200, 200, ""},
		{"stuck", status.Snapshot{At: now.Add(-31 * time.Second), Phase: status.Running}, 503, 503, "not moved for 31s"},
		{"stuck while stopping", status.Snapshot{At: now.Add(-time.Minute), Phase: status.Stopping}, 503, 503, "not moved for 1m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			shown := func() *status.Snapshot { return &c.now }
			for name, probe := range map[string]answered{"health": ask(t, Health(shown), c.health), "ready": ask(t, Ready(shown), c.ready)} {
				if probe.code != probe.want || probe.ok != (probe.want == 200) {
					t.Errorf("%s: answered %d, %s; want %d", name, probe.code, probe.body, probe.want)
				}
				if name == "ready" && !strings.Contains(probe.body, c.why) {
					t.Errorf("%s does not say %q", probe.body, c.why)
				}
				if strings.Contains(probe.body, "10.0.0.7") {
					t.Errorf("who bears no token is told an address: %s", probe.body)
				}
			}
		})
	}
}
