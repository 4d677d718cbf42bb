package main

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

const lease = 3 * time.Second

// rates are the chances of each fault, drawn per seed; some are zero.
type rates struct {
	lostRequest, lostAnswer, late, busy, moved, swapLost, fetchError float64
	kill, pause, restore                                             int // per history
}

type task struct {
	at  time.Duration
	seq int
	run func()
}

type queue []task

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].seq < q[j].seq
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(task)) }
func (q *queue) Pop() any {
	old := *q
	t := old[len(old)-1]
	*q = old[:len(old)-1]
	return t
}

// world is one history: everything that happens comes from its seed.
type world struct {
	seed   uint64
	rand   *rand.Rand
	now    time.Duration
	tasks  queue
	seq    int
	events int
	faults int
	rates  rates
	healed bool
	quiet  bool // the log does not grow

	hbase   *modelHBase
	logs    []*modelLog
	procs   []*process
	mode    hbase.Mode
	regions int
	version byte
	errs    []string
	trace   []string
	traceOn bool
	mutate  func(*core.Config)
}

func (w *world) after(d time.Duration, f func()) {
	w.seq++
	heap.Push(&w.tasks, task{w.now + d, w.seq, f})
}

func (w *world) logf(format string, args ...any) {
	if w.traceOn {
		w.trace = append(w.trace, fmt.Sprintf("%9.3fs ", w.now.Seconds())+fmt.Sprintf(format, args...))
	}
}

func (w *world) fail(format string, args ...any) {
	w.errs = append(w.errs, fmt.Sprintf(format, args...))
	w.logf("VIOLATION "+format, args...)
}

func (w *world) hit(p float64) bool {
	if w.healed || w.rand.Float64() >= p {
		return false
	}
	w.faults++
	return true
}

func (w *world) delay() time.Duration { return time.Duration(1+w.rand.IntN(20)) * time.Millisecond }

// process is one connector: a core, and the messages on their way to it.
type process struct {
	w      *world
	id     int
	core   *core.Core
	owner  core.Owner
	dead   bool
	paused bool
	held   []core.Event
	parts  []int32
	wakeAt time.Duration
	done   map[kafka.TopicPartition]core.Report
}

func tpOf(p int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: p} }

func (w *world) spawn(parts []int32) *process {
	p := &process{w: w, id: len(w.procs), parts: parts, done: map[kafka.TopicPartition]core.Report{}, wakeAt: 1<<63 - 1}
	for i := range p.owner {
		p.owner[i] = byte(w.rand.Uint32())
	}
	cfg := core.Config{
		Sink: "s", Owner: p.owner, Who: fmt.Sprintf("process %d", p.id), MarkFamily: markFamily,
		Lease: lease, CheckpointEvery: 300 * time.Millisecond, CeilingStep: int64(10 + w.rand.IntN(200)),
		BatchRows: 1 + w.rand.IntN(20), BatchBytes: 2000 + w.rand.IntN(40000), Linger: 10 * time.Millisecond,
		FlightBytes: 100000, WindowBytes: 4 << 20, FetchBytes: 1 << 20, RowMemory: w.rand.IntN(30),
		Mapping: []byte{w.version}, MappingHash: string(w.version),
		Tables: map[string]core.TableInfo{tableMixed: {Mode: w.mode}, tableCounts: {Mode: w.mode, Counters: true}},
	}
	if w.mutate != nil {
		w.mutate(&cfg)
	}
	p.core = core.New(cfg)
	w.procs = append(w.procs, p)
	w.logf("p%d starts, mapping %c, partitions %v", p.id, w.version, parts)
	for _, n := range parts {
		p.deliver(core.Assigned{TopicPartition: tpOf(n)})
	}
	return p
}

