package connector

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/connector/status"

	"github.com/twmb/franz-go/pkg/kgo"
)

const flowConfig = `sink: s
kafka: {brokers: ["%s"]}
hbase: {zookeeper: ["%s"]}
flow: {max_records_per_second: %d}
tables:
  - topics: [t]
    table: rows
    row_key: [{field: key}]
    columns: [{field: value, to: "d:v"}]
`

// flowing starts a run with --once over records of which so many a second are read.
func flowing(t *testing.T, records int, rate int64) (*running, *Engine, <-chan error) {
	t.Helper()
	w := &running{}
	w.start(t, nil, "t")
	var recs []*kgo.Record
	for i := range records {
		recs = append(recs, &kgo.Record{Key: fmt.Appendf(nil, "k%d", i), Value: []byte("v")})
	}
	w.produce(t, recs...)
	w.configure(t, flowConfig, rate)
	e, err := New(t.Context(), w.opts)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- e.Run(t.Context())
		e.Close()
	}()
	return w, e, done
}

func TestTheRateIsKept(t *testing.T) {
	began := time.Now()
	w, _, done := flowing(t, 60, 40)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < 1400*time.Millisecond {
		t.Errorf("60 records at 40 a second took %s", took)
	}
	if n := len(w.rows(t, "rows")); n != 60 {
		t.Errorf("%d rows of 60", n)
	}
}

// A run with --once that is paused says why it does not end, and ends when it is resumed.
func TestOncePausedSaysSo(t *testing.T) {
	w, e, done := flowing(t, 60, 40)
	paused := func(want bool) {
		t.Helper()
		until(t, "it is as told", func() bool {
			s := e.Snapshot().Sources
			return len(s) == 1 && s[0].Paused == want
		})
	}
	until(t, "it runs", func() bool {
		s := e.Snapshot().Sources
		return len(s) == 1 && s[0].State == "running"
	})
	if s, err := e.Pause(t.Context(), []string{"t/0"}); err != nil || len(s) != 1 || !s[0].Paused {
		t.Fatalf("%+v, %v", s, err)
	}
	paused(true)
	select {
	case err := <-done:
		t.Fatalf("it ended: %v", err)
	default:
	}
	if s, err := e.Resume(t.Context(), nil); err != nil || len(s) != 1 || s[0].Paused {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := len(w.rows(t, "rows")); n != 60 || !strings.Contains(w.log.String(), "--once does not end while these are paused") {
		t.Errorf("%d rows of 60; %s", n, w.log.String())
	}
}

// Who asks an engine that is not connected, or has ended, waits no longer than asked to.
func TestOrdersToAnEngineThatDoesNotRun(t *testing.T) {
	_, e, done := flowing(t, 1, 0)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]*Engine{"ended": e, "unconnected": Unconnected(e.opts)} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := e.Pause(ctx, nil); !errors.Is(err, ErrNotRunning) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := e.Snapshot(); s.Phase == status.Connecting {
		t.Errorf("phase %s", s.Phase)
	}
}
