package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// putTables puts only, in the order of the records' times.
const putTables = `
  - topics: [$NAME_in]
    table: $NAME_t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns: [{field: value.v, to: "d:v"}]
    on_tombstone: delete-row
    order: time
`

// TestOrderTime lets the newest time win, whatever the log says, also over a replay.
func TestOrderTime(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(putTables)
	w.init(config)
	now := time.Now()
	for _, r := range []struct {
		key, value string
		ago        time.Duration
	}{
		{"a", `{"v":"new"}`, 0},
		{"a", `{"v":"old"}`, time.Hour},
		{"b", `{"v":"1"}`, time.Hour},
		{"b", `{"v":"2"}`, 0},
		{"c", `{"v":"kept"}`, 0},
		{"c", "", time.Hour},
		{"d", `{"v":"gone"}`, time.Hour},
		{"d", "", 0},
	} {
		rec := record(topic, 0, r.key, r.value)
		if rec.Timestamp = now.Add(-r.ago); r.value == "" {
			rec.Value = nil
		}
		w.produce(rec)
	}
	for range 2 {
		w.once(config)
		if got := text(w.cells(w.name+"_t"), "d"); got != "a v=new\nb v=2\nc v=kept" {
			t.Fatalf("got\n%s", got)
		}
		command(t, nil, "offsets", "set", "--yes", "--to", "earliest", "-c", config).ends(0)
	}
}

// TestAtLeastOnce writes without marks, and repeats itself after a kill without harm.
func TestAtLeastOnce(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 2, nil), w.config(putTables)
	mode := "--set=delivery=at-least-once"
	w.init(config, mode)
	for i := range 40 {
		w.produce(record(topic, int32(i%2), fmt.Sprintf("k%02d", i), fmt.Sprintf(`{"v":"%d"}`, i)))
	}
	p := w.start(config, mode)
	p.says("partition taken", 2)
	p.kill()
	w.once(config, mode)
	var want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("k%02d v=%d", i, i))
	}
	cells := w.cells(w.name + "_t")
	if got := text(cells, "d"); got != strings.Join(want, "\n") || len(cells) != 40 {
		t.Errorf("%d cells, got\n%s", len(cells), got)
	}
}

// TestCommitModes falls back to rows where a table has no coprocessor, unless it is told not to.
func TestCommitModes(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.init(config, "--dry-run")
	other := w.config(strings.ReplaceAll(plainTables, "$NAME_t", "$NAME_first"))
	w.init(other)
	command(t, nil, "init", "-c", config, "--set", "hbase.commit=row").ends(0, "commits row by row")
	w.counts(topic, 0, 2)
	w.once(config).ends(0, `"commit":"row by row"`)
	w.wantCounts("11")
	w.counts(topic, 0, 1)
	w.start(config, "--fail-fast", "--set", "hbase.commit=region").ends(7, "rowmark init")
	p := w.start(config)
	w.caughtUp(config, 1)
	w.init(config) // under the running connector
	w.counts(topic, 0, 2)
	w.caughtUp(config, 1)
	p.signal(syscall.SIGTERM)
	p.ends(0)
	w.once(config).ends(0, `"commit":"region transactions"`)
	w.wantCounts("32")
}

// TestMarksExpire lets marks go after a while, and refuses to replay what they no longer show.
func TestMarksExpire(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	ttl := "--set=marks.ttl=4s"
	w.init(config)
	w.counts(topic, 0, 3)
	w.once(config, ttl)
	if n := len(w.marks(w.name + "_t")); n != 3 {
		t.Fatalf("%d marks, want 3", n)
	}
	w.once(config, ttl) // nothing waits: nothing is refused
	eventually(t, "the marks to expire", func() bool { return len(w.marks(w.name+"_t")) == 0 })
	w.wantCounts("111")
	w.counts(topic, 0, 2)
	w.start(config, ttl, "--once").ends(8, "marks.ttl", "--force")
	w.once(config, ttl, "--force")
	w.wantCounts("221")
}

// TestCompacted reads a compacted topic, whose tombstones vanish, and counts none of its records.
func TestCompacted(t *testing.T) {
	w := newWorld(t)
	topic := w.topic("in", 1, map[string]string{"cleanup.policy": "compact", "delete.retention.ms": "1"})
	config := w.config(strings.Replace(putTables, "order: time", "order: log", 1))
	w.init(config)
	w.produce(record(topic, 0, "a", `{"v":"1"}`))
	w.once(config)
	w.produce(record(topic, 0, "a", `{"v":"2"}`))
	w.start(config, "--once").ends(8, "tombstones", "--force")
	w.once(config, "--force")
	if got := text(w.cells(w.name+"_t"), "d"); got != "a v=2" {
		t.Errorf("got %s", got)
	}
	counting := w.config(strings.ReplaceAll(plainTables, "$NAME_t", "$NAME_u"))
	w.init(counting)
	w.start(counting, w.under("counting"), "--fail-fast").ends(6, "compacted")
}

// TestPartitions reads the partitions named, and leaves the others to another process.
func TestPartitions(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 3, nil), w.config(plainTables)
	w.init(config)
	for p := range int32(3) {
		w.produce(record(topic, p, fmt.Sprintf("k%02d", p), `{"n":1}`))
	}
	some := func(list string) string {
		return w.configFile(strings.Replace(readFile(t, config), "kafka:\n", "kafka:\n  partitions: {"+topic+": "+list+"}\n", 1))
	}
	w.once(some("[0, 2]"))
	w.wantCounts("101")
	w.once(some("[1]"))
	w.wantCounts("111")
}

// TestOffsetsSet moves checkpoints with the connector stopped, running, and fenced.
func TestOffsetsSet(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 2, nil), w.config(plainTables)
	w.init(config)
	set := func(args ...string) *process {
		return command(t, nil, append([]string{"offsets", "set", "--yes", "-c", config}, args...)...)
	}
	set("--to", "earliest").ends(1, "no checkpoint yet")
	w.counts(topic, 0, 5)
	w.once(config)
	one := []string{"--partition", topic + "/0"}
	set(append(one, "--to", "9")...).ends(2, "which is [0, 5]")
	set(append(one, "--to", "soon")...).ends(2, "--to")
	set("--partition", topic, "--to", "1").ends(2, "topic/partition")
	set("--partition", topic+"/7", "--to", "0").ends(6, "/7")
	set(append(one, "--to", "2")...).ends(0, "5 -> 2: 3 offsets will be read again")
	w.once(config).ends(0, `"already_applied":3`)
	w.wantCounts("11111")
	w.counts(topic, 5, 5)
	set(append(one, "--to", "7")...).ends(0, "5 -> 7: 2 offsets are skipped")
	w.once(config)
	w.wantCounts("1111100111")
	set(append(one, "--to", "5")...).ends(0)
	p := w.start(config)
	w.caughtUp(config, 2)
	w.wantCounts("1111111111")
	set(append(one, "--to", "latest")...).ends(5, "a running connector holds the partition", "--force")
	set("--to", "earliest", "--force").ends(0)
	p.ends(5)
	w.once(config)
	w.wantCounts("1111111111")
}

// TestTruncated empties a table under the running connector.
func TestTruncated(t *testing.T) {
	w, topic, config, more := mixedWorld(t, 2, 600)
	p := w.start(config)
	w.caughtUp(config, 2)
	w.hbase("truncate", w.name+"_rows")
	more(100)
	p.ends(11, "is older than the checkpoint")
	command(t, nil, "offsets", "set", "--yes", "--to", "earliest", "-c", config).ends(0)
	w.once(config)
	w.verify(w.foldMixed(w.committed(topic)))
}
