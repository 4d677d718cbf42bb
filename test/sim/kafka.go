package main

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// leaderEpoch is where a leader's records begin.
type leaderEpoch struct {
	epoch int32
	start int64
}

// modelLog is one partition: committed records with gaps between them, as the leader has them now.
type modelLog struct {
	part    int32
	rand    *rand.Rand
	time    int64     // the latest so far
	all     []*record // ever written
	lives   [][]*record
	recs    []*record // of the current life, in order of offset; lives' last
	start   int64
	end     int64
	stable  int64 // a reader of committed records reaches so far
	hang    time.Duration
	epochs  []leaderEpoch
	topicID kafka.TopicID
	gone    bool      // between deletion and the new making
	was     *modelLog // as the last leader had it
	wasAt   time.Duration
	holes   int // how often retention or an operator made the checkpoint fall below the start
}

func (w *world) newLog(part int32) *modelLog {
	l := &modelLog{part: part, rand: rand.New(rand.NewPCG(w.plan.seed, 100+uint64(part))), time: 1_000_000}
	l.begin(0, 0, 0)
	if w.plan.set.ids > 0 {
		l.topicID = topicID(1)
	}
	return l
}

func topicID(n int) kafka.TopicID {
	var id kafka.TopicID
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

// begin opens a life of the log that keeps the records below cut.
func (l *modelLog) begin(start, cut int64, epoch int32) {
	kept := slices.Clone(l.recs[:l.index(cut)])
	l.recs = kept
	l.lives = append(l.lives, kept)
	l.start, l.end, l.stable = start, cut, min(l.stable, cut)
	l.epochs = append(slices.DeleteFunc(l.epochs, func(e leaderEpoch) bool { return e.start >= cut }), leaderEpoch{epoch, cut})
}

func (l *modelLog) life() int { return len(l.lives) - 1 }

// index is that of the first record at or past an offset.
func (l *modelLog) index(offset int64) int {
	n, _ := slices.BinarySearchFunc(l.recs, offset, func(r *record, o int64) int { return int(r.offset - o) })
	return n
}

// indexIn is that of the first record of a life at or past an offset.
func (l *modelLog) indexIn(life int, offset int64) int {
	n, _ := slices.BinarySearchFunc(l.lives[life], offset, func(r *record, o int64) int { return int(r.offset - o) })
	return n
}

// append writes one record, perhaps after offsets that hold none: aborted records, markers, compaction.
func (w *world) append(l *modelLog) {
	if l.rand.IntN(10) == 0 {
		l.end += int64(1 + l.rand.IntN(3))
	}
	rec := w.newRecord(l.rand, l)
	rec.offset, rec.epoch = l.end, l.epochs[len(l.epochs)-1].epoch
	l.end++
	l.all = append(l.all, rec)
	l.recs = append(l.recs, rec)
	l.lives[l.life()] = l.recs
}

// epochEnd is what the leader answers when asked where an epoch ends: that of the last epoch up to it, where the next
// one begins. For one before all that it knows it gives that epoch back, for one after all nothing.
func (l *modelLog) epochEnd(epoch int32) (int32, int64) {
	last := len(l.epochs) - 1
	if epoch == l.epochs[last].epoch {
		return epoch, l.end
	}
	known := epoch
	for _, e := range l.epochs {
		if e.epoch > epoch {
			return known, e.start
		}
		known = e.epoch
	}
	return -1, -1
}

// epochOf is the epoch of the batch at an offset; offsets without a record lie in batches, too.
func (l *modelLog) epochOf(offset int64) int32 {
	epoch := int32(-1)
	for _, e := range l.epochs {
		if e.start <= offset {
			epoch = e.epoch
		}
	}
	return epoch
}

// read answers a fetch of up to n records, mapped by a mapping's text.
func (w *world) read(l *modelLog, a core.Fetch, n, sink int, text []byte) core.Fetched {
	ev := core.Fetched{TopicPartition: a.TopicPartition, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: a.At.Offset, LeaderEpoch: -1}
	ids := w.plan.set.ids > 0
	at := a.At.Offset
	switch known, end := l.epochEnd(a.At.LeaderEpoch); {
	case l.gone:
		ev.Err = &kafka.UnknownTopicError{TopicPartition: a.TopicPartition}
	case ids && a.At.TopicID != (kafka.TopicID{}) && a.At.TopicID != l.topicID:
		ev.Err = &kafka.TopicChangedError{TopicPartition: a.TopicPartition, Was: a.At.TopicID, Is: l.topicID}
	case at < l.start || at > l.end:
		ev.Err = &kafka.OutOfRangeError{TopicPartition: a.TopicPartition, Wanted: at, LogStart: l.start, LogEnd: l.end}
	case ids && a.At.LeaderEpoch >= 0 && known < 0:
		ev.Err = &kafka.OutOfRangeError{TopicPartition: a.TopicPartition, Wanted: at, LogStart: l.start, LogEnd: l.end}
	case ids && a.At.LeaderEpoch >= 0 && (known < a.At.LeaderEpoch || end < at):
		ev.Err = &kafka.DivergedError{TopicPartition: a.TopicPartition, Wanted: at, Epoch: known, EndOffset: end}
	}
	if ev.Err != nil {
		return ev
	}
	ev.End = l.stable
	until := l.stable
	if a.Until >= 0 {
		until = min(until, a.Until)
	}
	ev.Next = max(at, until)
	for _, rec := range l.recs[l.index(at):] {
		if rec.offset >= until {
			break
		}
		if len(ev.Records) == n {
			ev.Next = rec.offset
			break
		}
		ev.Records = append(ev.Records, w.mapped(rec, sink, a.Incarnation, text))
	}
	if ids && ev.Next > at {
		ev.LeaderEpoch = l.epochOf(ev.Next - 1)
	}
	return ev
}

// mapped maps a record. The text of a mapping is its version, and l for lenient, d for dead letters or s for strict.
func (w *world) mapped(rec *record, sink, incarnation int, text []byte) core.Mapped {
	m := core.Mapped{Offset: rec.offset, LeaderEpoch: -1, Bytes: 1000}
	if w.plan.set.ids > 0 {
		m.LeaderEpoch = rec.epoch
	}
	if rec.bad {
		m.Result.Err = errBad
	} else {
		m.Result.Rows = w.rows(rec, sink, text[0])
	}
	w.post(&m, rec, sink, incarnation, text)
	return m
}
