package cluster

import (
	"testing"
	"time"
)

func TestDistributedHBaseNoticesADeadRegionServer(t *testing.T) {
	ctx := needReal(t)
	parent := t.TempDir()
	clashOnce(t, 7) // the first region server's
	began := time.Now()
	h, err := StartDistributedHBase(ctx, HBaseOptions{Options: Options{Dir: parent, Log: func(s string) { t.Log(s) }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("served after %v", time.Since(began))
	if n := liveRegionServers(t, h); n != 2 {
		t.Errorf("ZooKeeper shows %d region servers, want 2", n)
	}
	rs := h.RegionServers()[1]
	if err := rs.Kill(); err != nil {
		t.Error(err)
	}
	began = time.Now()
	for liveRegionServers(t, h) != 1 {
		if time.Since(began) > time.Minute {
			t.Fatal("ZooKeeper still shows the killed region server after a minute")
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Logf("death noticed after %v", time.Since(began))
	if err := rs.Restart(ctx); err != nil {
		t.Error(err)
	}
	if n := liveRegionServers(t, h); n != 2 {
		t.Errorf("ZooKeeper shows %d region servers after the restart, want 2", n)
	}
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	checkGone(t, parent, h.ZooKeeper()[0], h.Processes())
}
