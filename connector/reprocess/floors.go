package reprocess

import (
	"hash/maphash"
	"math"
	"sync/atomic"

	"rowmark/connector/mapping"
)

// rowID tells a row of a table from all others. Its hashes are seeded, so that nobody can write keys of one hash; that two
// of a billion rows share both is as likely as a fault of the machine.
type rowID [2]uint64

// rowTimes is what is known of a row, in milliseconds.
type rowTimes struct {
	// live is the floor that the live connector gave the row; with order: time, the oldest time of what the run wrote.
	live int64
	// run is the floor that the run left behind; with order: time, the newest time of what it wrote. untouched: none.
	run int64
}

const untouched = math.MinInt64

func (t *rowTimes) touched() bool { return t.run != untouched }

// budget bounds the rows that are remembered, of all partitions together.
type budget struct {
	rows atomic.Int64
	most int64
}

// floors are the rows of a partition, at one offset of the log.
type floors struct {
	rows   map[rowID]rowTimes
	hash   [2]maphash.Hash
	budget *budget
}

// newFloors gives those of a stage: all of its partitions know a row by the same id.
func newFloors(s *Stage) *floors {
	f := &floors{rows: map[rowID]rowTimes{}, budget: &s.budget}
	for i := range f.hash {
		f.hash[i].SetSeed(s.seeds[i])
	}
	return f
}

func (f *floors) id(o *mapping.RowOps) rowID {
	var id rowID
	for i := range f.hash {
		h := &f.hash[i]
		h.Reset()
		_, _ = h.WriteString(o.Table)
		_ = h.WriteByte(0)
		_, _ = h.Write(o.Row)
		id[i] = h.Sum64()
	}
	return id
}

func (f *floors) of(id rowID) rowTimes {
	if t, ok := f.rows[id]; ok {
		return t
	}
	return rowTimes{run: untouched}
}

func (f *floors) set(id rowID, t rowTimes) {
	before := len(f.rows)
	f.rows[id] = t
	f.budget.rows.Add(int64(len(f.rows) - before))
}

// shed forgets the rows that the run did not write.
func (f *floors) shed() {
	before := len(f.rows)
	for id, t := range f.rows {
		if !t.touched() {
			delete(f.rows, id)
		}
	}
	f.budget.rows.Add(int64(len(f.rows) - before))
}

// drop forgets all.
func (f *floors) drop() {
	f.budget.rows.Add(int64(-len(f.rows)))
	f.rows = nil
}

func (b *budget) spent() bool { return b.rows.Load() > b.most }
