package e2e

import (
	"fmt"
	"testing"
)

// TestRestored restores a table to an older snapshot under the running connector: it stops, says why, and once it
// is told to begin before the snapshot it fills exactly the gap.
func TestRestored(t *testing.T) {
	for _, flow := range []bool{false, true} {
		t.Run(fmt.Sprintf("flow=%t", flow), func(t *testing.T) {
			w, topic, config, more := mixedWorld(t, 2, 600)
			p := w.start(config)
			w.caughtUp(config, 2)
			back := w.positions(config)[0].Checkpoint - 50
			table, snapshot := w.name+"_rows", w.name+"_snapshot"
			w.hbase("snapshot", table, snapshot)
			more(600)
			w.caughtUp(config, 2)
			stop := make(chan struct{})
			flowed := make(chan struct{})
			if flow {
				go func() {
					defer close(flowed)
					for {
						select {
						case <-stop:
							return
						default:
							more(20)
						}
					}
				}()
			} else {
				close(flowed)
			}
			w.hbase("disable", table)
			w.hbase("restore", snapshot)
			w.hbase("enable", table)
			if !flow {
				more(100)
			}
			p.ends(11, "is older than the checkpoint", "rowmark offsets set")
			close(stop)
			<-flowed
			w.start(config).ends(11, "is older than the checkpoint") // it stays so until someone decides
			command(t, nil, "offsets", "set", "--yes", "--to", fmt.Sprint(back), "-c", config).ends(0, "will be read again")
			w.once(config)
			w.verify(w.foldMixed(w.committed(topic)))
		})
	}
}
