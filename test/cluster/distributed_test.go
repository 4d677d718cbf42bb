package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// eventually polls until cond holds.
func eventually(t *testing.T, what string, cond func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !cond() {
		if time.Since(began) > 90*time.Second {
			t.Fatalf("waiting for %s: not so after 90 s", what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(began)
}

func TestDistributedHBase(t *testing.T) {
	ctx := needReal(t)
	parent := t.TempDir()
	clashOnce(t, 7) // the first region server's
	began := time.Now()
	h, err := StartDistributedHBase(ctx, HBaseOptions{
		Options: Options{Dir: parent, Log: func(s string) { t.Log(s) }}, SessionTimeout: 3 * time.Second, Clocks: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	defer func() {
		if !stopped {
			_ = h.Stop() // the test has failed already
		}
	}()
	t.Logf("served after %v", time.Since(began))
	if n := liveRegionServers(t, h); n != 2 {
		t.Errorf("ZooKeeper shows %d region servers, want 2", n)
	}
	c, err := StartJavaClient(ctx, TestOptions(), h.ZooKeeper())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	table := UniqueName(t)
	mustDo(t, c, "create", table, "family:d", "split:6d")
	put := func(row string) { mustDo(t, c, "put", table, Hex(row), "d", Hex("q"), "-", Hex("value of "+row)) }
	put("a")
	put("z")
	// Each step leaves two region servers behind, and the balancer off.
	for _, step := range []struct {
		name string
		do   func(*testing.T, *HBase, *JavaClient, string)
	}{
		{"regions", changeRegions},
		{"throttle", throttle},
		{"wrong clock", wrongClock},
		{"dead server", deadServer},
		{"late server", lateServer},
		{"late disk", lateDisk},
		{"dead master", deadMaster},
	} {
		t.Run(step.name, func(t *testing.T) { step.do(t, h, c, table) })
	}
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	stopped = true
	checkGone(t, parent, h.ZooKeeper()[0], h.Processes())
}

func regionAt(t *testing.T, c *JavaClient, table, row string) Region {
	t.Helper()
	regions, err := c.Regions(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range regions {
		if r.Start <= row && (r.End == "" || row < r.End) {
			return r
		}
	}
	t.Fatalf("no region of %s holds row %q: %v", table, row, regions)
	return Region{}
}

func changeRegions(t *testing.T, h *HBase, c *JavaClient, table string) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if was, err := c.Balancer(false); err != nil || !was {
		t.Errorf("the balancer was on: %v, %v; want true", was, err)
	}
	from := regionAt(t, c, table, "a")
	for _, to := range h.RegionServerAddrs() {
		must(c.Move(from.Encoded, to))
		if got := regionAt(t, c, table, "a").Server; got != to {
			t.Errorf("after a move to %s the region is at %s", to, got)
		}
	}
	must(c.Flush(table))
	must(c.Compact(table))
	must(c.Split(table, "c"))
	low, high := regionAt(t, c, table, "a"), regionAt(t, c, table, "d")
	if low.End != "c" || high.Start != "c" {
		t.Errorf("after the split the regions are %+v and %+v, want them to meet at c", low, high)
	}
	// Daughters hold references to their parent's files until compacted.
	must(c.MajorCompact(table))
	eventually(t, "the merge", func() bool { return c.Merge(low.Encoded, high.Encoded) == nil })
	if r := regionAt(t, c, table, "a"); r.End != "m" {
		t.Errorf("after the merge the region is %+v, want it to end at m", r)
	}
	must(c.Snapshot(table, table+"_s"))
	mustDo(t, c, "put", table, Hex("b"), "d", Hex("q"), "-", Hex("later"))
	must(c.Restore(table, table+"_s"))
	must(c.DeleteSnapshot(table + "_s"))
	if out := mustDo(t, c, "count", table); out != "2 2" {
		t.Errorf("after restoring the snapshot the table has %q, want 2 2", out)
	}
	for _, to := range h.RegionServerAddrs() {
		must(c.Move("1588230740", to))
		if got, err := c.MetaServer(); err != nil || got != to {
			t.Errorf("after a move of hbase:meta to %s it is at %s (%v)", to, got, err)
		}
	}
	master, servers, err := c.Servers()
	if err != nil || master != h.MasterAddr() || len(servers) != 2 {
		t.Errorf("servers = %s, %v (%v), want %s and two", master, servers, err, h.MasterAddr())
	}
}

func throttle(t *testing.T, _ *HBase, c *JavaClient, table string) {
	if err := c.Throttle(table, 1); err != nil {
		t.Fatal(err)
	}
	// HBase's client waits as it is told; what takes long is throttled.
	took := eventually(t, "the throttle to bite", func() bool {
		began := time.Now()
		for range 3 {
			mustDo(t, c, "put", table, Hex("a"), "d", Hex("q"), "-", Hex("throttled"))
		}
		return time.Since(began) > time.Second
	})
	t.Logf("throttled after %v", took)
	if err := c.Unthrottle(table); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the throttle to end", func() bool {
		began := time.Now()
		for range 5 {
			mustDo(t, c, "put", table, Hex("a"), "d", Hex("q"), "-", Hex("free"))
		}
		return time.Since(began) < time.Second
	})
}

// wrongClock writes at a server whose clock is ahead, and then right again.
func wrongClock(t *testing.T, h *HBase, c *JavaClient, table string) {
	i := slices.Index(h.RegionServerAddrs(), regionAt(t, c, table, "a").Server)
	n := 0
	// A row for each: a cell behind the clock would stand below an earlier one.
	newest := func() time.Duration {
		t.Helper()
		n++
		row := fmt.Sprintf("t%d", n)
		mustDo(t, c, "put", table, Hex(row), "d", Hex("q"), "-", Hex("stamped"))
		cells, err := c.Get(table, row)
		if err != nil || len(cells) != 1 {
			t.Fatalf("the row just written is %v, %v", cells, err)
		}
		return time.Until(time.UnixMilli(cells[0].Timestamp))
	}
	if err := c.Move(regionAt(t, c, table, "t").Encoded, h.RegionServerAddrs()[i]); err != nil {
		t.Fatal(err)
	}
	if err := h.Skew(i, 10*time.Minute); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the clock to be ahead", func() bool { return newest() > 5*time.Minute })
	if err := h.Skew(i, 0); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the clock to be right", func() bool { return newest() < 5*time.Minute })
}

// deadServer kills the server of the table and of hbase:meta.
func deadServer(t *testing.T, h *HBase, c *JavaClient, table string) {
	meta, err := c.MetaServer()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Move(regionAt(t, c, table, "a").Encoded, meta); err != nil {
		t.Fatal(err)
	}
	mustDo(t, c, "put", table, Hex("a"), "d", Hex("q"), "-", Hex("only in the log"))
	rs := h.RegionServerAt(meta)
	if err := rs.Kill(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	noticed := eventually(t, "ZooKeeper to miss the server", func() bool { return liveRegionServers(t, h) == 1 })
	// The client knows the region's old place; its write ends at the new one.
	mustDo(t, c, "put", table, Hex("aa"), "d", Hex("q"), "-", Hex("new place"))
	t.Logf("kill -9 of the server of data and of meta: noticed after %v, written again after %v", noticed, time.Since(began))
	if got := mustDo(t, c, "dump", table); !strings.Contains(got, Hex("only in the log")) {
		t.Errorf("after the kill the table lacks what only the log had: %s", got)
	}
	if err := rs.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both servers", func() bool { return liveRegionServers(t, h) == 2 })
}

// lateServer pauses a server past its session: it ends when it goes on.
func lateServer(t *testing.T, h *HBase, c *JavaClient, table string) {
	rs := h.RegionServerAt(regionAt(t, c, table, "a").Server)
	if err := rs.Pause(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	mustDo(t, c, "put", table, Hex("ab"), "d", Hex("q"), "-", Hex("elsewhere"))
	t.Logf("SIGSTOP of the data's server: written again after %v", time.Since(began))
	if err := rs.Resume(); err != nil {
		t.Fatal(err)
	}
	t.Logf("it ended %v after it went on", eventually(t, "the late server to end", func() bool { return !rs.Alive() }))
	if err := rs.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both servers", func() bool { return liveRegionServers(t, h) == 2 })
}

// lateDisk pauses the DataNode for a moment: writes wait and then succeed.
func lateDisk(t *testing.T, h *HBase, c *JavaClient, table string) {
	if err := h.DataNode().Pause(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(3*time.Second, func() {
		if err := h.DataNode().Resume(); err != nil {
			t.Error(err)
		}
	})
	began := time.Now()
	mustDo(t, c, "put", table, Hex("ac"), "d", Hex("q"), "-", Hex("late"))
	if d := time.Since(began); d < 2*time.Second {
		t.Errorf("a write with a stopped disk took %v, want it to wait for the disk", d)
	}
	if n := liveRegionServers(t, h); n != 2 {
		t.Errorf("after a stall of the disk %d region servers live, want 2", n)
	}
}

// deadMaster checks that data can be written while there is no master.
func deadMaster(t *testing.T, h *HBase, c *JavaClient, table string) {
	if err := h.Master().Kill(); err != nil {
		t.Fatal(err)
	}
	mustDo(t, c, "put", table, Hex("ad"), "d", Hex("q"), "-", Hex("masterless"))
	began := time.Now()
	if err := h.Master().Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("the master served again after %v", time.Since(began))
	if err := c.Flush(table); err != nil {
		t.Error(err)
	}
}
