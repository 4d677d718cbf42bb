package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"rowmark/connector/core"
)

// nemesis is what befalls the parts of one history, step by step.
type nemesis struct {
	w        *world
	ctx      context.Context
	live     []*process
	paused   map[*process]int // steps until it goes on
	standing map[int]int      // paused region servers: steps until they go on
	zkAway   int              // steps until ZooKeeper comes back
	broker   *goneBroker
	restore  *restore // nil: no table is set back in this history
	retains  bool     // the log may lose what lies below the checkpoint
	retained bool
	letters  *rand.Rand // of what befalls the table of letters; nil: there is none
}

// run lets the log grow under connectors and everything that can befall them.
func (w *world) run(ctx context.Context) {
	w.danger.Store(true)
	steps := 5 + w.rand.IntN(12)
	produced := make(chan error, 1)
	go func() { produced <- w.producer.grow(ctx, steps) }()
	aside, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { w.audit(aside) })
	for n := range 2 {
		beside.Go(func() { w.contend(aside, n) })
	}
	m := &nemesis{w: w, ctx: ctx, paused: map[*process]int{}, standing: map[int]int{}}
	if w.lettered {
		m.letters = rand.New(rand.NewPCG(w.seed, 12))
		beside.Go(func() { w.tinker(aside) })
	}
	if w.rand.IntN(8) == 0 {
		m.restore = newRestore(w, steps)
	} else {
		m.retains = w.rand.IntN(4) == 0
	}
	m.live = []*process{w.spawn(ctx, false)}
	for step := range steps {
		time.Sleep(time.Duration(20+w.rand.IntN(160)) * time.Millisecond)
		m.resume(false)
		m.connectors()
		m.servers()
		m.regions()
		m.zooKeeper()
		m.kafka()
		if m.restore != nil {
			m.setBack(step)
		}
	}
	if err := <-produced; err != nil {
		w.fail(ran, "the log did not grow: %v", err)
	}
	m.resume(true)
	stop()
	beside.Wait()
	m.reap()
	for _, p := range m.live {
		p.kill()
	}
	w.heal()
}

// resume lets go on what was paused long enough, or all.
func (m *nemesis) resume(all bool) {
	for p, left := range m.paused {
		if m.paused[p] = left - 1; left > 0 && !all {
			continue
		}
		delete(m.paused, p)
		if p.resume() {
			m.w.bite("paused connector's frames came late", p.id)
		}
	}
	for n, left := range m.standing {
		if m.standing[n] = left - 1; left > 0 && !all {
			continue
		}
		delete(m.standing, n)
		m.w.logf("region server %d goes on", n)
		if m.w.hbase.Paused(n) {
			if err := m.w.wakes.around(!m.w.hbase.Up(n), func() error { return m.w.hbase.Resume(n) }); err != nil {
				m.w.fail(ran, "%v", err)
			}
		}
	}
	if m.zkAway--; m.zkAway == 0 || all {
		m.w.hbase.ZooKeeperAway(false)
	}
	m.brokerBack(all)
}

// heal ends all faults.
func (w *world) heal() {
	w.plan.Heal()
	w.danger.Store(false)
	w.codes.heal()
	w.raise()
}

// raise starts the dead region servers.
func (w *world) raise() {
	for n := range w.hbase.Servers() {
		if !w.hbase.Up(n) {
			if err := w.hbase.Restart(n); err != nil {
				w.fail(ran, "%v", err)
			}
		}
	}
}

// drain lets one more connector finish the log, and says whether that was done.
func (w *world) drain(ctx context.Context) bool {
	for _, p := range w.processes() {
		<-p.done
	}
	time.Sleep(w.plan.Delay) // what is late has landed
	w.logf("all is healed")
	end := lag.clock() + w.patience
	for {
		p := w.spawn(ctx, true)
		if !lag.wait(p.done, end) {
			w.fail(I11, "the log is not drained in %s: %s", w.patience, w.stand(end))
			p.kill()
			return false
		}
		if p.err == nil {
			return true
		}
		if lag.clock() >= end {
			w.fail(I11, "the last connector ended with %v", p.err)
			return false
		}
	}
}

// stand says how far the checkpoints are, and that is told apart which goes on slowly and which hangs.
func (w *world) stand(since time.Duration) string {
	var out []string
	from := w.hbase.Frames()
	lag.wait(nil, since+time.Second)
	checkpoints := w.content("rowmark")
	for p := range w.partitions {
		pos, err := core.DecodePosition(checkpoints[w.source(p)]["c:position"].Value)
		out = append(out, fmt.Sprintf("partition %d at %d of %d in epoch %d (%v)", p, pos.Offset, w.log.end(p), pos.Epoch, err))
	}
	return fmt.Sprintf("%s; %d requests reached HBase in another second", strings.Join(out, ", "), w.hbase.Frames()-from)
}
