package e2e

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kadm"
)

// TestDisastersOnHDFS kills what a crash-safe HBase is made of.
func TestDisastersOnHDFS(t *testing.T) {
	cluster.NeedReal(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	h, err := cluster.StartDistributedHBase(ctx, cluster.HBaseOptions{
		Options: cluster.TestOptions(),
		Config:  map[string]string{"hbase.regionserver.logroll.period": "3000"}, // a full folder is met soon
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Stop() })
	java, err := cluster.StartJavaClient(ctx, cluster.TestOptions(), h.ZooKeeper())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = java.Close() })
	world := func(t *testing.T) *struck {
		w := &world{t: t, name: cluster.UniqueName(t), brokers: cluster.SharedKafka(t), zookeeper: h.ZooKeeper(), java: java}
		w.client = w.producer()
		w.admin = kadm.NewClient(w.client)
		return newStruckOn(w, 2)
	}
	t.Run("server and connector at once", func(t *testing.T) { killBoth(ctx, world(t), h) })
	t.Run("no room for the log", func(t *testing.T) { fillLogs(ctx, world(t), h) })
}

// killBoth kills the connector and the server of its rows at one moment, in the middle of records.
func killBoth(ctx context.Context, s *struck, h *cluster.HBase) {
	s.send(20000, time.Hour)
	regions, err := s.java.Regions(s.name + "_rows")
	if err != nil || len(regions) == 0 {
		s.t.Fatalf("regions: %v, %v", regions, err)
	}
	server := h.RegionServerAt(regions[0].Server)
	p := s.start(s.config)
	p.says("partition taken", 2)
	time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond) // any moment will do
	var both sync.WaitGroup
	both.Go(p.kill)
	both.Go(func() {
		if err := server.Kill(); err != nil {
			s.t.Error(err)
		}
	})
	both.Wait()
	if strings.Count(p.output(), "caught up") == s.partitions {
		s.t.Fatal("the kill came after the last record")
	}
	next := s.start(s.config)
	s.send(500, 0)
	if err := server.Restart(ctx); err != nil {
		s.t.Fatal(err)
	}
	s.caughtUp(s.config, 2)
	next.signal(syscall.SIGTERM)
	next.ends(0)
	s.judge(s.foldMixed(s.committed(s.topic)))
}

// fillLogs leaves HBase's write-ahead logs no room, so that its region servers end. The connector waits for them.
func fillLogs(ctx context.Context, s *struck, h *cluster.HBase) {
	s.send(500, time.Hour)
	p := s.start(s.config)
	s.caughtUp(s.config, 2)
	if err := h.DFSAdmin(ctx, "-setSpaceQuota", "1", "/hbase/WALs"); err != nil {
		s.t.Fatal(err)
	}
	for _, server := range h.RegionServers() {
		eventually(s.t, "a region server without room to end", func() bool {
			s.send(20, 0)
			return !server.Alive()
		})
	}
	s.send(500, 0)
	p.says("trying again", 1)
	if err := h.DFSAdmin(ctx, "-clrSpaceQuota", "/hbase/WALs"); err != nil {
		s.t.Fatal(err)
	}
	for _, server := range h.RegionServers() {
		if err := server.Restart(ctx); err != nil {
			s.t.Fatal(err)
		}
	}
	s.caughtUp(s.config, 2)
	p.signal(syscall.SIGTERM)
	p.ends(0)
	s.judge(s.foldMixed(s.committed(s.topic)))
}
