package hbasetest_test

import (
	"context"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// A region server is paused with a write on its way to it, loses its regions meanwhile, and comes back: that write
// takes no effect beside the same one that another server has applied.
func TestPausedServerWritesNothing(t *testing.T) {
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) {
			ctx, cl, c := open(t, hbasetest.Options{Servers: 2}, func(cfg *hbase.Config) { cfg.RPCTimeout = 200 * time.Millisecond })
			n := cl.ServerOf("t", []byte("row"))
			if r := write(ctx, t, c, mode, marked("row", 0))[0]; r.Outcome != hbase.Applied {
				t.Fatalf("the first write: outcome %d, %v", r.Outcome, r.Err)
			}
			if err := cl.Pause(n); err != nil {
				t.Fatal(err)
			}
			if r := write(ctx, t, c, mode, marked("row", 1))[0]; r.Outcome != hbase.Unknown {
				t.Errorf("a write to a paused server: outcome %d, %v; want unknown", r.Outcome, r.Err)
			}
			second := givenUp(ctx, t, cl, n)
			if r := write(ctx, t, second, mode, marked("row", 1))[0]; r.Outcome != hbase.Applied {
				t.Errorf("the same write elsewhere: outcome %d, %v", r.Outcome, r.Err)
			}
			if err := cl.Resume(n); err != nil {
				t.Fatal(err)
			}
			if got := counters(t, cl)["row"]; got != 2 {
				t.Errorf("the row holds %d, want 2", got)
			}
			if err := cl.Restart(n); err != nil {
				t.Error(err)
			}
			if r := write(ctx, t, second, mode, marked("row", 2))[0]; r.Outcome != hbase.Applied {
				t.Errorf("after the restart: outcome %d, %v", r.Outcome, r.Err)
			}
		})
	}
}

// Reads are not fenced: one that comes back shows what its regions held when it lost them.
func TestPausedServerReadsOld(t *testing.T) {
	for name, get := range map[string]func(context.Context, *hbase.Client) (hbase.Row, error){
		"one": func(ctx context.Context, c *hbase.Client) (hbase.Row, error) {
			return c.Get(ctx, "t", hbase.Get{Row: []byte("row")})
		},
		"many": func(ctx context.Context, c *hbase.Client) (hbase.Row, error) {
			rows, errs := c.GetAll(ctx, "t", []hbase.Get{{Row: []byte("row")}})
			return rows[0], errs[0]
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cl, c := open(t, hbasetest.Options{Servers: 2}, nil)
			if r := c.WriteRow(ctx, "t", marked("row", 0)); r.Outcome != hbase.Applied {
				t.Fatalf("the first write: outcome %d, %v", r.Outcome, r.Err)
			}
			n := cl.ServerOf("t", []byte("row"))
			if err := cl.Pause(n); err != nil {
				t.Fatal(err)
			}
			second := givenUp(ctx, t, cl, n)
			if r := second.WriteRow(ctx, "t", marked("row", 1)); r.Outcome != hbase.Applied {
				t.Fatalf("the write elsewhere: outcome %d, %v", r.Outcome, r.Err)
			}
			type answer struct {
				row hbase.Row
				err error
			}
			old := make(chan answer, 1)
			go func() {
				row, err := get(ctx, c)
				old <- answer{row, err}
			}()
			time.Sleep(100 * time.Millisecond) // it waits at the paused server
			if err := cl.Resume(n); err != nil {
				t.Fatal(err)
			}
			if a := <-old; a.err != nil || markIn(a.row) != 1 {
				t.Errorf("the read that waited shows the mark %d, %v; want 1", markIn(a.row), a.err)
			}
			if row, err := get(ctx, c); err != nil || markIn(row) != 2 {
				t.Errorf("the next read shows the mark %d, %v; want 2", markIn(row), err)
			}
		})
	}
}

// givenUp lets a paused server lose its regions, and gives a client that comes after that.
func givenUp(ctx context.Context, t *testing.T, cl *hbasetest.Cluster, server int) *hbase.Client {
	t.Helper()
	if err := cl.GiveUp(server); err != nil {
		t.Fatal(err)
	}
	c, err := hbase.Open(ctx, cl.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// markIn is the highest timestamp of the mark family.
func markIn(row hbase.Row) int64 {
	mark := int64(-1)
	for _, c := range row.Cells {
		if string(c.Family) == "k" {
			mark = max(mark, c.Timestamp)
		}
	}
	return mark
}

// One that is resumed in time does what it found waiting.
func TestPausedServerGoesOn(t *testing.T) {
	ctx, cl, c := open(t, hbasetest.Options{}, nil)
	if err := cl.Pause(0); err != nil {
		t.Fatal(err)
	}
	done := make(chan hbase.WriteResult, 1)
	go func() {
		done <- c.WriteRow(ctx, "t", marked("row", 0))
	}()
	select {
	case r := <-done:
		t.Errorf("it was answered while the server was paused: %d, %v", r.Outcome, r.Err)
	case <-time.After(100 * time.Millisecond):
	}
	if err := cl.Resume(0); err != nil {
		t.Fatal(err)
	}
	if r := <-done; r.Outcome != hbase.Applied {
		t.Errorf("outcome %d, %v", r.Outcome, r.Err)
	}
}

// A client outlives cut connections to ZooKeeper, an expired session, and a spell without ZooKeeper.
func TestZooKeeperFaults(t *testing.T) {
	ctx, cl, c := open(t, hbasetest.Options{Servers: 2}, nil)
	find := func(when string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		for {
			names, err := c.Servers(ctx)
			if err == nil && len(names) == 2 {
				return
			}
			if ctx.Err() != nil {
				t.Fatalf("%s: %v, %v", when, names, err)
			}
		}
	}
	find("at first")
	if n := cl.CutZooKeeper(); n == 0 {
		t.Error("there was no connection to cut")
	}
	find("after a cut")
	cl.ExpireZooKeeper()
	find("after the session's end")
	cl.ZooKeeperAway(true)
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := c.Servers(short); err == nil {
		t.Error("ZooKeeper answered while it was away")
	}
	cl.ZooKeeperAway(false)
	find("after it was away")
	if err := cl.MoveMeta(1); err != nil || cl.MetaServer() != 1 {
		t.Errorf("hbase:meta is at %d, %v", cl.MetaServer(), err)
	}
	if r := c.WriteRow(ctx, "t", marked("row", 0)); r.Outcome != hbase.Applied {
		t.Errorf("after hbase:meta moved: outcome %d, %v", r.Outcome, r.Err)
	}
}
