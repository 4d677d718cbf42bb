package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// content is a table as the cluster itself holds it: by row, by family:qualifier, the newest cell.
type content map[string]map[string]hbase.Cell

func (w *world) content(table string) content {
	rows, err := w.hbase.Dump(table)
	if err != nil {
		w.fail("%v", err)
	}
	out := content{}
	for _, r := range rows {
		m := map[string]hbase.Cell{}
		for _, c := range r.Cells {
			name := string(c.Family) + ":" + string(c.Qualifier)
			if _, ok := m[name]; !ok {
				m[name] = c
			}
		}
		out[string(r.Row)] = m
	}
	return out
}

func number(c hbase.Cell) int64 {
	if len(c.Value) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(c.Value))
}

func (w *world) source(p int) string { return core.SourceName("s", topic, int32(p), 0) }

// audit looks while the connectors run: no checkpoint is ahead of its rows, none goes back, and each row's data
// and mark agree.
func (w *world) audit(ctx context.Context) {
	last := map[int]core.Position{}
	for ctx.Err() == nil {
		time.Sleep(40 * time.Millisecond)
		checkpoints := w.content("rowmark") // first these, then the rows
		counts := w.content("counts")
		for p := range w.partitions {
			cell, ok := checkpoints[w.source(p)]["c:position"]
			if !ok {
				continue
			}
			pos, err := core.DecodePosition(cell.Value)
			if err != nil {
				w.fail("%v", err)
				continue
			}
			if old := last[p]; pos.Offset < old.Offset || pos.Epoch < old.Epoch {
				w.fail("checkpoint of partition %d went back: offset %d to %d, epoch %d to %d", p, old.Offset, pos.Offset, old.Epoch, pos.Epoch)
			}
			last[p] = pos
			w.checkListed(counts, p, pos.Offset)
		}
		w.checkRows(counts, "while it ran")
	}
}

// checkListed is that every record below an offset is in its row.
func (w *world) checkListed(counts content, p int, below int64) {
	w.log.mu.Lock()
	events := w.log.logs[p]
	w.log.mu.Unlock()
	for _, e := range events {
		if e.offset >= below {
			break
		}
		if !e.delete && !strings.Contains(","+string(counts[e.key]["l:list"].Value), ","+e.id) {
			w.fail("ahead: checkpoint %d of partition %d, but record %s is not in row %s", below, p, e.id, e.key)
			return
		}
	}
}

// checkRows compares list, counter and mark of each row with one another and with the log.
func (w *world) checkRows(counts content, when string) {
	for key, cells := range counts {
		if strings.HasPrefix(key, "total-") {
			continue
		}
		ids := strings.SplitAfter(string(cells["l:list"].Value), ",")
		var sum int64
		last, part := int64(-1), -1
		for _, id := range ids[:len(ids)-1] {
			e, p := w.event(id)
			if e == nil || e.key != key {
				w.fail("foreign: %s in row %s %s", id, key, when)
				return
			}
			if e.offset <= last {
				w.fail("order or doubled: %s after offset %d in row %s %s", id, last, key, when)
			}
			last, part = e.offset, p
			sum += e.weight
		}
		if got := number(cells["c:w"]); got != sum {
			w.fail("counter of row %s is %d %s, its list says %d", key, got, when, sum)
		}
		if part >= 0 {
			mark := cells["_k:"+w.source(part)]
			if m, err := core.DecodeMark(mark.Value); err != nil || m.Next != last+1 || mark.Timestamp != m.Next {
				w.fail("mark of row %s is %d@%d (%v) %s, its list ends at %d", key, m.Next, mark.Timestamp, err, when, last)
			}
		}
	}
}

// event finds a record by what it says of itself.
func (w *world) event(id string) (*event, int) {
	a, b, _ := strings.Cut(strings.TrimSuffix(id, ","), ":")
	p, err1 := strconv.Atoi(a)
	off, err2 := strconv.Atoi(b)
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	if err1 != nil || err2 != nil || p < 0 || p >= len(w.log.logs) || off < 0 || off >= len(w.log.logs[p]) {
		return nil, 0
	}
	e := w.log.logs[p][off]
	return &e, p
}

// check compares everything with the fold of the log.
func (w *world) check() {
	counts, rows := w.content("counts"), w.content("rows")
	w.checkRows(counts, "at the end")
	for p, log := range w.log.logs {
		w.checkListed(counts, p, int64(len(log)))
		var total int64
		want := map[string]*event{}
		for i := range log {
			e := &log[i]
			want[e.key] = e
			if !e.delete {
				total += e.weight
			}
		}
		for key, e := range want {
			id, weight := "", ""
			if !e.delete {
				id, weight = e.id, fmt.Sprint(e.weight)
			}
			if got := rows[key]; string(got["d:last"].Value) != id || string(got["d:w"].Value) != weight {
				w.fail("row %s holds %q and %q, want %q and %q", key, got["d:last"].Value, got["d:w"].Value, id, weight)
			}
		}
		if got := number(counts[fmt.Sprint("total-", p)]["c:w"]); got != total {
			w.fail("the total of partition %d is %d, want %d", p, got, total)
		}
	}
}
