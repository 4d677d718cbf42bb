package reprocess

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/hbase"

	"github.com/twmb/franz-go/pkg/kgo"
)

// The rows that a history leaves, however it was written: the records of the window by the new mapping, all others by the
// old one, each put and delete in the order of the log.
type oracle map[string]map[string]string // row to column to value

func (o oracle) put(row, column, value string) {
	if o[row] == nil {
		o[row] = map[string]string{}
	}
	o[row][column] = value
}

func (o oracle) rows() []string {
	var out []string
	for _, row := range slices.Sorted(maps.Keys(o)) {
		var cells []string
		for _, column := range slices.Sorted(maps.Keys(o[row])) {
			cells = append(cells, column+"="+o[row][column])
		}
		if len(cells) > 0 {
			out = append(out, row+" "+strings.Join(cells, " "))
		}
	}
	return out
}

// event is a record as the oracle understands it.
type event struct {
	partition int32
	key       string
	at        int64
	tombstone bool
	a         string // empty: null, which deletes the column
	b         string // empty: missing
}

func (e *event) record() *kgo.Record {
	if e.tombstone {
		return record(e.partition, e.key, "", e.at)
	}
	fields := []string{`"a":null`}
	if e.a != "" {
		fields[0] = `"a":"` + e.a + `"`
	}
	if e.b != "" {
		fields = append(fields, `"b":"`+e.b+`"`)
	}
	return record(e.partition, e.key, "{"+strings.Join(fields, ",")+"}", e.at)
}

// way is a mapping of the histories, as YAML and as the oracle knows it.
type way struct {
	upper   bool   // values are written in capitals
	suffix  string // of row keys
	replace bool   // each record drops what it lacks
	nulls   bool   // a null deletes
	dead    bool   // a tombstone deletes
}

func (v way) yaml(table string) string {
	return fmt.Sprintf(`  - topics: [t]
    table: %s
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}, {literal: "%s"}]
    columns:
      - {field: value.a, to: "d:a", on_null: %s, upper: %v}
      - {field: value.b, to: "d:b", upper: %v}
    on_tombstone: %s
    replace: %v
`, table, v.suffix, map[bool]string{true: "delete", false: "skip"}[v.nulls], v.upper, v.upper, map[bool]string{true: "delete-row", false: "ignore"}[v.dead], v.replace)
}

func (v way) text(value string) string {
	if v.upper {
		return strings.ToUpper(value)
	}
	return value
}

func (v way) apply(o oracle, e *event) {
	row := e.key + v.suffix
	switch {
	case e.tombstone && v.dead:
		delete(o, row)
	case e.tombstone:
	default:
		if v.replace {
			delete(o, row)
		}
		if e.a != "" {
			o.put(row, "d:a", v.text(e.a))
		} else if v.nulls {
			delete(o[row], "d:a")
		}
		if e.b != "" {
			o.put(row, "d:b", v.text(e.b))
		}
	}
}

// writes says whether a record does anything to its row.
func (v way) writes(e *event) bool {
	if e.tombstone {
		return v.dead
	}
	return e.a+e.b != "" || v.nulls || v.replace
}

// history is one random log, written and reprocessed.
type history struct {
	*rand.Rand
	events []event
	window Window
}

const start = 1_000_000

func newHistory(seed uint64) *history {
	h := &history{Rand: rand.New(rand.NewPCG(seed, 1))}
	now := int64(start)
	for i := range 20 + h.IntN(60) {
		now += int64(h.IntN(3)) * int64(h.IntN(4))
		e := event{partition: int32(h.IntN(2)), at: now}
		e.key = strconv.Itoa(int(e.partition)) + "-" + strconv.Itoa(h.IntN(4))
		switch h.IntN(12) {
		case 0, 1:
			e.at = start + h.Int64N(now-start+1) // late
		case 2:
			e.at = now + h.Int64N(40) // ahead
		}
		switch h.IntN(8) {
		case 0, 1:
			e.tombstone = true
		case 2:
			e.b = "v" + strconv.Itoa(i)
		default:
			e.a = "v" + strconv.Itoa(i)
			if h.IntN(2) == 0 {
				e.b = e.a
			}
		}
		h.events = append(h.events, e)
	}
	h.window.From = start + h.Int64N(now-start+1)
	h.window.To = h.window.From + 1 + h.Int64N(now-start+40)
	return h
}

// ways draws the old and the new mapping. What the old one deletes the new one must delete too: it does not come back.
func (h *history) ways() (before, after way) {
	before = way{suffix: "r", nulls: h.IntN(2) == 0, dead: h.IntN(3) > 0, replace: h.IntN(4) == 0}
	after = before
	after.upper = true
	if h.IntN(3) == 0 {
		after.nulls, after.dead = true, true
	}
	if h.IntN(4) == 0 {
		after.replace = true
	}
	if h.IntN(5) == 0 {
		after.suffix = "x"
	}
	return before, after
}

