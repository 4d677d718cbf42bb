package contract

import (
	"testing"

	"rowmark/hbase"
)

// A table restored from a snapshot goes back with its marks: a replay from before the snapshot fills exactly the gap.
// The client's connections and locations are from before the restore, as those of a connector that keeps running.
func restoredTable(t *testing.T, e *Env) {
	for mode, m := range Modes {
		t.Run(mode, func(t *testing.T) {
			table := e.Table(t)
			e.Must(t, table, m, Batch("old", 0, 10))
			snapshot := table + "_snapshot"
			e.Do(t, "snapshot", table, snapshot)
			defer e.Do(t, "deletesnapshot", snapshot)
			e.Must(t, table, m, Batch("old", 10, 20), Batch("new", 15, 16))

			e.Do(t, "disable", table)
			if r := e.Settled(t, table, m, Batch("old", 20, 21)); r.Outcome != hbase.Refused || hbase.FaultOf(r.Err) != hbase.FaultTable {
				t.Errorf("write to a disabled table: outcome %d, %v; want refused by the table", r.Outcome, r.Err)
			}
			e.Do(t, "restore", snapshot)
			e.Do(t, "enable", table)

			e.Refused(t, table, m, "records of before the snapshot", Batch("old", 0, 10))
			e.Must(t, table, m, Batch("old", 10, 20), Batch("new", 15, 16))
			e.Refused(t, table, m, "the replay again", Batch("old", 10, 20))
			for row, want := range map[string]int64{"old": 20, "new": 1} {
				if sum, _ := e.Counter(t, table, row); sum != hexed(long(want)) {
					t.Errorf("row %s holds %s, want %d", row, sum, want)
				}
			}
		})
	}
}
