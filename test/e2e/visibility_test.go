package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kgo"
)

const visibleTables = `
  - topics: [$NAME_in]
    table: $NAME_t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.open, to: "o:open"}
      - {field: value.iban, to: "p:iban", visibility: "billing&!intern"}
      - {field: value.pin, to: "q:pin", visibility: "billing|intern", on_null: delete}
`

// labelled is a world whose HBase looks at visibility.
func labelled(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	const controller = "org.apache.hadoop.hbase.security.visibility.VisibilityController"
	h, err := cluster.StartHBase(t.Context(), cluster.HBaseOptions{Options: cluster.TestOptions(), Config: map[string]string{
		"hbase.coprocessor.master.classes": controller, "hbase.coprocessor.region.classes": controller, "hbase.security.authorization": "true",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Stop() })
	w.zookeeper = h.ZooKeeper()
	if w.java, err = cluster.StartJavaClient(t.Context(), cluster.TestOptions(), w.zookeeper); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.java.Close() })
	return w
}

// seen gives what a reader with these labels sees, marks left out.
func (w *world) seen(labels ...string) string {
	w.t.Helper()
	cells, err := w.java.Seen(w.name+"_t", labels...)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, c := range cells {
		if c.Family != "_k" {
			out = append(out, fmt.Sprintf("%s %s=%s", c.Row, c.Qualifier, c.Value))
		}
	}
	return strings.Join(out, ", ")
}

// TestVisibility writes cells that only some readers see, and deletes them again: a delete reaches only cells of its own
// visibility. The marks have none, so that nothing is applied twice.
func TestVisibility(t *testing.T) {
	w := labelled(t)
	eventually(t, "labels", func() bool { return w.java.Labels("billing", "intern", "guest") == nil })
	topic, config := w.topic("in", 1, nil), w.config(visibleTables)
	w.init(config)
	const value = `{"open":1,"iban":2,"pin":3}`
	at := time.Now().Add(-time.Minute)
	w.produce(stamped(topic, "a", value, at), stamped(topic, "b", value, at), stamped(topic, "c", value, at))
	w.once(config)
	look := func(when, none, billing, intern, both string) {
		t.Helper()
		for _, c := range []struct {
			labels []string
			want   string
		}{{[]string{"guest"}, none}, {[]string{"billing"}, billing}, {[]string{"intern"}, intern}, {[]string{"billing", "intern"}, both}} {
			if got := w.seen(c.labels...); got != c.want {
				t.Errorf("%s readers with %v see %s, want %s", when, c.labels, got, c.want)
			}
		}
	}
	look("at first", "a open=1, b open=1, c open=1", "a open=1, a iban=2, a pin=3, b open=1, b iban=2, b pin=3, c open=1, c iban=2, c pin=3",
		"a open=1, a pin=3, b open=1, b pin=3, c open=1, c pin=3", "a open=1, a pin=3, b open=1, b pin=3, c open=1, c pin=3")
	w.produce(&kgo.Record{Topic: topic, Key: []byte("a"), Timestamp: at}, stamped(topic, "b", `{"pin":null}`, at.Add(time.Second)))
	w.once(config)
	after := func(when string) {
		t.Helper()
		look(when, "b open=1, c open=1", "b open=1, b iban=2, c open=1, c iban=2, c pin=3", "b open=1, c open=1, c pin=3", "b open=1, c open=1, c pin=3")
	}
	after("after the deletes")
	w.hbase("flush", w.name+"_t")
	w.hbase("majorcompact", w.name+"_t")
	after("after a major compaction")
}