// The promise: when a run is done, the rows are those of the log with the window's records written by the new mapping,
// whatever was compacted, killed, or written meanwhile.
func TestHistories(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			newHistory(seed).play(t)
		})
	}
}

func (h *history) play(t *testing.T) {
	w := newWorld(t, 2, "t")
	before, after := h.ways()
	tables := []string{"s:plain", "s:nvb"}
	both := func(v way) connector.Options { return w.options(v.yaml(tables[0]) + v.yaml(tables[1])) }
	old, anew := both(before), both(after)
	w.init(old)
	if err := w.hbase.Admin().SetFamilyAttributes(t.Context(), "s:nvb", "d", map[string]string{"NEW_VERSION_BEHAVIOR": "true"}); err != nil {
		t.Fatal(err)
	}
	compact := func() {
		for _, table := range tables {
			if h.IntN(2) == 0 {
				if err := w.base.Compact(table, true); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	known := len(h.events) - h.IntN(len(h.events)/3) // the rest comes while the window is reprocessed
	until := map[int32]int{}
	for i := range h.events[:known] {
		w.produce(h.events[i].record())
		until[h.events[i].partition]++
		if h.IntN(15) == 0 {
			w.once(old)
			compact()
		}
	}
	w.once(old)
	compact()

	req, meanwhile := Request{Window: h.window}, before
	if h.IntN(2) == 0 {
		req.Old, meanwhile = old.Mappings, after
		w.once(anew)
	}
	if before.upper = after.upper; before != after {
		// The connector does not know of rows and deletes that only the run wrote: a late record of its own would hide there.
		for i := known; i < len(h.events); i++ {
			h.events[i].at = max(h.events[i].at, h.window.To+100)
		}
	}
	before.upper = false
	var beside sync.WaitGroup
	defer beside.Wait()
	goOn := func() {
		for i := range h.events[known:] {
			w.produce(h.events[known+i].record())
		}
		w.once(both(meanwhile))
	}
	if req.Old == nil {
		beside.Go(goOn)
	}
	for range h.IntN(4) {
		w.killed(anew, req, time.Duration(h.IntN(60))*time.Millisecond)
		compact()
	}
	rep := w.run(anew, req)
	beside.Wait()
	if req.Old != nil {
		goOn()
	}

	for _, p := range rep.Parts {
		until[p.Partition] = int(p.Until)
	}
	o := oracle{}
	h.each(func(e *event, offset int) {
		switch {
		case offset >= until[e.partition]:
			meanwhile.apply(o, e)
		case h.window.Holds(e.at):
			after.apply(o, e)
		default:
			before.apply(o, e)
		}
	})
	want := o.rows()
	if before.suffix != after.suffix {
		want = h.withOldKeys(want, before, until, req.Old != nil)
	}
	w.shows(tables[0], want...)
	w.shows(tables[1], want...)
	if t.Failed() {
		t.Logf("window [%d, %d) before %+v after %+v", h.window.From-start, h.window.To-start, before, after)
		for i, e := range h.events {
			t.Logf("%d %s at %d window %v tombstone %v a %q b %q", i, e.key, e.at-start, h.window.Holds(e.at), e.tombstone, e.a, e.b)
		}
		for _, table := range tables {
			for _, r := range must(w.base.DumpRaw(table)) {
				for _, c := range r.Cells {
					if string(c.Family) == "d" {
						t.Logf("%s %s %s@%d %d %s", table, r.Row, c.Qualifier, c.Timestamp-start, c.Type, c.Value)
					}
				}
			}
		}
	}
}

func must(rows []hbase.Row, _ error) []hbase.Row { return rows }

// each goes through the log.
func (h *history) each(f func(e *event, offset int)) {
	seen := map[int32]int{}
	for i := range h.events {
		e := &h.events[i]
		f(e, seen[e.partition])
		seen[e.partition]++
	}
}

// withOldKeys gives the rows that the new mapping made, and those that the old one made of the log under its own keys. If they
// are removed, a record of the window deletes there all that came before it.
func (h *history) withOldKeys(rows []string, before way, until map[int32]int, removed bool) []string {
	o, old := oracle{}, map[string]bool{}
	h.each(func(e *event, offset int) {
		if h.window.Holds(e.at) && offset < until[e.partition] && !e.tombstone && e.a+e.b != "" {
			old[e.key] = true
		}
	})
	h.each(func(e *event, offset int) {
		if offset >= until[e.partition] && removed {
			return // the connector wrote under new keys by then
		}
		before.apply(o, e)
		if removed && h.window.Holds(e.at) && old[e.key] && before.writes(e) {
			delete(o, e.key+before.suffix)
		}
	})
	var out []string
	for _, row := range rows {
		if key, _, _ := strings.Cut(row, " "); strings.HasSuffix(key, "x") {
			out = append(out, row)
		}
	}
	out = append(out, o.rows()...)
	slices.Sort(out)
	return out
}
