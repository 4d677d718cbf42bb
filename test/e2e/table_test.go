package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestOneTableMissing lets two topics go to two tables, of which one is not there yet.
func TestOneTableMissing(t *testing.T) {
	w := newWorld(t)
	good := strings.ReplaceAll(plainTables, "$NAME_in", "$NAME_good")
	late := strings.ReplaceAll(strings.ReplaceAll(plainTables, "$NAME_in", "$NAME_late"), "$NAME_t", "$NAME_u")
	config := w.config(good + late)
	w.init(w.config(good))
	inGood, inLate := w.topic("good", 1, nil), w.topic("late", 1, nil)
	w.counts(inGood, 0, 3)
	w.counts(inLate, 0, 4)
	p := w.start(config)
	p.says("this table can't be written to", 1)
	p.says("partition stopped", 1)
	w.counts(inGood, 3, 2)
	eventually(t, "the good table", func() bool { return w.counted(w.name+"_t") == "11111" })
	for _, pos := range w.positions(config) {
		if pos.Topic == inLate && pos.Checkpoint != 0 {
			t.Errorf("the partition without a table is at %d", pos.Checkpoint)
		}
	}
	w.init(config)
	w.caughtUp(config, 2)
	if got := w.counted(w.name + "_u"); got != "1111" {
		t.Errorf("the late table has the counts %s", got)
	}
	// A table that vanishes under the connector stops its own partition only.
	w.hbase("disable", w.name+"_u")
	w.counts(inLate, 4, 1)
	w.counts(inGood, 5, 1)
	eventually(t, "the good table", func() bool { return w.counted(w.name+"_t") == "111111" })
	p.signal(syscall.SIGTERM)
	p.ends(0)
	// A start on a disabled table does not take it for one without region transactions.
	p = w.start(config)
	p.says("this table can't be written to", 1)
	p.says("partition taken", 2)
	w.hbase("enable", w.name+"_u")
	w.caughtUp(config, 2)
	if got := w.counted(w.name + "_u"); got != "11111" {
		t.Errorf("the late table has the counts %s", got)
	}
	if strings.Contains(p.output(), "row by row") {
		t.Error("the table is written row by row")
	}
	p.signal(syscall.SIGTERM)
	p.ends(0)
}

// deleteTables is a mapping with row deletes, in log order.
const deleteTables = `
  - topics: [$NAME_in]
    table: $NAME_t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.a, to: "d:a"}
      - {field: value.b, to: "d:b", on_null: delete}
      - {field: value.e, to: "d:e", on_null: empty}
      - {field: value.s, to: "d:s", on_null: skip}
    on_tombstone: delete-row
`

// TestLogOrder puts, deletes and puts at one time, and backwards in time: the log decides, whatever the clock says.
func TestLogOrder(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(deleteTables)
	w.init(config)
	now := time.Now().Truncate(time.Second)
	at := func(key, value string, ago time.Duration) *kgo.Record {
		r := record(topic, 0, key, value)
		if value == "" {
			r.Value = nil
		}
		r.Timestamp = now.Add(-ago)
		return r
	}
	var lines []string
	want := func(line ...string) {
		t.Helper()
		lines = append(lines, line...)
		if got := text(w.cells(w.name+"_t"), "d"); got != strings.Join(lines, "\n") {
			t.Fatalf("got\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
		}
	}
	// In one batch, all in one millisecond.
	w.produce(at("a", `{"a":"1"}`, 0), at("a", "", 0), at("a", `{"b":"2"}`, 0), at("a", "", 0), at("a", `{"a":"3"}`, 0),
		at("b", `{"a":"1"}`, 0), at("b", "", 0),
		at("c", `{"a":"1","b":"1","e":"1","s":"1"}`, 0), at("c", `{"b":null,"e":null,"s":null}`, 0),
		at("d", `{"b":"1"}`, 0), at("d", `{"b":null}`, 0), at("d", `{"b":"2"}`, 0),
		at("e", `{"a":"new"}`, 0), at("e", `{"a":"late"}`, time.Hour),
		at("f", `{"a":"1"}`, 0), at("f", "", time.Hour),
		at("nobody", "", 0))
	w.once(config)
	want("a a=3", "c a=1", "c e=", "c s=1", "d b=2", "e a=late")
	lines = nil
	// The same over batches, each its own process, which knows no row.
	p := w.start(config)
	step := func(r *kgo.Record) {
		w.produce(r)
		w.caughtUp(config, 1)
	}
	step(at("a", "", 0))
	step(at("a", `{"a":"4"}`, 0))
	p.kill()
	w.produce(at("b", `{"a":"2"}`, 0), at("a", "", 0))
	w.once(config)
	w.produce(at("a", `{"a":"5","b":"5"}`, time.Hour), at("f", `{"a":"2"}`, 2*time.Hour))
	w.once(config, "--set", "hbase.commit=row")
	w.produce(at("a", `{"b":null}`, 3*time.Hour))
	w.once(config)
	want("a a=5", "b a=2", "c a=1", "c e=", "c s=1", "d b=2", "e a=late", "f a=2")
	w.hbase("flush", w.name+"_t")
	w.hbase("majorcompact", w.name+"_t")
	want()
	w.produce(at("a", `{"b":"6"}`, 0), at("b", "", 0))
	w.once(config)
	lines = nil
	want("a a=5", "a b=6", "c a=1", "c e=", "c s=1", "d b=2", "e a=late", "f a=2")
}

// TestReplayLeavesNoTrace replays records on a table that keeps versions, after a stranger deleted a row and let the
// mark family expire.
func TestReplayLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	table := w.name + "_t"
	w.hbase("create", table, "family:d,VERSIONS=5", "family:c,VERSIONS=5")
	w.init(config)
	var recs []*kgo.Record
	for i := range 2000 {
		recs = append(recs, record(topic, 0, fmt.Sprintf("k%04d", i), `{"v":"v","n":1}`))
	}
	w.produce(recs...)
	for range 2 {
		p := w.start(config)
		p.says("partition taken", 1)
		time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond) // any moment will do
		p.kill()
	}
	check := func(deleted bool) {
		t.Helper()
		seen := map[string]int{}
		cells := w.cells(table)
		for _, c := range cells {
			seen[c.Row+" "+c.Family]++
		}
		for i := range recs {
			key := fmt.Sprintf("k%04d", i)
			for _, family := range []string{"d", "c", markFamily} {
				want := 1
				if deleted && i == 7 && family == "d" {
					want = 0 // its put is older than the stranger's delete
				}
				if n := seen[key+" "+family]; n != want {
					t.Fatalf("row %s has %d cells in family %s, want %d", key, n, family, want)
				}
			}
		}
	}
	replay := func(rows int) {
		t.Helper()
		command(t, nil, "offsets", "set", "--yes", "--to", "earliest", "-c", config).ends(0, "0: 2000 -> 0: 2000 offsets will be read again")
		w.once(config).ends(0, fmt.Sprintf(`"rows":%d,"skipped":0,"already_applied":%d`, rows, 2000-rows))
	}
	w.once(config)
	check(false)
	replay(0)
	check(false)
	// A deleted row lost its data and its mark together: a replay fills it, once.
	w.hbase("deleteall", table, hexOf("k0007"), "-")
	replay(1)
	check(true)
	replay(0)
	check(true)
	w.hbase("alter", table, markFamily, "TTL=1")
	p := w.start(config)
	p.says("TTL => 'FOREVER'", 1)
	p.signal(syscall.SIGTERM)
	p.ends(0)
	w.hbase("flush", table)
	w.hbase("majorcompact", table)
	w.init(config)
	replay(0)
	check(true)
}

