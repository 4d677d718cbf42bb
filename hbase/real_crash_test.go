package hbase

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// counters adds 1 to each of its rows again and again, under marks, as the connector does: a refused write is
// looked at, and what is not known is sent again under the same condition.
type counters struct {
	c     *Client
	table string
	mode  Mode
	rows  []string
	offs  []int64 // per row, the number of increments that are surely in
}

// round tries to add 1 to each row, and gives how many rows went on.
func (k *counters) round(ctx context.Context) (int, error) {
	writes := make([]RowWrite, len(k.rows))
	for i, row := range k.rows {
		writes[i] = marked(row, k.offs[i]+1, k.offs[i]+1, increment("n", 1))
	}
	res := make([]WriteResult, len(writes))
	var mu sync.Mutex
	k.c.Write(ctx, k.table, k.mode, writes, func(idx []int, got []WriteResult) {
		mu.Lock()
		defer mu.Unlock()
		for n, i := range idx {
			res[i] = got[n]
		}
	})
	moved := 0
	for i, r := range res {
		switch {
		case r.Outcome == Applied:
			k.offs[i]++
			moved++
		case r.Outcome == Refused && r.Err == nil:
			row, err := k.c.Get(ctx, k.table, Get{Row: []byte(k.rows[i]), Columns: []Column{{Family: []byte("k")}}})
			if err != nil {
				return moved, err
			}
			if len(row.Cells) == 1 && row.Cells[0].Timestamp > k.offs[i] {
				if row.Cells[0].Timestamp != k.offs[i]+1 {
					return moved, fmt.Errorf("row %s has mark %d, at most %d was sent", k.rows[i], row.Cells[0].Timestamp, k.offs[i]+1)
				}
				k.offs[i]++ // an earlier try whose outcome was unknown
				moved++
			}
		}
	}
	if moved == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	return moved, ctx.Err()
}

// Region moves, a split, and the death and silence of region servers lose and double no increment.
func TestRealRegionServersFail(t *testing.T) {
	cluster.NeedReal(t)
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute)
	defer cancel()
	h, err := cluster.StartDistributedHBase(ctx, cluster.HBaseOptions{Options: cluster.Options{Dir: t.TempDir(), Log: func(s string) { t.Log(s) }}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.Stop(); err != nil {
			t.Error(err)
		}
	}()
	c, err := Open(ctx, Config{ZooKeeper: h.ZooKeeper(), RPCTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	table := "counters"
	schema := TableSchema{Name: table, Families: []FamilySchema{{Name: "d"}, {Name: "k"}}}
	schema.AddCoprocessor(CoprocessorMultiRowMutation)
	if err := c.Admin().CreateTable(ctx, schema, []byte("2"), []byte("4"), []byte("6")); err != nil {
		t.Fatal(err)
	}

	var stop atomic.Bool
	var rounds atomic.Int64
	var wg sync.WaitGroup
	workers := make([]*counters, 2)
	for m := range workers {
		k := &counters{c: c, table: table, mode: Mode(m)}
		for i := range 16 {
			k.rows = append(k.rows, fmt.Sprintf("%d-%d-%d", i%8, m, i))
		}
		k.offs = make([]int64, len(k.rows))
		workers[m] = k
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !stop.Load() {
				moved, err := k.round(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				if moved == len(k.rows) {
					rounds.Add(1) // one in which every row went on
				}
			}
		}()
	}
	progress := func(after string) {
		t.Helper()
		for want := rounds.Load() + 10; rounds.Load() < want; time.Sleep(50 * time.Millisecond) {
			if ctx.Err() != nil || t.Failed() {
				t.Fatalf("no progress after %s", after)
			}
		}
		t.Logf("going on after %s", after)
	}
	defer wg.Wait()
	defer stop.Store(true)

	progress("the start")
	regions, err := c.Regions(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	servers, err := c.Servers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range regions[:2] {
		dest := servers[(slices.Index(servers, r.Server)+1)%len(servers)]
		if err := c.Admin().MoveRegion(ctx, r, dest); err != nil {
			t.Fatal(err)
		}
	}
	progress("two moves")
	if err := c.Admin().SplitRegion(ctx, regions[3], []byte("7")); err != nil {
		t.Fatal(err)
	}
	progress("a split")
	rs := h.RegionServers()[0]
	if err := rs.Kill(); err != nil {
		t.Fatal(err)
	}
	progress("a region server's death")
	if err := rs.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	other := h.RegionServers()[1]
	if err := other.Pause(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(12 * time.Second) // longer than a call may take
	if err := other.Resume(); err != nil {
		t.Fatal(err)
	}
	progress("a region server's pause")
	stop.Store(true)
	wg.Wait()

	for _, k := range workers {
		for i, row := range k.rows {
			// The last write may be unknown: then the mark tells what the counter must be.
			r, err := c.Get(ctx, table, Get{Row: []byte(row)})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Cells) != 2 || len(r.Cells[0].Value) != 8 {
				t.Fatalf("row %s has %d cells", row, len(r.Cells))
			}
			n, mark := int64(binary.BigEndian.Uint64(r.Cells[0].Value)), r.Cells[1].Timestamp
			if n != mark || mark < k.offs[i] || mark > k.offs[i]+1 {
				t.Errorf("row %s counts %d under mark %d, told %d", row, n, mark, k.offs[i])
			}
		}
		t.Logf("mode %d: each row counts about %d", k.mode, k.offs[0])
	}
}
