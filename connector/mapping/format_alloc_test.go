//go:build !race

package mapping

import "testing"

// No format takes an allocation of its own for a record, but for the memory to decompress into. (Under the race detector
// sync.Pool drops what it is given by chance, so that allocations can't be counted.)
func TestFormatsAllocateNothing(t *testing.T) {
	for _, f := range benchFormats(t) {
		set := compile(t, benchSpec(f.value))
		rec := record(f.data)
		limit := 0.0
		if f.value.Compression != "" {
			limit = 2
		}
		if n := testing.AllocsPerRun(200, func() { set.Map(rec) }); n > limit {
			t.Errorf("%s: %v allocations, want at most %v", f.name, n, limit)
		}
	}
}
