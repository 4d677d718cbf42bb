package hbase

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Write sends each row once and reports what is known of it. Rows are grouped by region and server, and travel in
// parallel calls bounded by the limits of Config; ModeRow and ModeBatch cut a server's rows into calls, ModeRegion a
// region's.
//
// done is called once for each finished call, perhaps by several goroutines at once, with the indexes into rows
// and their results; every index comes exactly once, and Write returns after the last. Nothing is sent twice:
// after Refused or Unknown the caller decides. Only the search for a region is repeated, for Config.LocateTimeout.
// No row may come twice; its second RowWrite is refused. When ctx ends, what is in flight is Unknown and the rest
// Refused with FaultConnect. The rows must not be changed before their result is in.
func (c *Client) Write(ctx context.Context, table string, mode Mode, rows []RowWrite, done func(idx []int, res []WriteResult)) {
	w := &writer{c: c, ctx: ctx, table: canonicalTable(table), mode: mode, rows: rows, done: done}
	w.run()
}

// WriteRow writes one row by itself, as ModeRow does, and reports what is known of it.
func (c *Client) WriteRow(ctx context.Context, table string, row RowWrite) WriteResult {
	var out WriteResult
	c.Write(ctx, table, ModeRow, []RowWrite{row}, func(_ []int, res []WriteResult) { out = res[0] })
	return out
}

// writer is one Write under way.
type writer struct {
	c     *Client
	ctx   context.Context
	table string
	mode  Mode
	rows  []RowWrite
	done  func([]int, []WriteResult)
	wg    sync.WaitGroup
	until time.Time // of the search for regions
}

// leastSearch is what each region's search may take when others have used up the time: one lookup.
const leastSearch = 200 * time.Millisecond

// group is the rows of one region, in key order.
type group struct {
	region *Region
	idx    []int
}

func (w *writer) run() {
	defer w.wg.Wait()
	w.until = time.Now().Add(w.c.cfg.LocateTimeout)
	ready, missing := w.locateCached(w.validRows())
	w.send(ready)
	for len(missing) > 0 {
		missing = w.locateNext(missing)
	}
}

// validRows sorts the indexes by row, so that regions are runs of them and row locks are taken in order, and
// reports those that must not be sent.
func (w *writer) validRows() []int {
	idx := make([]int, len(w.rows))
	for i := range idx {
		idx[i] = i
	}
	slices.SortFunc(idx, func(a, b int) int {
		// The index keeps rows that come twice in their order, for less than a stable sort takes.
		return cmp.Or(bytes.Compare(w.rows[a].Row, w.rows[b].Row), a-b)
	})
	good, bad := idx[:0:len(idx)], []int(nil)
	var results []WriteResult
	var last []byte
	for _, i := range idx {
		err := checkWrite(&w.rows[i], w.c.cfg.MaxCellBytes)
		if err == nil && len(good) > 0 && bytes.Equal(last, w.rows[i].Row) {
			err = &Error{Fault: FaultRow, Err: fmt.Errorf("checking the write of row %x: the row comes twice in one write", last)}
		}
		if err != nil {
			bad, results = append(bad, i), append(results, WriteResult{Refused, err})
			continue
		}
		last = w.rows[i].Row
		good = append(good, i)
	}
	if len(bad) > 0 {
		w.done(bad, results)
	}
	return good
}

// locateCached groups the rows whose region is known; the rows of a region are a run of the sorted ones.
func (w *writer) locateCached(idx []int) (ready []group, missing []int) {
	for len(idx) > 0 {
		n := 1
		if r := w.c.cache.find(w.table, w.rows[idx[0]].Row); r == nil {
			missing = append(missing, idx[0])
		} else {
			n = w.within(r, idx)
			ready = append(ready, group{r, idx[:n:n]})
		}
		idx = idx[n:]
	}
	return ready, missing
}

// locateNext looks up the region of the first row, and sends or refuses all rows in it. It gives the others.
func (w *writer) locateNext(idx []int) []int {
	limit := max(time.Until(w.until), min(leastSearch, w.c.cfg.LocateTimeout))
	r, err := w.c.locateFor(w.ctx, limit, w.table, w.rows[idx[0]].Row)
	if err == nil {
		n := w.within(r, idx)
		w.send([]group{{r, idx[:n:n]}})
		return idx[n:]
	}
	n := len(idx) // the table is at fault, or nothing answers
	if e := asError(err); w.ctx.Err() == nil && e != nil && e.Fault == FaultRelocate {
		if n = 1; e.closed != nil {
			n = w.within(e.closed, idx)
		}
	}
	w.refuse(idx[:n], definite(err))
	return idx[n:]
}

// within counts the first rows that lie in the region; at least one, lest the search go on for ever.
func (w *writer) within(r *Region, idx []int) int {
	n := 1
	for n < len(idx) && r.Contains(w.rows[idx[n]].Row) {
		n++
	}
	return n
}

// definite is a failure to locate as a reason to refuse: nothing was sent, however the lookup failed.
func definite(err error) error {
	e := asError(err)
	if e != nil && e.Fault != FaultAmbiguous {
		return err
	}
	return notSent(err)
}

func (w *writer) refuse(idx []int, err error) { w.settle(idx, Refused, err) }

// settle reports one outcome for many rows.
func (w *writer) settle(idx []int, o Outcome, err error) {
	res := make([]WriteResult, len(idx))
	for i := range res {
		res[i] = WriteResult{o, err}
	}
	w.done(idx, res)
}

// errUnsupported is for servers that took a condition for an unknown field and wrote.
func errUnsupported(r *Region, what string) error {
	return &Error{Fault: FaultUnsupported, Err: fmt.Errorf(
		"writing to %s on %s: the server ignored the condition and wrote: %s; upgrade HBase", r.Table, r.Addr, what)}
}
