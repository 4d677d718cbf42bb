package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"rowmark/connector/status"
)

func TestFlowNamesWhatIsHere(t *testing.T) {
	here := &status.Snapshot{Phase: status.Running, Sources: []status.Source{{Topic: "t", Partition: 0}, {Topic: "t", Partition: 2}, {Topic: "u", Partition: 1}}}
	h := Flow(func() *status.Snapshot { return here }, func(context.Context, []string) ([]status.Source, error) {
		return []status.Source{}, nil
	})
	for body, want := range map[string]string{
		`{"partitions": ["t/9"]}`:        `{"sources":[],"here":["t/0","t/2"]}`,
		`{"partitions": ["t/9", "u/0"]}`: `{"sources":[],"here":["t/0","t/2","u/1"]}`,
		`{"partitions": ["v"]}`:          `{"sources":[]}`,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/pause", strings.NewReader(body)))
		if got := strings.Join(strings.Fields(w.Body.String()), ""); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

func TestFlowOrders(t *testing.T) {
	var told []string
	var fails error
	phase := status.Running
	h := Flow(func() *status.Snapshot { return &status.Snapshot{Sink: "orders", Phase: phase} }, func(_ context.Context, names []string) ([]status.Source, error) {
		told = names
		return []status.Source{{Topic: "t", Partition: 3, Paused: true}}, fails
	})
	for _, c := range []struct {
		name, body string
		fails      error
		code       int
		text       string
		told       []string
	}{
		{"some", `{"partitions": ["t/3", "u"]}`, nil, 200, `"topic":"t","partition":3,"state":"","paused":true`, []string{"t/3", "u"}},
		{"all", `{"partitions": []}`, nil, 200, `"sources":[`, []string{}},
		{"all, said by nothing", `{}`, nil, 200, `"sources":[`, nil},
		{"for this sink", `{"sink": "orders"}`, nil, 200, `"sources":[`, nil},
		{"for another sink", `{"sink": "clicks", "partitions": ["t"]}`, nil, 409, `sink "orders"`, nil},
		{"a key that is none", `{"partition": ["t"]}`, nil, 400, "partition", nil},
		{"no list", `{"partitions": "t"}`, nil, 400, "JSON", nil},
		{"no JSON", `t`, nil, 400, "JSON", nil},
		{"nothing", ``, nil, 400, "JSON", nil},
		{"a name that means nothing", `{"partitions": ["x"]}`, errors.New("no mapping takes x"), 400, "no mapping takes x", []string{"x"}},
		{"a connector that does not answer", `{}`, fmt.Errorf("connecting: %w", context.DeadlineExceeded), 503, "connecting", nil},
		{"a connector that is not there yet", `{"sink": "orders"}`, nil, 503, "still connecting", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			told, fails, phase = nil, c.fails, status.Running
			if c.text == "still connecting" {
				phase = status.Connecting
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/pause", strings.NewReader(c.body)))
			if w.Code != c.code || !strings.Contains(w.Body.String(), c.text) || !slices.Equal(told, c.told) {
				t.Errorf("%d %s, told %q", w.Code, w.Body.String(), told)
			}
		})
	}
}
