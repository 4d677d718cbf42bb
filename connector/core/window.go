package core

// record is one record of a window: read, and not yet known to have all its effects.
type record struct {
	offset int64
	time   int64 // Unix milliseconds; not positive if it has none
	epoch  int32 // leader epoch of its batch, -1 if not known
	left   int32 // rows it still has to reach, its letter among them
	bytes  int
	fate   *fate // nil: it is never a dead letter
}

// window is the records of [low, next) of a source in log order. Offsets between them hold nothing.
type window struct {
	recs  []*record
	next  int64 // the offset to read on at
	bytes int
	// epoch is the leader epoch of the last record that was resolved, and epochAt the offset behind it.
	epoch   int32
	epochAt int64
}

func (w *window) add(r *record) {
	w.recs = append(w.recs, r)
	w.bytes += r.bytes
}

// settle drops the resolved records at the front and gives back how many.
func (w *window) settle() int {
	n := 0
	for n < len(w.recs) && w.recs[n].left == 0 {
		w.bytes -= w.recs[n].bytes
		w.epoch, w.epochAt = w.recs[n].epoch, w.recs[n].offset+1
		w.recs[n].fate = nil // it holds the record's bytes
		w.recs[n] = nil
		n++
	}
	w.recs = w.recs[n:]
	if len(w.recs) == 0 {
		w.recs = nil
	}
	return n
}

// low is the offset below which every record is resolved.
func (w *window) low() int64 {
	if len(w.recs) > 0 {
		return w.recs[0].offset
	}
	return w.next
}

func (w *window) empty() bool { return len(w.recs) == 0 }
