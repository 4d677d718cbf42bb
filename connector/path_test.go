package connector

import "testing"

// countable says that allocations are those of an ordinary build.
var countable = true

// The way of a record costs next to no allocation of its own, and the bytes that it needs. Counts don't depend on the
// machine; a step that allocates for each record, or each cell, shows here at once.
func TestPathAllocates(t *testing.T) {
	if !countable {
		t.Skip("built with the race detector")
	}
	const records = 40_000
	limits := map[string]struct{ allocs, bytes float64 }{"fresh": {1, 1700}, "hot": {0.3, 800}}
	for _, shape := range benchShapes() {
		t.Run(shape.name, func(t *testing.T) {
			p := newPath(t, shape, records)
			p.run(t)
			allocs, bytes := p.spent()
			allocs, bytes = allocs/records, bytes/records
			if limit := limits[shape.name]; allocs > limit.allocs || bytes > limit.bytes {
				t.Errorf("%.3f allocations and %.0f bytes a record, want at most %v and %v", allocs, bytes, limit.allocs, limit.bytes)
			}
		})
	}
}
