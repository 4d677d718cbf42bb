package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"
)

// setBack tells the auditor what an operator does to tables and offsets.
type setBack struct {
	mu     sync.Mutex
	states int  // rises with each change
	on     bool // tables are older than the checkpoints
}

func (s *setBack) begin() { s.change(true) }
func (s *setBack) end()   { s.change(false) }

func (s *setBack) change(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.states++
	s.on = on
}

func (s *setBack) now() (state int, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.states, s.on
}

// restore is the plan of setting tables back in the midst of a history: by a snapshot, or emptied.
type restore struct {
	snapAt, at int // steps
	tables     []string
	stopFirst  bool // as the README asks for; else the connectors have to notice
	begun      bool
	snapshots  []*hbasetest.Snapshot
	offsets    []int64 // of the checkpoints, before the snapshots began
	taken      bool
}

func newRestore(w *world, steps int) *restore {
	w.restored.Store(true) // its sampled rows are not the same register all along
	r := &restore{at: 2 + w.rand.IntN(steps-2), stopFirst: w.rand.IntN(2) == 0}
	r.tables = [][]string{{"rows"}, {"counts"}, {"counts", "rows"}}[w.rand.IntN(3)]
	r.snapAt = w.rand.IntN(r.at)
	if w.rand.IntN(3) == 0 {
		r.snapAt = 0 // as good as truncated
		r.take(w)
	}
	return r
}

// take notes the checkpoints and then copies the tables: all below those checkpoints is in the copies.
func (r *restore) take(w *world) {
	r.taken = true
	checkpoints := w.content("rowmark")
	for p := range w.partitions {
		pos, _ := core.DecodePosition(checkpoints[w.source(p)]["c:position"].Value) // none yet is the log's start
		r.offsets = append(r.offsets, pos.Offset)
	}
	for _, t := range r.tables {
		s, err := w.hbase.Snapshot(t)
		if err != nil {
			w.fail(ran, "%v", err)
			return
		}
		r.snapshots = append(r.snapshots, s)
	}
}

// setBack takes the snapshots at one step, and restores them at another.
func (m *nemesis) setBack(step int) {
	r := m.restore
	if step == r.snapAt && !r.taken {
		r.take(m.w)
	}
	if step != r.at || len(r.snapshots) != len(r.tables) {
		return
	}
	w := m.w
	r.begun = true
	w.bite("tables set back", r.tables)
	m.resume(true)
	w.raise()
	w.danger.Store(false)
	defer w.danger.Store(true)
	if r.stopFirst {
		for _, p := range m.live {
			w.stop(p)
		}
	}
	time.Sleep(w.plan.Delay + w.options.HBase.RPCTimeout + 3*lag.now()) // a call on its way from before is not modelled to outlive it
	w.back.begin()
	defer w.back.end()
	m.restoreAll()
	if !r.stopFirst {
		m.mustNotice()
	}
	for _, p := range m.live {
		p.kill()
		<-p.done
	}
	m.live, m.paused = nil, map[*process]int{}
	for p := range w.partitions {
		if err := w.setOffset(m.ctx, p, r.offsets[p]); err != nil {
			w.fail(ran, "%v", err)
		}
	}
}

// restoreAll disables, restores and enables the tables. The spell is longer than core lets a table be unlooked at.
func (m *nemesis) restoreAll() {
	w, r := m.w, m.restore
	do := func(err error) {
		if err != nil {
			w.fail(ran, "%v", err)
		}
	}
	for _, t := range r.tables {
		do(w.hbase.Disable(t))
	}
	time.Sleep(time.Duration(500+w.rand.IntN(300)) * time.Millisecond)
	for _, s := range r.snapshots {
		do(w.hbase.Restore(s))
	}
	for _, t := range r.tables {
		do(w.hbase.Enable(t))
	}
}

// mustNotice waits for the connectors to go on, or to stop because a table is older than the checkpoint. What they
// write meanwhile is checked like all else: row by row, and at the end.
func (m *nemesis) mustNotice() {
	end := time.Now().Add(time.Duration(200+m.w.rand.IntN(800)) * time.Millisecond)
	for time.Now().Before(end) {
		if !slices.ContainsFunc(m.live, func(p *process) bool { return !p.over() }) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	for _, p := range m.live {
		if p.over() && connector.ExitCode(p.err) == connector.ExitTableOlder {
			m.w.bite("table found older than its checkpoint", p.id)
		}
	}
	m.reap()
}

// setOffset is the operator's `offsets set`, until it has come to an end.
func (w *world) setOffset(ctx context.Context, p int, to int64) error {
	store := &connector.Store{Client: w.operator, Table: w.options.CheckpointTable, Sink: "s"}
	tp := kafka.TopicPartition{Topic: topic, Partition: int32(p)}
	for {
		try, cancel := context.WithTimeout(ctx, 5*time.Second)
		held, err := store.Read(try, tp)
		if err == nil && held != nil {
			_, err = store.SetOffset(try, tp, connector.Place{Offset: to, Incarnation: held.Incarnation()}, 0, true)
		}
		cancel()
		if err == nil {
			w.setTo[p] = to
			w.logf("operator sets partition %d to offset %d", p, to)
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}
