package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"rowmark/test/cluster"
)

// keeper starts services again that ended by themselves, as an operator's supervisor would: a region server gives up
// when its ZooKeeper session is over, which a busy machine alone can bring about. What a fault has in its hands is left
// to it.
type keeper struct {
	procs []*cluster.Process
	log   func(string, ...any)
	fail  func(error)

	mu     sync.Mutex
	taken  map[*cluster.Process]bool
	deaths map[string]int // that no fault explains directly, by process
}

const keepEvery = time.Second

// claim keeps the keeper from a process until the function it gives is called. One that is dead already is started
// first, so that a fault finds something to break.
func (k *keeper) claim(ctx context.Context, p *cluster.Process) (release func(), err error) {
	if err := until(ctx, time.Minute, p.Name()+" to be free", func() (bool, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.taken[p] {
			return false, nil
		}
		k.taken[p] = true
		return true, nil
	}); err != nil {
		return nil, err
	}
	release = func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.taken, p)
	}
	if !p.Alive() {
		if err := k.revive(p); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// run looks after all processes until ctx ends.
func (k *keeper) run(ctx context.Context) {
	for sleep(ctx, keepEvery) == nil {
		for _, p := range k.procs {
			k.mu.Lock()
			free := !k.taken[p] && !p.Alive()
			if free {
				k.taken[p] = true
			}
			k.mu.Unlock()
			if !free {
				continue
			}
			if err := k.revive(p); err != nil {
				k.fail(err)
				return
			}
			k.mu.Lock()
			delete(k.taken, p)
			k.mu.Unlock()
		}
	}
}

// revive starts a dead process that no fault killed.
func (k *keeper) revive(p *cluster.Process) error {
	k.mu.Lock()
	k.deaths[p.Name()]++
	k.mu.Unlock()
	k.log("%s ended by itself; it is started again", p.Name())
	return restart(p)
}

// restart starts a process again. HBase's own may be refused at first, while the death of the one before is being dealt
// with; then they end.
func restart(p *cluster.Process) error {
	var err error
	for range 3 {
		if err = p.Restart(context.Background()); err == nil {
			return nil
		}
	}
	return err
}

// text says what died.
func (k *keeper) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.deaths) == 0 {
		return "none"
	}
	out := ""
	for _, name := range slices.Sorted(maps.Keys(k.deaths)) {
		if out != "" {
			out += ", "
		}
		out += fmt.Sprintf("%s: %d times", name, k.deaths[name])
	}
	return out
}
