package proxy

import (
	"context"
	"sync"
)

// cuts are the targets that are parted now. Each has a channel that closes when
// it is healed; "" stands for all targets.
type cuts struct {
	mu sync.Mutex
	by map[string]chan struct{}
}

func (c *cuts) cut(target string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]chan struct{}{}
	}
	if c.by[target] == nil {
		c.by[target] = make(chan struct{})
	}
}

func (c *cuts) heal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ch := range c.by {
		close(ch)
	}
	c.by = nil
}

func (c *cuts) of(target string) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch := c.by[""]; ch != nil {
		return ch
	}
	return c.by[target]
}

// pass waits while the target is cut, and says whether it was and whether to
// go on. onHeld is called once if it has to wait.
func (c *cuts) pass(ctx context.Context, target string, onHeld func()) bool {
	held := false
	for {
		ch := c.of(target)
		if ch == nil {
			return true
		}
		if !held {
			held = true
			onHeld()
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return false
		}
	}
}
