package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// plainTables is the simplest mapping.
const plainTables = `
  - topics: [$NAME_in]
    table: $NAME_t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.v, to: "d:v"}
      - {field: value.n, to: "c:n", op: increment}
    on_tombstone: ignore
`

func record(topic string, partition int32, key, value string) *kgo.Record {
	return &kgo.Record{Topic: topic, Partition: partition, Key: []byte(key), Value: []byte(value)}
}

// TestUnmappable stops a partition at exactly the record that can't be mapped; the other goes on.
func TestUnmappable(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 2, nil), w.config(plainTables)
	w.init(config)
	for i := range 10 {
		value := fmt.Sprintf(`{"v":"%d","n":1}`, i)
		if i == 5 {
			value = `{"v":"x","n":"secret"}`
		}
		w.produce(record(topic, 0, fmt.Sprintf("a%d", i), value))
	}
	w.produce(record(topic, 1, "b0", `{"v":"0"}`))
	p := w.start(config)
	p.says("partition stopped", 1)
	w.produce(record(topic, 1, "b1", `{"v":"1"}`)) // the other goes on
	eventually(t, "the other partition", func() bool {
		return text(w.cells(w.name+"_t"), "d") == "a0 v=0\na1 v=1\na2 v=2\na3 v=3\na4 v=4\nb0 v=0\nb1 v=1"
	})
	p.signal(syscall.SIGTERM)
	p.ends(4, topic, "offset 5", "value.n")
	if strings.Contains(p.output(), "secret") {
		t.Error("the log shows the record's content")
	}
	for _, pos := range w.positions(config) {
		if pos.Partition == 0 && (pos.Checkpoint != 5 || pos.Owner != "") {
			t.Errorf("the checkpoint is %+v, want 5 and no owner", pos)
		}
	}
	// Again: the same end, and nothing twice.
	w.start(config, "--fail-fast").ends(4, "offset 5")
	skip := w.config(plainTables + "    on_error: skip\n")
	w.once(skip).ends(0, `"skipped":1`)
	cells := w.cells(w.name + "_t")
	if got, want := text(cells, "d"), "a0 v=0\na1 v=1\na2 v=2\na3 v=3\na4 v=4\na6 v=6\na7 v=7\na8 v=8\na9 v=9\nb0 v=0\nb1 v=1"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i := range 10 {
		if n := long(t, cells, fmt.Sprintf("a%d", i), "c:n"); n != 1 && i != 5 || n != 0 && i == 5 {
			t.Errorf("a%d was counted %d times", i, n)
		}
	}
}