// deliver hands an event to the core now, or when it wakes up.
func (p *process) deliver(ev core.Event) {
	if p.dead {
		return
	}
	if p.paused {
		p.held = append(p.held, ev)
		return
	}
	p.w.events++
	now := core.Now{Mono: p.w.now, Wall: p.w.wall()}
	for _, a := range p.core.Step(now, ev) {
		p.act(a)
	}
	if at := p.core.Wake(); at < p.wakeAt || p.wakeAt <= p.w.now {
		p.wakeAt = at
		if at < 1<<62 {
			p.w.after(max(0, at-p.w.now), func() {
				p.wakeAt = 1<<63 - 1
				p.deliver(core.Tick{})
			})
		}
	}
}

func (p *process) later(ev core.Event) { p.w.after(p.w.delay(), func() { p.deliver(ev) }) }

func (w *world) wall() int64 { return 2_000_000 + w.now.Milliseconds() }

func (p *process) act(a core.Action) {
	w := p.w
	switch a := a.(type) {
	case core.ReadCheckpoint:
		w.after(w.delay(), func() {
			var row *core.Checkpoint
			if c := w.hbase.checkpoints[a.String()]; c != nil {
				cp := *c
				row = &cp
			}
			p.later(core.CheckpointRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Row: row})
		})
	case core.SwapCheckpoint:
		p.swap(a)
	case core.ReadLog:
		w.after(w.delay(), func() {
			l := w.logs[a.Partition]
			p.later(core.LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: core.LogInfo{
				LogEnd: l.shown, End: l.shown, EpochEnd: -1, DeleteRetention: -1,
			}})
		})
	case core.Fetch:
		p.fetch(a)
	case core.CancelFetch:
	case core.Write:
		p.write(a)
	case core.Look:
		w.after(w.delay(), func() {
			ev := core.Looked{Rows: a.Rows, Marks: make([]core.Mark, len(a.Rows)), Errs: make([]error, len(a.Rows))}
			for i, r := range a.Rows {
				if w.hit(w.rates.busy) {
					ev.Errs[i] = fault(hbase.FaultBusy, "busy")
					continue
				}
				ev.Marks[i], ev.Errs[i] = w.hbase.mark(r.Table, r.Row, r.Name)
			}
			p.later(ev)
		})
	case *core.CheckWitness:
		w.after(w.delay(), func() {
			m, err := w.hbase.mark(a.Table, a.Row, a.Name)
			p.later(core.Witnessed{Check: a, Mark: m.Next, Err: err})
		})
	case core.Report:
		p.report(a)
	}
}

func (p *process) report(r core.Report) {
	p.w.logf("p%d report %d %s offset %d: %v", p.id, r.Kind, r.TopicPartition, r.Offset, r.Err)
	switch r.Kind {
	case core.ReportFailed, core.ReportFenced, core.ReportFinished, core.ReportReleased:
		p.done[r.TopicPartition] = r
	case core.ReportTaken:
		delete(p.done, r.TopicPartition)
	}
}

func (p *process) swap(a core.SwapCheckpoint) {
	w := p.w
	answer := func(r hbase.WriteResult) {
		p.later(core.Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: r})
	}
	if w.hit(w.rates.busy) {
		answer(hbase.WriteResult{Outcome: hbase.Refused, Err: fault(hbase.FaultBusy, "busy")})
		return
	}
	lost := w.hit(w.rates.swapLost)
	landing := w.delay()
	if lost && w.rand.IntN(2) == 0 {
		landing += time.Duration(w.rand.IntN(3000)) * time.Millisecond
	}
	never := lost && w.rand.IntN(3) == 0
	w.after(landing, func() {
		if never {
			return
		}
		ok := w.hbase.swap(a.TopicPartition.String(), a.Expect, a.Put)
		w.logf("p%d swap %s offset %d epoch %d ceiling %d mapping %s: %v", p.id, a.TopicPartition, a.Put.Offset, a.Put.Epoch, a.Put.Ceiling, a.Put.MappingHash, ok)
		if ok {
			w.checkAhead(a.TopicPartition, a.Put)
		}
		if !lost {
			out := hbase.Refused
			if ok {
				out = hbase.Applied
			}
			answer(hbase.WriteResult{Outcome: out})
		}
	})
	if lost {
		w.after(200*time.Millisecond, func() { answer(hbase.WriteResult{Outcome: hbase.Unknown}) })
	}
}

