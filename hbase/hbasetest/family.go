package hbasetest

import (
	"math"

	"rowmark/hbase"
)

// family is what the settings of a column family say about reading its cells.
type family struct {
	name        string
	versions    int
	minVersions int
	ttl         int64 // milliseconds; 0 is for ever
	nvb         bool  // NEW_VERSION_BEHAVIOR
}

// view is what a read wants to see of a family.
type view struct {
	from, to   int64 // timestamps [from, to)
	versions   int
	now        int64
	qualifiers map[string]bool // nil: all
}

const endOfTime = math.MaxInt64

// first is the first cell of a column that the read looks at: markers from before its time are passed over.
func (v *view) first(column []cell) *cell {
	for i := range column {
		if column[i].put() || column[i].ts >= v.from {
			return &column[i]
		}
	}
	return &column[0]
}

// read gives the visible cells in order.
func (f *family) read(cells []cell, v view) []cell {
	var out []cell
	var t tracker = &byTime{}
	if f.nvb {
		t = newByArrival(f.versions)
	}
	// Markers of the family have no qualifier, so they stand among the first.
	for i := range cells {
		if cells[i].qualifier != "" {
			break
		}
		if cells[i].familyMarker() && cells[i].ts >= v.from {
			t.marker(&cells[i])
		}
	}
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].qualifier == cells[0].qualifier {
			n++
		}
		column := cells[:n]
		cells = cells[n:]
		if v.qualifiers == nil || v.qualifiers[column[0].qualifier] {
			t.nextColumn(v.first(column))
			out = f.readColumn(out, column, t, v)
		}
	}
	return out
}

// readColumn adds the visible versions of one column. Its puts come newest timestamp first.
func (f *family) readColumn(out, column []cell, t tracker, v view) []cell {
	oldest := int64(math.MinInt64)
	if f.ttl > 0 {
		oldest = v.now - f.ttl
	}
	count, most := 0, min(v.versions, f.versions)
	last := int64(math.MinInt64) // timestamp of the put that was counted before
	for i := range column {
		c := &column[i]
		expired := c.ts < oldest
		switch {
		case c.familyMarker():
			continue
		case f.minVersions <= 0 && expired:
			return out
		case c.put() && c.expired(v.now):
			continue
		case !c.put():
			if c.ts >= v.from {
				t.marker(c)
			}
			continue
		}
		if t.hides(c) || c.ts >= v.to {
			continue
		}
		if c.ts < v.from {
			return out
		}
		if c.ts == last {
			continue
		}
		last = c.ts
		if count++; count > most || expired && count > f.minVersions {
			return out
		}
		out = append(out, *c)
	}
	return out
}

// expired is about the cell's own TTL. The sum may overflow; it does so on the server too.
func (c *cell) expired(now int64) bool { return c.hasTTL && c.ts+c.ttl < now }

// compact gives what a flush (or a minor compaction) leaves, or a major compaction, which drops the markers too.
func (f *family) compact(cells []cell, major bool, now int64) []cell {
	kept := f.read(cells, view{to: endOfTime, versions: f.versions, now: now})
	if major {
		return kept
	}
	var out []cell
	for i := range cells {
		c := &cells[i]
		if len(kept) > 0 && compareCells(c, &kept[0]) == 0 {
			out, kept = append(out, *c), kept[1:]
		} else if !c.put() {
			out = append(out, *c)
		}
	}
	return out
}

// covers says whether a marker hides a put, the order of writing left aside.
func (c *cell) covers(p *cell) bool {
	switch c.typ {
	case hbase.CellDeleteFamily, hbase.CellDeleteColumn:
		return p.ts <= c.ts
	default:
		return p.ts == c.ts
	}
}
