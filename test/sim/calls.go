package main

import (
	"errors"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

var errBroker = errors.New("broker away")

// act does what a core asks for, and answers some time later.
func (p *process) act(a core.Action) {
	w := p.w
	switch a := a.(type) {
	case core.ReadCheckpoint:
		w.after(w.delay(), func() { p.readCheckpoint(a) })
	case core.SwapCheckpoint:
		p.swap(a)
	case core.ReadLog:
		w.after(w.delay(), func() { p.readLog(a) })
	case core.Fetch:
		if p.halted[a.Partition] {
			w.fail("I11", "p%d reads %s, which is paused", p.id, a.TopicPartition)
		}
		w.after(w.delay(), func() { p.fetch(a) })
	case core.CancelFetch:
	case core.Write:
		p.write(a)
	case core.Look:
		w.after(w.delay(), func() { p.look(a) })
	case *core.CheckWitness:
		w.after(w.delay(), func() {
			ev := core.Witnessed{Check: a}
			if w.slip(witnessBusy) {
				ev.Err = errBusy
			} else {
				var m core.Mark
				m, ev.Err = p.read(a.Table, a.Row, a.Name)
				ev.Mark = m.Next
			}
			p.later(ev)
		})
	case core.Report:
		p.report(a)
	}
}

func (p *process) readCheckpoint(a core.ReadCheckpoint) {
	w := p.w
	ev := core.CheckpointRead{TopicPartition: a.TopicPartition, Inst: a.Inst}
	if w.slip(readFails) {
		ev.Err = errTimeout
	} else if c := p.checkpoint(p.key(a.TopicPartition)); c != nil {
		row := *c
		ev.Row = &row
	}
	p.later(ev)
}

func (p *process) look(a core.Look) {
	w := p.w
	ev := core.Looked{Rows: a.Rows, Marks: make([]core.Mark, len(a.Rows)), Errs: make([]error, len(a.Rows))}
	for i, r := range a.Rows {
		if w.slip(lookBusy) {
			ev.Errs[i] = errBusy
			continue
		}
		ev.Marks[i], ev.Errs[i] = p.read(r.Table, r.Row, r.Name)
	}
	p.later(ev)
}

func (p *process) readLog(a core.ReadLog) {
	w, l := p.w, p.w.logs[a.Partition]
	ev := core.LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst}
	switch {
	case w.slip(logFails):
		ev.Err = errBroker
	case l.gone:
		ev.Err = &kafka.UnknownTopicError{TopicPartition: a.TopicPartition}
	default:
		leader, high, stable := p.shown(l)
		p.saw[a.Partition] = leader.life()
		ev.Info = core.LogInfo{
			TopicID: leader.topicID, LogStart: leader.start, LogEnd: high, End: stable, Start: leader.start,
			EpochEnd: -1, DeleteRetention: -1,
		}
		if a.LeaderEpoch >= 0 {
			ev.Info.EndedEpoch, ev.Info.EpochEnd = leader.epochEnd(a.LeaderEpoch)
		}
	}
	p.later(ev)
}

func (p *process) fetch(a core.Fetch) {
	w := p.w
	if w.slip(fetchFails) {
		p.later(core.Fetched{TopicPartition: a.TopicPartition, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: a.At.Offset, Err: errBroker})
		return
	}
	ev := w.read(w.logs[a.Partition], a, 1+w.delays.IntN(12), p.sink, p.textOf(a.Stored))
	if ev.Err == nil && ev.Next == a.At.Offset {
		w.after(idlePoll, func() { p.deliver(ev) })
		return
	}
	p.later(ev)
}

// idlePoll is how long a fetch at the end of the log waits before it says so.
const idlePoll = 400 * time.Millisecond

func (p *process) swap(a core.SwapCheckpoint) {
	w := p.w
	answer := func(r hbase.WriteResult) {
		p.later(core.Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: r})
	}
	if w.slip(swapBusy) {
		answer(hbase.WriteResult{Outcome: hbase.Refused, Err: errBusy})
		return
	}
	saw := p.saw[a.Partition]
	never := w.slip(swapLost)
	late, isLate := w.hit(swapLate)
	lost := never || isLate || w.slip(swapNoAnswer)
	if !never {
		w.after(w.delay()+late, func() {
			out := hbase.Refused
			if was := w.hbase.checkpoint(p.key(a.TopicPartition)); w.hbase.swap(p.key(a.TopicPartition), a.Expect, a.Put) {
				out = hbase.Applied
				past := w.hbase.pastOf(p.key(a.TopicPartition))
				past.seen.fresh(p, len(past.all)-1)
				w.watch.accepted(p, a, was, saw)
			}
			if w.traceOn {
				w.logf("p%d swap %s offset %d epoch %d ceiling %d owner %.4s mapping %s incarnation %d epoch-offset %d@%d: %s", p.id, a.TopicPartition, a.Put.Offset, a.Put.Epoch,
					a.Put.Ceiling, a.Put.Owner, a.Put.MappingHash, a.Put.Incarnation(), a.Put.LeaderEpoch, a.Put.EpochOffset, outcomes[out])
			}
			if !lost {
				answer(hbase.WriteResult{Outcome: out})
			}
		})
	}
	if lost {
		w.after(callTimeout, func() { answer(hbase.WriteResult{Outcome: hbase.Unknown, Err: errTimeout}) })
	}
}

var outcomes = [...]string{hbase.Unknown: "unknown", hbase.Applied: "applied", hbase.Refused: "refused"}

// callTimeout is when a call without an answer is given up.
const callTimeout = 300 * time.Millisecond
