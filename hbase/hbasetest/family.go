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

// read gives the visible cells in order.
func (f *family) read(cells []cell, v view) []cell {
	var out []cell
	marks := familyMarkers(cells)
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].qualifier == cells[0].qualifier {
			n++
		}
		column := cells[:n]
		cells = cells[n:]
		if v.qualifiers != nil && !v.qualifiers[column[0].qualifier] {
			continue
		}
		out = f.readColumn(out, column, marks, v)
	}
	return out
}

func familyMarkers(cells []cell) []*cell {
	var out []*cell
	// They have no qualifier, so they stand among the first.
	for i := range cells {
		if cells[i].qualifier != "" {
			break
		}
		if cells[i].familyMarker() {
			out = append(out, &cells[i])
		}
	}
	return out
}

// readColumn adds the visible versions of one column. Its puts come newest timestamp first.
func (f *family) readColumn(out, column []cell, marks []*cell, v view) []cell {
	oldest := int64(math.MinInt64)
	if f.ttl > 0 {
		oldest = v.now - f.ttl
	}
	col := history{f: f, now: v.now, markers: marks}
	for i := range column {
		if !column[i].put() && !column[i].familyMarker() {
			col.markers = append(col.markers[:len(col.markers):len(col.markers)], &column[i])
		}
	}
	count, most := 0, min(v.versions, f.versions)
	last := int64(math.MinInt64) // timestamp of the put before
	for i := range column {
		c := &column[i]
		if !c.put() || c.expired(v.now) {
			continue
		}
		expired := c.ts < oldest
		if f.minVersions <= 0 && expired || c.ts < v.from {
			break
		}
		same := c.ts == last
		last = c.ts
		if same || col.hides(column[:i], c) || c.ts >= v.to {
			continue
		}
		count++
		if count > most || expired && count > f.minVersions {
			break
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
