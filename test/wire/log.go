package main

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

const topic = "t"

// fate is what becomes of a record's transaction. Records outside of one are committed.
type fate uint8

const (
	committed fate = iota
	open
	aborted
)

// event is one record, as it was written.
type event struct {
	key    string
	id     string // partition:number,
	weight int64
	delete bool
	poison poison
	offset int64
	fate   fate
}

// history is what the log holds, by partition, in order. Records of one key are of one partition. Offsets have gaps,
// where transactions end.
type history struct {
	mu   sync.Mutex
	logs [][]event
	next []int64 // the next offset of each
}

func newHistory(partitions int) history {
	return history{logs: make([][]event, partitions), next: make([]int64, partitions)}
}

// add appends a record and says at which offset and under which id it is. make gets the id.
func (h *history) add(p int, e event) event {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.offset = h.next[p]
	e.id = fmt.Sprintf("%d:%d,", p, len(h.logs[p]))
	h.next[p]++
	h.logs[p] = append(h.logs[p], e)
	return e
}

// settle ends the open transaction of a partition, whose marker takes an offset.
func (h *history) settle(p int, f fate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next[p]++
	for i := range h.logs[p] {
		if h.logs[p][i].fate == open {
			h.logs[p][i].fate = f
		}
	}
}

func (h *history) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, l := range h.logs {
		n += len(l)
	}
	return n
}

// of copies a partition's records.
func (h *history) of(p int) []event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]event(nil), h.logs[p]...)
}

// byID finds a record by what it says of itself.
func (h *history) byID(id string) (e event, p int, ok bool) {
	a, b, _ := strings.Cut(strings.TrimSuffix(id, ","), ":")
	p, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err1 != nil || err2 != nil || p < 0 || p >= len(h.logs) || n < 0 || n >= len(h.logs[p]) {
		return e, 0, false
	}
	return h.logs[p][n], p, true
}

// want is what a row should hold, by the records below its mark.
type want struct {
	list string // of what is no delete, in order
	sum  int64
	last *event // of the records below the mark, deletes too; nil: none
	puts *event // the last that is no delete
	held *event // the last that is in the row
}

// fold goes through the committed records of a key below an offset that become rows; the empty key is all. Those that the
// row refused leave only their marks.
func fold(log []event, key string, below int64, in func(*event) bool) want {
	var out want
	for i := range log {
		e := &log[i]
		if e.offset >= below {
			break
		}
		if e.fate != committed || e.unmapped() || key != "" && e.key != key {
			continue
		}
		out.last = e
		if !e.delete {
			out.puts = e
		}
		if !in(e) {
			continue
		}
		out.held = e
		if !e.delete {
			out.list += e.id
			out.sum += e.weight
		}
	}
	return out
}
