package e2e

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kgo"
)

// markFamily holds the marks.
const markFamily = "_k"

// row is what one row must hold. Columns are family:qualifier.
type row struct {
	puts     map[string]string
	counters map[string]int64
	// appends are tokens "partition:id,": in log order for each partition, in any order between partitions.
	appends map[string][]string
	marks   map[string]int64 // by source: the next offset
}

// truth is what tables must hold: by table, by row key.
type truth map[string]map[string]*row

func (t truth) row(table, key string) *row {
	if t[table] == nil {
		t[table] = map[string]*row{}
	}
	r := t[table][key]
	if r == nil {
		r = &row{puts: map[string]string{}, counters: map[string]int64{}, appends: map[string][]string{}, marks: map[string]int64{}}
		t[table][key] = r
	}
	return r
}

// mark notes that a record of the source reached the row. Of later incarnations of the log than the first the suffix is
// given, such as #1.
func (r *row) mark(sink, incarnation string, rec *kgo.Record) {
	r.marks[fmt.Sprintf("%s/%s/%d%s", sink, rec.Topic, rec.Partition, incarnation)] = rec.Offset + 1
}

// committed reads a topic as its committed log, by a client of its own.
func (w *world) committed(topic string) []*kgo.Record {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ends, err := w.admin.ListCommittedOffsets(ctx, topic)
	if err != nil {
		w.t.Fatal(err)
	}
	starts, err := w.admin.ListStartOffsets(ctx, topic)
	if err != nil {
		w.t.Fatal(err)
	}
	from, left := map[int32]kgo.Offset{}, map[int32]int64{}
	for p, end := range ends[topic] {
		if start := starts[topic][p]; end.Offset > start.Offset {
			from[p], left[p] = kgo.NewOffset().At(start.Offset), end.Offset
		}
	}
	// Control records are kept, so that the end is seen also where a marker is the last.
	c := w.producer(kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(),
		kgo.FetchMaxWait(100*time.Millisecond), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: from}))
	defer c.Close()
	var out []*kgo.Record
	for len(left) > 0 {
		got := c.PollFetches(ctx)
		if err := got.Err(); err != nil {
			w.t.Fatalf("reading the log for the count: %v", err)
		}
		for _, r := range got.Records() {
			end, ok := left[r.Partition]
			if ok && r.Offset < end && !r.Attrs.IsControl() {
				out = append(out, r)
			}
			if r.Offset+1 >= end {
				delete(left, r.Partition)
			}
		}
	}
	return out
}

