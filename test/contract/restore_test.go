package contract

import (
	"testing"

	"rowmark/hbase"
	"rowmark/test/cluster"
)

// A table restored from a snapshot goes back with its marks: a replay from before the snapshot fills exactly the gap.
// The client's connections and locations are from before the restore, as those of a connector that keeps running.
func TestRestoredTableTakesExactlyTheGap(t *testing.T) {
	e := shared(t)
	for mode, m := range modes {
		t.Run(mode, func(t *testing.T) {
			table := e.table(t)
			e.must(t, table, m, batch("old", 0, 10))
			snapshot := table + "_snapshot"
			e.do(t, "snapshot", table, snapshot)
			defer e.do(t, "deletesnapshot", snapshot)
			e.must(t, table, m, batch("old", 10, 20), batch("new", 15, 16))

			e.do(t, "disable", table)
			if r := e.settled(t, table, m, batch("old", 20, 21)); r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultTable {
				t.Errorf("write to a disabled table: outcome %d, %v; want refused by the table", r.Outcome, r.Err)
			}
			e.do(t, "restore", snapshot)
			e.do(t, "enable", table)

			e.refused(t, table, m, "records of before the snapshot", batch("old", 0, 10))
			e.must(t, table, m, batch("old", 10, 20), batch("new", 15, 16))
			e.refused(t, table, m, "the replay again", batch("old", 10, 20))
			for row, want := range map[string]int64{"old": 20, "new": 1} {
				if sum, _ := e.counter(t, table, row); sum != cluster.Hex(long(want)) {
					t.Errorf("row %s holds %s, want %d", row, sum, want)
				}
			}
		})
	}
}
