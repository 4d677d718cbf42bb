package hbasetest

import "math"

// history is the markers that count for one column, and with NEW_VERSION_BEHAVIOR the order of writing.
type history struct {
	f       *family
	now     int64
	markers []*cell
}

// hides says whether a put is not to be seen. newer are the cells of its column that stand before it.
func (h *history) hides(newer []cell, p *cell) bool {
	if !h.f.nvb {
		for _, m := range h.markers {
			if m.covers(p) {
				return true
			}
		}
		return false
	}
	return h.deletedAt(p) != never || h.masked(newer, p)
}

const never = math.MaxUint64

// deletedAt is the first batch that deleted a put with NEW_VERSION_BEHAVIOR, where a marker hides what was written
// before it or along with it, and nothing that came later.
func (h *history) deletedAt(p *cell) uint64 {
	at := uint64(never)
	for _, m := range h.markers {
		if m.seq >= p.seq && m.seq < at && m.covers(p) {
			at = m.seq
		}
	}
	return at
}

// masked says whether the put was at any time since it was written pushed out by as many newer versions as the
// family keeps. With NEW_VERSION_BEHAVIOR it does not come back when one of them is deleted.
func (h *history) masked(newer []cell, p *cell) bool {
	type span struct{ from, to uint64 }
	var alive []span
	for i := range newer {
		q := &newer[i]
		if !q.put() || q.ts <= p.ts || q.expired(h.now) {
			continue
		}
		// Of one timestamp the one written last stands first; it ends the time of those before it.
		end := h.deletedAt(q)
		for j := i - 1; j >= 0 && newer[j].ts == q.ts; j-- {
			if newer[j].put() {
				end = min(end, newer[j].seq)
			}
		}
		if from := max(q.seq, p.seq); from < end {
			alive = append(alive, span{from, end})
		}
	}
	for _, s := range alive {
		n := 0
		for _, o := range alive {
			if o.from <= s.from && s.from < o.to {
				n++
			}
		}
		if n >= h.f.versions {
			return true
		}
	}
	return false
}
