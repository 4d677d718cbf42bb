package main

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// checkAhead is invariant I4: below an accepted checkpoint every record is in its rows, by their marks.
func (w *world) checkAhead(tp kafka.TopicPartition, put core.Checkpoint) {
	if w.hbase.restores > 0 {
		return // the marks may be gone together with what they said
	}
	name := core.SourceName("s", tp.Topic, tp.Partition, 0)
	for i := range w.logs[tp.Partition].events {
		e := &w.logs[tp.Partition].events[i]
		if e.offset >= put.Offset {
			break
		}
		if e.bad || e.offset < w.checked(tp) {
			continue
		}
		rows := []string{tableMixed + " " + e.key}
		if !e.delete {
			rows = append(rows, tableCounts+" total-"+e.key+" other-"+e.key)
		}
		for _, r := range rows {
			f := strings.Fields(r)
			seen := false
			for _, key := range f[1:] {
				m, _ := w.hbase.mark(f[0], []byte(key), name)
				seen = seen || m.Next > e.offset
			}
			if !seen {
				w.fail("ahead: checkpoint %d of %s, but offset %d is not in %s", put.Offset, tp, e.offset, r)
			}
		}
	}
	w.hbase.before[tp.String()] = put.Offset
}

// checked is the last checkpoint that was looked at: what is below was seen before.
func (w *world) checked(tp kafka.TopicPartition) int64 {
	if c := w.hbase.before[tp.String()]; c > 0 {
		return c
	}
	return 0
}

// check compares every row with the fold of the log.
func (w *world) check() {
	mixed, counts := w.hbase.tables[tableMixed], w.hbase.tables[tableCounts]
	wantW, gotW := map[string]int64{}, map[string]int64{}
	wantN, gotN := map[string]int64{}, map[string]int64{}
	sums := map[string]int64{}
	for p, l := range w.logs {
		byKey := map[string][]*event{}
		for i := range l.events {
			e := &l.events[i]
			if e.bad {
				continue
			}
			byKey[e.key] = append(byKey[e.key], e)
			if !e.delete {
				wantW[e.key] += e.weight
				wantN[e.key]++
			}
		}
		for key, events := range byKey {
			w.checkRow(mixed.rows[key], key, p, events, sums)
		}
	}
	for key, want := range sums {
		if got := number(mixed.rows[key], "w"); got != want {
			w.fail("counter of %s/%s is %d, want %d", tableMixed, key, got, want)
		}
	}
	for _, row := range counts.keys() {
		_, key, _ := strings.Cut(row, "-")
		gotW[key] += number(counts.rows[row], "w")
		gotN[key] += number(counts.rows[row], "n")
	}
	for key, want := range wantW {
		if gotW[key] != want || gotN[key] != wantN[key] {
			w.fail("counters of %s/%s are %d (%d records), want %d (%d records)", tableCounts, key, gotW[key], gotN[key], want, wantN[key])
		}
	}
}

// checkRow compares one row's list and last value with the partition's records of it.
func (w *world) checkRow(cells []cell, key string, partition int, events []*event, sums map[string]int64) {
	q := fmt.Sprintf("p%d", partition)
	listed := map[int64]bool{}
	last := int64(-1)
	if c := visible(cells, listFam, []byte(q), 0, 1<<63-1); c != nil {
		for _, s := range strings.Split(strings.TrimSuffix(string(c.Value), ","), ",") {
			n, _ := strconv.ParseInt(s, 10, 64)
			if listed[n] {
				w.fail("doubled: offset %d of partition %d in %s", n, partition, key)
			}
			if n < last {
				w.fail("order: offset %d after %d of partition %d in %s", n, last, partition, key)
			}
			listed[n], last = true, n
		}
	}
	want := ""
	for _, e := range events {
		if e.delete {
			want = ""
			continue
		}
		if !listed[e.offset] {
			if !e.heavy {
				w.fail("lost: offset %d of partition %d in %s", e.offset, partition, key)
			}
			continue
		}
		sums[key] += e.weight
		want = strconv.FormatInt(e.offset, 10)
		if e.heavy {
			want = string(heavyValue)
		}
	}
	got := ""
	if c := visible(cells, dataFamily, []byte(q), 0, 1<<63-1); c != nil {
		got = string(c.Value)
	}
	if got != want {
		for _, e := range events {
			w.logf("  record %d time %d delete %v heavy %v", e.offset, e.time, e.delete, e.heavy)
		}
		for _, c := range cells {
			w.logf("  cell %s:%s @%d type %d %q", c.Family, c.Qualifier, c.Timestamp, c.Type, c.Value)
		}
		w.fail("value of %s %s is %q, want %q", key, q, got, want)
	}
}

func number(cells []cell, qualifier string) int64 {
	c := visible(cells, countFam, []byte(qualifier), 0, 1<<63-1)
	if c == nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(c.Value))
}
