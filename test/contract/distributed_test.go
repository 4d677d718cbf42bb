package contract

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/test/cluster"
)

// onHDFS is the distributed HBase that the tests here share; it starts when the first asks for it.
var onHDFS struct {
	once  sync.Once
	hbase *cluster.HBase
	java  *cluster.JavaClient
	err   error
}

func distributed(t *testing.T) (*env, *cluster.HBase) {
	t.Helper()
	cluster.NeedReal(t)
	onHDFS.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		onHDFS.hbase, onHDFS.err = cluster.StartDistributedHBase(ctx, cluster.HBaseOptions{Options: cluster.TestOptions()})
		if onHDFS.err == nil {
			onHDFS.java, onHDFS.err = cluster.StartJavaClient(ctx, cluster.TestOptions(), onHDFS.hbase.ZooKeeper())
		}
	})
	if onHDFS.err != nil {
		t.Fatal(onHDFS.err)
	}
	return connect(t, onHDFS.hbase.ZooKeeper(), onHDFS.java), onHDFS.hbase
}

func stopDistributed() error {
	var errs []error
	if onHDFS.java != nil {
		errs = append(errs, onHDFS.java.Close())
	}
	if onHDFS.hbase != nil {
		errs = append(errs, onHDFS.hbase.Stop())
	}
	return errors.Join(errs...)
}

// The condition holds over moves of the region, and over the death of its server, whose log is replayed elsewhere.
func TestMarkConditionOnHDFS(t *testing.T) {
	e, h := distributed(t)
	addrs := h.RegionServerAddrs()
	other := func(addr string) string {
		if addr == addrs[0] {
			return addrs[1]
		}
		return addrs[0]
	}
	server := func(t *testing.T, table string) string {
		t.Helper()
		r := e.regions(t, table)
		if len(r) != 1 {
			t.Fatalf("%d regions, want 1", len(r))
		}
		return r[0].Server
	}
	for mode, m := range modes {
		t.Run("move/"+mode, func(t *testing.T) {
			table := e.table(t)
			moves := 0
			e.protocol(t, table, m, "r", func() {
				before := server(t, table)
				e.do(t, "move", e.regions(t, table)[0].Encoded, other(before))
				if now := server(t, table); now != before {
					moves++
				}
			})
			if moves != 3 {
				t.Errorf("the region moved %d times, want 3", moves)
			}
		})
		t.Run("our_move/"+mode, func(t *testing.T) {
			table := e.table(t)
			e.protocol(t, table, m, "r", func() {
				all, err := e.c.Regions(e.ctx, table)
				if err != nil || len(all) != 1 {
					t.Fatalf("regions: %v, %v", all, err)
				}
				dest := other(all[0].Addr)
				if err := e.admin.MoveRegion(e.ctx, all[0], dest); err != nil {
					t.Fatal(err)
				}
				if now := server(t, table); now != dest {
					t.Errorf("the region is at %s, want %s", now, dest)
				}
			})
		})
		t.Run("kill/"+mode, func(t *testing.T) {
			table := e.table(t)
			kills := 0
			e.protocol(t, table, m, "r", func() {
				if kills > 0 {
					return // one death is enough; the second and third stage check that its traces stay
				}
				kills++
				addr := server(t, table)
				for i, a := range addrs {
					if a == addr {
						killAndRestart(t, e, h.RegionServers()[i])
					}
				}
			})
		})
	}
}

// killAndRestart ends a region server as a crash does, waits until the others have taken its place, and starts it.
func killAndRestart(t *testing.T, e *env, p *cluster.Process) {
	t.Helper()
	servers := func() int {
		names, err := e.c.Servers(e.ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	before := servers()
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	for servers() == before {
		time.Sleep(200 * time.Millisecond)
	}
	if err := p.Restart(e.ctx); err != nil {
		t.Fatal(err)
	}
}

// A region server that dies in the middle of many transactions leaves each whole or absent, and those that were
// answered with success are there.
func TestRegionTransactionsOverServerDeath(t *testing.T) {
	e, h := distributed(t)
	table := e.table(t)
	const rowsPerCall = 20
	call := func(n int) []hbase.RowWrite {
		var rows []hbase.RowWrite
		for i := range rowsPerCall {
			rows = append(rows, batch(fmt.Sprintf("call%04d-%02d", n, i), 0, 1))
		}
		return rows
	}
	done := map[int]hbase.Outcome{}
	killed := make(chan struct{})
	kill := func() {
		defer close(killed)
		addr := e.regions(t, table)[0].Server
		for i, a := range h.RegionServerAddrs() {
			if a == addr {
				if err := h.RegionServers()[i].Kill(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	outcomes := map[hbase.Outcome]int{}
	after, started := 0, false
	for n := 0; after < 20 && e.ctx.Err() == nil; n++ {
		if outcomes[hbase.Applied] == 50 && !started {
			started = true
			go kill() // the calls go on meanwhile
		}
		res := e.write(t, table, hbase.ModeRegion, call(n)...)
		for _, r := range res {
			if r.Outcome != res[0].Outcome {
				t.Fatalf("call %d: rows of one transaction ended %d and %d", n, res[0].Outcome, r.Outcome)
			}
		}
		done[n] = res[0].Outcome
		outcomes[res[0].Outcome]++
		select {
		case <-killed:
			if res[0].Outcome == hbase.Applied {
				after++ // on the other server
			}
		default:
		}
		if res[0].Outcome == hbase.Refused {
			time.Sleep(50 * time.Millisecond) // the region is on its way
		}
	}
	t.Logf("calls: %d applied, %d refused, %d unknown", outcomes[hbase.Applied], outcomes[hbase.Refused], outcomes[hbase.Unknown])
	if after < 20 {
		t.Errorf("%d calls were applied after the death, want 20", after)
	}
	for i, p := range h.RegionServers() {
		if !p.Alive() {
			if err := p.Restart(e.ctx); err != nil {
				t.Errorf("starting region server %d again: %v", i, err)
			}
		}
	}
	rows := rowsOf(t, e, table)
	for n, outcome := range done {
		found := 0
		for _, w := range call(n) {
			if len(rows[string(w.Row)]) == 2 {
				found++
			}
		}
		switch {
		case found != 0 && found != rowsPerCall:
			t.Errorf("call %d: %d of %d rows are there", n, found, rowsPerCall)
		case outcome == hbase.Applied && found == 0:
			t.Errorf("call %d was answered with success and is lost", n)
		case outcome == hbase.Refused && found > 0:
			t.Errorf("call %d was refused and is there", n)
		}
	}
}
