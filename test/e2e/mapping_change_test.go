package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

const tagTables = `
  - topics: [$NAME_in]
    table: $NAME_tags
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {literal: "1", to: "c:n", op: increment}
      - {field: value.tag, to: "c:tag", op: append}
    on_tombstone: ignore
`

// tagRecords makes records that count and append their number.
func tagRecords(topic string, from, n, keys int) []*kgo.Record {
	out := make([]*kgo.Record, n)
	for i := range out {
		out[i] = &kgo.Record{Topic: topic, Key: fmt.Appendf(nil, "k%d", (from+i)%keys), Value: fmt.Appendf(nil, `{"tag":"0:%d,"}`, from+i)}
	}
	return out
}

// TestMappingChanged kills the connector and starts it with another row key: what was sent is finished by the old
// mapping, so that nothing is there twice.
func TestMappingChanged(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(tagTables)
	w.init(config)
	const records, keys = 4000, 300
	w.produce(tagRecords(topic, 0, records, keys)...)
	p := w.start(config)
	eventually(t, "some rows", func() bool { return !strings.HasPrefix(w.hbase("count", w.name+"_tags"), "0 ") })
	p.kill()
	changed := w.config(strings.Replace(tagTables, "[{field: key}]", `[{literal: "x-"}, {field: key}]`, 1))
	w.once(changed).ends(0, "the mapping changed")
	w.produce(tagRecords(topic, records, keys, keys)...)
	w.once(changed)

	tags, count := map[string]int{}, int64(0)
	cells := w.cells(w.name + "_tags")
	for _, c := range cells {
		if c.Qualifier != "tag" {
			continue
		}
		count += long(t, cells, c.Row, "c:n")
		for _, tag := range strings.Split(strings.TrimSuffix(string(c.Value), ","), ",") {
			tags[tag]++
			var n int
			if _, err := fmt.Sscanf(tag, "0:%d", &n); err != nil {
				t.Fatal(err)
			}
			if n >= records && !strings.HasPrefix(c.Row, "x-") {
				t.Errorf("record %d, of after the change, is in row %s", n, c.Row)
			}
		}
	}
	for i := range records + keys {
		if n := tags[fmt.Sprintf("0:%d", i)]; n != 1 {
			t.Errorf("record %d is there %d times", i, n)
		}
	}
	if count != records+keys {
		t.Errorf("%d records were counted, want %d", count, records+keys)
	}
}

// TestMappingMended kills the connector before a record that can't be mapped, and then mends the mapping: the stored
// mapping, which finishes what was sent, must not stop at that record for ever.
func TestMappingMended(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.init(config)
	w.counts(topic, 0, 4)
	p := w.start(config)
	w.caughtUp(config, 1)
	p.kill()
	w.produce(record(topic, 0, "k04", `{"v":"4","n":"many"}`))
	w.counts(topic, 5, 3)
	w.start(config, "--once").ends(4, "offset 4")
	w.start(config, "--once").ends(4, "offset 4")
	w.wantCounts("1111")
	w.once(w.config(strings.Replace(plainTables, `{field: value.n, to: "c:n", op: increment}`, `{literal: "1", to: "c:n", op: increment}`, 1)))
	w.wantCounts("11111111")
}
