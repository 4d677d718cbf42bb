package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestCheckpointTableLost drops the table of checkpoints after a crash in the middle of records, and rebuilds it.
func TestCheckpointTableLost(t *testing.T) {
	s := newStruck(t, 2)
	s.send(2000, 0)
	p := s.start(s.config)
	p.says("partition taken", 2)
	time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond) // any moment will do
	p.kill()
	s.hbase("disable", s.keeps)
	s.hbase("delete", s.keeps)
	s.send(500, 0)
	s.start(s.config).ends(7, "rowmark init")
	s.offsets("show").ends(7, "rowmark init")
	s.offsets("rebuild", "--from", "earliest", "--yes").ends(7, "rowmark init")
	s.init(s.config)
	s.offsets("rebuild", "--from", "earliest", "--dry-run").ends(0, "READ AGAIN")
	if got := s.positions(s.config); len(got) != 0 {
		t.Fatalf("a dry run wrote %+v", got)
	}
	s.offsets("rebuild", "--from", "earliest", "--yes").ends(0, "2 checkpoints written")
	s.once(s.config)
	s.judge(s.foldMixed(s.committed(s.topic)))
	s.offsets("rebuild", "--from", "earliest", "--yes").ends(1, "has 2 checkpoints")
}

// TestCheckpointRowsLost takes the rows of the checkpoints away from a running connector, and rebuilds them from a time.
func TestCheckpointRowsLost(t *testing.T) {
	s := newStruck(t, 2)
	s.send(300, time.Hour)
	p := s.start(s.config)
	s.caughtUp(s.config, 2)
	before := time.Now().Add(-time.Minute)
	s.send(300, 0)
	s.loseCheckpoints()
	p.ends(5, "another connector took this partition")
	s.send(300, 0)
	s.offsets("rebuild", "--from", before.UTC().Format(time.RFC3339), "--yes").ends(0, "2 checkpoints written")
	for _, pos := range s.positions(s.config) {
		if pos.Checkpoint == 0 || pos.Lag == 0 {
			t.Errorf("rebuilt at %d with a lag of %d, want somewhere in the middle", pos.Checkpoint, pos.Lag)
		}
	}
	s.once(s.config)
	s.judge(s.foldMixed(s.committed(s.topic)))
}

// TestCheckpointLostInALaterIncarnation loses the checkpoint of a topic that was created again. A start without it takes
// the log for the first, under whose marks other records stand; a rebuilt one does not.
func TestCheckpointLostInALaterIncarnation(t *testing.T) {
	for _, rebuilt := range []bool{true, false} {
		t.Run(fmt.Sprintf("rebuilt=%t", rebuilt), func(t *testing.T) {
			s := newStruck(t, 1)
			s.send(100, time.Hour)
			s.once(s.config)
			want := s.foldMixed(s.committed(s.topic))
			s.recreate(s.topic)
			s.sendAnew(300)
			s.once(s.config, "--set", "kafka.log_changed=new-incarnation")
			s.loseCheckpoints()
			s.send(100, 0)
			s.foldMixedInto(want, "#1", s.committed(s.topic))
			if !rebuilt {
				s.once(s.config)
				if bad := strings.Join(compare(s.name+"_rows", want[s.name+"_rows"], s.cells(s.name+"_rows")), "\n"); !strings.Contains(bad, "doubled") {
					t.Fatalf("a start without the checkpoint doubles nothing, which the runbook says it does: %s", bad)
				}
				return
			}
			s.offsets("rebuild", "--from", "earliest", "--yes").ends(1, "--incarnation 1@OFFSET")
			s.offsets("rebuild", "--from", "earliest", "--topic", s.topic, "--incarnation", "1@0", "--yes").ends(0, "1 checkpoint written")
			s.once(s.config)
			s.judge(want)
		})
	}
}
