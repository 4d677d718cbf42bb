package e2e

import (
	"syscall"
	"testing"
	"time"
)

// TestSnapshotRestored restores one of two tables from before some records, as an operator should: with the connector
// stopped. A start that forgets the rest stops; from a time before the snapshot on, exactly the gap is filled, and the
// table that was not restored gets nothing twice.
func TestSnapshotRestored(t *testing.T) {
	s := newStruck(t, 2)
	s.send(300, time.Hour)
	p := s.start(s.config)
	s.caughtUp(s.config, 2)
	before := time.Now().Add(-time.Minute)
	s.hbase("snapshot", s.name+"_rows", s.name+"_snapshot")
	s.send(300, 0)
	s.caughtUp(s.config, 2)
	p.signal(syscall.SIGTERM)
	p.ends(0)
	s.hbase("disable", s.name+"_rows")
	s.hbase("restore", s.name+"_snapshot")
	s.hbase("enable", s.name+"_rows")
	s.send(100, 0)
	s.start(s.config).ends(11, "is older than the checkpoint", "rowmark offsets set")
	s.offsets("set", "--to", before.UTC().Format(time.RFC3339), "--yes").ends(0, "will be read again")
	for _, pos := range s.positions(s.config) {
		if pos.Checkpoint == 0 || pos.Lag == 0 {
			t.Errorf("set to %d with a lag of %d, want somewhere in the middle", pos.Checkpoint, pos.Lag)
		}
	}
	s.once(s.config)
	s.judge(s.foldMixed(s.committed(s.topic)))
}
