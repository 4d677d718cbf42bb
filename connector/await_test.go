package connector

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/connector/registry/registrytest"
	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kgo"
)

const avroConfig = `sink: avro
kafka: {brokers: ["%s"]}
hbase: {zookeeper: ["%s"]}
checkpoint: {interval: 100ms, lease: 1s}
schema_registry: {urls: ["%s"]}
tables:
  - topics: [t]
    table: t
    key: {format: string}
    value: {format: avro}
    row_key: [{field: key, as: string}]
    columns: [{field: value.a, to: "d:a"}]
    on_error: skip
`

// waiting is a topic of Avro records, and a registry that gives all schemas but one.
type waiting struct {
	running
	registry *registrytest.Server
	withheld atomic.Bool
}

// withheldPath is that of the schema that is not given while it is withheld.
const withheldPath = "/schemas/ids/2"

func newWaiting(t *testing.T, ids ...byte) *waiting {
	w := &waiting{}
	w.withheld.Store(true)
	w.start(t, nil, "t")
	w.registry = registrytest.Start()
	t.Cleanup(w.registry.Close)
	for range 2 {
		w.registry.Register("t", registrytest.Schema{Schema: `{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}`})
	}
	w.registry.Before(func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == withheldPath && w.withheld.Load() {
			http.Error(rw, "", http.StatusServiceUnavailable)
			return false
		}
		return true
	})
	for i, id := range ids {
		w.produce(t, &kgo.Record{Key: fmt.Appendf(nil, "row%d", i), Value: []byte{0, 0, 0, 0, id, byte(2 * i)}})
	}
	w.configure(t, avroConfig, w.registry.URL)
	return w
}

// A registry that is away holds up the record that needs it and those after it, and neither those before it nor, once it
// is back, anything. The policy of faulty records, skip, does not come into it.
func TestRecordsWaitForTheirSchema(t *testing.T) {
	w := newWaiting(t, 1, 2, 1, 9, 2)
	done := w.run(t, t.Context())
	until(t, "the record before it is written", func() bool { return len(w.rows(t, "t")) > 0 })
	until(t, "it was asked for again", func() bool { return w.registry.Requests(withheldPath) > 2 })
	if rows := w.rows(t, "t"); !slices.Equal(rows, []string{"row0"}) {
		t.Errorf("rows %v", rows)
	}
	w.withheld.Store(false)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	// Only an id that the registry says it does not have is the record's own fault.
	if rows := w.rows(t, "t"); !slices.Equal(rows, []string{"row0", "row1", "row2", "row4"}) {
		t.Errorf("rows %v", rows)
	}
	for _, line := range []string{"503", "its records go on", "knows no schema of id 9"} {
		if n := strings.Count(w.log.String(), line); n != 1 {
			t.Errorf("%d lines with %q in the log:\n%s", n, line, w.log.String())
		}
	}
}

// A record that became a dead letter since the registry did not know its schema stays one, though the registry knows it
// when the record is read again: in its row and a letter it would come twice once the letter is retried.
func TestLetterOfAnUnknownSchemaStands(t *testing.T) {
	lettering := strings.Replace(avroConfig, "on_error: skip", "on_error: dead-letter", 1)
	for name, c := range map[string]struct {
		again string // the configuration when it is read again
		want  []string
	}{
		"the same mapping": {lettering, []string{"row0", "row2"}},
		"another mapping":  {strings.Replace(lettering, "d:a", "d:b", 1), []string{"row0", "row1", "row2"}}, // writes what it can
	} {
		w := newWaiting(t, 1, 2, 1)
		w.configure(t, lettering, w.registry.URL)
		w.registry.Before(func(rw http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == withheldPath && w.withheld.Load() {
				rw.WriteHeader(http.StatusNotFound)
				_, _ = rw.Write([]byte(`{"error_code":40403}`))
				return false
			}
			return true
		})
		if err := <-w.run(t, t.Context()); err != nil {
			t.Fatal(err)
		}
		w.withheld.Store(false)
		w.rewind(t)
		w.configure(t, c.again, w.registry.URL) // it knows nothing of the registry yet
		w.opts.Core.Force = true
		if err := <-w.run(t, t.Context()); err != nil {
			t.Fatal(err)
		}
		if rows := w.rows(t, "t"); !slices.Equal(rows, c.want) {
			t.Errorf("%s: rows %v, want %v", name, rows, c.want)
		}
		if letters := w.rows(t, strings.TrimPrefix(w.opts.Mappings.Letters(), "default:")); len(letters) != 1 {
			t.Errorf("%s: %d letters", name, len(letters))
		}
	}
}

// rewind has the topic read again from its start, as a crash before the first checkpoint does.
func (w *waiting) rewind(t *testing.T) {
	store := &Store{Client: w.hbase(t), Table: w.opts.CheckpointTable, Sink: w.opts.Core.Sink}
	if _, err := store.SetOffset(t.Context(), kafka.TopicPartition{Topic: "t"}, Place{}, 0, false); err != nil {
		t.Fatal(err)
	}
}

func TestAStopDoesNotWaitForASchema(t *testing.T) {
	w := newWaiting(t, 1, 2)
	w.opts.ShutdownTimeout = 20 * time.Second
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := w.run(t, ctx)
	until(t, "it is waited for", func() bool { return w.registry.Requests(withheldPath) > 2 })
	at := time.Now()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if took := time.Since(at); took > 10*time.Second {
		t.Errorf("the stop took %s", took)
	}
	if rows := w.rows(t, "t"); !slices.Equal(rows, []string{"row0"}) {
		t.Errorf("rows %v", rows)
	}
}
