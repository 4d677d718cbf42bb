package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/test/linear"
)

// Two contenders race for a register of their own in the checkpoint table and for a marked row of their own in a data
// table, over the faulty wire: what package hbase tells them of each call must be true (linearizable).

const (
	registerRow = "lin-register"
	guardedRow  = "lin-row"
	guardedMark = "lin/t/0"
	foreignCell = "l:foreign" // on a row of the connectors, not theirs
)

func (w *world) contend(ctx context.Context, n int) {
	cfg := w.options.HBase
	c, err := hbase.Open(ctx, cfg)
	if err != nil {
		return // the history was over before it was reached
	}
	defer c.Close()
	k := &contestant{w: w, c: c, id: 1000 + n, r: rand.New(rand.NewPCG(w.seed, uint64(1000+n)))}
	for i := 0; ctx.Err() == nil; i++ {
		try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 200*time.Millisecond)
		switch k.r.IntN(5) {
		case 0:
			k.readRegister(try)
		case 1, 2:
			k.swap(try, i)
		case 3:
			k.readRow(try)
		default:
			k.write(try, i)
		}
		cancel()
		time.Sleep(time.Duration(k.r.IntN(30)) * time.Millisecond)
	}
}

type contestant struct {
	w     *world
	c     *hbase.Client
	id    int
	r     *rand.Rand
	value []byte // of the register, as last seen
	mark  int64  // of the row, as last seen
}

// told is an outcome as the client gave it. A doubled frame may be refused, with a reason, and done after that.
func (k *contestant) told(r hbase.WriteResult) linear.Outcome {
	switch {
	case r.Outcome == hbase.Applied:
		return linear.Applied
	case r.Outcome == hbase.Unknown, r.Err != nil && k.w.plan.Rates[hbasetest.Double] > 0:
		return linear.Unknown
	case r.Err != nil:
		return linear.Failed
	}
	return linear.Refused
}

func (k *contestant) readRegister(ctx context.Context) {
	call, span := k.w.registers.Read(k.id, registerRow), k.w.wakes.span()
	row, err := k.c.Get(ctx, "rowmark", hbase.Get{Row: []byte(registerRow)})
	if err != nil {
		return
	}
	k.value = nil
	for _, c := range row.Cells {
		k.value = c.Value
	}
	if !span.doubtful() {
		call.Got(k.value)
	}
}

func (k *contestant) swap(ctx context.Context, i int) {
	put := fmt.Appendf(nil, "%d-%d", k.id, i)
	call := k.w.registers.Swap(k.id, registerRow, k.value, put)
	res := k.c.WriteRow(ctx, "rowmark", hbase.RowWrite{
		Row:       []byte(registerRow),
		Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("c"), Qualifier: []byte("v")}, Type: hbase.CellPut, Timestamp: hbase.LatestTimestamp, Value: put}}}},
		Condition: &hbase.Condition{Family: []byte("c"), Qualifier: []byte("v"), Op: hbase.CompareEqual, Value: k.value},
	})
	o := k.told(res)
	if o != linear.Unknown {
		call.Ended(o)
	}
	if o == linear.Applied {
		k.value = put
	}
}

func (k *contestant) readRow(ctx context.Context) {
	if k.w.restored.Load() {
		return
	}
	call, span := k.w.rows.Read(k.id, guardedRow), k.w.wakes.span()
	row, err := k.c.Get(ctx, "counts", hbase.Get{Row: []byte(guardedRow)})
	if err != nil {
		return
	}
	var data []byte
	k.mark = 0
	for _, c := range row.Cells {
		switch {
		case string(c.Family) == "_k":
			k.mark = c.Timestamp
		case string(c.Family) == "l":
			data = c.Value
		}
	}
	if !span.doubtful() {
		call.Got(k.mark, data)
	}
	k.sample(ctx)
}

// sample reads a row of the connectors, data and mark in one Get.
func (k *contestant) sample(ctx context.Context) {
	key := fmt.Sprintf("k%d", k.r.IntN(3))
	call, span := k.w.rows.Read(k.id, key), k.w.wakes.span()
	row, err := k.c.Get(ctx, "counts", hbase.Get{Row: []byte(key)})
	if err != nil {
		return
	}
	var data []byte
	var mark int64
	for _, c := range row.Cells {
		switch {
		case string(c.Family) == "_k":
			mark = c.Timestamp
		case string(c.Family) == "l" && string(c.Qualifier) == "list":
			data = c.Value
		}
	}
	if !span.doubtful() {
		call.Got(mark, data)
	}
}

func (k *contestant) write(ctx context.Context, i int) {
	if k.w.restored.Load() {
		return
	}
	first := max(0, k.mark+int64(k.r.IntN(4)-1))
	next := first + 1 + int64(k.r.IntN(3))
	payload := fmt.Appendf(nil, "%d-%d,", k.id, i)
	call := k.w.rows.Write(k.id, guardedRow, first, next, payload, false)
	mode := hbase.ModeRow
	if k.w.commit != "row" && k.r.IntN(2) == 0 {
		mode = hbase.ModeRegion
	}
	var res hbase.WriteResult
	var once sync.Once
	k.c.Write(ctx, "counts", mode, []hbase.RowWrite{{
		Row: []byte(guardedRow),
		Mutations: []hbase.Mutation{
			{Kind: hbase.KindAppend, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("l"), Qualifier: []byte("list")}, Timestamp: hbase.LatestTimestamp, Value: payload}}},
			{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("_k"), Qualifier: []byte(guardedMark)}, Type: hbase.CellPut, Timestamp: next, Value: []byte("m")}}},
		},
		Condition: &hbase.Condition{Family: []byte("_k"), Qualifier: []byte(guardedMark), Op: hbase.CompareEqual, From: first + 1},
	}}, func(_ []int, all []hbase.WriteResult) { once.Do(func() { res = all[0] }) })
	o := k.told(res)
	if o != linear.Unknown {
		call.Ended(o)
	}
	if o == linear.Applied {
		k.mark = next
	}
}

// plantForeign puts a cell that is not ours into a row of the connectors.
func (w *world) plantForeign(ctx context.Context) error {
	return w.operator.WriteRow(ctx, "counts", hbase.RowWrite{Row: []byte("k0"), Mutations: []hbase.Mutation{{
		Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("l"), Qualifier: []byte("foreign")}, Type: hbase.CellPut, Timestamp: 7, Value: []byte("not ours")}},
	}}}).Err
}

// checkForeign is that it is as it was (I13).
func (w *world) checkForeign(counts content) {
	if c := counts["k0"][foreignCell]; !bytes.Equal(c.Value, []byte("not ours")) || c.Timestamp != 7 {
		w.fail(I13, "a cell that is not ours is now %q at %d", c.Value, c.Timestamp)
	}
}
