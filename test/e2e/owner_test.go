package e2e

import (
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// mixedWorld makes a world with mixedTables and some records.
func mixedWorld(t *testing.T, partitions, records int) (w *world, topic, config string, more func(n int)) {
	t.Helper()
	w = newWorld(t)
	topic, config = w.topic("in", int32(partitions), nil), w.config(mixedTables)
	w.init(config)
	rnd, at := rand.New(rand.NewPCG(2, uint64(records))), 0
	more = func(n int) {
		w.produce(mixedRecords(rnd, topic, partitions, at, n, 500)...)
		at += n
	}
	more(records)
	return w, topic, config, more
}

// TestPaused stops the connector's clock while another takes its partitions, and lets it wake.
func TestPaused(t *testing.T) {
	w, topic, config, more := mixedWorld(t, 2, 6000)
	first := w.start(config)
	first.says("partition taken", 2)
	time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond) // any moment will do
	first.signal(syscall.SIGSTOP)
	second := w.start(config)
	second.says("partition taken", 2)
	more(1000)
	first.signal(syscall.SIGCONT)
	first.ends(5, "another connector took this partition")
	more(1000)
	w.caughtUp(config, 2)
	second.signal(syscall.SIGTERM)
	second.ends(0)
	w.verify(w.foldMixed(w.committed(topic)))
}

// TestTerminated ends the connector gently while records flow: the next one need not wait.
func TestTerminated(t *testing.T) {
	w, topic, config, _ := mixedWorld(t, 2, 6000)
	p := w.start(config)
	p.says("partition taken", 2)
	p.signal(syscall.SIGTERM)
	p.ends(0, "checkpoint released")
	for _, pos := range w.positions(config) {
		if pos.Owner != "" || pos.Ceiling != pos.Checkpoint {
			t.Fatalf("left behind: %+v", pos)
		}
	}
	// With such a lease, a wait for it would be seen.
	next := w.once(config, "--set", "checkpoint.lease=10m")
	if strings.Contains(next.output(), "waiting for the lease") {
		t.Fatal("the next connector waited for the lease")
	}
	w.verify(w.foldMixed(w.committed(topic)))
}

// TestTwoStarters starts two connectors, and two inits, at once.
func TestTwoStarters(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 2, nil), w.config(mixedTables)
	w.produce(mixedRecords(rand.New(rand.NewPCG(3, 3)), topic, 2, 0, 3000, 100)...)
	w.init(config, "--dry-run") // the table that all share is there, or made next
	w.init(w.config(strings.ReplaceAll(mixedTables, "$NAME_", "$NAME_other_")))
	var wg sync.WaitGroup
	inits := []*process{command(t, nil, "init", "-c", config), command(t, nil, "init", "-c", config)}
	for _, p := range inits {
		p.ends(0)
	}
	a, b := w.start(config), w.start(config)
	w.caughtUp(config, 2)
	wg.Go(func() { a.signal(syscall.SIGTERM); <-a.done })
	a.ends(0)
	w.produce(mixedRecords(rand.New(rand.NewPCG(4, 4)), topic, 2, 3000, 500, 100)...)
	b.says("partition taken", 1)
	w.caughtUp(config, 2)
	b.signal(syscall.SIGTERM)
	b.ends(0)
	wg.Wait()
	w.verify(w.foldMixed(w.committed(topic)))
}
