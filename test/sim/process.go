package main

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// process is one connector: a core, and the messages on their way to it.
type process struct {
	w        *world
	id       int
	sink     int
	core     *core.Core
	text     []byte // of its mapping
	force    bool
	fails    core.LogPolicy
	once     bool
	dead     bool
	paused   bool
	replaced bool // another comes in its place
	held     []core.Event
	parts    []int32
	wakeAt   time.Duration
	done     map[int32]core.Report // how partitions ended that are not run any more
	saw      map[int32]int         // the life of the log, as last seen
	misled   time.Duration         // when a woken server showed it something stale
	told     map[int32]int64       // a hole was reported up to here
	moving   map[int32]func()      // what to do when a partition was given back
	halted   map[int32]bool        // an operator paused it
}

var sinkNames = [...]string{"s", "other"}

const noTime = time.Duration(1<<63 - 1)

func (w *world) spawn(sink int, parts []int32, change func(*core.Config)) *process {
	s := &w.plan.set
	p := &process{
		w: w, id: len(w.procs), sink: sink, parts: slices.Clone(parts), wakeAt: noTime,
		done: map[int32]core.Report{}, saw: map[int32]int{}, told: map[int32]int64{}, moving: map[int32]func(){}, halted: map[int32]bool{},
	}
	p.text = w.operator.mapping(sink)
	cfg := core.Config{
		Sink: sinkNames[sink], Owner: core.Owner{1, byte(p.id), byte(p.id >> 8)}, Who: "process " + strconv.Itoa(p.id), MarkFamily: markFamily,
		Lease: lease, CheckpointEvery: 300 * time.Millisecond, CeilingStep: s.ceiling,
		BatchRows: int(s.batchRows), BatchBytes: int(s.batchBytes), Linger: 10 * time.Millisecond,
		FlightBytes: 100000, WindowBytes: 4 << 20, FetchBytes: 1 << 20, RowMemory: int(s.rowMemory), TotalRate: s.rate, PartitionRate: s.partRate,
		MarksTTL: time.Duration(s.ttl) * time.Millisecond, AtLeastOnce: s.atLeastOnce > 0, Once: s.once > 0,
		OutOfRange: w.operator.outOfRange, LogChanged: w.operator.logChanged,
		Mapping: p.text, MappingHash: string(p.text), Continues: p.continues,
		Tables: map[string]core.TableInfo{
			tableMixed: {Mode: w.mode()}, tableCounts: {Mode: w.mode(), Counters: true}, tableTimed: {Mode: w.mode()},
			tableLetters: {Mode: w.mode()},
		},
	}
	if change != nil {
		change(&cfg)
	}
	if w.mutate != nil {
		w.mutate(&cfg)
	}
	p.force, p.once, p.fails = cfg.Force, cfg.Once, cfg.LogChanged
	p.core = core.New(cfg)
	w.procs = append(w.procs, p)
	w.logf("p%d starts: sink %s, mapping %s, partitions %v, once %v, force %v", p.id, sinkNames[sink], p.text, parts, cfg.Once, cfg.Force)
	for _, n := range parts {
		p.deliver(core.Assigned{TopicPartition: tpOf(n)})
	}
	return p
}

// continues: the same version, no stricter than the stored one.
func (p *process) continues(stored []byte) bool {
	return stored[0] == p.text[0] && (stored[1] == p.text[1] || p.text[1] != 's')
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
	w := p.w
	w.events++
	p.note(ev)
	now := core.Now{Mono: w.now, Wall: w.wall()}
	for _, a := range p.core.Step(now, ev) {
		p.act(a)
	}
	if at := p.core.Wake(); at < p.wakeAt || p.wakeAt <= w.now {
		p.wakeAt = noTime
		if at < 1<<62 {
			p.wakeAt = at
			w.after(max(0, at-w.now), func() {
				if p.wakeAt != at {
					return // another tick was asked for, and has come
				}
				p.wakeAt = noTime
				p.deliver(core.Tick{})
			})
		}
	}
}

func (p *process) later(ev core.Event) { p.w.after(p.w.delay(), func() { p.deliver(ev) }) }

func (p *process) key(tp kafka.TopicPartition) srcKey { return srcKey{p.sink, tp.Partition} }

// kill ends it. What it sent is on its way all the same.
func (p *process) kill() {
	p.dead = true
	p.held = nil
}

func (p *process) logFails() bool { return p.fails == core.LogFail }

func (p *process) resume() {
	if !p.paused {
		return
	}
	p.w.logf("p%d resumes", p.id)
	p.paused = false
	held := p.held
	p.held = nil
	for _, ev := range held {
		p.deliver(ev)
	}
}

func (p *process) report(r core.Report) {
	w := p.w
	n := r.Partition
	if w.traceOn {
		w.logf("p%d report %s %s offset %d: %v (retry %v)", p.id, reportNames[r.Kind], r.TopicPartition, r.Offset, r.Err, r.Retry)
	}
	switch r.Kind {
	case core.ReportTaken:
		delete(p.done, n)
	case core.ReportRetry:
		if causeOf(r.Err) == core.CauseHole {
			p.told[n] = max(p.told[n], r.Offset)
		}
	case core.ReportSkipped:
		if causeOf(r.Err) == core.CauseLogChanged {
			w.spare(w.logs[n], p.sink, r.Offset, r.Offset+1)
		}
	case core.ReportFailed, core.ReportFenced, core.ReportFinished, core.ReportReleased:
		if r.Kind == core.ReportFailed && r.Retry {
			return
		}
		p.done[n] = r
		if r.Kind == core.ReportFailed {
			w.failed(p, r)
		}
		if then := p.moving[n]; then != nil {
			delete(p.moving, n)
			then()
		}
		if p.once && w.once(p) {
			w.after(time.Second, func() { w.replace(p, 0) })
		}
	}
}

var reportNames = [...]string{
	"waiting", "taken", "caught up", "skipped", "dead letter", "row mode", "retry", "mapping", "segment", "finished", "released",
	"fenced", "failed", "paused", "resumed",
}

// textOf is the mapping that a fetch uses.
func (p *process) textOf(stored []byte) []byte {
	if stored != nil {
		return bytes.Clone(stored)
	}
	return p.text
}
