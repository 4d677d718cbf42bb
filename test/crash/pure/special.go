package pure

import (
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// disturb plans what befalls the first process of a special scenario.
func (w *world) disturb() {
	switch w.s.Special {
	case Away:
		w.after(1100*time.Millisecond, func() { w.store.away[tableCounts] = true })
		w.after(1600*time.Millisecond, func() { w.store.away[tableCounts] = false })
	case Paused:
		all := kafka.TopicPartition{Partition: core.AllPartitions}
		w.after(600*time.Millisecond, func() { w.procs[0].halt(core.Pause{TopicPartition: all}, true) })
		w.after(1300*time.Millisecond, func() { w.procs[0].halt(core.Resume{TopicPartition: all}, false) })
	case Operator:
		w.after(700*time.Millisecond, w.operate)
	}
}

// halt tells a process to read nothing, or to go on.
func (p *process) halt(ev core.Event, paused bool) {
	for _, s := range p.parts {
		s.halted = paused
	}
	p.deliver(ev, nil)
}

// operate is `offsets set --force` to the start of the log: it takes the epoch, and then writes. Each is a point; a crash
// there is the operator's, not the connector's.
func (w *world) operate() {
	if w.first != nil {
		return // it is broken already: nobody is to be fenced
	}
	held := w.store.checkpoints[0]
	if held == nil {
		return
	}
	taken := *held
	taken.Mapping = nil
	taken.Epoch++
	taken.Owner, taken.Who, taken.Beat = core.Owner{200}, "offsets set", 0
	put := taken
	put.Owner, put.Beat, put.Offset, put.Witness = core.Owner{}, 1, 0, nil
	put.AdvancedAt = w.wall()
	put.LeaderEpoch, put.EpochOffset = -1, 0
	if !w.operator("offsets/take", held.Encode(), taken) {
		return
	}
	w.after(5*time.Millisecond, func() {
		delete(w.checked, 0)
		w.operator("offsets/write", taken.Encode(), put)
	})
}

// operator makes one swap. False: the operator was killed.
func (w *world) operator(name string, expect []byte, put core.Checkpoint) bool {
	n := w.actions[0]
	w.actions[0]++
	for _, at := range Instants {
		pt := Point{Action: n, At: at, Effect: name}
		w.points[0] = append(w.points[0], pt)
		if at == Landed && !w.store.swap(0, expect, put) {
			return false
		}
		if w.plan.First != nil && w.plan.First.same(pt) {
			w.logf("operator killed at %s %s", name, at)
			return false
		}
	}
	return true
}
