package page

import (
	"fmt"
	"time"

	"rowmark/connector/status"
)

// start is when the processes of these tests began.
var start = time.Date(2026, 11, 28, 6, 0, 0, 0, time.UTC)

// world makes the snapshots of a process with so many sources, of one topic each hundred, a second apart.
func world(sources, seconds int) *status.Snapshot {
	s := &status.Snapshot{
		Sink: "orders", Version: "v0.3.0", Delivery: "exactly-once", Phase: status.Running, Started: start, At: start.Add(time.Hour + time.Duration(seconds)*time.Second),
		Tables: []status.Table{{Name: "shop:orders", Mode: "region", Rows: 4_000_000 + int64(seconds)*9_000}},
	}
	for i := range sources {
		lag := int64((i*7919+seconds*131)%4000 + 1)
		end := int64(1_000_000 + i*1000 + seconds*200)
		s.Sources = append(s.Sources, status.Source{
			Topic: fmt.Sprintf("orders-%d", i/100), Partition: int32(i % 100), State: "running", Checkpoint: end - lag, Next: end, End: end, Epoch: 3,
			LagRecords: lag, LagSeconds: float64(lag) / 200, AdvancedAt: s.At, Records: end - 900_000, RecordsRate: 200.4,
		})
	}
	return s
}
