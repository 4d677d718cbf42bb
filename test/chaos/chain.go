package main

import (
	"strconv"
	"strings"
)

// chain checks a row of the rows table by HBase alone: each record names the one before it of its key, so all but one
// must have a follower, none two, and all that are named must be there.
func chain(h *held) []finding {
	after := map[string]string{} // by the record before
	var out []finding
	loose := 0 // records whose producer could not tell what came before
	for column := range h.cells {
		id, ok := strings.CutPrefix(column, "o:")
		if !ok {
			continue
		}
		prev := string(h.cells[column][0].Value)
		switch prev {
		case strconv.Itoa(unknown):
			loose++
			continue
		case strconv.Itoa(none):
		default:
			if _, ok := h.cells["o:"+prev]; !ok {
				out = append(out, found(lost, "%s: record %s says that %s came before it, which is not there", h, id, prev))
			}
		}
		if other, ok := after[prev]; ok {
			out = append(out, found(duplicated, "%s: records %s and %s both follow %s", h, id, other, prev))
		}
		after[prev] = id
	}
	if _, ok := after[strconv.Itoa(none)]; !ok && loose == 0 && len(after) > 0 {
		out = append(out, found(lost, "%s: the first record of the key is not there", h))
	}
	return out
}

// behind checks that a row holds every record that its sinks' checkpoints, read before it, say is resolved.
func behind(h *held, all map[source][]event, checkpoints map[string]map[source]int64) []finding {
	var out []finding
	for sink, cps := range checkpoints {
		for s, events := range concerns(sink, h.place, all) {
			cp, ok := cps[s]
			if !ok {
				continue
			}
			resolved := below(events, cp)
			if len(resolved) == 0 {
				continue
			}
			last := resolved[len(resolved)-1].offset
			if mark := h.marks[sink][s]; mark <= last {
				out = append(out, found(ahead, "%s: checkpoint %s/%s was %d, and the row holds records below %d, not that at %d", h, sink, s.name(), cp, mark, last))
			}
		}
	}
	return out
}