func (p *process) fetch(a core.Fetch) {
	w := p.w
	version := w.versionByte(a.Stored, p)
	w.after(w.delay(), func() {
		if w.hit(w.rates.fetchError) {
			p.later(core.Fetched{TopicPartition: a.TopicPartition, Inst: a.Inst, From: a.At.Offset, Next: a.At.Offset, Err: fmt.Errorf("broker away")})
			return
		}
		l := w.logs[a.Partition]
		recs, next := l.read(a.At.Offset, a.Until, 1+w.rand.IntN(40), version)
		ev := core.Fetched{TopicPartition: a.TopicPartition, Inst: a.Inst, From: a.At.Offset, Next: next, Records: recs, LeaderEpoch: 1, End: l.shown}
		if next == a.At.Offset {
			w.after(200*time.Millisecond, func() { p.deliver(ev) })
			return
		}
		p.later(ev)
	})
}

func (w *world) versionByte(stored []byte, p *process) byte {
	if stored != nil {
		return stored[0]
	}
	return p.version()
}

func (p *process) version() byte { return p.core.Mapping()[0] }

// write sends the groups region by region; each call has its own fate.
func (p *process) write(a core.Write) {
	w := p.w
	calls := map[int][]*core.Group{}
	seen := map[string]bool{}
	for _, g := range a.Groups {
		// The server reads a row's state once for a call: of two increments of one counter the first would be lost.
		if seen[string(g.Write.Row)] {
			w.fail("row %s of %s twice in one write", g.Write.Row, a.Table)
		}
		seen[string(g.Write.Row)] = true
		r := 0
		for _, b := range g.Write.Row {
			r = r*31 + int(b)
		}
		calls[r%w.regions] = append(calls[r%w.regions], g)
	}
	for r := range w.regions {
		if gs := calls[r]; len(gs) > 0 {
			p.call(a.Table, a.Mode, gs)
		}
	}
}

func (p *process) call(table string, mode hbase.Mode, gs []*core.Group) {
	w := p.w
	answer := func(out hbase.Outcome, err error) {
		ev := core.Written{Groups: gs, Results: make([]hbase.WriteResult, len(gs))}
		for i := range ev.Results {
			ev.Results[i] = hbase.WriteResult{Outcome: out, Err: err}
		}
		p.later(ev)
	}
	switch {
	case w.hit(w.rates.busy):
		answer(hbase.Refused, fault(hbase.FaultBusy, "busy"))
		return
	case w.hit(w.rates.moved):
		answer(hbase.Refused, fault(hbase.FaultRelocate, "moved"))
		return
	case w.hit(w.rates.lostRequest):
		w.after(300*time.Millisecond, func() { answer(hbase.Unknown, fault(hbase.FaultAmbiguous, "timeout")) })
		return
	}
	late := w.hit(w.rates.late)
	lost := late || w.hit(w.rates.lostAnswer)
	born := w.hbase.restores
	landing := w.delay()
	if late {
		landing = time.Duration(w.rand.IntN(8000)) * time.Millisecond
	}
	w.after(landing, func() {
		if w.hbase.restores != born {
			return // the region was closed under it
		}
		res := w.hbase.writeCall(table, mode, gs)
		w.logf("p%d write %s %d groups, first %x [%d, %d): %v", p.id, table, len(gs), gs[0].Write.Row, gs[0].First, gs[0].Next, res[0])
		if !lost {
			p.later(core.Written{Groups: gs, Results: res})
		}
		for i, g := range gs {
			w.logf("   %s [%d, %d) %v %v", g.Write.Row, g.First, g.Next, res[i].Outcome, res[i].Err)
		}
	})
	if lost {
		w.after(300*time.Millisecond, func() { answer(hbase.Unknown, fault(hbase.FaultAmbiguous, "timeout")) })
	}
}
