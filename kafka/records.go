package kafka

import "fmt"

// minRecord is the size of a record with nothing in it: length, attributes, two deltas, three counts.
const minRecord = 7

// appendRecords decodes the records of b at or past from. raw is b's decompressed payload, which the records alias.
func appendRecords(recs []Record, hdrs []Header, b *batch, raw []byte, from int64) ([]Record, []Header, error) {
	if int64(b.count)*minRecord > int64(len(raw)) {
		return recs, hdrs, fmt.Errorf("its header says %d records, its %d bytes can't hold them", b.count, len(raw))
	}
	if need := len(recs) + int(b.count); need > cap(recs) {
		grown := make([]Record, len(recs), max(need, 2*cap(recs)))
		copy(grown, recs)
		recs = grown
	}
	c := cursor{src: raw}
	last := int64(-1)
	for range b.count {
		size := c.varint()
		if c.bad || size < minRecord-1 || size > int64(len(c.src)) {
			return recs, hdrs, errCut
		}
		r := cursor{src: c.src[:size]}
		c.src = c.src[size:]
		r.skip(1) // attributes, none in use
		timeDelta, delta := r.varint(), r.varint()
		rec := Record{Offset: b.base + delta, Timestamp: b.baseTime + timeDelta, LeaderEpoch: b.leaderEpoch, Key: r.bytes(), Value: r.bytes()}
		if b.attributes&attrLogAppendTime != 0 {
			rec.Timestamp = b.maxTime
		}
		n := r.varint()
		if r.bad || n < 0 || n > int64(len(r.src)) {
			return recs, hdrs, errCut
		}
		if delta <= last || delta > int64(b.lastDelta) {
			return recs, hdrs, fmt.Errorf("its record %d past its first comes after %d, and its last is %d", delta, last, b.lastDelta)
		}
		last = delta
		if n > 0 {
			first := len(hdrs)
			for range n {
				k := r.bytes()
				hdrs = append(hdrs, Header{Key: aliasString(k), Value: r.bytes()})
			}
			rec.Headers = hdrs[first:len(hdrs):len(hdrs)]
		}
		if r.bad || len(r.src) > 0 {
			return recs, hdrs, errCut
		}
		if rec.Offset >= from {
			recs = append(recs, rec)
		}
	}
	if len(c.src) > 0 {
		return recs, hdrs, fmt.Errorf("%d bytes follow its last record", len(c.src))
	}
	return recs, hdrs, nil
}
