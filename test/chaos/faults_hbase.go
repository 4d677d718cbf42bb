package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rowmark/test/cluster"
)

// hbaseClasses break region servers, the master and ZooKeeper.
func hbaseClasses() []class {
	return []class{
		{classCost{"region server kill -9 (data)", hbaseLane, 22 * time.Second}, killServerOf(rowsTable)},
		{classCost{"region server kill -9 (checkpoints)", hbaseLane, 22 * time.Second}, killServerOf(checkpointTable)},
		{classCost{"region server kill -9 (meta)", hbaseLane, 24 * time.Second}, killServerOf("hbase:meta")},
		{classCost{"region server pause train", hbaseLane, 10 * time.Second}, serverTrain},
		{classCost{"region server paused past its session", hbaseLane, 22 * time.Second}, pauseServer},
		{classCost{"master kill -9", hbaseLane, 12 * time.Second}, killMaster},
		{classCost{"zookeeper cut", hbaseLane, 8 * time.Second}, cutZooKeeper},
	}
}

// serverOf gives the region server that has a table's region, one of them by chance.
func (s *stage) serverOf(table string, rnd *rand.Rand) (*cluster.Process, string, error) {
	regions, err := s.admin.Regions(table)
	if err != nil {
		return nil, "", err
	}
	if len(regions) == 0 {
		return nil, "", fmt.Errorf("asking for the regions of %s: none is known", table)
	}
	address := regions[rnd.IntN(len(regions))].Server
	p := s.hbase.RegionServerAt(address)
	if p == nil {
		return nil, "", fmt.Errorf("asking for the regions of %s: one is at %s, which is no region server of ours", table, address)
	}
	return p, address, nil
}

// claimServerOf is serverOf, with the server kept from other faults until release.
func (s *stage) claimServerOf(ctx context.Context, table string, rnd *rand.Rand) (server *cluster.Process, address string, release func(), err error) {
	if server, address, err = s.serverOf(table, rnd); err != nil {
		return nil, "", nil, err
	}
	release, err = s.keeper.claim(ctx, server)
	return server, address, release, err
}

func killServerOf(table string) func(context.Context, *stage, *rand.Rand) (string, error) {
	return func(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
		server, address, release, err := s.claimServerOf(ctx, table, rnd)
		if err != nil {
			return "", err
		}
		defer release()
		if err := server.Kill(); err != nil {
			return "", err
		}
		return s.afterDeath(ctx, server, address, table)
	}
}

// afterDeath waits until a server's regions are elsewhere, and starts it again.
func (s *stage) afterDeath(ctx context.Context, server *cluster.Process, address, table string) (string, error) {
	began := time.Now()
	err := until(ctx, 2*time.Minute, "the regions of "+table+" to open elsewhere", func() (bool, error) {
		regions, err := s.admin.Regions(table)
		if err != nil {
			return false, err
		}
		for _, r := range regions {
			if r.Server == address {
				return false, nil
			}
		}
		return true, nil
	})
	took := time.Since(began)
	if rerr := restart(server); rerr != nil {
		s.fail(rerr)
		return "", rerr
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s at %s died, and its regions of %s were elsewhere after %.1f s", server.Name(), address, table, took.Seconds()), nil
}

func serverTrain(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	server, _, release, err := s.claimServerOf(ctx, rowsTable, rnd)
	if err != nil {
		return "", err
	}
	defer release()
	n := 0
	for range 6 {
		if err := server.Pause(); err != nil {
			return "", err
		}
		_ = sleep(ctx, time.Duration(100+rnd.IntN(1400))*time.Millisecond) // Resume must come in any case
		if err := s.wake(server); err != nil {
			return "", err
		}
		n++
		if err := sleep(ctx, time.Duration(rnd.IntN(500))*time.Millisecond); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s was paused %d times (and is alive: %v)", server.Name(), n, server.Alive()), nil
}

// wake lets a paused region server go on, and notes that its reads may be stale from now on.
func (s *stage) wake(server *cluster.Process) error {
	s.reads.wakes.add(s.reads.now())
	return server.Resume()
}

// hbaseBack starts a server again that should not have ended.
func (s *stage) hbaseBack(server *cluster.Process, why error) error {
	if err := restart(server); err != nil {
		s.fail(err)
		return err
	}
	return why
}

// pauseServer stops a region server's clock until its session is over and its regions are elsewhere, and wakes it: a
// zombie, which must not write any more.
func pauseServer(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	server, address, release, err := s.claimServerOf(ctx, rowsTable, rnd)
	if err != nil {
		return "", err
	}
	defer release()
	if err := server.Pause(); err != nil {
		return "", err
	}
	err = until(ctx, 2*time.Minute, "the regions to open elsewhere", func() (bool, error) {
		regions, err := s.admin.Regions(rowsTable)
		for _, r := range regions {
			if r.Server == address {
				return false, nil
			}
		}
		return err == nil, err
	})
	if rerr := s.wake(server); rerr != nil {
		return "", rerr
	}
	_ = sleep(ctx, 2*time.Second) // for what it still tries to do
	ended := !server.Alive()
	if err := s.hbaseBack(server, err); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s was paused until its regions were elsewhere (it ended by itself when it woke: %v)", server.Name(), ended), nil
}

func killMaster(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	master := s.hbase.Master()
	release, err := s.keeper.claim(ctx, master)
	if err != nil {
		return "", err
	}
	defer release()
	pid := master.Pid()
	if err := master.Kill(); err != nil {
		return "", err
	}
	_ = sleep(ctx, time.Duration(1000+rnd.IntN(4000))*time.Millisecond) // the restart must come in any case
	if err := restart(master); err != nil {
		s.fail(err)
		return "", err
	}
	return fmt.Sprintf("the master, pid %d, died, and another serves, pid %d", pid, master.Pid()), nil
}

// cutZooKeeper parts the connectors from ZooKeeper; what asks there anew must wait. A connector is ended meanwhile, so
// that one does ask.
func cutZooKeeper(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	before := s.hbaseProxy.Bites()["cut"]
	s.hbaseProxy.Cut(s.hbase.ZooKeeper()[0])
	defer s.hbaseProxy.Heal()
	c := s.anyConnector(rnd)
	if err := c.process().kill(); err != nil {
		return "", err
	}
	if err := sleep(ctx, time.Duration(4000+rnd.IntN(4000))*time.Millisecond); err != nil {
		return "", err
	}
	n := s.hbaseProxy.Bites()["cut"] - before
	if n == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d frames and connections to ZooKeeper were held up, a start of %s among them", n, c.name), nil
}