// cells reads all versions of all cells of a table, by HBase's own client.
func (w *world) cells(table string) []cluster.Cell {
	w.t.Helper()
	got, err := w.java.Dump(table)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

// verify compares tables with the truth: nothing lost, nothing doubled, nothing wrong, one version of each cell.
func (w *world) verify(want truth) {
	w.t.Helper()
	var bad []string
	for _, table := range slices.Sorted(maps.Keys(want)) {
		bad = append(bad, compare(table, want[table], w.cells(table))...)
	}
	report(w.t, bad)
}

func report(t *testing.T, bad []string) {
	t.Helper()
	if len(bad) > 0 {
		t.Fatalf("%d differences:\n%s", len(bad), strings.Join(bad[:min(20, len(bad))], "\n"))
	}
}

// compare gives the differences of one table.
func compare(table string, want map[string]*row, got []cluster.Cell) []string {
	var bad []string
	note := func(c *cluster.Cell, format string, args ...any) {
		bad = append(bad, fmt.Sprintf("%s row %q %s:%q: ", table, c.Row, c.Family, c.Qualifier)+fmt.Sprintf(format, args...))
	}
	seen := map[string]map[string]bool{}
	for i := range got {
		c := &got[i]
		r := want[c.Row]
		if r == nil {
			note(c, "the row should not be")
			continue
		}
		column := c.Family + ":" + c.Qualifier
		if seen[c.Row] == nil {
			seen[c.Row] = map[string]bool{}
		}
		if seen[c.Row][column] {
			note(c, "a second version, at %d", c.Timestamp)
			continue
		}
		seen[c.Row][column] = true
		r.check(c, column, note)
	}
	for key, r := range want {
		for _, column := range r.columns() {
			if !seen[key][column] {
				bad = append(bad, fmt.Sprintf("%s row %q %q: lost", table, key, column))
			}
		}
	}
	return bad
}

func (r *row) columns() []string {
	var out []string
	for source := range r.marks {
		out = append(out, markFamily+":"+source)
	}
	return slices.Concat(out, slices.Collect(maps.Keys(r.puts)), slices.Collect(maps.Keys(r.counters)), slices.Collect(maps.Keys(r.appends)))
}

// check compares one cell.
func (r *row) check(c *cluster.Cell, column string, note func(*cluster.Cell, string, ...any)) {
	if c.Family == markFamily {
		if want, ok := r.marks[c.Qualifier]; !ok || want != c.Timestamp {
			note(c, "a mark of %d, want %d", c.Timestamp, want)
		}
		return
	}
	if want, ok := r.puts[column]; ok {
		if string(c.Value) != want {
			note(c, "%q, want %q", c.Value, want)
		}
	} else if want, ok := r.counters[column]; ok {
		if len(c.Value) != 8 || int64(binary.BigEndian.Uint64(c.Value)) != want {
			note(c, "the count %x, want %d", c.Value, want)
		}
	} else if want, ok := r.appends[column]; ok {
		compareAppends(c, want, note)
	} else {
		note(c, "the cell should not be")
	}
}

// compareAppends tells lost, doubled and disordered tokens apart, for each partition.
func compareAppends(c *cluster.Cell, want []string, note func(*cluster.Cell, string, ...any)) {
	split := func(tokens []string) map[string][]string {
		out := map[string][]string{}
		for _, token := range tokens {
			p, _, _ := strings.Cut(token, ":")
			out[p] = append(out[p], token)
		}
		return out
	}
	got := split(strings.SplitAfter(strings.TrimSuffix(string(c.Value), ","), ","))
	for p, tokens := range split(want) {
		tokens[len(tokens)-1] = strings.TrimSuffix(tokens[len(tokens)-1], ",")
		have := got[p]
		for i := range have {
			have[i] = strings.TrimSuffix(have[i], ",")
		}
		for i := range tokens {
			tokens[i] = strings.TrimSuffix(tokens[i], ",")
		}
		if slices.Equal(have, tokens) {
			continue
		}
		count := map[string]int{}
		for _, x := range have {
			count[x]++
		}
		for _, x := range tokens {
			switch count[x] {
			case 0:
				note(c, "lost %s", x)
			case 1:
			default:
				note(c, "doubled %s: %d times", x, count[x])
			}
		}
		if len(have) == len(tokens) {
			note(c, "out of order: %v, want %v", have, tokens)
		}
	}
	for p := range got {
		if _, ok := split(want)[p]; !ok {
			note(c, "tokens of partition %s, of which none should be", p)
		}
	}
}

// text gives the cells of a family as "row qualifier=value", sorted as HBase does: for small tables.
func text(cells []cluster.Cell, family string) string {
	var out []string
	for _, c := range cells {
		if c.Family == family {
			out = append(out, fmt.Sprintf("%s %s=%s", c.Row, c.Qualifier, c.Value))
		}
	}
	return strings.Join(out, "\n")
}

// long reads a counter.
func long(t *testing.T, cells []cluster.Cell, key, column string) int64 {
	t.Helper()
	for _, c := range cells {
		if c.Row == key && c.Family+":"+c.Qualifier == column {
			if len(c.Value) != 8 {
				t.Fatalf("row %q %s: %d bytes, want 8", key, column, len(c.Value))
			}
			return int64(binary.BigEndian.Uint64(c.Value))
		}
	}
	return 0
}
