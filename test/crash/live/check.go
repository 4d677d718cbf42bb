package live

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// content is tables as the cluster itself holds them: by table and row, by family:qualifier, the newest cell.
type content map[string]map[string]string

func (w *world) read() content {
	out := content{}
	for _, table := range []string{"rows", "counts", checkpointTable} {
		rows, err := w.hbase.Dump(table)
		if err != nil {
			w.fail("%v", err)
		}
		for _, r := range rows {
			m := map[string]string{}
			for _, c := range r.Cells {
				name := string(c.Family) + ":" + string(c.Qualifier)
				if _, ok := m[name]; !ok {
					m[name] = string(c.Value)
				}
			}
			out[table+" "+string(r.Row)] = m
		}
	}
	return out
}

func source(p int) string { return core.SourceName(sink, "t", int32(p), 0) }

// reached says whether all checkpoints stand at a share of the log.
func (w *world) reached(share float64) bool {
	rows, err := w.hbase.Dump(checkpointTable)
	if err != nil {
		return false
	}
	at := map[string]int64{}
	for _, r := range rows {
		for _, c := range r.Cells {
			if string(c.Qualifier) == "position" {
				if pos, err := core.DecodePosition(c.Value); err == nil {
					at[string(r.Row)] = pos.Offset
				}
				break
			}
		}
	}
	for p, events := range w.events {
		if at[source(p)] < int64(float64(len(events))*share) {
			return false
		}
	}
	return true
}

// checkInit is that after init nothing is left to do.
func (w *world) checkInit(ctx context.Context) {
	w.command(ctx, "check", -1, func(ctx context.Context, client *hbase.Client) error {
		steps, err := w.initSteps(ctx, client)
		for _, s := range steps {
			if s.Do != nil {
				w.fail("after init there is left to do: %s", s.Text)
			}
		}
		return err
	})
}

// check reads everything and compares it. spoil, if not nil, changes what was read before that.
func (w *world) check(spoil func(content)) {
	got := w.read()
	if spoil != nil {
		spoil(got)
	}
	w.compare(got)
}

// compare compares what was read with the fold of the log.
func (w *world) compare(got content) {
	changes := w.checkLists(got)
	want := w.fold(changes)
	for row, cells := range want {
		for name, value := range cells {
			if got[row][name] != value {
				w.fail("column %s of row %s holds %s, want %s", name, row, show(got[row][name]), show(value))
			}
		}
	}
	for row, cells := range got {
		if strings.HasPrefix(row, checkpointTable) {
			continue
		}
		for name, value := range cells {
			if _, ok := want[row][name]; !ok && !strings.HasPrefix(name, "l:") && !strings.HasPrefix(name, markFamily) {
				w.fail("column %s of row %s holds %s, want none", name, row, show(value))
			}
		}
	}
	w.checkMarks(got)
}

func show(s string) string {
	if len(s) > 60 {
		return fmt.Sprintf("%d bytes", len(s))
	}
	return strconv.Quote(s)
}

// checkLists is that each record is in its list once, in order, by one of the mappings; it gives the offsets at which
// the partitions changed theirs.
func (w *world) checkLists(got content) []int64 {
	changes := make([]int64, len(w.events))
	for p := range changes {
		changes[p] = math.MaxInt64
	}
	type place struct{ row, column string }
	where := map[string]place{}
	for row, cells := range got {
		for _, column := range []string{"l:list", "l:list2"} {
			last := map[int]int64{}
			for _, id := range strings.SplitAfter(strings.TrimSuffix(cells[column], ","), ",") {
				if id == "" {
					continue
				}
				id = strings.TrimSuffix(id, ",") + ","
				p, off, err := parse(id)
				if err != nil || p >= len(w.events) || off >= int64(len(w.events[p])) {
					w.fail("foreign: %s in %s", id, row)
					continue
				}
				if was, ok := where[id]; ok {
					w.fail("doubled: %s in %v and in %s %s", id, was, row, column)
				}
				if before, ok := last[p]; ok && off < before {
					w.fail("order: %s after offset %d in %s", id, before, row)
				}
				where[id], last[p] = place{row, column}, off
				if column == "l:list2" {
					changes[p] = min(changes[p], off)
				}
			}
		}
	}
	for p, events := range w.events {
		for i := range events {
			e := &events[i]
			if e.delete {
				continue
			}
			column := "l:list"
			if e.offset >= changes[p] {
				column = "l:list2"
			}
			if got := where[e.id]; got != (place{"counts " + e.key, column}) {
				w.fail("record %s is in %q %q, want counts %s %s", e.id, got.row, got.column, e.key, column)
			}
		}
	}
	return changes
}

func parse(id string) (int, int64, error) {
	a, b, _ := strings.Cut(strings.TrimSuffix(id, ","), ":")
	p, err := strconv.Atoi(a)
	if err != nil {
		return 0, 0, err
	}
	off, err := strconv.ParseInt(b, 10, 64)
	return p, off, err
}

// fold is what the log makes of the rows, lists left out.
func (w *world) fold(changes []int64) content {
	out, sums := content{}, map[string]int64{}
	for p, events := range w.events {
		for i := range events {
			e := &events[i]
			row := fmt.Sprintf("rows %s.%d", e.key, p)
			switch {
			case e.delete:
				delete(out, row)
				continue
			case !e.big:
				m := out[row]
				if m == nil {
					m = map[string]string{}
					out[row] = m
				}
				last := "d:last"
				if e.offset >= changes[p] {
					last = "d:last2"
				}
				m[last], m["d:w"], m["d:x"] = e.id, strconv.FormatInt(e.weight, 10), e.id
				if e.drop {
					delete(m, "d:x")
				}
			}
			sums["counts "+e.key] += e.weight
		}
	}
	for row, n := range sums {
		out[row] = map[string]string{"c:w": string(binary.BigEndian.AppendUint64(nil, uint64(n)))}
	}
	return out
}

// checkMarks is that each row's mark is that of its last record, and each checkpoint at the end and let go.
func (w *world) checkMarks(got content) {
	for p, events := range w.events {
		c := got[checkpointTable+" "+source(p)]["c:position"]
		pos, err := core.DecodePosition([]byte(c))
		if err != nil || pos.Offset != int64(len(events)) || pos.Owner != (core.Owner{}) {
			w.fail("the checkpoint of partition %d is %d of owner %s (%v), want %d of none", p, pos.Offset, pos.Owner, err, len(events))
		}
		if w.atLeastOnce() {
			continue
		}
		want := map[string]int64{}
		for i := range events {
			e := &events[i]
			want[fmt.Sprintf("rows %s.%d", e.key, p)] = e.offset + 1
			if !e.delete {
				want["counts "+e.key] = e.offset + 1
			}
		}
		for row, n := range want {
			m, err := core.DecodeMark([]byte(got[row][markFamily+":"+source(p)]))
			if err != nil || m.Next != n {
				w.fail("the mark of partition %d in row %s is %d (%v), want %d", p, row, m.Next, err, n)
			}
		}
	}
}
