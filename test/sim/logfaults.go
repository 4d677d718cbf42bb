package main

import (
	"time"
)

func (w *world) logOf(a act) *modelLog { return w.logs[int(a.n)%len(w.logs)] }

// lose marks the records of a log that a sink may never have read, or read and not yet written: from its checkpoint
// on, those in [from, to). One number for all that go for one reason.
func (w *world) lose(l *modelLog, from, to int64) {
	for sink := range int(w.plan.set.sinks) {
		begin := int64(0)
		if ck := w.hbase.checkpoint(srcKey{sink, l.part}); ck != nil && w.watch.life(srcKey{sink, l.part}) == l.life() {
			begin = ck.Offset
		}
		w.spare(l, sink, max(from, begin), to)
	}
}

// spare marks the records of [from, to) as ones that a sink may have passed over.
func (w *world) spare(l *modelLog, sink int, from, to int64) {
	w.watch.regions++
	for _, rec := range l.recs[l.index(from):] {
		if rec.offset < to && rec.may[sink] == 0 {
			rec.may[sink] = w.watch.regions
		}
	}
}

// retain moves the log start on: sometimes over records that were not read yet.
func (w *world) retain(a act) {
	l := w.logOf(a)
	if l.gone || l.stable <= l.start {
		return
	}
	to := l.start + 1 + a.m%(l.stable-l.start)
	w.faults++
	w.logf("retention: partition %d begins at %d, was %d, ends at %d", l.part, to, l.start, l.end)
	w.lose(l, l.start, to)
	l.start = to
	l.holes++
}

// leader makes another broker the leader, without loss.
func (w *world) leader(a act) {
	l := w.logOf(a)
	last := l.epochs[len(l.epochs)-1]
	if l.gone || last.start == l.end {
		return
	}
	w.faults++
	w.retire(l)
	l.epochs = append(l.epochs, leaderEpoch{last.epoch + 1 + int32(a.m%2), l.end})
	w.logf("partition %d: leader epoch %d from offset %d", l.part, last.epoch+1+int32(a.m%2), l.end)
}

// cut is an unclean election: a leader comes that never had the newest records, and the log goes on from there.
func (w *world) cut(a act) {
	l := w.logOf(a)
	low, high := max(l.start, l.end-20), l.end
	if l.gone || low >= high {
		return
	}
	at := low + a.m%(high-low)
	w.faults++
	last := l.epochs[len(l.epochs)-1]
	w.logf("unclean election: partition %d is cut at %d, ended at %d; leader epoch %d", l.part, at, l.end, last.epoch+1)
	w.lose(l, at, l.end)
	w.retire(l)
	l.begin(l.start, at, last.epoch+1)
}

// recreate deletes the topic and makes it again.
func (w *world) recreate(a act) {
	for _, l := range w.logs {
		if l.gone {
			return
		}
	}
	w.faults++
	w.topics++
	w.logf("topic deleted")
	for _, l := range w.logs {
		w.lose(l, 0, 1<<62)
		w.retire(l)
		l.gone = true
		l.begin(0, 0, 0)
		l.epochs = l.epochs[len(l.epochs)-1:]
		l.topicID = topicID(1 + w.topics)
	}
	w.after(time.Duration(a.m%1000)*time.Millisecond, func() {
		w.logf("topic made again")
		for _, l := range w.logs {
			l.gone = false
		}
	})
}

// hang leaves a transaction open: a reader of committed records gets no further for a while.
func (w *world) hang(a act) {
	l := w.logOf(a)
	w.faults++
	l.hang = w.now + time.Duration(200+a.m%3000)*time.Millisecond
	w.logf("partition %d: a transaction is open at %d until %.3fs", l.part, l.stable, l.hang.Seconds())
}

// grow writes records little by little.
func (w *world) grow() {
	const steps = 40
	total := w.plan.set.records
	var step func()
	step = func() {
		for _, l := range w.logs {
			if !l.gone && !w.quiet {
				want := min(total, total*int64(w.now)/int64(span*8/10)+1)
				for int64(len(l.all)) < want {
					w.append(l)
				}
			}
			if w.now >= l.hang {
				l.stable = l.end
			}
		}
		if w.now < span {
			w.after(span/steps, step)
		}
	}
	step()
}