func hexOf(s string) string { return fmt.Sprintf("%x", s) }

// TestTwoSinks lets two sinks write one row of one topic, each its own family.
func TestTwoSinks(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	other := w.config(strings.ReplaceAll(strings.ReplaceAll(plainTables, `"c:`, `"c2:`), `"d:`, `"d2:`))
	w.init(config)
	w.init(other)
	w.counts(topic, 0, 3)
	w.once(config)
	w.once(other, w.under("other"))
	w.counts(topic, 0, 3)
	w.once(other, w.under("other"))
	w.once(config)
	cells := w.cells(w.name + "_t")
	for _, key := range []string{"k00", "k01", "k02"} {
		if a, b := long(t, cells, key, "c:n"), long(t, cells, key, "c2:n"); a != 2 || b != 2 {
			t.Errorf("row %s was counted %d and %d times, want 2 and 2", key, a, b)
		}
	}
}

// TestWeakWAL refuses a table whose writes may be lost.
func TestWeakWAL(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.hbase("create", w.name+"_t", "family:d", "family:c", "attr:DURABILITY=SKIP_WAL")
	w.init(config)
	w.counts(topic, 0, 3)
	p := w.start(config)
	p.says("has DURABILITY SKIP_WAL", 1)
	p.says("partition stopped", 1)
	p.signal(syscall.SIGTERM)
	p.ends(0)
	w.start(config, "--fail-fast").ends(7, "allow_weak_wal")
	w.wantCounts("")
	w.once(config, "--set", "hbase.allow_weak_wal=true")
	w.wantCounts("111")
}

// TestBadCounter meets a counter cell that is no long: only its records are hit.
func TestBadCounter(t *testing.T) {
	for _, commit := range []string{"region", "row"} {
		t.Run(commit, func(t *testing.T) {
			w := newWorld(t)
			topic := w.topic("in", 1, nil)
			config, skip := w.config(plainTables), w.config(plainTables+"    on_error: skip\n")
			w.init(config)
			w.hbase("put", w.name+"_t", hexOf("k03"), "c", hexOf("n"), "-", "010203")
			w.counts(topic, 0, 6)
			w.produce(record(topic, 0, "k03", `{"v":"only a put"}`))
			set := "--set=hbase.commit=" + commit
			w.start(config, "--once", set).ends(4, "offset 3: writing row 6b3033")
			if pos := w.positions(config)[0]; pos.Checkpoint != 3 {
				t.Errorf("the checkpoint is %d, want 3", pos.Checkpoint)
			}
			w.once(skip, set).ends(0, `"skipped":1`)
			cells := w.cells(w.name + "_t")
			for i := range 6 {
				key := fmt.Sprintf("k%02d", i)
				if i != 3 && long(t, cells, key, "c:n") != 1 {
					t.Errorf("%s was counted %d times", key, long(t, cells, key, "c:n"))
				}
			}
			if got := text(cells, "d"); got != "k00 v=0\nk01 v=1\nk02 v=2\nk03 v=only a put\nk04 v=4\nk05 v=5" {
				t.Errorf("got\n%s", got)
			}
		})
	}
}
