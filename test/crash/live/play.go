package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"rowmark/connector"
	"rowmark/hbase"
)

// outcome is what one case showed.
type outcome struct {
	counts [2]map[string]int
	fired  [2]bool
	errs   []string
}

// play plays a scenario under a plan, and checks what it left.
func play(s Scenario, plan Plan, o Options) outcome {
	w := &world{s: s, plan: plan, mutate: o.Mutate, began: time.Now(), events: s.events()}
	w.counts = [2]map[string]int{{}, {}}
	ctx, cancel := context.WithTimeout(context.Background(), 4*patience)
	defer cancel()
	defer w.close()
	if err := w.open(); err != nil {
		w.fail("not begun: %v", err)
	} else if err := w.script(ctx); err != nil {
		w.fail("%v", err)
	} else if !w.failed() {
		w.check(o.Spoil)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return outcome{w.counts, w.fired, w.errs}
}

// script is the scenario: init; a connector that reads, idles, reads on and is stopped; with `offsets set` back to the
// start after it in one scenario; one that drains the log; and where one was killed, its successors.
func (w *world) script(ctx context.Context) error {
	stage := func(shapes ...string) int {
		if slices.Contains(shapes, w.s.Shape) {
			return 0
		}
		return -1
	}
	if !w.command(ctx, "init", stage("init"), w.initialize) && !w.command(ctx, "init", -1, w.initialize) {
		return errKilled
	}
	w.checkInit(ctx)
	if err := w.cutRegions(); err != nil {
		return err
	}
	if err := w.produce(ctx, 0, 0.6); err != nil {
		return err
	}
	own := 0
	if w.s.Shape == "init" || w.s.Shape == "offsets" {
		own = -1
	}
	a := w.spawn(ctx, 1, false, own)
	w.await(a, 0.6)
	// Long enough for the tables to be left alone, so that their witness is looked at again.
	w.pause(a, 400*time.Millisecond)
	if err := w.produce(ctx, 0.6, 0.85); err != nil {
		return err
	}
	w.await(a, 0.85)
	w.stop(a)
	if err := w.produce(ctx, 0.85, 1); err != nil {
		return err
	}
	w.command(ctx, "offsets", stage("offsets"), func(ctx context.Context, c *hbase.Client) error {
		if w.s.Shape != "offsets" {
			return nil
		}
		return w.setOffset(ctx, c)
	})
	w.drain(ctx, a.killed(), own)
	return nil
}

// drain lets processes drain the log, one after another until one is not killed.
func (w *world) drain(ctx context.Context, killed bool, own int) {
	version := 1
	if w.s.Remap {
		version = 2
	}
	for stage := own; ; {
		if killed && stage >= 0 {
			stage++ // the successor of one that was killed
		}
		if stage > 1 {
			stage = -1
		}
		p := w.spawn(ctx, version, w.s.Shape != "group", stage)
		if w.s.Shape == "group" { // a member of a group stays
			w.awaitTaken(p)
			w.await(p, 1)
			p.cancel()
		}
		w.join(p)
		killed = p.killed()
		if slow := !killed && errors.Is(p.err, connector.ErrShutdown); slow {
			stage = -1 // it was stopped and could not let go in time: another one has to
		} else if !killed || w.failed() {
			return
		}
	}
}

// stop is SIGTERM, or where the plan says so a kill right after it, while the connector gives up what it was reading.
func (w *world) stop(p *process) {
	if t := w.plan[0]; t.Effect == cancelFetch && p.stage == 0 && !p.killed() {
		w.mu.Lock()
		w.fired[0] = true
		w.mu.Unlock()
		p.cancel()
		if t.At != Before {
			time.Sleep(time.Millisecond)
		}
		p.kill()
	}
	p.cancel()
	w.join(p)
}

// await waits until the process has brought the checkpoints to a share of the log, or has died.
func (w *world) await(p *process, share float64) {
	end := time.Now().Add(patience)
	for !p.killed() && !p.over() && !w.reached(share) {
		if time.Now().After(end) {
			w.fail("stuck: the checkpoints do not reach %.0f%% of the log in %s", share*100, patience)
			p.kill()
		}
		time.Sleep(3 * time.Millisecond)
	}
	if p.over() && !p.killed() {
		w.fail("the connector ended by itself: %v", p.err)
	}
}

// awaitTaken waits until the process has begun to take all partitions.
func (w *world) awaitTaken(p *process) {
	end := time.Now().Add(patience)
	for !p.killed() && !p.over() && p.teller.swaps() < len(w.events) {
		if time.Now().After(end) {
			w.fail("stuck: not all partitions are taken in %s", patience)
			p.kill()
		}
		time.Sleep(3 * time.Millisecond)
	}
}

func (w *world) pause(p *process, d time.Duration) {
	end := time.Now().Add(d)
	for !p.killed() && time.Now().Before(end) {
		time.Sleep(5 * time.Millisecond)
	}
}

// join waits for the process to end.
func (w *world) join(p *process) {
	select {
	case <-p.done:
	case <-time.After(2 * patience):
		w.fail("stuck: a connector does not end in %s", 2*patience)
		p.kill()
	}
	if p.killed() {
		return // its goroutines end by themselves
	}
	if p.err != nil && !errors.Is(p.err, connector.ErrShutdown) {
		w.fail("a connector ended with %v", p.err)
	}
}

// cutRegions splits the data tables.
func (w *world) cutRegions() error {
	for _, key := range w.s.splits() {
		for _, table := range []string{"rows", "counts"} {
			if err := w.hbase.Split(table, []byte(key)); err != nil {
				return err
			}
		}
	}
	return nil
}
