package main

import (
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// everything names all partitions to a Pause or Resume.
var everything = kafka.TopicPartition{Partition: core.AllPartitions}

// halt pauses one partition of a process, or all of them, and resumes it some time later, or all that is paused.
func (w *world) halt(a act) {
	p := w.pick(a.n, nil)
	if p == nil {
		return
	}
	names := []kafka.TopicPartition{tpOf(p.parts[int(a.m)%len(p.parts)]), {Topic: "t", Partition: core.AllPartitions}, everything}
	name, back := names[a.m/3%3], names[a.m/3%3]
	if a.m%2 == 0 {
		back = everything
	}
	w.faults++
	w.logf("p%d: pause %s", p.id, name)
	p.deliver(core.Pause{TopicPartition: name})
	w.after(time.Duration(50+a.n%5000)*time.Millisecond, func() {
		w.logf("p%d: resume %s", p.id, back)
		p.deliver(core.Resume{TopicPartition: back})
	})
}

// note remembers what an operator said of which partitions.
func (p *process) note(ev core.Event) {
	var name kafka.TopicPartition
	halt := false
	switch ev := ev.(type) {
	case core.Pause:
		name, halt = ev.TopicPartition, true
	case core.Resume:
		name = ev.TopicPartition
	default:
		return
	}
	for n := range p.w.logs {
		if name.Partition == core.AllPartitions || name.Partition == int32(n) {
			p.halted[int32(n)] = halt
		}
	}
}
